// The faults that people notice and the differences that they do not, for `cargo lab mutate
// --visual`. Runs in the page's own world when it has loaded, before the page is read.
// `visual.prepare()` marks prices, in every load; `visual.make(kind, seed)` changes the page and
// returns words for what it did, or null if the page has no place for the kind.
(() => {
  let state = 0;
  const random = (n) => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return n === 0 ? 0 : Math.floor((state / 4294967296) * n); };
  const tidy = (text) => (text ?? "").replace(/\s+/g, " ").trim();
  const box = (el) => el.getBoundingClientRect();
  const inView = (el) => { const { left, top, width, height, right } = box(el); return width >= 8 && height >= 8 && top >= 0 && top < 1500 && left >= 0 && right <= innerWidth; };
  const shown = (el) => el.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && inView(el) && !el.closest("iframe, video, [aria-hidden=true]");
  const onTop = (el) => { const { left, top, width, height } = box(el); if (top >= innerHeight) return true; const hit = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 20)); return hit !== null && (el.contains(hit) || hit.contains(el)); };
  const all = (selector) => [...document.querySelectorAll(selector)];
  const pick = (selector, fits = () => true) => {
    const places = all(selector).filter((el) => shown(el) && onTop(el));
    for (let tries = 0; tries < 40 && places.length > 0; tries++) {
      const el = places.splice(random(places.length), 1)[0];
      if (fits(el)) return el;
    }
    return null;
  };
  const css = (el, text) => { el.style.cssText += `;${text}`; return `${el.localName} ${tidy(el.innerText ?? el.alt ?? "").slice(0, 40)}`; };
  const rule = (text) => { const style = document.createElement("style"); style.textContent = text; document.head.append(style); };
  const texts = () => { const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); const found = []; while (walker.nextNode()) { const { currentNode: node } = walker; if (tidy(node.data) && node.parentElement && shown(node.parentElement)) found.push(node); } return found; };
  const MONEY = /(?:[$€£]\s?\d[\d.,]*)|(?:\d[\d.,]*\s?(?:€|EUR|USD|\$))/;
  const BUTTON = "button, [role=button], input[type=submit], input[type=button]";
  const HEADING = "h1, h2, h3, h4";
  const PROSE = "p, li, dd, td";
  const own = (el) => [...el.childNodes].some((node) => node.nodeType === 3 && tidy(node.data).length > 2);
  const long = (el) => own(el) && tidy(el.innerText).length > 25;
  const small = (el) => box(el).height < 300 && box(el).width < 900;

  const faults = {
    "price"() { const node = texts().filter((node) => MONEY.test(node.data))[0]; if (!node) return null; node.data = node.data.replace(/\d/, (digit) => `${(Number(digit) + 3) % 10}${digit}`); return `price ${tidy(node.data)}`; },
    "colour of all buttons"() { if (!pick(BUTTON)) return null; rule("button, [role=button], input[type=submit], input[type=button] { background: #c2185b !important; color: #fff !important }"); return "all buttons"; },
    "colour of a text"() { const el = pick(`${HEADING}, ${PROSE}, a`, own); return el && css(el, "color: #e91e63 !important"); },
    "background"() { const el = pick("section, article, header, footer, nav, main, table, form, body", (el) => tidy(el.innerText).length > 20) ?? document.body; return css(el, "background: #263238 !important"); },
    "font of the page"() { rule("body, body * { font-family: 'DejaVu Serif', serif !important }"); return "font of all"; },
    "font of a heading"() { const el = pick(HEADING, own); return el && css(el, "font-family: 'DejaVu Sans Mono', monospace !important"); },
    "size of a text"() { const el = pick(`${HEADING}, ${PROSE}`, (el) => own(el) && small(el)); return el && css(el, `font-size: ${Number.parseFloat(getComputedStyle(el).fontSize) * (random(2) ? 1.7 : 0.55)}px !important`); },
    "overlap"() { const el = pick(`${HEADING}, p, ${BUTTON}, img`, (el) => { const before = el.previousElementSibling; return small(el) && before && shown(before) && box(before).height > 10 && box(before).bottom <= box(el).top + 4; }); return el && css(el, `position: relative; top: -${Math.round(box(el).top - box(el.previousElementSibling).top - 2)}px; left: 4px`); },
    "moved"() { const el = pick(`${HEADING}, ${BUTTON}, img, input, select`, small); return el && css(el, `position: relative; left: ${40 + random(100)}px; top: ${20 + random(30)}px`); },
    "pushed down"() { const el = pick(`${HEADING}, p, form, table, ul, section`, (el) => getComputedStyle(el).display !== "inline"); return el && css(el, `margin-top: ${60 + random(90)}px !important`); },
    "cut below"() { const el = pick(PROSE, (el) => long(el) && box(el).height > 30); return el && css(el, `height: ${Math.round(box(el).height / 2)}px; overflow: hidden; display: block`); },
    "cut at the right"() { const el = pick(`${HEADING}, ${BUTTON}`, (el) => own(el) && box(el).width > 40); return el && css(el, `width: ${Math.round(Math.min(box(el).width, 90) / 2)}px; min-width: 0; white-space: nowrap; overflow: hidden; display: block; padding-inline: 0`); },
    "too wide"() { const el = pick("p, table, section, article, form, ul", (el) => getComputedStyle(el).display !== "inline"); return el && css(el, `width: ${innerWidth + 200}px; max-width: none`); },
    "larger"() { const el = pick(`${BUTTON}, img, input[type=text], input:not([type])`, small); return el && css(el, `width: ${Math.round(box(el).width * 1.8 + 20)}px; height: ${Math.round(box(el).height * 1.5)}px; max-width: none`); },
    "lost icon"() { const el = pick("button svg, a svg, button img, a img, button i, a i", (el) => box(el).width < 80); return el && css(el, "visibility: hidden"); },
    "wrong picture"() { const el = pick("img", (el) => el.complete && el.naturalWidth > 4); if (!el) return null; const { width, height } = box(el); el.removeAttribute("srcset"); css(el, `width: ${width}px; height: ${height}px`); el.src = "data:image/svg+xml," + encodeURIComponent("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9' preserveAspectRatio='none'><rect width='9' height='9' fill='tomato'/><circle cx='4' cy='4' r='3'/></svg>"); return `image ${el.alt}`; },
    "under something"() { const el = pick(`${HEADING}, p`, (el) => own(el) && small(el)); if (!el) return null; const cover = document.createElement("div"); const { left, top, width, height } = box(el); cover.style.cssText = `position: absolute; left: ${left + scrollX}px; top: ${top + scrollY}px; width: ${width}px; height: ${height}px; background: #9e9e9e; z-index: 999`; document.body.append(cover); return `under ${tidy(el.innerText).slice(0, 40)}`; },
    "faint"() { const el = pick(`${HEADING}, ${PROSE}, ${BUTTON}`, (el) => own(el) && small(el)); return el && css(el, "opacity: 0.25"); },
    "border"() { const el = pick(`${BUTTON}, input, table, article, section`, small); return el && css(el, "border: 5px solid #ff9800 !important"); },
  };
  const harmless = {
    "date"() { const node = texts().filter((node) => /\b(?:19|20)\d\d\b|\d{1,2}:\d\d/.test(node.data) && !MONEY.test(node.data))[random(3)]; if (!node) return null; const next = (number) => String(Number(number) + 1).padStart(number.length, "0"); node.data = node.data.replace(/\b(?:19|20)\d\d\b/g, next).replace(/(\d{1,2}):(\d\d)/g, (_, hours, minutes) => `${hours}:${minutes === "59" ? "58" : next(minutes)}`); return tidy(node.data).slice(0, 60); },
    "counter"() { const node = texts().filter((node) => /^\D{0,30}\b\d{1,6}\b(?!\s*[%.,:\/-]\d)/.test(node.data) && !MONEY.test(node.data) && !/(?:19|20)\d\d/.test(node.data) && !node.parentElement.closest("h1,h2,h3,h4,a,button"))[random(3)]; if (!node) return null; node.data = node.data.replace(/\b\d{1,6}\b/, (number) => String(Number(number) + 7)); return tidy(node.data).slice(0, 60); },
    "ad"() { const frame = document.createElement("iframe"); frame.title = "Advertisement"; frame.srcdoc = `<body style="margin:0;background:hsl(${random(360)},80%,60%)"><b>Buy ${random(900)} now`; frame.style.cssText = "position: absolute; right: 0; top: 0; width: 200px; height: 60px; border: 0"; document.body.append(frame); return "ad"; },
    "order of equal things"() { const list = pick("ul, ol, tbody, .grid, main", (el) => { const [a, b] = el.children; return a && b && a.localName === b.localName && a.children.length === b.children.length && Math.abs(box(a).height - box(b).height) < 2 && Math.abs(box(a).width - box(b).width) < 2 && /LI|TR|ARTICLE/.test(a.tagName); }); if (!list) return null; list.insertBefore(list.children[1], list.children[0]); return "order"; },
    "smoothing"() { rule("body { text-rendering: geometricPrecision; -webkit-font-smoothing: antialiased }"); return "smoothing"; },
    "a part of a pixel"() { const el = pick(`${HEADING}, p, img`, small); return el && css(el, "transform: translate(0.3px, 0.2px)"); },
    "scrollbar"() { rule("html { scrollbar-width: thin; scrollbar-color: red blue }"); return "scrollbar"; },
    "focus"() { const el = pick("input:not([type=hidden]), button, a[href]"); if (!el) return null; el.focus({ preventScroll: true }); return "focus"; },
    "animation"() { rule("@keyframes lab { to { transform: rotate(1turn) } } .lab-spin { animation: lab 3s linear infinite; position: absolute; right: 10px; top: 10px; width: 24px; height: 24px; border: 4px dotted #777 }"); const el = document.createElement("div"); el.className = "lab-spin"; document.body.append(el); return "animation"; },
    "colour that nobody sees"() { rule("body { color-adjust: exact } p, h1, h2, h3, li, td { color: color-mix(in srgb, currentColor 99%, white) }"); return "colour"; },
    "a pixel"() { const el = pick(`${HEADING}, ${BUTTON}, img`, small); return el && css(el, "position: relative; left: 1px; top: 1px"); },
    "nothing"() { return "nothing"; },
  };
  window.visual = {
    faults: Object.keys(faults),
    harmless: Object.keys(harmless),
    prepare() { for (const node of texts()) if (MONEY.test(node.data)) node.parentElement.classList.add("lab-price"); },
    make(kind, seed) { state = seed; random(2); return (faults[kind] ?? harmless[kind])(); },
  };
})();
