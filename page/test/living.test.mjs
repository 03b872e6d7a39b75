// Pages that live: values that change in place, animations, states of custom elements, and boxes
// that come to lie over others. A look at such a page costs what changed, and is what a look at the
// whole page would be.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./check.mjs";
import { applyPatch, readable } from "./patch.mjs";

/** A page of nested custom elements, with a spinner and a sheet that uses a state. */
const BOARD = `<!doctype html><title>Board</title><style>@keyframes turn{to{transform:rotate(360deg)}}#spinner{width:20px;height:20px;animation:turn 1s linear infinite}</style>
<main><div id=spinner></div></main><script>
const define = (name, html, css = "") => customElements.define(name, class extends HTMLElement {
  constructor() { super(); this.states = this.attachInternals().states; }
  connectedCallback() { if (!this.shadowRoot) this.attachShadow({ mode: "open" }).innerHTML = "<style>:host{display:block}" + css + "</style>" + html(this); }
});
define("x-value", () => "<b>0</b> <i>W</i>", ":host(:state(off)){visibility:hidden}");
define("x-row", (el) => "<x-value></x-value><button>Switch " + el.title + "</button>");
define("x-card", (el) => "<h2>Card " + el.title + "</h2>" + [1, 2, 3].map((i) => "<x-row title=" + el.title + "-" + i + "></x-row>").join(""));
document.querySelector("main").insertAdjacentHTML("beforeend", Array.from({ length: 40 }, (_, i) => "<x-card title=" + i + "></x-card>").join(""));
window.values = [...document.querySelectorAll("x-card")].flatMap((card) => [...card.shadowRoot.querySelectorAll("x-row")].map((row) => row.shadowRoot.querySelector("x-value")));
window.set = (at, text) => { values[at].shadowRoot.querySelector("b").firstChild.data = text; };
</script>`;

/** The page as the last answers say, after one more look. */
async function again(page, base, options = {}) {
  const answer = await page.call("walk", { known: base.key, ...options });
  if (answer.same) return { kind: "same", wire: base };
  return answer.patch
    ? { kind: "patch", wire: applyPatch(base, answer) }
    : { kind: "whole", wire: answer };
}

const texts = ({ nodes, strings }) => nodes.name.map((at) => strings[at]);

test("beside a spinner, a changed value is answered with a patch", async () => {
  const page = await open(BOARD);
  const first = await page.call("walk", {});
  await page.main("set(7, '21.5'); 0");
  const { kind, wire } = await again(page, first);
  assert.equal(kind, "patch");
  assert.ok(texts(wire).includes("21.5"));
});

test("a value that changes while the page is read is in the answer", async () => {
  const page = await open(BOARD);
  // Between any two slices.
  await page.main(
    "let n = 0; const channel = new MessageChannel(); channel.port1.onmessage = () => { if (++n < 200) { set(n % 100, 'v' + n); channel.port2.postMessage(0); } else done = true; }; window.done = false; channel.port2.postMessage(0); 0",
  );
  const first = await page.call("walk", { slice: 0 });
  while (!(await page.main("done"))) await page.main("new Promise((go) => setTimeout(go, 5))");
  const { kind, wire } = await again(page, first);
  assert.notEqual(kind, "whole");
  const shown = texts(wire).filter((text) => /^v\d/.test(text));
  const plain = texts(await page.call("walk", { plain: true }));
  assert.deepEqual(
    shown,
    plain.filter((text) => /^v\d/.test(text)),
  );
});

test("a state of a custom element is noticed", async () => {
  const page = await open(BOARD);
  const first = await page.call("walk", {});
  await page.main("set(3, 'gone'); 0");
  const second = await again(page, first);
  assert.ok(texts(second.wire).includes("gone"));
  await page.main("values[3].states.add('off'); 0");
  const third = await again(page, second.wire);
  assert.ok(!texts(third.wire).includes("gone"));
  await page.main("values[3].states.delete('off'); 0");
  assert.ok(texts((await again(page, third.wire)).wire).includes("gone"));
});

test("an animation that begins, and one that ended, are noticed", async () => {
  const page = await open(`${BOARD}<p id=p>Hello</p>`);
  const first = await page.call("walk", {});
  await page.main("window.fade = p.animate({ opacity: [0, 0] }, 1e6); 0");
  const second = await again(page, first);
  assert.ok(!texts(second.wire).includes("Hello"));
  await page.main("fade.cancel(); 0");
  const third = await again(page, second.wire);
  assert.ok(texts(third.wire).includes("Hello"));
});

