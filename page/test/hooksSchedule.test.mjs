// What the hooks note, as the page script gets to know it.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { serve } from "./browser.mjs";
import { open } from "./check.mjs";

let removers;
/** Opens a page with hooks that runs this script, in the document itself and not in its frames. */
async function run(code) {
  if (!removers) {
    const page = await open("<p>");
    removers = [await page.observe(), await page.announce()];
  }
  return open(`<!doctype html><title>t</title><body><script>${code}</script>`);
}
after(async () => {
  for (const remove of removers ?? []) await remove().catch(() => {});
});

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
/** Asks once; again if the main thread was busy. */
async function ask(page) {
  let answer = null;
  for (let tries = 0; tries < 3; tries++) {
    answer = (await page.call("activityNow", true)).schedule;
    if (answer && answer.took < 100) break;
  }
  return answer;
}

const NOTHING = { due: null, restless: false };
/** It is due so many milliseconds after the page was opened. */
const dueAt = (at, restless = false) => ({ at, restless });
const RESTLESS = { restless: true };

/** `slept`, `passed`: how long ago the page was opened, at least and at most, in milliseconds. */
function check(schedule, { due, at, restless }, what, slept = 0, passed = 0) {
  const text = `${what}: ${JSON.stringify(schedule)}, after ${passed}`;
  assert.ok(schedule, text);
  // On a slow machine, it has happened already.
  if (at < passed + 100) return;
  assert.equal(schedule.restless, restless, text);
  if (due === null) assert.equal(schedule.due, null, text);
  if (due !== undefined || at === undefined) return;
  assert.ok(schedule.due !== null && schedule.due <= at - slept + 100, text);
  assert.ok(schedule.due >= at - passed - 50, text);
}

const again = (request) => `(function go() { ${request} })()`;
const CHAIN = again("setTimeout(go, 100)");
const WORKER = (code) => `new Worker(URL.createObjectURL(new Blob(["${code}"])))`;
const LOOPS = {
  "timers of 100 ms": CHAIN,
  "timers of closures": `(function go(n) { setTimeout(() => go(n + 1), 60) })(0)`,
  frames: again("requestAnimationFrame(go)"),
  "idle callbacks": again("requestIdleCallback(go)"),
  "messages to itself": "onmessage = () => postMessage(0); postMessage(0)",
  "messages of a channel":
    "c = new MessageChannel; c.port1.onmessage = () => c.port2.postMessage(0); c.port2.postMessage(0)",
  tasks: again("window.scheduler ? scheduler.postTask(go) : setTimeout(go)"),
  // At a low priority: else nothing else would run.
  yields:
    "window.scheduler?.yield ? scheduler.postTask(async () => { for (;;) await scheduler.yield() }, { priority: 'background' }) : (function go() { setTimeout(go) })()",
};

