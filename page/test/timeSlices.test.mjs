// The page keeps its main thread, gets an answer in time whatever it does, and cannot tamper with
// the script.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./check.mjs";
import { decode } from "./decode.mjs";

const page = (body) => `<!doctype html><title>t</title><body>${body}`;
const ROWS = `${"<p>row <b>of</b> <a href=#x>text</a></p>".repeat(1500)}`;

test("what waits for the main thread has its turn while the page is looked at", async () => {
  const at = await open(page(ROWS));
  // Counted from the call to its answer, in the page itself: what a call from outside lets through
  // does not count.
  const beats = (options) =>
    at.inside(`(async () => {
    let beats = 0, on = true;
    const channel = new MessageChannel();
    channel.port1.onmessage = () => { beats++; if (on) channel.port2.postMessage(0); };
    channel.port2.postMessage(0);
    await pagesight.walk(${JSON.stringify(options)});
    on = false;
    return beats;
  })()`);
  assert.equal(await beats({ plain: true }), 0);
  // A slice of no length ends whenever the clock is read.
  const sliced = await beats({ slice: 0 });
  assert.ok(sliced > 10, `${sliced} turns`);
});

test("a page that never stops changing is answered, and what changes is reported", async () => {
  const at = await open(page(`<main>${ROWS}</main><div id=clock><b>0</b></div>`));
  await at.main(
    "setInterval(() => { clock.innerHTML = '<b>' + performance.now() + '</b>' }, 0); (function frame() { const p = document.createElement('p'); clock.append(p); p.remove(); requestAnimationFrame(frame); })()",
  );
  const wire = await at.call("walk", { slice: 0 });
  assert.equal(wire.error, undefined);
  const list = decode(wire);
  assert.ok(wire.elements > 4400 && list.length === wire.nodes.id.length);
  const clock = (await at.call("find", "#clock")).id;
  assert.ok(
    wire.changing.some((node) => wire.nodes.id[node] === clock),
    JSON.stringify(wire.changing),
  );
  const ids = wire.nodes.id.filter((id) => id > 0);
  assert.equal(new Set(ids).size, ids.length, "an element was sent twice");
});

test("rows that change places all the time are never sent twice", async () => {
  const at = await open(page(`<ul id=list>${"<li><button>x</button>".repeat(400)}</ul>`));
  await at.main(
    "setInterval(() => { for (let i = 0; i < 40; i++) list.append(list.children[Math.floor(Math.random() * 200)]) }, 0)",
  );
  const wire = await at.call("walk", { slice: 0 });
  const ids = wire.nodes.id.filter((id) => id > 0);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(wire.nodes.size[0], wire.nodes.id.length - 1);
});

test("boxes are those of one scroll position, even if the page scrolls all the time", async () => {
  const at = await open(page(`<style>p{height:40px;margin:0}</style>${"<p>x</p>".repeat(1200)}`));
  await at.main(
    "let down = true; setInterval(() => { scrollBy(0, down ? 37 : -37); down = !down }, 0)",
  );
  const wire = await at.call("walk", { slice: 0 });
  const tops = wire.nodes.tag.flatMap((tag, i) =>
    wire.strings[tag] === "p" ? [wire.nodes.box[4 * i + 1]] : [],
  );
  assert.equal(tops.length, 1200);
  for (let i = 1; i < tops.length; i++) assert.equal(tops[i] - tops[i - 1], 40, `row ${i}`);
});

