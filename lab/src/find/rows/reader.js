// Lists the tables and lists of a page with what is in them, read in the plainest way. It shares no
// code with the page script.
(() => {
  const squeeze = (text) => text.replace(/\s+/g, " ").trim();
  const seen = (el) => el.checkVisibility({ visibilityProperty: true });
  const isBlock = (el) => !/^(inline|contents|none)/.test(getComputedStyle(el).display);
  // What people read of an element, in one line.
  const read = (el, head, list) => {
    let out = "";
    const walk = (node) => {
      if (node.nodeType === Node.TEXT_NODE) {
        if (seen(node.parentElement)) out += node.data;
        return;
      }
      if (node.nodeType !== Node.ELEMENT_NODE || !node.checkVisibility()) return;
      const tag = node.localName;
      if (/^(script|style|template|noscript|iframe|object|video|audio|canvas)$/.test(tag)) return;
      const gap = isBlock(node) || tag === "br" || tag === "img" || (list && /^(a|button)$/.test(tag)) ? " " : "";
      out += gap;
      if (tag === "img") out += head || !seen(node) ? "" : node.alt;
      else if (tag === "input" && /^(checkbox|radio)$/.test(node.type)) out += node.checked ? " checked " : " unchecked ";
      else if (/^(input|textarea)$/.test(tag)) {
        if (node.type !== "hidden") out += ` ${node.value} `;
      } else if (tag === "select") out += ` ${node.selectedOptions[0]?.text ?? ""} `;
      else {
        const before = out.length;
        node.childNodes.forEach(walk);
        // A link or a button without a text is known by its title.
        if (/^(a|button)$/.test(tag) && !head && seen(node) && !out.slice(before).trim())
          out += ` ${node.getAttribute("aria-label") ?? node.title} `;
      }
      out += gap;
    };
    el.childNodes.forEach(walk);
    return squeeze(out);
  };
  const target = (el) => {
    const links = [...el.querySelectorAll("a[href]")].filter(seen);
    // Addresses are as they are written, without the site of the page.
    return links.map((a) => a.getAttribute("href").trim()).filter((href) => !/^(javascript:|#$)/.test(href))
      .map((href) => href.startsWith(`${location.origin}/`) ? href.slice(location.origin.length) : href).join(" ");
  };
  const path = (el) => {
    const parts = [];
    for (let at = el; at !== document.documentElement; at = at.parentElement) {
      const nth = [...at.parentElement.children].filter((child) => child.localName === at.localName).indexOf(at) + 1;
      parts.unshift(`${at.localName}:nth-of-type(${nth})`);
    }
    return `html > ${parts.join(" > ")}`;
  };
  const unique = (names) => names.map((name, at) => {
    const before = names.slice(0, at).filter((other) => other === name).length;
    return before ? `${name} ${before + 1}` : name;
  });

  const readTable = (table) => {
    const rows = [...table.rows].filter((row) => [...row.cells].some(seen));
    const grid = rows.map(() => []);
    let width = 0;
    rows.forEach((row, y) => {
      let x = 0;
      for (const cell of row.cells) {
        if (!cell.checkVisibility()) continue;
        while (grid[y][x]) x++;
        const section = row.parentElement;
        for (let down = 0; down < (cell.rowSpan || 65534) && rows[y + down]?.parentElement === section; down++)
          for (let right = 0; right < cell.colSpan; right++)
            grid[y + down][x + right] = { cell, first: down === 0 && right === 0 };
        x += cell.colSpan;
        width = Math.max(width, x);
      }
    });
    const isHead = (row) => row.parentElement.localName === "thead" ||
      [...row.cells].filter(seen).every((cell) => cell.localName === "th" && cell.scope !== "row" && cell.scope !== "rowgroup");
    let heads = 0;
    while (heads < rows.length && isHead(rows[heads])) heads++;
    const several = rows.slice(0, heads).some((row) => row.cells.length > 1);
    const columns = Array.from({ length: width }, (_, x) => {
      const parts = [];
      for (let y = 0; y < heads; y++) {
        if (rows[y].cells.length < 2 && several) continue;
        const text = grid[y][x] ? read(grid[y][x].cell, true) : "";
        if (text && parts.at(-1) !== text) parts.push(text);
      }
      return parts.join(" / ");
    });
    const body = [];
    const footer = [];
    rows.forEach((row, y) => {
      if (y < heads) return;
      const texts = [];
      const targets = [];
      for (let x = 0; x < width; x++) {
        const cell = grid[y][x]?.cell;
        texts.push(cell ? read(cell) : "");
        targets.push(cell ? target(cell) : "");
      }
      const own = [...row.cells].filter((cell) => cell.checkVisibility()).length;
      if (own === 1 && new Set(grid[y].map((at) => at?.cell)).size === 1 && grid[y].length === width) {
        texts.fill("", 1);
        targets.fill("", 1);
      }
      (row.parentElement.localName === "tfoot" ? footer : body).push({ texts, targets });
    });
    const all = [...body, ...footer];
    const names = [];
    const kept = [];
    for (let x = 0; x < width; x++) {
      const leads = all.some((row) => row.targets[x]);
      if (!columns[x] && !leads && !all.some((row) => row.texts[x])) continue;
      const name = columns[x] || `column ${x + 1}`;
      names.push(name);
      kept.push((row) => row.texts[x]);
      if (leads) {
        names.push(`${name} target`);
        kept.push((row) => row.targets[x]);
      }
    }
    const cells = (row) => kept.map((cell) => cell(row));
    return { kind: "table", columns: unique(names), rows: body.map(cells), footer: footer.map(cells) };
  };
  // Of a list only what each item says: its columns are a matter of taste.
  const readList = (list) => {
    const items = [...list.children].filter((item) => item.localName === "li" && seen(item) && read(item));
    return { kind: "list", columns: ["text"], rows: items.map((item) => [read(item, false, true)]), footer: [] };
  };
  const found = [];
  for (const table of document.querySelectorAll("table")) {
    if (!seen(table) || /^(none|presentation)$/.test(table.getAttribute("role")) || table.querySelector("table") || table.parentElement.closest("table")) continue;
    const gold = readTable(table);
    if (gold.rows.length >= 2) found.push({ path: path(table), ...gold });
  }
  const lists = [];
  for (const list of document.querySelectorAll("ul, ol")) {
    if (!seen(list) || list.getAttribute("role") || list.querySelector("ul, ol, table") || list.closest("table")) continue;
    const gold = readList(list);
    if (gold.rows.length >= 4) lists.push({ path: path(list), ...gold });
  }
  lists.sort((one, other) => other.rows.length - one.rows.length);
  return found.concat(lists.slice(0, 3));
})()