/** A script, how long it runs before the question, and the answer; then perhaps more of both. */
const CASES = {
  nothing: ["", 0, NOTHING],
  "a timer": ["setTimeout(() => {}, 800)", 0, dueAt(800), 900, NOTHING],
  "a delay as text": ["setTimeout(() => {}, ' 800 ')", 0, dueAt(800)],
  "a delay as object": ["setTimeout(() => {}, { valueOf: () => 800 })", 0, dueAt(1000)],
  "no delays": [
    "for (const d of [undefined, null, NaN, -5, 'x', 2 ** 31]) setTimeout(() => {}, d); setTimeout(() => {})",
    150,
    NOTHING,
  ],
  "the next of several": [
    "for (const d of [5000, 950, 900, 800, 1800]) setTimeout(() => {}, d)",
    0,
    dueAt(800),
  ],
  "a timer that ran": ["setTimeout(() => {}, 30)", 150, NOTHING],
  "a timer far away": ["setTimeout(() => {}, 2600)", 0, NOTHING, 1700, dueAt(2600)],
  "a handler that is forbidden": [
    "document.head.innerHTML = '<meta http-equiv=Content-Security-Policy content=\"script-src \\'unsafe-inline\\'\">'; setInterval('1', 100); setTimeout('1', 800)",
    0,
    NOTHING,
  ],
  "cancelled timers": [
    "clearTimeout(setTimeout(() => {}, 800)); clearInterval(setTimeout(() => {}, 800)); clearTimeout(String(setTimeout(() => {}, 800)))",
    0,
    NOTHING,
  ],
  "a timer that is cancelled later": [
    "id = setTimeout(() => {}, 900); setTimeout(() => clearTimeout(id), 50)",
    150,
    NOTHING,
  ],
  "an interval": [
    "id = setInterval(() => {}, 100); setTimeout(() => clearInterval(id), 1500)",
    0,
    RESTLESS,
    1500,
    NOTHING,
  ],
  "an interval from one to the next": ["setInterval(() => {}, 500)", 0, RESTLESS],
  "a worker that is silent": [WORKER("0"), 0, dueAt(1000), 1100, NOTHING],
  "a worker that answered": [`${WORKER("postMessage(1)")}.onmessage = () => {}`, 600, NOTHING],
  "a worker that failed": [WORKER("throw 1"), 600, NOTHING],
  "a slow interval": ["setInterval(() => {}, 2000)", 0, NOTHING],
  "a chain with long delays": [again("setTimeout(go, 700)"), 0, dueAt(700), 2000, NOTHING],
  "a timer beside a chain": [`${CHAIN}; setTimeout(() => {}, 2000)`, 1300, dueAt(2000, true)],
  "a chain that ends": [
    "(function go(n) { n && setTimeout(() => go(n - 1), 50) })(10)",
    0,
    { early: true },
    700,
    NOTHING,
  ],
  "one frame, idle callback and message": [
    "requestAnimationFrame(() => {}); requestIdleCallback(() => {}); postMessage(0); new MessageChannel().port1.postMessage(0)",
    150,
    NOTHING,
  ],
  "a cancelled loop": [
    "(function go() { id = requestAnimationFrame(go) })(); setTimeout(() => cancelAnimationFrame(id), 100)",
    250,
    NOTHING,
  ],
  "a task with a delay": [
    "(window.scheduler ?? { postTask: (f, { delay }) => setTimeout(f, delay) }).postTask(() => {}, { delay: 800 })",
    0,
    dueAt(800),
    900,
    NOTHING,
  ],
  "aborted tasks": [
    "a = new AbortController; for (const signal of [a.signal, AbortSignal.abort(), AbortSignal.any([a.signal])]) window.scheduler?.postTask(() => {}, { delay: 800, signal }).catch(() => {}); a.abort()",
    100,
    NOTHING,
  ],
  "a task that is not aborted": [
    "a = new AbortController; (window.scheduler ?? { postTask: (f, { delay }) => setTimeout(f, delay) }).postTask(() => {}, { delay: 800, signal: a.signal })",
    0,
    dueAt(800),
  ],
  "many tasks, long ago": [
    "for (let n = 0; n < 400; n++) window.scheduler?.postTask(() => {}, { delay: 20 }); setTimeout(() => { (window.scheduler ?? { postTask: (f, { delay }) => setTimeout(f, delay) }).postTask(() => {}, { delay: 900 }) }, 200)",
    300,
    dueAt(1100),
  ],
  "3,000 timers": [
    "for (let n = 0; n < 3000; n++) setTimeout(() => {}, 900)",
    0,
    RESTLESS,
    1300,
    NOTHING,
  ],
  "one of many is cancelled": [
    "ids = []; for (let n = 0; n < 900; n++) ids.push(setTimeout(() => {}, n === 400 ? 850 : n === 401 ? 950 : 5000)); clearTimeout(ids[400])",
    0,
    dueAt(950),
  ],
  "all of many are cancelled": [
    "ids = []; for (let n = 0; n < 900; n++) ids.push(setTimeout(() => {}, 800)); ids.reverse().forEach(clearTimeout)",
    0,
    NOTHING,
  ],
  "many that were cancelled before": [
    "for (let n = 0; n < 5000; n++) clearTimeout(setTimeout(() => {}, 5000)); setTimeout(() => setTimeout(() => {}, 800), 600)",
    700,
    dueAt(1400),
  ],
  "a page that stands in for setTimeout": [
    "native = setTimeout; window.setTimeout = (f, t) => native(f, t * 2); setTimeout(() => {}, 400)",
    0,
    dueAt(800),
  ],
  "a document that is written again": [
    "setTimeout(() => { document.open(); document.write('<p>new<script>setTimeout(() => {}, 950)<\\/script>'); document.close() }, 50)",
    150,
    dueAt(1000),
  ],
  // frames
  "a frame": [
    "f = document.createElement('iframe'); document.body.append(f); f.contentWindow.setTimeout(() => {}, 800)",
    0,
    dueAt(800),
  ],
  "a frame with its source": [
    "f = document.createElement('iframe'); f.srcdoc = '<script>setTimeout(() => {}, 800)<\\/script>'; document.body.append(f)",
    50,
    dueAt(800),
  ],
  "a frame of the same site": [
    "if (top === self) { f = document.createElement('iframe'); f.src = '/page2'; document.body.append(f) } else setTimeout(() => {}, 800)",
    50,
    dueAt(800),
  ],
  "a frame whose window was used before it was loaded": [
    "if (top === self) { f = document.createElement('iframe'); f.src = '/page2'; document.body.append(f); f.contentWindow.setTimeout } else setTimeout(() => {}, 800)",
    50,
    dueAt(800),
  ],
  "a frame in a frame": [
    "f = document.createElement('iframe'); document.body.append(f); g = f.contentDocument.createElement('iframe'); f.contentDocument.body.append(g); g.contentWindow.setInterval(() => {}, 50)",
    0,
    RESTLESS,
  ],
  "a frame in a shadow root": [
    "f = document.createElement('iframe'); document.body.attachShadow({ mode: 'open' }).append(f); f.contentWindow.setTimeout(() => {}, 800)",
    0,
    dueAt(800),
  ],
  "a frame that is gone": [
    "f = document.createElement('iframe'); document.body.append(f); f.contentWindow.setInterval(() => {}, 50); f.remove()",
    0,
    NOTHING,
  ],
  "a frame without scripts": [
    "f = document.createElement('iframe'); f.srcdoc = '<p>x'; document.body.append(f)",
    100,
    NOTHING,
  ],
  "a timer set in a frame for its parent": [
    "f = document.createElement('iframe'); document.body.append(f); f.contentWindow.eval('parent.setTimeout(() => {}, 800)')",
    0,
    dueAt(800),
  ],
};
for (const [name, loop] of Object.entries(LOOPS)) {
  // Where a loop leaves no idle time, the page is restless at once.
  const atFirst = /^(timers|frames)/.test(name) ? [100, { early: true, restless: false }] : [];
  CASES[`a loop of ${name}`] = [loop, ...atFirst, 1500, RESTLESS];
}