test("too little time: what is in the viewport is there all the same, and the rest is counted", async () => {
  const at = await open(page("<div id=d></div>"));
  // A clock that counts its reads: half of the limit is over after 100 of them, on any machine.
  await at.install("{ let reads = 0; Performance.prototype.now = () => reads++ / 100; }\n");
  await at.main(
    "d.innerHTML = Array.from({ length: 20000 }, (_, i) => '<p>row ' + i + '</p>').join(''); scrollTo(0, 1e7)",
  );
  await at.main("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
  const wire = await at.call("walk", { slice: 1000, limit: 2 });
  assert.equal(wire.truncated, true);
  const rows = wire.nodes.name
    .map((name) => wire.strings[name])
    .filter((name) => name.startsWith("row "));
  assert.ok(
    rows.includes("row 19999") && rows.includes("row 19980"),
    `the last is ${rows[rows.length - 1]}`,
  );
  assert.equal(wire.left, 20000 - wire.nodes.tag.filter((tag) => wire.strings[tag] === "p").length);
  assert.ok(wire.left > 0);
});

test("a small page is read whole while the limit lasts, and an update leaves time for that", async () => {
  const rows = 3000;
  const at = await open(page(`<main>${"<p>row</p>".repeat(rows)}</main>`));
  // A clock that counts its reads: the limit does not depend on the machine.
  await at.install("{ globalThis.reads = 0; Performance.prototype.now = () => reads++; }\n");
  await at.call("walk", { slice: 1e6, limit: 1e6 });
  const reads = await at.inside("reads");
  const wire = await at.call("walk", { slice: 1e6, limit: Math.ceil(reads * 0.6) });
  assert.equal(wire.truncated, false, `${reads} reads`);
  await at.main(
    "const main = document.querySelector('main'); main.replaceWith(main.cloneNode(true))",
  );
  const limit = Math.ceil(reads * 0.9);
  const updated = await at.call("walk", { slice: 1e6, limit, known: wire.key });
  assert.equal(updated.truncated, false);
  assert.equal(updated.nodes.tag.filter((tag) => updated.strings[tag] === "p").length, rows);
});

test("a page that tampers with everything changes nothing", async () => {
  const content = page(
    `<main><h1>T</h1><button>Go</button><label>Name <input value=v></label><ul><li>a<li>b</ul><p>text</p></main>${"<p>more</p>".repeat(300)}`,
  );
  const strip = ({ doc, key, url, ...rest }) => rest;
  const clean = strip(await (await open(content)).call("walk", { slice: 1 }));
  const at = await open(content);
  await at.main(`{
    const broken = () => { throw new Error("tampered"); };
    for (const [owner, names] of [[Array.prototype, ["push", "map", "forEach", "filter", "slice", "pop", "shift", "sort", "join", "some", "every", "includes", "flatMap"]], [String.prototype, ["replace", "startsWith", "slice", "trim", "split", "match", "matchAll"]],
      [Map.prototype, ["get", "set", "has"]], [Set.prototype, ["add", "has"]], [WeakMap.prototype, ["get", "set"]], [RegExp.prototype, ["test", "exec"]], [Promise.prototype, ["then", "catch", "finally"]], [JSON, ["stringify", "parse"]], [Math, ["round", "min", "max"]],
      [Element.prototype, ["getBoundingClientRect", "getAttribute", "hasAttribute", "getAttributeNames", "matches", "closest", "querySelector", "querySelectorAll", "checkVisibility"]], [Node.prototype, ["contains", "getRootNode", "compareDocumentPosition"]],
      [Document.prototype, ["querySelector", "querySelectorAll", "elementFromPoint", "elementsFromPoint", "createTreeWalker", "createRange", "getAnimations"]], [MutationObserver.prototype, ["observe", "takeRecords", "disconnect"]], [MessagePort.prototype, ["postMessage"]], [Performance.prototype, ["now"]]])
      for (const name of names) owner[name] = broken;
    for (const name of ["getComputedStyle", "MutationObserver", "MessageChannel", "requestAnimationFrame", "setTimeout", "Promise", "WeakRef", "matchMedia", "CSSStyleSheet"]) window[name] = broken;
    for (const [proto, name] of [[Node.prototype, "firstChild"], [Node.prototype, "nextSibling"], [Node.prototype, "parentNode"], [Node.prototype, "nodeType"], [Element.prototype, "localName"], [Element.prototype, "shadowRoot"], [Document.prototype, "styleSheets"], [HTMLInputElement.prototype, "value"]])
      Object.defineProperty(proto, name, { get: broken });
  } 0`);
  const first = await at.call("walk", { slice: 1 });
  assert.deepEqual(strip(first), clean);
  assert.deepEqual(await at.call("walk", { known: first.key, slice: 1 }), { same: first.key });
});
