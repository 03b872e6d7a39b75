// Pages that are built to break the script: one hostile element must not cost the page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { idOf, look, open, openCounting } from "./check.mjs";
import { decode } from "./decode.mjs";

/** Every property of a form, down to EventTarget. */
const FORM_NAMES = `(() => {
  const names = new Set(["host", "control", "value", "type", "ownerSVGElement", "disabled"]);
  for (let at = HTMLFormElement.prototype; at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  return [...names];
})()`;

/** Fills the form on the page with an input for each of its properties. */
const clobber = (page) =>
  page.main(`for (const name of ${FORM_NAMES}) {
    const input = Object.assign(Document.prototype.createElement.call(document, "input"), { name });
    input.setAttribute("aria-label", name);
    Element.prototype.append.call(document.querySelector("form"), input);
  }`);

test("a form that hides every property behind its fields", async () => {
  const { page } = await look(
    `<style>form,#b,#c{position:relative} .spinner{height:20px}</style>
    <form id=f aria-labelledby="" class="spinner loading" role=group tabindex=0>
    <button id=b>Send</button></form><div id=c style="top:-5px"><button>After</button></div>
    <form id=drag class=loading><p>Loading…</p></form>`,
  );
  await clobber(page);
  assert.ok(await page.main("document.forms[0].getAnimations instanceof HTMLInputElement"));
  const wire = await page.call("walk", {});
  assert.equal(wire.error, undefined, JSON.stringify(wire).slice(0, 400));
  assert.equal(wire.left, undefined, "an element was lost");
  const list = decode(wire);
  for (const name of ["Send", "After", "ariaLabelledByElements", "compareDocumentPosition"])
    assert.ok(
      list.some((node) => node.name === name),
      name,
    );
  await page.main("document.getElementById('c').append(document.createElement('form'))");
  const [form, button] = [await idOf(page, "#f"), await idOf(page, "#b")];
  for (const call of [
    ["walk", { known: wire.key }],
    ["walk", { full: true }],
    ["describe", form],
    ["describe", button],
    ["matchCounts", form, ["form", "#f"]],
    ["prepare", form, "click"],
    ["watchPage", form, []],
    ["inputResult"],
    ["prepare", button, "click"],
    ["focus", form],
    ["fieldValue", form],
    ["focusedElement"],
    ["checkboxState", form],
    ["findFileInput", form],
    ["findScroller", form, 0, 10],
    ["bringIntoView", form],
    ["activityNow"],
    ["selfChanging"],
    ["pageInfo"],
    ["waitForImages", 50],
    ["waitForQuiet", 5, 50],
    ["waitForText", { text: "Send" }, 50],
    ["countNodes"],
  ]) {
    const answer = await page.call(...call);
    assert.equal(answer.error, undefined, JSON.stringify([call, answer]).slice(0, 600));
  }
});
test("a spinner is one although its form hides its animations", async () => {
  const { page } = await look(
    `<style>@keyframes s{to{rotate:1turn}} form{width:20px;height:20px;animation:s 1s infinite}</style>
    <form class=spinner><input name=getAnimations hidden></form>`,
  );
  const answer = await page.call("activityNow");
  assert.equal(answer.error, undefined, JSON.stringify(answer).slice(0, 400));
  assert.match(answer.loading ?? "", /spinner/);
});
test("an area with 130,000 coordinates", async () => {
  const coords = Array.from({ length: 130_000 }, (_, i) => i % 9).join();
  const { wire, find } = await look(
    `<img usemap="#m" width=100 height=100 alt=Map><map name=m><area href="/a" alt=Land shape=poly coords="${coords}"></map><button>Go</button>`,
  );
  assert.equal(wire.error, undefined);
  assert.ok(find("Land") && find("Go"));
  const { w, h } = find("Land");
  assert.ok(w === undefined || (w <= 100 && h <= 100));
});
test("an editor with 130,000 children", async () => {
  const page = await open("<!doctype html><div id=e contenteditable></div><button>Go</button>");
  await page.main(`{
    const inner = document.createElement("div");
    for (let i = 0; i < 130000; i++) inner.append(document.createElement("b"));
    document.getElementById("e").append(inner, "text");
  }`);
  const wire = await page.call("walk", {});
  assert.equal(wire.error, undefined, JSON.stringify(wire).slice(0, 400));
  assert.ok(decode(wire).some((node) => node.name === "Go"));
});
test("a fault in one element costs that element, and is counted", async () => {
  const page = await open(
    "<!doctype html><img usemap='#m' width=9 height=9 alt=Map><map name=m><area href='/a' alt=Land coords='0,0,5,5'></map><p><button>Go</button></p>",
  );
  await page.inside("CSS.escape = () => { throw new Error('on purpose'); }");
  const wire = await page.call("walk", {});
  assert.equal(wire.error, undefined, JSON.stringify(wire).slice(0, 400));
  assert.equal(wire.left, 1);
  assert.equal(wire.truncated, false);
  assert.ok(decode(wire).some((node) => node.name === "Go"));
  // It is counted again: the next answer is not a patch of one that lacks something.
  const again = await page.call("walk", { known: wire.key });
  assert.equal(again.left, 1, JSON.stringify(again).slice(0, 300));
});
test("5,000 new shadow roots at once are found in time", async () => {
  const { page, count } = await openCounting(
    "<!doctype html><main><button>Go</button></main>",
    "Node",
    "parentNode",
  );
  const { key } = await page.call("walk", {});
  await page.main(`{
    const all = document.createDocumentFragment();
    for (let i = 0; i < 5000; i++) {
      const host = document.createElement("div");
      host.attachShadow({ mode: "open" }).innerHTML = "<p>x</p>";
      all.append(host);
    }
    document.querySelector("main").append(all);
  }`);
  await count();
  await page.call("walk", { known: key });
  const reads = await count();
  assert.ok(reads > 1000 && reads < 100_000, `${reads} reads`);
});
test("titles, addresses, attributes and paths are bounded", async () => {
  const { page } = await look("<main><p id=p>x</p></main>");
  await page.main(`const p = document.querySelector("p"); document.title = "t".repeat(100000);
    history.replaceState(null, "", "?" + "q".repeat(100000));
    for (let i = 0; i < 5000; i++) p.setAttribute("data-" + i, "v".repeat(i < 3 ? 100000 : 10));
    p.className = Array.from({ length: 20000 }, (_, i) => "c" + i).join(" ");
    p.id = "i".repeat(100000);
    let at = p; for (let i = 0; i < 400; i++) { const d = document.createElement("div"); at.append(d); at = d; }
    at.innerHTML = "<b role=button>deep</b>";`);
  assert.ok(JSON.stringify(await page.call("pageInfo")).length < 4000);
  assert.ok(JSON.stringify(await page.call("token")).length < 2000);
  const described = await page.call("describe", await idOf(page, "p"));
  assert.ok(JSON.stringify(described).length < 60_000, `${JSON.stringify(described).length}`);
  assert.equal(Object.keys(described.attributes).length + described.left_out, 5002);
  const deep = await page.call("describe", await idOf(page, "b"));
  assert.equal(deep.xpath, null);
  assert.ok(JSON.stringify(deep).length < 60_000, `${JSON.stringify(deep).length}`);
});
test("a name follows a bounded number of ids", async () => {
  const { page, count } = await openCounting(
    "<!doctype html><button id=b></button><p id=x>x</p>",
    "Document",
    "getElementById",
  );
  await page.main(
    "{ const el = document.querySelector('button'); el.setAttribute('aria-labelledby', 'x '.repeat(200000)); for (let i = 0; i < 300; i++) el.after(el.cloneNode()); }",
  );
  const wire = await page.call("walk", {});
  const reads = await count();
  assert.ok(reads >= 300 && reads < 301 * 500, `${reads} reads`);
  assert.equal(decode(wire).find((node) => node.tag === "button").name, "x");
});
test("a page with elements and frames called pagesight", async () => {
  const page = await open(
    "<!doctype html><form id=pagesight><input name=walk></form><iframe name=pagesight></iframe><button>Go</button>",
  );
  const wire = await page.call("walk", {});
  assert.ok(decode(wire).some((node) => node.name === "Go"));
  await page.install();
  assert.equal((await page.call("walk", {})).doc, wire.doc);
});