for (const [what, [code, ...steps]] of Object.entries(CASES))
  test(`scheduled: ${what}`, async () => {
    const begun = Date.now();
    const page = await run(code);
    let slept = 0;
    for (let n = 0; n < steps.length; n += 2) {
      await sleep(steps[n]);
      slept += steps[n];
      let answer = await ask(page);
      // A callback that is very late begins a new chain.
      for (let more = 20; steps[n + 1] === RESTLESS && !answer?.restless && more > 0; more--) {
        await sleep(200);
        answer = await ask(page);
      }
      const passed = Date.now() - begun;
      if (!steps[n + 1].early) check(answer, steps[n + 1], what, slept, passed);
      // A chain that is young is something to wait for.
      else if (passed < 600)
        assert.ok(answer.due !== null && !answer.restless, `${what}, ${passed}`);
    }
  });

test("scheduled: a chain is not young again because somebody asks", async () => {
  const page = await run("(function go() { setTimeout(() => setTimeout(go, 100), 150) })()");
  for (let n = 0; n < 20; n++) {
    await sleep(70);
    await page.call("activityNow", true);
  }
  check(await ask(page), RESTLESS, "after many questions");
});

test("scheduled: work in pieces that leaves no idle time", async () => {
  const page = await run(
    "c = new MessageChannel; c.port1.onmessage = () => { const end = performance.now() + 40; while (performance.now() < end); c.port2.postMessage(0) }; c.port2.postMessage(0)",
  );
  const begun = Date.now();
  const { schedule } = await page.call("activityNow", true);
  // Work that goes on for longer is background.
  if (Date.now() - begun < 600) assert.notEqual(schedule.due, null, JSON.stringify(schedule));
});