/** Random boxes over buttons in nested shadow trees, and random changes of them. */
const BOXES = `<!doctype html><title>Boxes</title><style>body{margin:0}</style><div id=stage></div><script>
let state = 1;
const random = () => { state = (state + 0x6d2b79f5) | 0; let t = Math.imul(state ^ (state >>> 15), 1 | state); t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t; return ((t ^ (t >>> 14)) >>> 0) / 4294967296; };
const upTo = (n) => Math.floor(random() * n);
const one = (list) => list[upTo(list.length)];
const boxes = [];
const place = () => "position:" + one(["absolute", "absolute", "absolute", "absolute", "relative", "fixed"]) + ";left:" + upTo(1100) + "px;top:" + upTo(600) + "px;width:" + (20 + upTo(300)) + "px;height:" + (20 + upTo(200)) + "px;z-index:" + one(["auto", 0, 1, 2, -1]) + ";overflow:" + one(["visible", "hidden"]) + ";background:" + one(["#fff", "transparent", "#eee"]) + ";pointer-events:" + one(["auto", "auto", "none"]) + ";border-radius:" + one(["0", "50%"]);
const add = (home, depth) => {
  const box = document.createElement("div");
  box.style = place();
  home.append(box);
  boxes.push(box);
  const inside = random() < 0.5 ? box : box.attachShadow({ mode: "open" });
  if (random() < 0.5) inside.append(Object.assign(document.createElement("button"), { textContent: "Button " + boxes.length, style: "position:absolute;left:" + upTo(200) + "px;top:" + upTo(100) + "px" }));
  if (random() < 0.3) inside.append(Object.assign(document.createElement("p"), { textContent: "Some text " + boxes.length }));
  if (depth > 0) for (let n = upTo(3); n > 0; n--) add(inside, depth - 1);
};
window.begin = (seed) => { state = seed; boxes.length = 0; stage.replaceChildren(); for (let n = 0; n < 30; n++) add(stage, 3); return boxes.length; };
window.change = () => { for (let n = 1 + upTo(3); n > 0; n--) { const box = one(boxes); one([
  () => { box.style = place(); }, () => { box.style.zIndex = one([0, 1, 5, -1, "auto"]); }, () => { box.style.display = one(["none", "block"]); }, () => { box.style.transform = one(["none", "translate(30px,10px)", "rotate(10deg)"]); },
  () => { box.inert = !box.inert; }, () => { box.remove(); }, () => { add(box.shadowRoot ?? box, 1); }, () => { const p = (box.shadowRoot ?? box).querySelector("p"); if (p) p.firstChild.data = "A longer text ".repeat(upTo(9)); },
  () => { box.style.opacity = one(["0.5", "1"]); }, () => { box.style.visibility = one(["hidden", "visible"]); },
])(); } };
</script>`;

/**
 * What covers buttons, by brute force: of the nine points of its visible box none is hit. The
 * elements in view with a point that is hit by nothing of theirs.
 */
const BRUTE = `(() => {
  const POINTS = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.15, 0.2], [0.85, 0.2], [0.15, 0.8], [0.85, 0.8]];
  const up = (node) => node.assignedSlot ?? node.parentNode ?? node.host;
  const deepest = (x, y) => { let el = document.elementFromPoint(x, y); while (el?.shadowRoot) { const inner = el.shadowRoot.elementFromPoint(x, y); if (!inner || inner === el) break; el = inner; } return el; };
  const reached = [];
  const visit = (root) => { for (const el of root.querySelectorAll("*")) { if (el.shadowRoot) visit(el.shadowRoot); if (el.localName !== "button" || !el.checkVisibility({ visibilityProperty: true })) continue;
    let { left, top, right, bottom } = el.getBoundingClientRect();
    for (let at = up(el); at; at = up(at)) { if (at.nodeType !== 1 || at.localName === "body" || at.localName === "html") continue; const style = getComputedStyle(at); if (style.overflow === "hidden") { const r = at.getBoundingClientRect(); left = Math.max(left, r.left); top = Math.max(top, r.top); right = Math.min(right, r.right); bottom = Math.min(bottom, r.bottom); } if (style.position === "fixed") break; }
    left = Math.max(left, 0); top = Math.max(top, 0); right = Math.min(right, innerWidth); bottom = Math.min(bottom, innerHeight);
    if (right - left < 1 || bottom - top < 1) continue;
    const hit = POINTS.some(([fx, fy]) => { for (let at = deepest(left + (right - left) * fx, top + (bottom - top) * fy); at; at = up(at)) if (at === el) return true; return false; });
    if (hit) reached.push(el.textContent);
  } };
  visit(document);
  return reached.sort();
})()`;

const SEED = Number(process.env.PAGESIGHT_SEED ?? 20261118);
const PAGES = Number(process.env.PAGESIGHT_PAGES ?? 6);
const STEPS = Number(process.env.PAGESIGHT_STEPS ?? 10);

test(`seed ${SEED}: what lies over what is followed through ${PAGES * STEPS} changes`, async (t) => {
  const page = await open(BOXES);
  const seen = { same: 0, patch: 0, whole: 0, covered: 0 };
  for (let n = 0; n < PAGES; n++) {
    await page.main(`begin(${SEED + n})`);
    let base = { key: null };
    for (let step = 0; step < STEPS; step++) {
      if (step > 0) await page.main("change()");
      const { kind, wire } = await again(page, base, { share: 100 });
      base = wire;
      seen[kind]++;
      const what = `page ${n}, step ${step}, seed ${SEED}`;
      const plain = await page.call("walk", { plain: true });
      assert.deepEqual(readable(wire).covered, readable(plain).covered, what);
      const reached = await page.main(BRUTE);
      const covered = new Set(wire.covered.filter((_, at) => at % 2 === 0));
      seen.covered += covered.size;
      for (const at of covered)
        assert.ok(
          !reached.includes(wire.strings[wire.nodes.name[at]]),
          `a click reaches it, ${what}`,
        );
    }
  }
  assert.ok(seen.patch > PAGES && seen.covered > PAGES * 10, JSON.stringify(seen));
  t.diagnostic(JSON.stringify(seen));
});
