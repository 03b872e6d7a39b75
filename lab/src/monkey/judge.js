// The judge of `cargo lab monkey`. The lab puts it into the page's own world. It records what
// trusted input hit, and whether that was the element it was meant for. It shares no code with the
// page script. The lab inserts `ORDER` at the start: {arm: {selectors, hosts, tag, id}} or {read:
// id}.

(() => {
  const KEY = "__judgeOfTheMonkey";
  const words = (el) => `<${el.localName}${el.id ? "#" + el.id : ""}${el.classList.length ? "." + [...el.classList].join(".") : ""}> ${(el.getAttribute("aria-label") || el.textContent || el.value || "").trim().replace(/\s+/g, " ").slice(0, 60)}`;

  const judge = (() => {
    if (window[KEY]) return window[KEY];
    const made = { id: 0, target: null, seen: [] };
    const keep = () => {
      try { sessionStorage.setItem(KEY, JSON.stringify({ id: made.id, seen: made.seen })); } catch { /* no storage here */ }
    };
    // Drawn by something else: a person hits what is drawn, a label or a neighbour in the same
    // small box.
    const undrawn = (el) => {
      const box = el.getBoundingClientRect(), style = getComputedStyle(el);
      return box.width < 3 || box.height < 3 || +style.opacity < 0.05 || style.pointerEvents === "none" || style.clipPath !== "none" || style.appearance === "none";
    };
    const verdict = (path) => {
      const target = made.target;
      if (path.includes(target)) return "hit";
      if (path.some((el) => el.localName === "label" && el.control && (el.control === target || target.contains(el.control)))) return "label";
      // Only a form control can be drawn by something else: by what is around it, or beside it,
      // with no other control that is drawn.
      const controls = "input,select,textarea,button", near = path[0]?.contains(target) ? path[0] : path[0]?.parentElement;
      const alone = near?.contains(target) && [...near.querySelectorAll(controls)].every((other) => other === target || undrawn(other));
      if (target.matches(controls) && undrawn(target) && alone) return "drawn by another";
      if (!target.isConnected) {
        const same = path.find((el) => el.localName === target.localName && words(el) === made.words);
        if (same) return "replaced by an equal one";
      }
      return "other";
    };
    const note = (event) => {
      if (!event.isTrusted || !made.target) return;
      const path = event.composedPath().filter((el) => el instanceof Element);
      const { type } = event;
      // Of moves only the last counts.
      if (type === "pointermove") made.seen = made.seen.filter((other) => other.type !== type);
      if (made.seen.length > 60) return;
      made.seen.push({ type, verdict: verdict(path), hit: path[0] ? words(path[0]) : "", x: event.clientX, y: event.clientY });
      if (type !== "pointermove") keep();
    };
    for (const type of ["pointerdown", "click", "dblclick", "contextmenu", "pointermove", "keydown", "beforeinput"]) window.addEventListener(type, note, true);
    made.keep = keep;
    Object.defineProperty(window, KEY, { value: made });
    return made;
  })();

  // The words of an element, from everything a name may come from, through slots and open shadow
  // roots.
  const says = (el, root) => {
    const out = [];
    const walk = (node, depth) => {
      if (node.nodeType === Node.TEXT_NODE) out.push(node.data);
      if (node.nodeType !== Node.ELEMENT_NODE || depth > 60 || out.length > 100_000) return;
      // The browser's own words.
      if (node.type === "file") out.push("Choose File No file chosen");
      out.push(node.value, node.placeholder, node.title?.baseVal ?? node.title, node.alt, node.ariaLabel);
      for (const pseudo of ["::before", "::after"]) out.push(getComputedStyle(node, pseudo).content.replace(/^(none|normal)$/, ""));
      const slotted = node.localName === "slot" ? node.assignedNodes({ flatten: true }) : [];
      for (const inner of slotted.length ? slotted : (node.shadowRoot ?? node).childNodes) walk(inner, depth + 1);
    };
    walk(el, 0);
    for (const label of el.labels ?? []) walk(label, 0);
    for (const id of (el.getAttribute("aria-labelledby") ?? "").split(/\s+/)) { const by = id && root.getElementById(id); if (by) walk(by, 0); }
    return out.filter((text) => typeof text === "string" && text.trim() !== "");
  };

  if (ORDER.arm) {
    const { selectors, hosts, tag, id } = ORDER.arm;
    let root = document;
    for (const host of hosts) root = root?.querySelector(host)?.shadowRoot;
    const found = selectors.map((selector) => { try { return [...(root?.querySelectorAll(selector) ?? [])]; } catch { return []; } }).find((all) => all.length === 1)?.[0] ?? null;
    judge.id = id;
    judge.seen = [];
    judge.target = found && found.localName === tag ? found : null;
    judge.words = judge.target ? words(judge.target) : "";
    judge.keep();
    if (!judge.target) return { found: false };
    return { found: true, says: says(judge.target, root).join(" ").slice(0, 20000) };
  }
  if (judge.id === ORDER.read) return { seen: judge.seen };
  // Another document by now; what the last one wrote down is in the storage of the tab, if they
  // share it.
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    if (kept?.id === ORDER.read) return { seen: kept.seen, left: true };
  } catch { /* no storage here */ }
  return { seen: null, left: true };
})()