test("scheduled: in a document that is not HTML", async () => {
  await run("");
  const begun = Date.now();
  const page = await open(
    `<svg xmlns="http://www.w3.org/2000/svg"><script>setTimeout(() => {}, 900)</script></svg>`,
    ".svg",
  );
  check(await ask(page), dueAt(900), "SVG", 0, Date.now() - begun);
});

/** A script, and how long ago an interface was used when the question comes so much later. */
const USES = {
  nothing: ["", 100, null],
  cryptography: ["crypto.subtle.digest('SHA-1', new Uint8Array(1))", 300, [300, 900]],
  "a reader": ["new FileReader().readAsText(new Blob(['x']))", 0, [0, 1500]],
  sound: ["new AudioContext()", 900, [0, 0]],
  "a stream of events": ["new EventSource('/none')", 900, [0, 0]],
  "a worker that goes on": [
    "w = new Worker(URL.createObjectURL(new Blob(['setInterval(postMessage, 20, 1)'])))",
    900,
    [0, 300],
  ],
  "a worker that is silent": [
    "w = new Worker(URL.createObjectURL(new Blob([''])))",
    900,
    [900, 1700],
  ],
};
for (const [what, [code, wait, range]] of Object.entries(USES))
  test(`used: ${what}`, async () => {
    const page = await run(code);
    await sleep(wait);
    const { used } = await ask(page);
    if (range) assert.ok(used !== null && used >= range[0] && used <= range[1], `${used}`);
    else assert.equal(used, null);
  });

test("work of a database is due until it ends", async () => {
  const page = await run(`
    const open = indexedDB.open("x" + Math.random());
    open.onupgradeneeded = () => open.result.createObjectStore("a");
    open.onsuccess = () => {
      const store = open.result.transaction("a", "readwrite").objectStore("a");
      for (let n = 0; n < 3000; n++) store.put({ n }, n);
      store.transaction.oncomplete = () => (globalThis.isStored = true);
    }`);
  for (let { due } = await ask(page); due !== null; { due } = await ask(page)) await sleep(due);
  assert.equal(await page.main("globalThis.isStored ?? false"), true);
});

test("a list that is scrolled again and again is no chain", async () => {
  const page = await run(`
    document.body.style.height = "90000px";
    onscroll = () => { requestAnimationFrame(() => {}); setTimeout(() => {}, 5); postMessage(0) }`);
  const { id } = await page.call("find", "html");
  for (let step = 0; step < 20; step++) {
    await page.call("scrollOn", id, 40);
    await sleep(70);
  }
  // Most answers find something that is due; the others would find the chain.
  for (let step = 0; step < 10; step++) {
    await page.call("scrollOn", id, 40);
    check(await ask(page), { restless: false }, `after step ${step}`);
  }
  // A loop of the page stays one.
  await page.main(`(function go() { requestAnimationFrame(go) })()`);
  await sleep(1500);
  await page.call("scrollOn", id, 40);
  check(await ask(page), RESTLESS, "beside a loop");
});

test("a redirect that the page announces is due later", async () => {
  for (const [delay, later] of [
    [4, true],
    [60, false],
  ]) {
    const page = await run("");
    await page.main(
      `document.head.innerHTML = "<meta http-equiv=refresh content='${delay}; url=/next'>"`,
    );
    assert.equal((await ask(page)).later, later, `in ${delay} s`);
  }
});

test("what another site does in a frame is not known", async () => {
  const other = await serve({ "/": "<!doctype html><p>x" });
  try {
    const page = await run(
      `f = document.createElement("iframe"); f.src = "${other.url}/"; document.body.append(f)`,
    );
    await sleep(100);
    assert.equal(await ask(page), null);
    await page.main("f.remove()");
    check(await ask(page), NOTHING, "without it");
  } finally {
    other.close();
  }
});

test("without hooks nothing is known", async () => {
  for (const remove of removers.splice(0)) await remove();
  removers = undefined;
  const page = await open("<!doctype html><script>setTimeout(() => {}, 500)</script>");
  assert.equal(await ask(page), null);
});
