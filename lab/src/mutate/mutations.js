// The mutations, and whether a person would notice each. Runs in the page's own world and shares
// nothing with the fingerprint: targets are found by tag and attribute, and the browser says
// whether something is visible and what it is called (hit tests, innerText, checkVisibility, the
// accessibility tree). `mutate(kind, seed)` returns {effective, name, text}, where `text` has words
// for an element without a name, or null if the page has no place for the kind. `mutate.undo()`
// restores the page.
(() => {
  if (window.mutate) return true;
  let undone = [];
  let state = 0;
  const random = (n) => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return n === 0 ? 0 : Math.floor((state / 4294967296) * n); };
  const tidy = (text) => (text ?? "").replace(/\s+/g, " ").trim();

  const shown = (el) => el.isConnected && el.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && el.getBoundingClientRect().width >= 2 && el.getBoundingClientRect().height >= 2;
  /** Whether a click somewhere on it reaches it. */
  const hit = (el) => {
    if (!shown(el)) return false;
    el.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    for (const rect of [...el.getClientRects()].slice(0, 3)) {
      for (const [fx, fy] of [[0.5, 0.5], [0.2, 0.5], [0.8, 0.5], [0.5, 0.2], [0.5, 0.8]]) {
        let found = document.elementFromPoint(rect.left + rect.width * fx, rect.top + rect.height * fy);
        if (found && (el === found || el.contains(found))) return true;
      }
    }
    return false;
  };
  /** As the browser's accessibility tree has it; where it cannot be asked, by the page's own words. */
  const nameOf = (el) => el.computedName !== undefined ? tidy(el.computedName) : tidy(el.getAttribute("aria-label") || (el.localName === "select" ? "" : el.innerText) || el.labels?.[0]?.innerText || el.querySelector?.("img[alt]")?.alt || el.alt || (el.type === "submit" || el.type === "button" ? el.value : "") || el.getAttribute("title") || el.getAttribute("placeholder") || "");
  const all = (selector) => [...document.querySelectorAll(selector)];
  /** Picks a place that a person can see, and reach if it is to be used. */
  const pick = (selector, fits = () => true, reach = hit) => {
    const places = all(selector);
    for (let tries = 0; tries < 25 && places.length > 0; tries++) {
      const el = places.splice(random(places.length), 1)[0];
      if (fits(el) && reach(el)) return el;
    }
    return null;
  };

  const remove = (el) => { const mark = document.createComment(""); el.replaceWith(mark); undone.push(() => mark.replaceWith(el)); };
  const add = (el, where, how = "append") => { where[how](el); undone.push(() => el.remove()); };
  const attribute = (el, name, value) => {
    const old = el.getAttribute(name);
    if (value === null) el.removeAttribute(name); else el.setAttribute(name, value);
    undone.push(() => (old === null ? el.removeAttribute(name) : el.setAttribute(name, old)));
  };
  const style = (el, css) => attribute(el, "style", `${el.getAttribute("style") ?? ""};${css}`);
  const texts = (el) => { const walker = document.createTreeWalker(el, NodeFilter.SHOW_TEXT); const found = []; while (walker.nextNode()) if (tidy(walker.currentNode.data)) found.push(walker.currentNode); return found; };
  const retext = (node, text) => { const old = node.data; node.data = text; undone.push(() => (node.data = old)); };
  const make = (html) => { const at = document.createElement("template"); at.innerHTML = html; return at.content.firstElementChild; };
  const home = () => pick("main, [role=main], #content, article, body", () => true, shown) ?? document.body;
  const top = () => document.body;

  const BUTTON = "button:not([aria-hidden=true]), [role=button], input[type=submit], input[type=button]";
  const LINK = "a[href]:not([role]):not([aria-hidden=true])";
  const FIELD = "input:not([type=hidden]):not([type=submit]):not([type=button]):not([type=image]), select, textarea";
  const HEADING = "h1, h2, h3, h4, h5, h6";
  const LANDMARK = "main, nav, [role=navigation], [role=complementary], [role=main], [role=banner], [role=contentinfo]";
  const USED = `${BUTTON}, ${LINK}, ${FIELD}`;
  const named = (el) => nameOf(el) !== "";
  const simple = (el) => named(el) && texts(el).length === 1 && !el.getAttribute("aria-label") && !el.getAttribute("aria-labelledby") && !el.querySelector("img, svg, input");
  const enabled = (el) => !el.disabled && !el.closest("fieldset:disabled, [aria-disabled=true], [inert]");
  const items = (list) => [...list.children].filter((el) => el.localName === "li" && shown(el));
  const listFits = (list) => items(list).length > 1 && !list.getAttribute("role");
  const tableFits = (table) => !table.getAttribute("role") && table.querySelector("th, caption") && table.tBodies[0] && table.tBodies[0].rows.length > 1;
  const gone = (el) => () => !el.isConnected;
  const unseen = (el) => () => !hit(el);
  const result = (el, effective, extra = {}) => ({ name: nameOf(el).slice(0, 160), effective, ...extra });

  const removed = (selector, fits = named) => () => { const el = pick(selector, fits); if (!el) return null; const out = result(el, true); remove(el); return out; };
  const styled = (css, selector = USED, fits = (el) => named(el) && enabled(el)) => () => {
    const el = pick(selector, fits);
    if (!el) return null;
    const out = result(el, true);
    style(el, css);
    out.effective = unseen(el)();
    return out;
  };
  /** Possible names of something without a name, separated by bars. */
  const TESTS = ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa", "data-pw", "data-automation-id"];
  const words = (el) => [el.localName, el.id, ...el.classList, ...TESTS.filter((test) => el.hasAttribute(test)).map((test) => `${test}=${el.getAttribute(test)}]`), nameOf(el)].join("|");
  const ROLES = { navigation: "nav", main: "main", complementary: "aside", banner: "header", contentinfo: "footer" };
  const landmark = (el) => ROLES[el.getAttribute("role")] ?? el.localName;
  const used = (el) => [...el.querySelectorAll(USED)].map(nameOf).join("|");
  const file = (el) => (el.getAttribute("src") ?? "").split(/[?#]/)[0].split("/").pop();
  const seenText = () => tidy(document.body.innerText);

  const kinds = {
    "remove button": removed(BUTTON),
    "remove link": removed(LINK),
    "remove field": removed(FIELD),
    "remove heading": () => { const el = pick(HEADING, (el) => tidy(el.innerText) !== "" && !el.querySelector("a, button"), shown); if (!el) return null; const out = { name: tidy(el.innerText), effective: true }; remove(el); return out; },
    "remove landmark": () => { const el = pick(LANDMARK, (el) => tidy(el.innerText) !== "" && el.querySelector(LINK), shown); if (!el) return null; const out = { name: "", text: landmark(el), effective: true }; remove(el); return out; },
    "remove list": () => { const el = pick("ul, ol", listFits, shown); if (!el) return null; const out = { name: "", text: words(el), effective: true }; remove(el); return out; },
    "empty list": () => { const el = pick("ul, ol", listFits, shown); if (!el) return null; for (const child of [...el.childNodes]) remove(child); return { name: "", text: words(el), effective: true }; },
    "remove list item": () => { const el = pick("li", (el) => /^(ul|ol)$/.test(el.parentNode.localName) && listFits(el.parentNode) && tidy(el.innerText) !== "", shown); if (!el) return null; const text = `${words(el.parentNode)}|${used(el)}`; remove(el); return { name: "", text, effective: true }; },
    "empty table": () => { const el = pick("table", tableFits, shown); if (!el) return null; for (const body of el.tBodies) for (const row of [...body.rows]) if (!row.querySelector("th")) remove(row); return { name: "", text: words(el), effective: [...el.tBodies].every((body) => body.rows.length === 0) }; },
    "remove table row": () => { const el = pick("table", tableFits, shown); const row = el && [...el.tBodies[0].rows].find((row) => !row.querySelector("th") && shown(row)); if (!row) return null; remove(row); return { name: "", text: words(el), effective: true }; },
    "rename column": () => { const el = pick("thead th", (el) => texts(el).length === 1 && !el.closest("[role]"), shown); if (!el) return null; retext(texts(el)[0], "Quux column"); return { name: "", text: words(el.closest("table")), effective: true }; },
    "rename button": () => { const el = pick("button", simple); if (!el) return null; retext(texts(el)[0], "Frobnicate"); return { name: "Frobnicate", effective: /frobnicate/i.test(el.innerText) }; },
    "rename link": () => { const el = pick(LINK, simple); if (!el) return null; retext(texts(el)[0], "Frobnicate"); return { name: "Frobnicate", effective: /frobnicate/i.test(el.innerText) }; },
    "rename heading": () => { const el = pick(HEADING, (el) => texts(el).length === 1 && !el.querySelector("a, button"), shown); if (!el) return null; retext(texts(el)[0], "Quux heading"); return { name: "Quux heading", effective: /quux/i.test(el.innerText) }; },
    "name becomes NaN": () => { const el = pick(`button, ${LINK}`, simple); if (!el) return null; retext(texts(el)[0], "NaN undefined"); return { name: "NaN undefined", effective: /nan undefined/i.test(el.innerText) }; },
    "change link": () => { const el = pick("a[href]", (el) => named(el) && !el.getAttribute("role") && !/^(#|javascript:)/.test(el.getAttribute("href"))); if (!el) return null; const out = result(el, true); attribute(el, "href", "/quux/elsewhere"); return out; },
    "disable control": () => { const el = pick("button, select, textarea, input:not([type=hidden])", (el) => named(el) && enabled(el)); if (!el) return null; const out = result(el, true); attribute(el, "disabled", ""); out.effective = el.matches(":disabled"); return out; },
    "add alert": () => { add(make("<div role=alert>Failed to load the quux</div>"), home(), "prepend"); return { name: "Failed to load the quux", effective: seenText().includes("Failed to load the quux") }; },
    "add error banner": () => { add(make('<div class="error-message">The quux is offline</div>'), home(), "prepend"); return { name: "The quux is offline", effective: /the quux is offline/i.test(seenText()) }; },
    "add danger alert": () => { add(make('<div class="alert alert-danger">Something went quux</div>'), home()); return { name: "Something went quux", effective: /something went quux/i.test(seenText()) }; },
    "open dialog": () => { const el = make("<dialog aria-label='Quux dialog'><p>Do you quux?</p></dialog>"); add(el, top()); el.show(); return { name: "Quux dialog", effective: /do you quux/i.test(seenText()) }; },
    "add empty state": () => { add(make('<div class="empty-state">No quux yet</div>'), home()); return { name: "No quux yet", effective: /no quux yet/i.test(seenText()) }; },
    "add message": () => { add(make("<div role=status>Quux arrived</div>"), home()); return { name: "Quux arrived", effective: /quux arrived/i.test(seenText()) }; },
    "add button": () => { const el = make("<button type=button>Quux it</button>"); add(el, home()); return { name: "Quux it", effective: hit(el) }; },
    "add field": () => { const form = pick("form", () => true, shown); if (!form) return null; const el = make("<input aria-label='Quux field' style='width:80px;height:20px'>"); add(el, form); return { name: "Quux field", effective: hit(el) }; },
    "break picture": async () => { const el = pick("img[src]", (el) => el.complete && el.naturalWidth > 0 && !el.closest("picture") && !el.srcset, shown); if (!el) return null; const [name, text] = [el.alt, `${file(el)}|no-such-picture-quux.png`]; const ended = new Promise((done) => { el.onerror = el.onload = done; setTimeout(done, 2000); }); attribute(el, "src", "/no-such-picture-quux.png"); await ended; return { name: tidy(name), text, effective: el.complete && el.naturalWidth === 0 }; },
    "remove picture": () => { const el = pick("img[alt]:not([alt=''])", (el) => !el.closest("a, button"), shown); if (!el) return null; const out = { name: tidy(el.alt), effective: true }; remove(el); return out; },
    "change heading level": () => { const el = pick("h2, h3", (el) => tidy(el.innerText) !== "", shown); if (!el) return null; attribute(el, "aria-level", "5"); attribute(el, "role", "heading"); return { name: tidy(el.innerText), effective: true }; },
    "insert list": () => { const list = pick("ul, ol", listFits, shown); if (!list) return null; add(make("<ul><li>Quux one</li><li>Quux two</li></ul>"), list, "before"); return { name: "", text: "ul", effective: /quux one/i.test(seenText()) }; },
    "reorder list": () => { const list = pick("ul, ol", (list) => listFits(list) && new Set(items(list).map((el) => tidy(el.innerText))).size === items(list).length, shown); if (!list) return null; const first = items(list)[0]; const next = first.nextSibling; list.append(first); undone.push(() => list.insertBefore(first, next)); return { name: "", text: words(list), effective: true }; },

    "css display none": styled("display:none !important"),
    "css visibility hidden": styled("visibility:hidden !important"),
    "css opacity 0": styled("opacity:0 !important"),
    "css pointer-events none": styled("pointer-events:none !important"),
    "css off the page": styled("position:fixed !important;left:-9999px !important;right:auto !important"),
    "css no size": styled("display:inline-block !important;width:0 !important;height:0 !important;min-width:0 !important;min-height:0 !important;padding:0 !important;border:0 !important;overflow:hidden !important"),
    "css clipped": styled("clip-path:inset(100%) !important"),
    "css scaled to nothing": styled("display:inline-block !important;transform:scale(0) !important"),
    "css covered": () => {
      const el = pick(USED, (el) => named(el) && enabled(el));
      if (!el) return null;
      const out = result(el, true);
      const rect = el.getBoundingClientRect();
      const [x, y, w, h] = [rect.left + scrollX - 4, rect.top + scrollY - 4, rect.width + 8, rect.height + 8];
      add(make(`<div style="position:absolute !important;left:${x}px;top:${y}px;width:${w}px;height:${h}px;background:#fff;z-index:2147483647"></div>`), document.documentElement);
      out.effective = unseen(el)();
      return out;
    },
    "css parent collapsed": () => {
      const el = pick(USED, (el) => named(el) && enabled(el) && el.parentElement && el.parentElement !== document.body && getComputedStyle(el.parentElement).display === "block" && el.parentElement.querySelectorAll(USED).length < 4);
      if (!el) return null;
      const out = result(el, true);
      style(el.parentElement, "height:0 !important;min-height:0 !important;padding:0 !important;overflow:hidden !important");
      out.effective = unseen(el)();
      return out;
    },
    "css heading hidden": () => { const el = pick(HEADING, (el) => tidy(el.innerText) !== "" && !el.querySelector("a, button"), shown); if (!el) return null; const out = { name: tidy(el.innerText), effective: true }; style(el, "display:none !important"); return out; },
    "css landmark hidden": () => { const el = pick(LANDMARK, (el) => el.querySelector(LINK), shown); if (!el) return null; style(el, "display:none !important"); return { name: "", text: landmark(el), effective: true }; },
  };

  /** Changes that should not be noticed; made only where a person would not notice it either. */
  const quiet = {
    "no-op classes": () => { for (const el of all("body *").slice(0, 3000)) if (!/^(script|style)$/.test(el.localName)) attribute(el, "class", `${el.getAttribute("class") ?? ""} q${random(1e6)}`); },
    "no-op data attributes": () => { for (const el of all("body *").slice(0, 3000)) attribute(el, "data-quux", String(random(1e6))); },
    "no-op ids": () => { const styles = [...document.styleSheets].map((sheet) => { try { return [...sheet.cssRules].map((rule) => rule.cssText).join(); } catch { return ""; } }).join(); const said = new Set(all("[for],[aria-labelledby],[aria-describedby],[aria-controls],[aria-owns],[usemap],[list],svg *").flatMap((el) => el.getAttributeNames().flatMap((name) => el.getAttribute(name).replace(/^url\(|\)$/g, "").replace(/^#/, "").split(/\s+/)))); for (const el of all("body [id]").slice(0, 2000)) if (!said.has(el.id) && !styles.includes(`#${el.id}`)) attribute(el, "id", `q${random(1e6)}`); },
    "no-op wrappers": () => { for (let i = 0; i < 10; i++) { const el = pick("a, button, p, h2, h3, img", () => true, shown); if (!el) continue; const box = document.createElement("div"); box.style.display = "contents"; el.before(box); const mark = document.createComment(""); el.replaceWith(mark); box.append(el); undone.push(() => { mark.replaceWith(el); box.remove(); }); } },
    "no-op re-rendered": () => { const el = pick("section, article, nav, header, footer, ul, div", (el) => el.querySelectorAll("*").length > 3 && el.querySelectorAll("*").length < 400 && !el.querySelector("script, iframe, video, canvas, style, link, object, embed"), shown); if (!el) return; const copy = el.cloneNode(true); el.replaceWith(copy); undone.push(() => copy.replaceWith(el)); },
    "no-op attribute order": () => { for (const el of all("a[href], button, input").slice(0, 300)) { if (el.localName === "input" && el.type !== "text") continue; const pairs = el.getAttributeNames().map((name) => [name, el.getAttribute(name)]).filter(([name]) => !/^on|^style$|^autofocus$/.test(name)); for (const [name, value] of pairs.reverse()) { try { el.removeAttribute(name); el.setAttribute(name, value); } catch { /* a name that cannot be set again */ } } } },
    "no-op clock": () => { for (const node of texts(document.body)) if (/\b\d{1,2}:\d{2}\b/.test(node.data) && shown(node.parentElement)) retext(node, node.data.replace(/\b\d{1,2}:(\d{2})\b/, (_, m) => `${10 + random(12)}:${String((Number(m) + 7) % 60).padStart(2, "0")}`)); },
    "no-op counters": () => { for (const node of texts(document.body)) if (/\(\d+\)/.test(node.data) && shown(node.parentElement) && !node.parentElement.closest(HEADING)) retext(node, node.data.replace(/\((\d+)\)/, (_, n) => `(${Number(n) + 1 + random(9)})`)); },
    "no-op comments": () => { for (const el of all("body *").slice(0, 500)) add(document.createComment("quux"), el, /^(textarea|select|option|style|script|title)$/.test(el.localName) ? "after" : "prepend"); },
    "no-op colours": () => { for (const el of all("a, button").slice(0, 300)) style(el, "outline-color:teal"); },
  };

  const boxes = () => all("a[href], button, input, h1, h2, h3").slice(0, 400).map((el) => { const r = el.getBoundingClientRect(); return [Math.round(r.width), Math.round(r.height), Math.round(r.left)].join(); }).join(";");
  window.mutate = async (kind, seed) => {
    if (!document.body) return null;
    state = seed >>> 0;
    undone = [];
    const at = [scrollX, scrollY];
    let out;
    if (kinds[kind]) out = await kinds[kind]();
    else {
      const volatile = /clock|counters/.test(kind);
      const before = [volatile ? "" : seenText(), boxes()].join();
      quiet[kind]();
      out = undone.length === 0 && kind !== "no-op attribute order" ? null : { name: "", effective: volatile || [seenText(), boxes()].join() === before };
    }
    scrollTo({ left: at[0], top: at[1], behavior: "instant" });
    return out;
  };
  window.mutate.undo = () => { for (const step of undone.reverse()) { try { step(); } catch { /* the page did something with it meanwhile */ } } undone = []; return true; };
  window.mutate.kinds = { structural: Object.keys(kinds).filter((kind) => !kind.startsWith("css")), style: Object.keys(kinds).filter((kind) => kind.startsWith("css")), quiet: Object.keys(quiet) };
  return true;
})()
