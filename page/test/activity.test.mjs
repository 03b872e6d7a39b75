// The activity of a page while a caller waits: signs that it is loading, which places change
// and how often.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./check.mjs";

const STYLE =
  "<!doctype html><style>@keyframes turn { to { transform: rotate(1turn) } } .turns { animation: turn 1s linear infinite; width: 30px; height: 30px } .block { width: 200px; height: 30px; background: #ccc }</style>";
const loadingOf = async (html) => (await (await open(STYLE + html)).call("activityNow")).loading;

test("what is loading is reported", async () => {
  for (const [html, sign] of [
    ["<div aria-busy=true class=block>Orders</div>", "div.block"],
    ["<progress aria-label=Saving></progress>", "progressbar: Saving"],
    ["<div role=progressbar class=block></div>", "progressbar"],
    ["<div class='spinner turns'></div>", "div.spinner"],
    [
      "<i class='icon-spinner turns'></i><style>i { display: inline-block }</style>",
      "i.icon-spinner",
    ],
    ["<div class='MuiSkeleton-root block'></div>", "div.MuiSkeleton-root"],
    [
      "<div class='is-loading'><b class=turns style='display:block'></b>Table</div>",
      "div.is-loading",
    ],
    ["<p>Loading…</p>", '"Loading…"'],
    ["<p>Loading your orders...</p>", '"Loading your orders..."'],
    ["<p>Please wait</p>", '"Please wait"'],
    [
      "<x-a></x-a><script>document.querySelector('x-a').attachShadow({ mode: 'open' }).innerHTML = '<progress></progress>'</script>",
      "progressbar",
    ],
    ["<meta http-equiv=refresh content='2;url=/next'><p>Moved</p>", "a redirect to /next"],
  ])
    assert.equal(await loadingOf(html), sign, html);
});
test("what only looks like it is not", async () => {
  for (const html of [
    "<p>Done</p>",
    "<progress value=6 max=10></progress>",
    "<div role=progressbar aria-valuenow=60 class=block></div>",
    "<div aria-busy=false class=block></div>",
    "<div class='spinner turns' style='display:none'></div>",
    "<div class='spinner turns' style='opacity:0'></div>",
    "<div class='spinner turns' style='visibility:hidden'></div>",
    "<div style='height:2000px'></div><div class='spinner turns'></div>",
    "<div class=ad-slot><div class='spinner turns'></div></div>",
    "<h2>Loading dock</h2><p>Loading and unloading from 6 to 9.</p>",
    "<img class='lazyload lazyloading block' alt=A><div class='loaded block'></div><div class='download block'></div>",
    "<main class='page-loading-area'>All that there is to read here</main>",
    "<div class='spinner turns' style='width:0;height:0'></div>",
    "<input type=number class=spin-button>",
    "<span class=ui-spinner style='display:inline-block;width:80px;height:20px'><input aria-label=Number value=0><a role=button class=ui-spinner-up></a></span>",
    "<meta http-equiv=refresh content=5><p>A board that reloads itself</p>",
  ])
    assert.equal(await loadingOf(html), null, html);
});
test("a small sign in a bar of the page is beside the content", async () => {
  const sign = "<i class='spinner turns' style='display:block'></i>";
  const bar = `<header><b>Home</b>${sign}</header>`;
  for (const [html, isAside] of [
    [bar, true],
    [`<nav><a href=#a>Orders</a>${sign}</nav>`, true],
    [
      `<x-a></x-a><script>document.querySelector('x-a').attachShadow({ mode: 'open' }).innerHTML = \`<style>.turns{width:30px;height:30px;animation:turn 1s linear infinite}@keyframes turn{to{rotate:1turn}}</style>${bar}\`</script>`,
      true,
    ],
    [`<header>${sign}</header>`, false],
    [`<main>${bar}</main>`, false],
    [`<article>${bar}<p>Orders</p></article>`, false],
    [`<header><b>Home</b><div class='spinner turns' style='width:90px'></div></header>`, false],
    [`${bar}<main>${sign}</main>`, false],
    [sign, false],
  ]) {
    const { loading, aside } = await (await open(STYLE + html)).call("activityNow");
    assert.ok(/spinner/.test(loading), html);
    assert.equal(aside, isAside, html);
  }
});
test("sites are counted separately, and silent changes are not reported", async () => {
  const page = await open("<p id=clock>0</p><ul id=log></ul><div id=box></div>");
  await page.call("activityNow");
  await page.main(
    "(async () => { for (let n = 1; n <= 5; n++) { await new Promise((done) => setTimeout(done, 60)); clock.textContent = n; log.insertAdjacentHTML('beforeend', '<li>x'); box.dataset.x = n; document.head.append(document.createElement('script')) } box.className = 'a' })()",
  );
  const { changes } = await page.call("activityNow");
  const of = (label) => changes.filter((change) => change.label === label);
  // At least 60 ms apart, so that no two of them count as one.
  const often = (label, grows) =>
    of(label).length === 1 && of(label)[0].grows === grows && of(label)[0].count === 5;
  assert.ok(often("p#clock", false) && often("ul#log", true), JSON.stringify(changes));
  assert.equal(of("div#box").length, 1, "its class, not its data");
  assert.equal(changes.length, 3, JSON.stringify(changes));
  assert.deepEqual((await page.call("activityNow")).changes, [], "reported once");
});
test("news comes when there is some", async () => {
  const page = await open("<p id=a>0</p>");
  await page.call("activityNow");
  // On a busy machine there may be other news in between.
  const until = async (expected) => {
    for (let tries = 0; tries < 50; tries++) {
      const news = await page.call("nextChange", 20000);
      if (expected(news)) return true;
    }
    return false;
  };
  await page.main("setTimeout(() => { a.textContent = 1 }, 100)");
  assert.ok(await until(({ changes }) => changes.some((change) => change.label === "p#a")));
  await page.main(
    "setTimeout(() => { const end = performance.now() + 400; while (performance.now() < end); }, 100)",
  );
  assert.ok(await until(({ stalled }) => stalled !== null), "a busy main thread is news");
  assert.deepEqual((await page.call("nextChange", 10)).changes, []);
});
test("values change on their own if many of their kind do", async () => {
  const page = await open(`<ul>${"<li class=value>0</li>".repeat(6)}</ul><p id=state>ready</p>`);
  await page.call("activityNow");
  const set = (numbers, times) =>
    page.main(
      `(async () => { const all = document.querySelectorAll('li'); for (let n = 0; n < ${times}; n++) { for (const at of [${numbers}]) all[at].textContent = Math.random(); await new Promise((go) => setTimeout(go, 60)); } })()`,
    );
  const steady = async () =>
    (await page.call("activityNow")).changes.map((change) => change.steady);
  await set([0, 1, 2], 4);
  assert.deepEqual(await steady(), [true, true, true]);
  await set([3], 1);
  assert.deepEqual(await steady(), [true]);
  await page.main("state.textContent = 'saved'; 0");
  assert.deepEqual(await steady(), [false]);
  await page.call("nextChange", 1, true);
  await set([4], 1);
  assert.deepEqual(await steady(), [false], "a value that was set once may be part of an action");
});
test("what a component renders when a value of it changes on its own is part of that", async () => {
  const page = await open(
    `<script>customElements.define("x-bar", class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "<div><b>0</b></div><i></i>"; } });</script><x-bar></x-bar><p id=list></p>`,
  );
  await page.call("activityNow");
  await page.main(
    "window.bar = document.querySelector('x-bar'); (async () => { for (let n = 1; n <= 5; n++) { bar.setAttribute('value', n); await new Promise((go) => setTimeout(go, 60)); } })()",
  );
  await page.call("activityNow");
  await page.main(
    "bar.setAttribute('value', 9); Promise.resolve().then(() => { bar.shadowRoot.querySelector('i').append(bar.shadowRoot.querySelector('b')); }); list.append(document.createElement('b')); 0",
  );
  const { changes } = await page.call("activityNow");
  const of = (label) => changes.filter((change) => change.label === label);
  for (const label of ["div", "i"])
    assert.deepEqual(
      of(label).map(({ steady, value, grows }) => [steady, value, grows]),
      [[true, true, false]],
      JSON.stringify(changes),
    );
  assert.deepEqual(
    of("p#list").map(({ steady, grows }) => [steady, grows]),
    [[false, true]],
    "not what is beside it",
  );
});
test("a component renders and moves in an action as many of its kind do on their own", async () => {
  const page = await open(
    `<style>p{width:10px;height:10px;transition:width .9s}</style><script>customElements.define("x-bar", class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "<style>u{display:block;height:9px;background:red;transition:width .9s}</style><u></u><div><b>0</b></div><i></i>"; } });</script>${"<x-bar></x-bar>".repeat(6)}<p id=box></p>`,
  );
  await page.call("activityNow");
  const set = (count, part) =>
    page.main(
      `(async () => { const all = [...document.querySelectorAll("x-bar")].slice(${count}); for (let n = 1; n <= 5; n++) { for (const bar of all) { bar.setAttribute("value", n); const in_ = (what) => bar.shadowRoot.querySelector(what); in_("u").style.width = n * 20 + "px"; ${part} } await new Promise((go) => setTimeout(go, 60)); } })()`,
    );
  await set("0, 4", "");
  await page.call("activityNow");
  await page.call("nextChange", 1, true);
  await set("5", "if (n === 1) in_('i').append(in_('b'));");
  const { changes, moving } = await page.call("activityNow");
  const structural = changes.filter(({ value }) => !value);
  assert.deepEqual([structural, moving], [[], 0], JSON.stringify(changes));
  await page.main("box.style.width = '99px'; new Promise(requestAnimationFrame).then(() => 0)");
  assert.ok((await page.call("activityNow")).moving > 0, "not what is beside them");
});
test("transitions of what changes on its own are background", async () => {
  const page = await open(
    "<style>p{width:10px;height:10px;background:red;transition:width .9s}</style><p id=bar></p><p id=box></p>",
  );
  await page.call("activityNow");
  await page.main(
    "(async () => { for (let n = 1; n < 5; n++) { bar.style.width = n * 40 + 'px'; await new Promise((go) => setTimeout(go, 80)); } })()",
  );
  assert.equal((await page.call("activityNow")).moving, 0);
  await page.main("box.style.width = '300px'; new Promise(requestAnimationFrame).then(() => 0)");
  assert.ok((await page.call("activityNow")).moving > 0);
});
test("a sign that stays delays an action only if that changes it or the list it is in", async () => {
  const page = await open(
    `${STYLE}<section><div class='spinner turns'></div><p id=near>x</p></section><p id=far>y</p>`,
  );
  const loading = async () => (await page.call("activityNow")).loading;
  assert.equal(await loading(), "div.spinner");
  await page.call("nextChange", 1, true);
  assert.equal(await loading(), null);
  await page.main("far.textContent = 'z'; 0");
  assert.equal(await loading(), null);
  await page.main("near.textContent = 'z'; 0");
  assert.equal(await loading(), null);
  await page.main("near.after(document.createElement('b')); 0");
  assert.equal(await loading(), "div.spinner");
  await page.call("walk", {});
  assert.equal(await loading(), "div.spinner", "no action is under way");
});
test("a sign that an action shows delays it, also if it was there some time before", async () => {
  const page = await open(
    `${STYLE}<style>body:has(:checked) .spinner{display:none}</style><input type=checkbox><section><div class='spinner turns'></div></section>`,
  );
  const loading = async () => (await page.call("activityNow")).loading;
  const check = (checked) => page.main(`document.querySelector("input").checked = ${checked}; 0`);
  assert.equal(await loading(), "div.spinner");
  await check(true);
  assert.equal(await loading(), null);
  await page.call("nextChange", 1, true);
  assert.equal(await loading(), null);
  await check(false);
  assert.equal(await loading(), "div.spinner", "no element changed");
});
test("a document that was emptied is an empty page", async () => {
  const page = await open("<p>Full</p>");
  await page.main(
    "document.open(); document.removeChild(document.documentElement ?? document.appendChild(document.createElement('p')))",
  );
  const wire = await page.call("walk", {});
  assert.equal(wire.error, undefined);
  assert.equal(wire.nodes.id.length, 1);
});
