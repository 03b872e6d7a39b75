// Short cuts never show: over random changes of a page, what a look answers in slices, from what it
// knew, and with the reads it left out is what the plain walk answers, byte for byte.
// PAGESIGHT_SEED repeats a run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { engine } from "./browser.mjs";
import { open, rewrite, rowsOf } from "./check.mjs";
import { CHANGES, ROWS, START } from "./mutations.mjs";
import { applyPatch, readable } from "./patch.mjs";

const cases = [];
const SEED = Number(process.env.PAGESIGHT_SEED ?? 20261115);
const PAGES = Number(process.env.PAGESIGHT_PAGES ?? 4);
const STEPS = Number(process.env.PAGESIGHT_STEPS ?? 40);

/**
 * In the script's world: looks with what is known and in slices of that length, and plainly before
 * and after, because a page may change on its own (pictures, frames, dialogs that come with the next
 * frame). Answers where they differ, else how it was answered.
 */
const COMPARE = `async (slice) => {
  ${applyPatch}
  ${readable}
  const sorted = (wire) => JSON.stringify(readable(wire), (_, value) => (value && typeof value === "object" && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value));
  globalThis.before ??= { key: null };
  let how = "";
  for (let tries = 0; tries < 5; tries++) {
    const plain = await pagesight.walk({ plain: true });
    const quick = JSON.parse(await pagesight.walk({ known: before.key, slice, share: 100 }));
    const kind = quick.same ? "same" : quick.patch ? "patched" : "walked";
    if (!quick.same) globalThis.before = quick.patch ? applyPatch(before, quick) : quick;
    const [a, b] = [sorted(before), sorted(JSON.parse(plain))];
    if (a === b) return kind;
    const [left, right] = [JSON.parse(a), JSON.parse(b)];
    const differ = Object.keys({ ...left, ...right }).filter((key) => JSON.stringify(left[key]) !== JSON.stringify(right[key]));
    const shown = (side, key) => (key === "nodes" ? Object.keys(right.nodes).filter((name) => JSON.stringify(left.nodes[name]) !== JSON.stringify(right.nodes[name])).map((name) => {
      const at = right.nodes[name].findIndex((n, i) => n !== left.nodes[name][i]);
      return name + " at " + at + " (of " + right.nodes[name].length + "/" + left.nodes[name].length + "): " + JSON.stringify(side.nodes[name].slice(Math.max(0, at - 3), at + 6));
    }).join(", ") : JSON.stringify(side[key])?.slice(0, 300));
    how = kind + " differs: " + differ.map((key) => key + " " + shown(left, key) + " instead of " + shown(right, key)).join("; ");
    if ((await pagesight.walk({ plain: true })) === plain) return how;
  }
  return how;
}`;

test(`seed ${SEED}: ${PAGES} pages, ${STEPS} changes each`, async (t) => {
  t.diagnostic(`PAGESIGHT_SEED=${SEED}`);
  const seen = { same: 0, patched: 0, walked: 0 };
  for (let n = 0; n < PAGES; n++) {
    const page = await open(n % 3 === 0 ? START : ROWS);
    await page.main(`window.change = ${CHANGES}; 0`);
    const done = [];
    for (let step = 0; step < STEPS; step++) {
      const seed = SEED + n * 1000 + step;
      done.push(await page.main(`change(${seed})`));
      if (engine === "chromium" && step % 13 === 12)
        await page.send("Emulation.setDeviceMetricsOverride", {
          width: 700 + (seed % 600),
          height: 500,
          deviceScaleFactor: 1,
          mobile: false,
        });
      // Now and then in slices of no length, which end at every chance.
      const how = await page.inside(`(${COMPARE})(${step % 3 === 0 ? 0 : 10})`);
      assert.ok(
        how in seen,
        `${how}\nafter ${done.slice(-5).join(", ")} (page ${n}, step ${step}, seed ${SEED})`,
      );
      seen[how]++;
    }
    if (engine === "chromium") await page.send("Emulation.clearDeviceMetricsOverride");
  }
  // A cache that never answers proves nothing.
  assert.ok(seen.same > 0 && seen.walked > 0 && seen.patched > 0, JSON.stringify(seen));
  t.diagnostic(JSON.stringify(seen));
});

