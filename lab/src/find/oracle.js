// The oracle of `cargo lab find`: lists what a person could ask for on this page, without
// pagesight. It shares no code with the page script; it uses markup, computed visibility and hit
// tests. It runs in a world of its own, in the top document with its open shadow roots. Returns
// JSON: controls, records (rows, list items, cards) with their cells, terms, sections, all words.
function oracle() {
  const clean = (text) => (text ?? "").replace(/\s+/g, " ").trim();
  const wordsOf = (text) => clean(text).toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  // A form may have a field called "parentNode".
  const getter = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get;
  const parentOf = (node) => getter(Node, "parentNode").call(node);
  const childrenOf = (node) => [...getter(Node, "childNodes").call(node)];
  const get = (el, name) => Element.prototype.getAttribute.call(el, name);
  const up = (node) => {
    const parent = node.assignedSlot ?? parentOf(node);
    return parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null;
  };
  const above = (node, fits) => {
    for (let at = up(node); at; at = up(at)) if (fits(at)) return at;
    return null;
  };
  const isIn = (outer, inner) => inner === outer || above(inner, (at) => at === outer) !== null;

  const all = [];
  const gather = (root) => {
    for (const el of root.querySelectorAll("*")) {
      all.push(el);
      if (el.shadowRoot) gather(el.shadowRoot);
    }
  };
  gather(document);

  // What is drawn. Text may be drawn while its box is empty, so only text asks for a size.
  const drawnCache = new Map();
  const drawn = (el) => {
    if (!drawnCache.has(el)) drawnCache.set(el, el.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !el.closest("[aria-hidden=true],[inert]"));
    return drawnCache.get(el);
  };
  const hitAt = (x, y) => {
    let hit = document.elementFromPoint(x, y);
    while (hit?.shadowRoot) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit || !isIn(hit, inner)) break;
      hit = inner;
    }
    return hit;
  };
  // A person can see it: after scrolling to it, one of its points shows it, or its label.
  const seen = (el) => {
    if (!drawn(el)) return false;
    const rects = [...el.getClientRects()].filter((rect) => rect.width > 2 && rect.height > 2).slice(0, 4);
    if (rects.length === 0) return false;
    el.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    const labels = el.labels ? [...el.labels] : [];
    for (const rect of [...el.getClientRects()].slice(0, 4)) {
      for (const [fx, fy] of [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5], [0.5, 0.2], [0.5, 0.8]]) {
        const hit = hitAt(rect.left + rect.width * fx, rect.top + rect.height * fy);
        if (hit && (isIn(el, hit) || labels.some((label) => isIn(label, hit)))) return true;
      }
    }
    return false;
  };

  // The text of a subtree as it is drawn, with what fields hold. `skip` is left out.
  const inlineDisplay = (el) => getComputedStyle(el).display.startsWith("inline") || getComputedStyle(el).display === "contents";
  const NO_TEXT = new Set(["script", "style", "noscript", "template", "head", "title", "svg", "option", "select", "textarea", "iframe"]);
  const textOf = (root, skip = null, values = false) => {
    let out = "";
    const walk = (node) => {
      if (node === skip || out.length > 6000) return;
      if (node instanceof Text) out += drawn(parentOf(node) instanceof ShadowRoot ? parentOf(node).host : parentOf(node)) ? node.data : "";
      else if (node instanceof Element) {
        const gap = inlineDisplay(node) ? "" : " ";
        out += gap;
        if (values) out += extra(node);
        if (node.localName === "br") out += " ";
        if (NO_TEXT.has(node.localName)) return;
        for (const child of childrenOf(node.shadowRoot ?? node)) walk(child);
        if (node.localName === "slot") for (const child of node.assignedNodes()) walk(child);
        out += gap;
      }
    };
    walk(root);
    return clean(out);
  };
  // What can be read of an element beside its text.
  const extra = (el) => {
    const parts = [get(el, "aria-label"), get(el, "title"), get(el, "alt"), get(el, "placeholder")];
    if (/^(input|textarea|select)$/.test(el.localName)) parts.push(valueOf(el), el.localName === "select" ? [...el.options].slice(0, 15).map((option) => option.text).join(" ") : "");
    return ` ${parts.filter(Boolean).join(" ")} `;
  };

  // Controls.
  const TYPES = { button: "button", submit: "button", reset: "button", image: "button", checkbox: "checkbox", radio: "radio", range: "slider", number: "spinbutton", search: "searchbox", text: "textbox", email: "textbox", tel: "textbox", url: "textbox", password: "textbox" };
  const roleOf = (el) => {
    const given = clean(get(el, "role")).split(" ")[0];
    if (given) return given;
    switch (el.localName) {
      case "a":
        return get(el, "href") === null ? "" : "link";
      case "button":
        return "button";
      case "summary":
        return "";
      case "select":
        return el.multiple || el.size > 1 ? "listbox" : "combobox";
      case "textarea":
        return "textbox";
      case "input":
        return el.list ? "combobox" : (TYPES[el.type] ?? "");
      default:
        return "";
    }
  };
  const CONTROLS = new Set(["link", "button", "checkbox", "radio", "switch", "slider", "spinbutton", "searchbox", "textbox", "combobox", "tab"]);
  const FIELDS = new Set(["checkbox", "radio", "switch", "slider", "spinbutton", "searchbox", "textbox", "combobox"]);
  const valueOf = (el) => {
    if (el.localName === "select") return clean(el.selectedOptions[0]?.text);
    if (el.localName === "textarea") return clean(el.value);
    if (el.localName === "input") return /^(checkbox|radio|password|hidden|file|button|submit|reset|image|color)$/.test(el.type) ? "" : clean(el.value);
    return clean(get(el, "aria-valuetext") ?? get(el, "aria-valuenow"));
  };
  const statesOf = (el, role) => {
    const states = [];
    const on = (name) => get(el, `aria-${name}`) === "true";
    const checkable = /^(checkbox|radio|switch)$/.test(role);
    if (checkable && (el.localName === "input" ? el.checked : on("checked"))) states.push("checked");
    if (el.matches(":disabled") || on("disabled")) states.push("disabled");
    if (get(el, "aria-expanded") !== null) states.push(on("expanded") ? "expanded" : "collapsed");
    if (role === "tab" && on("selected")) states.push("selected");
    if (on("pressed")) states.push("pressed");
    if (el.required === true || on("required")) states.push("required");
    if (on("invalid")) states.push("invalid");
    if (el.readOnly === true && get(el, "readonly") !== null && role === "textbox") states.push("readonly");
    return states;
  };
  const byIds = (el, ids) => clean(ids.split(/\s+/).map((id) => el.getRootNode().getElementById?.(id)).filter(Boolean).map((other) => textOf(other) || clean(get(other, "aria-label"))).join(" "));
  const nameOf = (el, role) => {
    const referred = get(el, "aria-labelledby");
    if (referred && byIds(el, referred)) return byIds(el, referred);
    if (clean(get(el, "aria-label"))) return clean(get(el, "aria-label"));
    if (el.localName === "input" && /^(button|submit|reset)$/.test(el.type)) return clean(el.value);
    const labels = el.labels ? [...el.labels].map((label) => textOf(label, el)).filter(Boolean) : [];
    if (labels.length > 0) return clean(labels.join(" "));
    if (!FIELDS.has(role) || get(el, "role")) {
      const text = textOf(el) || clean([...el.querySelectorAll("img[alt]")].map((image) => image.alt).join(" "));
      if (text) return text;
    }
    return clean(get(el, "title")) || clean(get(el, "placeholder"));
  };
  // What a control without a name shows: the icon that its markup names, as the sets spell it, and
  // the outlines of its drawing, which the lab looks up.
  const SETS = /^(?:fa|bi|mdi|lucide|codicon|ti|ri|glyphicon|octicon|icon-tabler)-([a-z][a-z0-9-]*)$/;
  const LOOKS = /^(?:solid|regular|light|brands|fw|lg|sm|xs|xl|spin|pulse|inverse|icon|border|stack.*|rotate.*|flip.*|pull.*|modifier.*)$/;
  const plain = (name) => name.replace(/(?:-(?:line|fill|filled|outline|solid|regular|o|\d+))+$/, "").replaceAll("-", " ");
  const iconOf = (el) => {
    const parts = [el, ...el.querySelectorAll("*")].slice(0, 20).filter(drawn);
    for (const part of parts)
      for (const token of clean(get(part, "class")).split(" ")) {
        const name = SETS.exec(token)?.[1];
        if (name && !LOOKS.test(name)) return plain(name);
      }
    for (const part of parts) {
      const name = get(part, "data-icon") ?? get(part, "data-lucide");
      if (/^[a-z][a-z0-9-]*$/.test(name ?? "")) return plain(name);
    }
    return "";
  };
  const shapesOf = (el) => [...el.querySelectorAll("svg path")].map((path) => get(path, "d")).join("|");
  const found = [];
  for (const el of all) {
    const role = roleOf(el);
    if (!CONTROLS.has(role) || !(el instanceof HTMLElement) || !seen(el)) continue;
    // A control in a control cannot be distinguished from the one around it.
    if (above(el, (at) => CONTROLS.has(roleOf(at)))) continue;
    if ([...el.querySelectorAll("*")].some((inner) => CONTROLS.has(roleOf(inner)))) continue;
    found.push({ el, role, name: nameOf(el, role) });
  }
  const controlAt = new Map(found.map((control, i) => [control.el, i]));
  const inside = new Map();
  for (const control of found) {
    for (let at = control.el; at; at = up(at)) inside.get(at)?.push(control) ?? inside.set(at, [control]);
  }
  const controlsIn = (el) => inside.get(el) ?? [];

  // A field without a name: the one text beside it, if the two are alone.
  for (const control of found) {
    control.beside = "";
    if (control.name || !FIELDS.has(control.role)) continue;
    const around = up(control.el);
    if (!around || controlsIn(around).length !== 1) continue;
    const text = textOf(around, control.el);
    if (text && wordsOf(text).length <= 8) control.beside = text;
  }

  // Headings and what follows each of them up to the next.
  const sections = [];
  let section = -1;
  // A heading does not speak for what is in a different part of the page, or far below it.
  const PARTS = "section,article,aside,nav,header,footer,main,form,dialog";
  const closest = (el) => above(el, (at) => at.matches(PARTS)) ?? document.body;
  const SECTION_LINES = 30;
  const visit = (node) => {
    if (node instanceof Text) {
      const parent = parentOf(node) instanceof ShadowRoot ? parentOf(node).host : parentOf(node);
      if (section >= 0 && clean(node.data) && parent && drawn(parent)) {
        const one = sections[section];
        if (one.text.length < 4000) one.text += ` ${node.data}`;
        if (!isIn(one.el, parent)) one.lines++;
        if (one.lines > SECTION_LINES) section = -1;
      }
      return;
    }
    if (!(node instanceof Element) || ["script", "style", "noscript", "template", "head"].includes(node.localName)) return;
    const level = /^h[1-6]$/.test(node.localName) ? Number(node.localName[1]) : get(node, "role") === "heading" ? Number(get(node, "aria-level") ?? 2) : 0;
    if (level && drawn(node) && clean(textOf(node))) {
      sections.push({ el: node, heading: textOf(node), place: closest(node), text: "", lines: 0, first: -1 });
      section = sections.length - 1;
    }
    const control = controlAt.get(node);
    if (section >= 0) {
      const one = sections[section];
      if (drawn(node) && one.text.length < 4000) one.text += extra(node);
      if (control !== undefined && !isIn(one.el, node) && one.lines <= SECTION_LINES && isIn(one.place, node) && isIn(closest(node), one.el)) {
        found[control].section = section;
        if (one.first < 0 && one.lines <= 5 && found[control].role === "link") one.first = control;
      }
    }
    for (const child of childrenOf(node.shadowRoot ?? node)) visit(child);
    if (node.localName === "slot") for (const child of node.assignedNodes()) visit(child);
  };
  if (document.body) visit(document.body);

  // Tables with column heads, without spans.
  const records = [];
  const recordOf = new Map();
  const isTable = (el) => (el.localName === "table" && !/^(presentation|none)$/.test(get(el, "role") ?? "")) || /^(table|grid|treegrid)$/.test(get(el, "role") ?? "");
  const cellRole = (el) => get(el, "role") ?? { th: "head", td: "cell" }[el.localName] ?? "";
  const isCell = (el) => /^(head|cell|gridcell|columnheader|rowheader)$/.test(cellRole(el));
  const within = (root, fits) => [...root.querySelectorAll("*")].filter((el) => fits(el));
  for (const table of all.filter((el) => isTable(el) && drawn(el))) {
    if (within(table, isTable).length > 0) continue;
    const rows = within(table, (el) => el.localName === "tr" || get(el, "role") === "row").filter(drawn);
    const cellsOf = (row) => within(row, isCell).filter((cell) => up(cell) === row || above(cell, (at) => at === row));
    if (rows.some((row) => cellsOf(row).some((cell) => cell.colSpan > 1 || cell.rowSpan > 1))) continue;
    const heading = rows.slice(0, 2).find((row) => cellsOf(row).length > 1 && cellsOf(row).every((cell) => /^(head|columnheader)$/.test(cellRole(cell))));
    const heads = heading ? cellsOf(heading).map((cell) => textOf(cell)) : [];
    for (const row of rows) {
      const cells = cellsOf(row);
      if (row === heading || cells.length < 2 || cells.every((cell) => /^(head|columnheader)$/.test(cellRole(cell)))) continue;
      const texts = cells.map((cell) => textOf(cell));
      const key = texts.find((text) => wordsOf(text).length > 0) ?? "";
      const plain = cells.map((cell) => controlsIn(cell).length === 0);
      const listed = cells.length === heads.length ? cells.map((cell, i) => ({ head: heads[i], value: texts[i], plain: plain[i] })) : [];
      records.push({ el: row, key, text: textOf(row, null, true), cells: listed.filter((cell) => cell.head && cell.value && cell.value !== key) });
    }
  }
  // List items, articles, and siblings of the same make that each hold text and a control.
  const taken = new Set(records.map((record) => record.el));
  const inTable = (el) => above(el, isTable) !== null;
  const candidates = new Set(all.filter((el) => (el.localName === "li" || el.localName === "article" || /^(listitem|article)$/.test(get(el, "role") ?? "")) && drawn(el)));
  const make = (el) => `${el.localName} ${get(el, "class") ?? ""}`;
  for (const parent of all) {
    const kids = childrenOf(parent).filter((kid) => kid instanceof HTMLElement && drawn(kid));
    if (kids.length < 3 || kids.length > 300 || isTable(parent) || inTable(parent) || /^(tr|tbody|thead|select|ul|ol|dl)$/.test(parent.localName)) continue;
    const alike = kids.filter((kid) => make(kid) === make(kids[0]));
    if (alike.length >= 3 && alike.length >= kids.length - 1 && !controlAt.has(alike[0]) && alike.every((kid) => controlsIn(kid).length > 0 && controlsIn(kid).length < 8 && textOf(kid).length > 0 && textOf(kid).length < 400)) alike.forEach((kid) => candidates.add(kid));
  }
  // A record does not hold records.
  const outer = new Set();
  for (const el of candidates) for (let at = up(el); at; at = up(at)) outer.add(at);
  for (const el of candidates) {
    if (taken.has(el) || inTable(el) || outer.has(el)) continue;
    const text = textOf(el, null, true);
    if (text.length > 600) continue;
    // The key is the first text in it that is not the name of a button.
    let key = "";
    const seek = (node) => {
      if (key) return;
      if (node instanceof Text && drawn(parentOf(node)) && wordsOf(node.data).length > 0) key = clean(node.data);
      else if (node instanceof Element && !/^(button|script|style|select|textarea|svg)$/.test(node.localName)) childrenOf(node).forEach(seek);
    };
    seek(el);
    records.push({ el, key, text, cells: [] });
  }
  records.forEach((record, i) => recordOf.set(record.el, i));

  // What may stand around a control in one answer: its record, else the nearest thing around it.
  const linesIn = (el) => controlsIn(el).length + within(el, (inner) => drawn(inner) && childrenOf(inner).some((node) => node instanceof Text && clean(node.data))).length;
  const own = (control) => [control.name, control.beside, valueOf(control.el), extra(control.el), ...(control.el.labels ? [...control.el.labels].map((label) => textOf(label)) : [])].join(" ");
  const aroundOf = (control) => {
    const self = own(control);
    const known = new Set(wordsOf(self));
    const nearest = above(control.el, (at) => at !== document.body && wordsOf(textOf(at, null, true)).some((word) => !known.has(word)));
    return nearest && nearest !== document.body && nearest.querySelectorAll("*").length < 200 && linesIn(nearest) <= 12 ? `${self} ${textOf(nearest, null, true)}` : self;
  };
  const controls = found.map((control) => {
    const record = above(control.el, (at) => recordOf.has(at));
    const shows = control.name || control.beside ? { icon: "", shapes: "" } : { icon: iconOf(control.el), shapes: shapesOf(control.el) };
    return { ...shows, role: control.role, field: FIELDS.has(control.role), name: control.name, beside: control.beside, value: valueOf(control.el), states: statesOf(control.el, control.role),
      href: control.role === "link" && control.el.localName === "a" && !/^\s*javascript:/i.test(get(control.el, "href") ?? "") ? control.el.href : "", around: aroundOf(control), record: record ? recordOf.get(record) : -1, section: control.section ?? -1 };
  });

  // Terms with their definitions.
  const terms = [];
  for (const term of all.filter((el) => el.localName === "dt" && drawn(el))) {
    let next = term.nextElementSibling;
    if (!next || next.localName !== "dd" || next.nextElementSibling?.localName === "dd" || controlsIn(next).length > 0 || !seen(next) || !seen(term)) continue;
    terms.push({ label: textOf(term), value: textOf(next) });
  }

  const kept = records.map((record) => ({ key: record.key, text: record.text, cells: record.cells, seen: seen(record.el) }));
  const headings = sections.map((one) => ({ heading: one.heading, text: `${one.heading} ${one.text}`, first: one.first, seen: seen(one.el) }));
  const words = new Set(wordsOf(`${textOf(document.body)} `));
  for (const el of all) {
    for (const word of wordsOf(`${el.localName === "body" ? "" : extra(el)}`)) words.add(word);
    if (childrenOf(el).some((node) => node instanceof Text)) for (const word of wordsOf(childrenOf(el).filter((node) => node instanceof Text).map((node) => node.data).join(" "))) words.add(word);
  }
  scrollTo({ left: 0, top: 0, behavior: "instant" });
  return JSON.stringify({ controls, records: kept, terms, sections: headings, words: [...words] });
}
