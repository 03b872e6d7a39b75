// A page with a bit of everything, and random changes to it: what an observer sees and what none
// does. Runs in the page's own world; the same seed makes the same changes.

/** The page that is changed. */
export const START = `<!doctype html><html lang=en><title>t</title><style id=css>
.hidden{display:none}.gone{visibility:hidden}.faint{opacity:0}.far{position:absolute;left:-9999px}.box{height:60px;overflow:auto}.up{text-transform:uppercase}.hand{cursor:pointer}
.over{position:fixed;inset:0;background:rgb(255,255,255);z-index:9}.tiny{font-size:0}.same{color:rgb(9,9,9);background:rgb(9,9,9)}.gen::before{content:"before "}.clip{clip-path:inset(50%)}
.pre{white-space:pre}.cut{overflow:hidden;height:0}:checked+label{font-weight:bold}input:focus~p{display:none}dialog::backdrop{background:red}</style>
<header><nav aria-label=Main><a href=#a>Home</a> <a href=#b>Orders</a></nav></header><main id=main><h1>Start</h1><div id=stage></div><div id=scroller class=box></div></main><footer>end</footer>`;

/** Another one, of many rows, whose sheet reaches no further than what is in an element. */
export const ROWS = `<!doctype html><html lang=en><title>t</title><style id=css>
.hidden{display:none}.gone{visibility:hidden}.faint{opacity:0}.far{position:absolute;left:-9999px}.box{height:60px;overflow:auto}.up{text-transform:uppercase}.hand{cursor:pointer}
.over{position:fixed;inset:0;background:rgb(255,255,255);z-index:9}.tiny{font-size:0}.same{color:rgb(9,9,9);background:rgb(9,9,9)}.gen::before{content:"before "}.clip{clip-path:inset(50%)}
.pre{white-space:pre}.cut{overflow:hidden;height:0}.wide td{padding:7px}.busy .row{opacity:0}dialog::backdrop{background:red}.drawn{position:absolute;opacity:0;width:1px;height:1px}.flex{display:flex;gap:3px}</style>
<header><nav aria-label=Main><a href=#skip class=far>Skip</a> <a href=#a>Home</a> <a href=#b>Orders</a></nav></header><main id=main><h1>Start</h1><div id=stage><p>first</p></div>
<table id=table><caption>Orders</caption><tbody>${Array.from({ length: 12 }, (_, i) => `<tr class=row><td>Order ${i}</td><td><span>${i}.99</span></td><td><button>Add</button></td></tr>`).join("")}</tbody></table>
<form id=form><fieldset><legend>Who</legend><label for=who>Name</label><input id=who><label><input type=checkbox class=drawn>Agree</label><input aria-labelledby="hint who" id=other><p id=hint>A <b>hint</b></p></fieldset></form>
<div id=scroller class=box><ul>${"<li>one <a href=#x>link</a></li>".repeat(8)}</ul></div><section id=cards class=flex>${Array.from({ length: 6 }, (_, i) => `<article><h3>Card ${i}</h3><p>Some words of <em>card</em> ${i}</p><div class=hand>Open</div></article>`).join("")}</section></main><footer>end <span class=hidden>not <button>now</button></span></footer>`;