/** Rows: the changed part | the page | the change. */
const UNOBSERVED = `
a value set by script | <input id=a value=1> | a.value = '2'
a box checked by script | <input type=checkbox id=a> | a.checked = true
a mixed box | <input type=checkbox id=a> | a.indeterminate = true
another option | <select id=a><option>x<option>y</select> | a.selectedIndex = 1
a rule that was changed | <style id=s>p{color:red}</style><p>text | s.sheet.cssRules[0].style.visibility = 'hidden'
a rule that was replaced | <style id=s>p{color:red}</style><p>text | s.sheet.deleteRule(0); s.sheet.insertRule('p{opacity:0}')
a sheet that was adopted | <p>text | const sheet = new CSSStyleSheet(); sheet.replaceSync('p{opacity:0}'); document.adoptedStyleSheets = [sheet]
a root on a standing element | <div id=a>text</div> | a.attachShadow({ mode: 'open' }).innerHTML = '<b>other</b>'
a change in a shadow root | <div id=a></div><script>a.attachShadow({ mode: 'open' }).innerHTML = '<b>one</b>'</script> | a.shadowRoot.querySelector('b').firstChild.data = 'two'
a scrolled box | <div id=a style='height:50px;overflow:auto'><p style='height:500px'>long</div> | a.scrollTop = 40
a scrolled box of bare text | <pre id=a style='height:30px;overflow:auto'>1&#10;2&#10;3&#10;4&#10;5&#10;6</pre> | a.scrollTop = 40
a scrolled page | <p style='height:5000px'>long | scrollTo(0, 300)
a popover | <div popover id=a>text</div> | a.showPopover()
a modal dialog | <dialog id=a>text</dialog> | a.showModal()
the focus | <input id=a><input id=b> | b.focus()
a picture | <img id=a alt=x> | a.src = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='50' height='9'/>"; await a.decode()
a title | <title>a</title><p>x | document.title = 'b'
a running animation | <p id=a>x | a.animate({ opacity: [0, 0] }, 1e6)
`;
for (const [what, start, change] of rowsOf(UNOBSERVED)) {
  test(`what no observer sees is noticed: ${what}`, async () => {
    const page = await open(`<!doctype html><body>${start}`);
    const first = await page.call("walk", {});
    assert.deepEqual(await page.call("walk", { known: first.key }), { same: first.key });
    await page.main(`(async () => { ${change} })()`);
    const answer = await page.call("walk", { known: first.key });
    assert.equal(answer.same, undefined);
    const second = answer.patch ? applyPatch(first, answer) : answer;
    assert.deepEqual(readable(second), readable(await page.call("walk", { plain: true })));
  });
}

test("a full look answers from what it knew, and never hides a change", async (t) => {
  const seen = { same: 0, walked: 0 };
  const page = await open(START);
  await page.main(`window.change = ${CHANGES}; 0`);
  let last = { key: null };
  const done = [];
  for (let step = 0; step < STEPS; step++) {
    // Every third time nothing changes, and a plain look between two full ones takes nothing away.
    if (step % 3 > 0) done.push(await page.main(`change(${SEED + 7000 + step})`));
    if (step % 4 === 0) await page.call("walk", {});
    for (let tries = 0; ; tries++) {
      const plain = await page.call("walk", { plain: true, full: true });
      const quick = await page.call("walk", { full: true, known: last.key });
      seen[quick.same ? "same" : "walked"]++;
      if (quick.same) assert.equal(quick.same, last.key);
      else last = quick;
      const [a, b] = [readable(last), readable(plain)];
      if (JSON.stringify(a) === JSON.stringify(b)) break;
      const after = await page.call("walk", { plain: true, full: true });
      // The page may change on its own.
      if (tries < 5 && JSON.stringify(readable(after)) !== JSON.stringify(b)) continue;
      assert.deepEqual(a, b, `after ${done.slice(-5).join(", ")} (step ${step}, seed ${SEED})`);
      break;
    }
  }
  assert.ok(seen.same > STEPS / 8 && seen.walked > STEPS / 8, JSON.stringify(seen));
  t.diagnostic(JSON.stringify(seen));
});

