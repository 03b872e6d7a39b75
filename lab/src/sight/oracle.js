// The oracle of `cargo lab sight`: finds what a person can use on this page, without pagesight. It
// shares no code with the page script; it uses only markup, listeners and a grid of hit tests. It
// runs in a world of its own, once in each frame. It scrolls while it works and restores
// everything. Returns {report: JSON, elements: [...]}: one entry of the report for each of the
// elements. It gets what a script cannot find: first the closed shadow roots (`roots` of them),
// then the elements with listeners.
function oracle(roots, ...handed) {
  const closed = new Map(handed.slice(0, roots).map((root) => [root.host, root]));
  const heard = handed.slice(roots);
  const shadowOf = (el) => el.shadowRoot ?? closed.get(el) ?? null;
  const slots = new Map();

  // Everything there is, shadow roots entered.
  const all = [];
  const gather = (root) => {
    for (const el of root.querySelectorAll("*")) {
      all.push(el);
      if (el.localName === "slot" && el.assignedNodes) for (const node of el.assignedNodes()) slots.set(node, el);
      const shadow = shadowOf(el);
      if (shadow) gather(shadow);
    }
  };
  gather(document);
  // A form may have a field called "parentNode".
  const getter = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get;
  const parentOf = (node) => getter(Node, "parentNode").call(node);
  const up = (node) => {
    const parent = slots.get(node) ?? parentOf(node);
    return parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null;
  };
  const isIn = (outer, inner) => {
    for (let at = inner; at; at = up(at)) if (at === outer) return true;
    return false;
  };

  // What may be used, by markup and listeners alone.
  const get = (el, name) => Element.prototype.getAttribute.call(el, name);
  const HANDLERS = ["onclick", "onmousedown", "onmouseup", "onpointerdown", "onpointerup", "ontouchstart", "ondblclick"];
  const isNative = (el) => {
    const html = el instanceof HTMLElement;
    switch (el.localName) {
      case "a":
        return get(el, "href") !== null || get(el, "xlink:href") !== null;
      case "area":
        return html && get(el, "href") !== null;
      case "button":
      case "select":
      case "textarea":
        return html;
      case "input":
        return html && el.type !== "hidden";
      case "summary":
        return html && el.parentNode?.localName === "details" && [...el.parentNode.children].find((child) => child.localName === "summary") === el;
      case "audio":
      case "video":
        return html && get(el, "controls") !== null;
      default:
        return html && el.isContentEditable && !el.parentElement?.isContentEditable && document.designMode !== "on";
    }
  };
  const listening = new Set(heard);
  const kindOf = (el) => {
    if (el === document.documentElement || el === document.body) return "";
    if (isNative(el)) return "native";
    if (get(el, "tabindex") !== null && el.tabIndex >= 0) return "focusable";
    if (listening.has(el) || HANDLERS.some((name) => get(el, name) !== null)) return "listener";
    return "";
  };

  // Hit-tests.
  const hitAt = (x, y) => {
    let hit = document.elementFromPoint(x, y);
    for (let shadow = hit && shadowOf(hit); shadow; shadow = shadowOf(hit)) {
      const inner = shadow.elementFromPoint(x, y);
      if (!inner || inner === hit || !isIn(hit, inner)) break;
      hit = inner;
    }
    if (!hit) return null;
    // Up through the frames around, as far as they may be seen from here.
    for (let view = window, px = x, py = y; view !== view.parent; view = view.parent) {
      let frame = null;
      try {
        frame = view.frameElement;
      } catch {
        return hit;
      }
      if (!frame) return hit;
      const rect = frame.getBoundingClientRect();
      px += rect.left + frame.clientLeft;
      py += rect.top + frame.clientTop;
      let outer = frame.ownerDocument.elementFromPoint(px, py);
      while (outer && outer !== frame && outer.shadowRoot) {
        const inner = outer.shadowRoot.elementFromPoint(px, py);
        if (!inner || inner === outer) break;
        outer = inner;
      }
      if (outer !== frame) return null;
    }
    return hit;
  };
  const clip = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });
  const some = (box) => box.right - box.left > 0 && box.bottom - box.top > 0;
  const boxesOf = (el) => {
    if (el.localName === "area") {
      const name = el.closest("map")?.name;
      return [...document.querySelectorAll("img[usemap],object[usemap]")].filter((image) => get(image, "usemap") === `#${name}`).map((image) => image.getBoundingClientRect());
    }
    return [...el.getClientRects()].slice(0, 12);
  };
  const touches = (el, boxes, fits) => {
    const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const fine = el.localName === "area" || el instanceof SVGElement ? 15 : 5;
    let sight = view;
    for (let at = up(el); at; at = up(at)) {
      const { overflowX, overflowY, display } = getComputedStyle(at);
      if (at === document.body || at === document.documentElement || display === "inline" || display === "contents") continue;
      if (overflowX !== "visible" || overflowY !== "visible") sight = clip(sight, at.getBoundingClientRect());
    }
    for (const box of boxes) {
      const shares = [0.5, ...Array.from({ length: fine }, (_, i) => (i + 0.5) / fine)];
      for (const area of [clip(box, sight), clip(box, view)]) {
        if (!some(area)) continue;
        for (const fy of shares) {
          for (const fx of shares) {
            const hit = hitAt(area.left + (area.right - area.left) * fx, area.top + (area.bottom - area.top) * fy);
            if (hit && fits(hit)) return true;
          }
        }
      }
    }
    return false;
  };
  /** Scrolls to it the way a person can: what does not scroll by hand is put back. `anyhow`: as a script can. */
  const scrollTo = (el, anyhow) => {
    const around = [];
    for (let at = up(el); at; at = up(at)) around.push([at, at.scrollLeft, at.scrollTop]);
    el.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    if (anyhow) return;
    const stuck = (overflow) => overflow === "hidden" || overflow === "clip";
    const root = document.scrollingElement;
    const outer = getComputedStyle(document.documentElement);
    const viewed = outer.overflowX === "visible" && document.body ? getComputedStyle(document.body) : outer;
    for (const [at, left, top] of around) {
      const style = at === root ? viewed : getComputedStyle(at);
      if (stuck(style.overflowX) && at.scrollLeft !== left) at.scrollLeft = left;
      if (stuck(style.overflowY) && at.scrollTop !== top) at.scrollTop = top;
    }
  };
  const labelsOf = (el) => (el instanceof HTMLElement && el.labels ? [...el.labels] : []);
  const reaches = (el, anyhow) => {
    scrollTo(el.localName === "area" ? (boxesOf(el).length ? (document.querySelector(`[usemap="#${CSS.escape(el.closest("map").name)}"]`) ?? el) : el) : el, anyhow);
    const own = (hit) => isIn(el, hit);
    if (touches(el, boxesOf(el), own)) return "itself";
    for (const inner of [...el.querySelectorAll("*")].slice(0, 30)) if (touches(inner, [...inner.getClientRects()].slice(0, 4), own)) return "itself";
    // What is not drawn can be clicked through its label, but not typed into.
    if (el.getClientRects().length === 0 && !/^(checkbox|radio|file|button|submit|reset|image)$/.test(el.type)) return "";
    for (const label of labelsOf(el)) {
      scrollTo(label, anyhow);
      if (touches(label, [...label.getClientRects()].slice(0, 4), (hit) => hit.closest("label")?.control === el || isIn(el, hit))) return "label";
    }
    return "";
  };

  const before = all.filter((el) => el.scrollTop !== 0 || el.scrollLeft !== 0).map((el) => [el, el.scrollLeft, el.scrollTop]);
  const restore = () => {
    for (const el of all) if (el.scrollTop !== 0 || el.scrollLeft !== 0) el.scrollTo({ left: 0, top: 0, behavior: "instant" });
    for (const [el, left, top] of before) el.scrollTo({ left, top, behavior: "instant" });
  };

  // Scrolling by script what nobody can scroll must not carry over to the next.
  const things = all.map((el) => ({ el, kind: kindOf(el), reached: "", anyhow: "" })).filter((thing) => thing.kind !== "");
  for (const thing of things) thing.reached = reaches(thing.el, false);
  for (const thing of things.filter((thing) => thing.reached === "")) {
    thing.anyhow = reaches(thing.el, true);
    if (thing.anyhow) restore();
  }
  restore();

  // A listener around things that were reached is their container.
  const at = new Map(things.map((thing, i) => [thing.el, i]));
  const parents = things.map(({ el }) => {
    for (let above = up(el); above; above = up(above)) if (at.has(above)) return at.get(above);
    return -1;
  });
  const holds = new Set();
  things.forEach((thing, i) => {
    if (thing.reached) for (let above = parents[i]; above >= 0 && !holds.has(above); above = parents[above]) holds.add(above);
  });

  const selectorOf = (el) => {
    const parts = [];
    for (let step = el; step && parts.length < 5; step = parentOf(step) instanceof Element ? parentOf(step) : null) {
      const id = get(step, "id");
      const classes = (get(step, "class") ?? "").trim().split(/\s+/).filter(Boolean).slice(0, 2).map((name) => `.${name}`).join("");
      parts.unshift(step.localName + (id ? `#${id}` : classes));
      if (id) break;
    }
    return (el.getRootNode() === document ? "" : "(shadow) ") + parts.join(" > ");
  };
  const words = (el) => (get(el, "aria-label") || el.innerText || get(el, "alt") || get(el, "title") || el.textContent || "").replace(/\s+/g, " ").trim().slice(0, 60);
  const elements = things.map((thing) => thing.el);
  const report = things.map((thing, i) => {
    const { el } = thing;
    const rect = el.getBoundingClientRect();
    const labels = thing.kind === "native" ? labelsOf(el).map((label) => elements.push(label) - 1) : [];
    return { kind: thing.kind, tag: el.localName, type: el.localName === "input" ? el.type : "", role: get(el, "role") ?? "", text: words(el), selector: selectorOf(el), reached: thing.reached, anyhow: thing.anyhow,
      container: thing.kind !== "native" && holds.has(i), labels, inert: el.closest("[inert]") !== null, box: [rect.x, rect.y, rect.width, rect.height].map(Math.round) };
  });
  return { report: JSON.stringify({ elements: all.length, things: report }), elements };
}