/** Source of `change(seed)`, for the page's world: makes one random change and returns its name. */
export const CHANGES = `(() => {
  let state = 1;
  const random = () => { state |= 0; state = (state + 0x6d2b79f5) | 0; let t = Math.imul(state ^ (state >>> 15), 1 | state); t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t; return ((t ^ (t >>> 14)) >>> 0) / 4294967296; };
  const upTo = (n) => Math.floor(random() * n);
  const one = (list) => list[upTo(list.length)];
  const stage = () => document.getElementById("stage");
  const all = (selector) => [...document.querySelectorAll(selector)];
  const any = () => one(all("#stage, #stage *, #scroller *, #table *, #form *, #cards, #cards *"));
  const word = () => one(["alpha", "beta", "gamma delta", "  spaced  out ", "", "42", "Save", "x\\ny"]);
  const CLASSES = ["hidden", "gone", "faint", "far", "up", "hand", "over", "tiny", "same", "gen", "clip", "pre", "cut", "box"];
  const PARTS = [() => "<p>" + word() + " <b>" + word() + "</b> tail</p>", () => "<button>" + word() + "</button>", () => "<label>" + word() + " <input></label>", () => "<input type=checkbox id=c" + upTo(99) + "><label>" + word() + "</label>",
    () => "<select><option>a<option>b<option>c</select>", () => "<select multiple><option>a<option selected>b</select>", () => "<ul><li>" + word() + "<li><a href=#x>" + word() + "</a></ul>", () => "<table><tr><th>h<th>i<tr><td>1<td><button>row</button></table>",
    () => "<details><summary>" + word() + "</summary><p>inside</p></details>", () => "<dialog><button>ok</button>" + word() + "</dialog>", () => "<div popover>pop <button>in</button></div>", () => "<textarea>" + word() + "</textarea>",
    () => "<div role=button tabindex=0>" + word() + "</div>", () => "<h2>" + word() + "</h2>", () => "<div contenteditable>" + word() + "</div>", () => "<img alt=pic width=20 height=20>", () => "<input required type=password value=s3cret>",
    () => "<span style='font-size:0'>" + word() + "</span>", () => "<div style='cursor:pointer'><span>" + word() + "</span></div>", () => "<fieldset><legend>" + word() + "</legend><input type=radio name=r><input type=radio name=r></fieldset>", () => "<svg width=20 height=20><title>" + word() + "</title></svg>", () => "<svg width=90 height=20><text x=2 y=15>" + word() + " <tspan>" + word() + "</tspan></text></svg>",
    () => "<div style='display:contents'><i>" + word() + "</i></div>", () => "<iframe srcdoc='<p>in'></iframe>", () => "<progress value=0.5></progress><meter value=0.2></meter>", () => "<p hidden>" + word() + "</p>", () => "<div style='height:900px'>tall</div>"];
  const part = () => one(PARTS)();
  const sheet = () => document.getElementById("css").sheet;
  const OPS = {
    add: () => stage().insertAdjacentHTML(one(["beforeend", "afterbegin"]), part()), deep: () => any().insertAdjacentHTML("beforeend", part()), fill: () => document.getElementById("scroller").insertAdjacentHTML("beforeend", part()),
    remove: () => { const el = any(); if (el.id !== "stage") el.remove(); }, move: () => { const el = any(); if (el.id !== "stage" && !el.contains(stage())) stage().append(el); }, text: () => { const el = any(); if (el.firstChild?.nodeType === 3) el.firstChild.data = word(); },
    klass: () => any().classList.toggle(one(CLASSES)), style: () => any().style.setProperty(one(["opacity", "display", "position", "cursor", "color", "overflow"]), one(["0", "none", "absolute", "pointer", "rgb(9,9,9)", "auto", "", "block"])),
    attribute: () => any().setAttribute(one(["aria-label", "title", "role", "aria-hidden", "tabindex", "aria-expanded", "disabled", "onclick", "hidden", "inert"]), one(["true", "false", "button", "0", word()])), unattribute: () => { const el = any(); for (const name of ["aria-label", "role", "aria-hidden", "hidden", "inert", "disabled", "style"]) el.removeAttribute(name); },
    value: () => { const el = one(all("input:not([type=checkbox]):not([type=radio]),textarea")); if (el) el.value = word(); }, checked: () => { const el = one(all("[type=checkbox],[type=radio]")); if (el) el.checked = !el.checked; }, mixed: () => { const el = one(all("[type=checkbox]")); if (el) el.indeterminate = !el.indeterminate; },
    chosen: () => { const el = one(all("select")); if (el) el.selectedIndex = upTo(3); }, option: () => { const el = one(all("option")); if (el) el.selected = !el.selected; }, validity: () => { const el = one(all("input")); if (el) el.setCustomValidity(one(["", "no"])); },
    insertRule: () => sheet().insertRule("." + one(CLASSES) + "{" + one(["display:none", "visibility:hidden", "opacity:0", "position:absolute", "cursor:pointer", "text-transform:uppercase"]) + "}", upTo(sheet().cssRules.length)), deleteRule: () => { if (sheet().cssRules.length > 8) sheet().deleteRule(upTo(sheet().cssRules.length)); },
    rule: () => { const rule = one([...sheet().cssRules].filter((r) => r.style)); if (rule) rule.style.setProperty(one(["display", "opacity", "visibility", "color", "width"]), one(["block", "0", "hidden", "rgb(9,9,9)", "33px", "none"])); }, disabled: () => { sheet().disabled = !sheet().disabled; },
    adopt: () => { const made = new CSSStyleSheet(); made.replaceSync("p{" + one(["display:none", "color:red", "opacity:0", "font-size:0"]) + "}b::after{content:' more'}"); document.adoptedStyleSheets = random() < 0.5 ? [made] : []; },
    shadow: () => { const el = one(all("#stage div, #stage p, #stage h2").filter((e) => !e.shadowRoot)); if (el) el.attachShadow({ mode: "open" }).innerHTML = one(["<style>:host{cursor:pointer;position:relative}b{color:red}</style>", "<style>::slotted(*){opacity:0}</style>", ""]) + "<slot></slot><b>" + word() + "</b><input value=in>"; },
    inShadow: () => { const host = one(all("#stage *").filter((e) => e.shadowRoot)); if (host) { const b = host.shadowRoot.querySelector("b,input"); if (b?.localName === "input") b.value = word(); else if (b) b.textContent = word(); } },
    listen: () => any().addEventListener("click", () => {}), scroll: () => scrollTo(0, upTo(800)), inner: () => { document.getElementById("scroller").scrollTop = upTo(200); }, modal: () => { const el = one(all("dialog")); if (el) el.open ? el.close() : el.showModal(); },
    popover: () => { const el = one(all("[popover]")); if (el?.isConnected) el.togglePopover(); }, details: () => { const el = one(all("details")); if (el) el.open = !el.open; }, focus: () => { const el = one(all("input,button,a,textarea")); if (el) el.focus(); }, blur: () => document.activeElement?.blur(),
    picture: () => { const el = one(all("img")); if (el) el.src = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='" + (10 + upTo(50)) + "' height='9'/>"; }, title: () => { document.title = word(); }, frame: () => { const el = one(all("iframe")); if (el) el.remove(); }, hash: () => { location.hash = one(["a", "b"]); },
    row: () => { const body = document.querySelector("#table tbody"); if (body) body.insertBefore(Object.assign(document.createElement("tr"), { innerHTML: "<td>New " + word() + "<td>" + upTo(9) + "<td><button>Add</button>" }), one([body.firstChild, null, one([...body.children]) ?? null])); },
    unrow: () => { const el = one(all("#table tr")); if (el) el.remove(); }, sort: () => { const body = document.querySelector("#table tbody"); if (body && body.children.length > 1) body.append(one([...body.children])); }, cell: () => { const el = one(all("#table td, #table span")); if (el) el.textContent = word(); },
    label: () => { const el = one(all("label, legend, #hint, #hint b, caption")); if (el) { const at = [...el.childNodes].find((node) => node.nodeType === 3); if (at) at.data = word(); else el.prepend(word()); } }, restyle: () => { const el = one(all("#table, #cards, #main, body, #form")); if (el) el.classList.toggle(one(["wide", "busy", "flex", "up", "none"])); },
    data: () => any().setAttribute("data-" + one(["x", "testid"]), word()), busy: () => { const el = one(all("main, section, table, ul")); if (el) el.setAttribute("aria-busy", one(["true", "false"])); }, styled: () => any().insertAdjacentHTML("beforeend", "<style>." + one(CLASSES) + " b{" + one(["display:none", "position:absolute", "text-transform:uppercase"]) + "}</style>"),
    float: () => any().style.setProperty("float", one(["left", "right", ""])), identify: () => { const el = any(); if (el && !el.id) el.id = one(["hint", "who", "c1", "free"]); }, refer: () => any().setAttribute(one(["aria-labelledby", "aria-describedby", "aria-owns", "for"]), one(["hint", "who", "free"])), card: () => { const el = one(all("#cards article")); if (el) random() < 0.5 ? el.after(el.cloneNode(true)) : el.before(document.createTextNode(word()), el.cloneNode(true)); },
    words: () => { const el = one(all("#cards p, #cards em, h1, h3, li, footer")); if (el?.firstChild?.nodeType === 3) el.firstChild.data = word() + upTo(99); }, grow: () => { const el = one(all("h1, h3, #stage p, td, li")); if (el) el.append(one([" longer and longer text that may well take another line of its own", " x", document.createElement("br")])); },
    several: () => { for (let i = 0; i < 3; i++) { const el = one(all("#table td, li, #cards p")); if (el) el.append(" +"); } }, image: () => { const img = document.createElement("img"); img.alt = "late"; img.src = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='31' height='17'/>"; any().prepend(img); }, wrap: () => { const el = any(); if (el.parentElement && el.id !== "stage") { const div = document.createElement("div"); el.replaceWith(div); div.append(el); } },
    nothing: () => {},
  };
  return (seed) => {
    state = seed;
    const name = one(Object.keys(OPS));
    try { OPS[name](); } catch (error) { return name + " (" + error.message + ")"; }
    return name;
  };
})()`;