const ONLY_IN_FULL = `
a comment | <p id=a>x<!-- one --></p> | a.lastChild.data = ' two '
an attribute that shows nothing | <p id=a>x | a.setAttribute('data-x', 'y')
a text that is hidden | <p hidden id=a>x | a.textContent = 'y'
a value in a hidden field | <div hidden><input id=a value=1></div> | a.value = '2'
the head | <p>x | document.head.append(document.createElement('meta'))
what lies under something opaque | <style id=s>#b{position:absolute;inset:0}</style><p id=a>x</p><div id=b></div> | s.sheet.insertRule('#b{background:#fff}', 1)
`;
for (const [what, start, change] of rowsOf(ONLY_IN_FULL))
  test(`what only a full look reports is noticed: ${what}`, async () => {
    const page = await open(`<!doctype html><body>${start}`);
    const first = await page.call("walk", { full: true });
    assert.deepEqual(await page.call("walk", { full: true, known: first.key }), {
      same: first.key,
    });
    await page.main(`(async () => { ${change} })()`);
    const answer = await page.call("walk", { full: true, known: first.key });
    assert.equal(answer.same, undefined);
    assert.deepEqual(
      readable(answer),
      readable(await page.call("walk", { plain: true, full: true })),
    );
  });

// Each of these properties is read only where a sheet, an attribute or an animation can have set
// it: here one does.
const INNER =
  "<div class=a>one <span>two</span><p>three <b>four</b></p><button>five</button><a href=#x>six</a><label>seven <input></label><ul><li>eight</ul></div>";
for (const rule of [
  "cursor: pointer",
  "position: fixed; left: -900px",
  "position: absolute; top: -900px",
  "opacity: 0",
  "opacity: 0.01",
  "clip-path: inset(50%)",
  "overflow: hidden; height: 0",
  "overflow: auto; height: 20px",
  "content-visibility: hidden",
  "white-space: pre",
  "text-transform: uppercase",
  "font-size: 0",
  "font-size: calc(0px)",
  "text-indent: -9999px",
  "color: rgb(255, 255, 255); background: rgb(255, 255, 255)",
  "-webkit-text-fill-color: transparent",
  "visibility: hidden",
  "display: none",
  "all: unset",
  "--x: 0; opacity: var(--x)",
  "pointer-events: none",
]) {
  const css = (selector) => `<style>${selector}{${rule}}</style>`;
  for (const [how, content] of [
    ["a rule", css(".a") + INNER],
    ["a rule for what is in it", css(".a *") + INNER],
    ["an attribute", INNER.replace("class=a", `style="${rule}"`)],
    [
      "an attribute, and a sheet's way back",
      `<style>span,b{cursor:auto;opacity:1;visibility:visible;font-size:12px;color:red}</style>${INNER.replace("class=a", `style="${rule}"`)}`,
    ],
    [
      "a nested rule",
      `<style>@media all{@supports (color:red){div{&.a{${rule}}}}}</style>${INNER}`,
    ],
    [
      "a host's own sheet",
      `<div id=h>${INNER}</div><script>h.attachShadow({mode:"open"}).innerHTML="<style>:host,::slotted(*){${rule}}</style><slot></slot>"</script>`,
    ],
  ]) {
    cases.push([`${rule} by ${how}`, content]);
  }
}
for (const [what, content] of [
  ["generated content", "<style>b::before{content:'so '}</style><button><b>it</b></button>"],
  ["quotes", "<button><q>it</q></button>"],
  [
    "an animation",
    "<p id=a>x</p><button id=b>y</button><script>for (const el of [a, b]) el.animate({ opacity: [0, 0] }, { duration: 1e6, fill: 'both' })</script>",
  ],
  [
    "a keyframe rule",
    "<style>@keyframes k{from,to{opacity:0}}p{animation:k 9999s}</style><p>x</p>",
  ],
])
  cases.push([what, content]);

test(`what is not read could not have mattered: ${cases.length} pages`, async () => {
  await open("");
  for (const [what, content] of cases) {
    const page = await rewrite(`<!doctype html><body><p>before\n  and</p>${content}<p>after`);
    const quick = await page.call("walk", {});
    const plain = await page.call("walk", { plain: true });
    delete quick.key;
    assert.deepEqual(quick, plain, what);
  }
});

test("a key that is not the last one's, and other kinds of looks, are answered in full", async () => {
  const page = await open("<!doctype html><p>x");
  const { key } = await page.call("walk", {});
  for (const options of [
    { known: key, full: true },
    { known: key, scope: "p" },
  ])
    assert.equal((await page.call("walk", options)).same, undefined, JSON.stringify(options));
  assert.deepEqual(await page.call("walk", { known: key }), { same: key });
  const next = await page.call("walk", { known: "other" });
  assert.equal(next.same, undefined);
  assert.equal((await page.call("walk", { known: key })).same, undefined);
});
