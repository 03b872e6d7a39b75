// Listeners where the engine does not report them (Firefox): what is left on elements by handlers
// and libraries, as jQuery 1 and 3, Vue 3, D3 3 and 7, Zone.js, Preact 10 and 11 and Alpine really
// leave it (tried with each), and what is not taken for a listener.
import assert from "node:assert/strict";
import { test } from "node:test";
import { engine } from "./browser.mjs";
import { open } from "./check.mjs";

const skip = engine === "firefox" ? false : "this engine reports listeners";
const LISTENS = {
  property: "el.onclick = f",
  "a press": "el.onpointerdown = f",
  "jQuery 3": "el.jQuery371049805354 = { events: { click: [{ handler: f }] }, handle: f }",
  "jQuery 1":
    "window.jQuery = f; f.cache = { 7: { events: { mousedown: [{}] } } }; el.jQuery112400550646 = 7",
  "Vue 3": "el[Symbol('_vei')] = { onClickOnce: f }",
  D3: "el.__on = [{ type: 'drag' }, { type: 'click' }]",
  "D3 3": "el['__onclick.menu'] = f",
  "Zone.js": "el.__zone_symbol__clickfalse = [{}]",
  "Preact 10": "el.l = { clickfalse: f }",
  "Preact 11": "el.__e = { onMouseDown: f }",
  Alpine: "el._x_attributeCleanups = { '@click.prevent': [f] }",
};
const SILENT = {
  nothing: "",
  "the native way, which leaves nothing": "el.addEventListener('click', f)",
  "other events":
    "el.jQuery371049805354 = { events: { focus: [{}] } }; el.__on = [{ type: 'drag' }]; el.l = { inputfalse: f }; el.onfocus = f",
  "listeners that were taken away":
    "el.jQuery371049805354 = { events: { click: [] } }; el[Symbol('_vei')] = { onClick: undefined }; el.__zone_symbol__clickfalse = null",
  "Alpine listening elsewhere":
    "el._x_attributeCleanups = { '@click.outside': [f], 'x-on:click.window.once': [f] }",
  "a Proxy that throws, and traps, which stay unsprung":
    "Object.defineProperty(el, 'l', { get() { window.sprung = true } }); Object.defineProperty(el, '__on', { value: new Proxy({}, { getOwnPropertyDescriptor() { throw 1 } }) })",
  "traps of other kinds":
    "const trap = { valueOf() { window.sprung = true; return 1 }, toString() { window.sprung = true; return 'click' } }; el.__on = [{ type: trap }]; el.jQuery371049805354 = { events: { click: { length: trap } } }",
};

const page = (marks) =>
  `${Object.keys(marks)
    .map((name, i) => `<p id="p${i}">${name}</p>`)
    .join("")}<script>const f = () => {};${Object.values(marks)
    .map((code, i) => `{ const el = document.getElementById("p${i}"); ${code} }`)
    .join(";")}</script>`;

/** The texts that can be clicked. */
async function clickable(at) {
  await at.inside("pagesight.learnMarks()");
  const { nodes, strings } = await at.call("walk", {});
  return nodes.flags.flatMap((flags, i) =>
    flags & 1 && strings[nodes.tag[i]] === "p" ? [strings[nodes.name[i + 1]]] : [],
  );
}

test("what listens is clickable", { skip }, async () => {
  const at = await open(page({ ...LISTENS, ...SILENT }));
  assert.deepEqual(await clickable(at), Object.keys(LISTENS));
  assert.equal(await at.main("window.sprung ?? false"), false);
});
test("what listens later, or no more", { skip }, async () => {
  const at = await open("<p id=a>A</p><p id=b>B</p>");
  assert.deepEqual(await clickable(at), []);
  await at.main("a.onclick = () => {}");
  assert.deepEqual(await clickable(at), ["A"]);
  await at.main(
    "a.onclick = null; b.onclick = () => {}; document.body.append(document.createElement('p'))",
  );
  assert.deepEqual(await clickable(at), ["B"]);
});
test("who asks while it is looked for waits for it too", { skip }, async () => {
  const at = await open(
    `${"<i></i>".repeat(15_000)}<p id=a>A</p><script>a.onclick = () => {}</script>`,
  );
  assert.equal(
    await at.inside(
      "Promise.all([pagesight.learnMarks(), pagesight.learnMarks()]).then(([a, b]) => a === b)",
    ),
    true,
  );
  assert.deepEqual(await clickable(at), ["A"]);
});
test("in a document that is too large for one go the next look goes on", { skip }, async () => {
  const at = await open(
    `${"<i></i>".repeat(20_000)}<p id=a>A</p><script>a.onclick = () => {}</script>`,
  );
  assert.deepEqual(await clickable(at), []);
  assert.deepEqual(await clickable(at), ["A"]);
});

/** Adds and removes listeners; the elements that still listen in the end. */
const NOTED = {
  "in the native way": ["el.addEventListener('click', f)", "click"],
  "in both phases": [
    "el.addEventListener('mousedown', f); el.addEventListener('mousedown', f, true); el.removeEventListener('mousedown', f)",
    "mousedown",
  ],
  "with options": [
    "el.addEventListener('pointerup', f, { passive: true, capture: true })",
    "pointerup",
  ],
  "by an object": ["el.addEventListener('dblclick', { handleEvent: f })", "dblclick"],
  "by a property": ["el.onclick = f", "click"],
  "in an attribute": ["el.setAttribute('onclick', 'f()')", "click"],
  twice: ["el.addEventListener('click', f); el.addEventListener('click', f)", "click"],
  "until a signal that did not come": [
    "el.addEventListener('click', f, { signal: new AbortController().signal })",
    "click",
  ],
  "once, and it did not happen": ["el.addEventListener('click', f, { once: true })", "click"],
  "for many things": [
    "for (let i = 0; i < 100; i++) el.addEventListener('click', () => i)",
    "click",
  ],
};
const NOT_NOTED = {
  "and not any more":
    "el.addEventListener('click', f, { capture: true }); el.removeEventListener('click', f, true)",
  "twice, and not any more":
    "el.addEventListener('click', f); el.addEventListener('click', f); el.removeEventListener('click', f)",
  "until a signal that came":
    "{ const c = new AbortController(); el.addEventListener('click', f, { signal: c.signal }); c.abort() }",
  "once, and it happened": "el.addEventListener('click', f, { once: true }); el.click()",
  "for other events": "el.addEventListener('focus', f); el.addEventListener('Click', f)",
  "with nothing": "el.addEventListener('click', null)",
  "to what throws": "try { el.addEventListener('click', 1) } catch {}",
};

test("with hooks, all listeners are known", { skip }, async () => {
  const first = await open("<p>");
  const removers = [await first.observe(), await first.announce()];
  try {
    const codes = Object.fromEntries(Object.entries(NOTED).map(([name, [code]]) => [name, code]));
    const at = await open(page({ ...codes, ...NOT_NOTED }));
    assert.deepEqual(await clickable(at), Object.keys(NOTED));
    assert.equal(JSON.parse(await at.inside("pagesight.learnMarks()")).all, true);
    const { nodes, strings } = await at.call("walk", {});
    const paragraphs = nodes.id.filter((_, i) => strings[nodes.tag[i]] === "p");
    for (const [n, [name, [, kind]]] of Object.entries(NOTED).entries())
      assert.deepEqual((await at.call("describe", paragraphs[n])).listeners, [kind], name);
  } finally {
    for (const remove of removers) await remove();
  }
});
