// A page cannot find out that it has hooks, break them, or be called by them. It is compared
// with the same page without hooks.
import assert from "node:assert/strict";
import { test } from "node:test";
import { engine } from "./browser.mjs";
import { open } from "./check.mjs";

/** Firefox defines the names of a window when they are read, so that their order says nothing. */
const inOrder = engine === "chromium" ? "" : ".sort((a, b) => (String(a) < String(b) ? -1 : 1))";
const EMPTY = "<!doctype html><title>t</title><body>";

/** Runs an expression in the page's own world of a new document, with hooks or without. */
async function seen(expression, hooks, html = EMPTY) {
  const page = await open("<p>");
  const forget = hooks ? await page.observe() : null;
  try {
    await open(html);
    return await page.main(expression);
  } finally {
    await forget?.();
  }
}

/** Asserts that an expression has the same value with and without hooks; returns it. */
async function same(expression, html) {
  const without = await seen(expression, false, html);
  assert.deepEqual(await seen(expression, true, html), without);
  return without;
}

/**
 * Everything that a page can find out about the functions and objects of a window without calling
 * them: one line for each property. Equal objects have equal numbers.
 */
const SURVEY = `(view) => {
  const numbers = new Map();
  const lines = [];
  const waiting = [];
  const { getOwnPropertyDescriptor, ownKeys, getPrototypeOf, isExtensible, construct } = Reflect;
  const source = Function.prototype.toString;
  const numberOf = (o, path) => {
    if (o === null || (typeof o !== "object" && typeof o !== "function")) return typeof o + String(o).slice(0, 50);
    if (!numbers.has(o)) {
      numbers.set(o, numbers.size);
      waiting.push([path, o]);
    }
    return numbers.get(o);
  };
  const isConstructor = (f) => { try { return construct(Object, [], f) && true; } catch { return false; } };
  const look = (path, o) => {
    const facts = [path, typeof o, Object.prototype.toString.call(o), isExtensible(o), numberOf(getPrototypeOf(o), path + ".__proto__")];
    if (typeof o === "function") {
      const text = source.call(o);
      facts.push(isConstructor(o), o.toString() === text, "prototype" in o, /^(function|class)[^{]*\\{\\s*\\[native code\\]\\s*\\}$/.test(text));
      if (/^function \\(\\) \\{\\s*\\[native code\\]\\s*\\}$/.test(text) && o.name) nameless.push(path);
    }
    lines.push(facts.join(" "));
    for (const key of ownKeys(o)${inOrder}) {
      const d = getOwnPropertyDescriptor(o, key);
      const name = path + "." + String(key);
      const flags = [d.writable, d.enumerable, d.configurable].map(Number).join("");
      lines.push(name + " " + flags + " " + ("value" in d ? numberOf(d.value, name) : "get " + numberOf(d.get, name + ".get") + " set " + numberOf(d.set, name + ".set")));
    }
  };
  const nameless = [];
  numbers.set(view, "window");
  look("window", view);
  while (waiting.length > 0) look(...waiting.shift());
  return JSON.stringify({ lines, nameless });
}`;
const inFrame = (address) => `new Promise((done) => {
  const f = document.createElement("iframe");
  const go = () => done((${SURVEY})(f.contentWindow));
  ${address ? `f.onload = go; Object.assign(f, ${address});` : ""}
  document.body.append(f);
  ${address ? "" : "go();"}
})`;

for (const [where, expression] of Object.entries({
  "a document": `(${SURVEY})(window)`,
  "a frame without an address, at once": inFrame(""),
  "a frame without an address, later": inFrame("{ src: 'about:blank' }"),
  "a frame with its source": inFrame("{ srcdoc: '<p>x' }"),
  "a frame from a blob": inFrame(
    "{ src: URL.createObjectURL(new Blob(['<p>x'], { type: 'text/html' })) }",
  ),
  "a frame that is written": `new Promise((done) => {
    window.survey = ${SURVEY};
    const f = document.createElement("iframe");
    document.body.append(f);
    f.contentDocument.open();
    f.contentDocument.write("<script>parent.seen = parent.survey(window)</script>");
    f.contentDocument.close();
    done(seen);
  })`,
}))
  test(`all functions and classes look alike in ${where}`, async () => {
    const without = JSON.parse(await seen(expression, false));
    const hooked = JSON.parse(await seen(expression, true));
    const differs = hooked.lines.findIndex((line, n) => line !== without.lines[n]);
    assert.equal(hooked.lines[differs], without.lines[differs]);
    assert.equal(hooked.lines.length, without.lines.length);
    // The only trace: the functions do not print their names.
    assert.deepEqual(without.nameless, []);
    assert.ok(hooked.nameless.length > 90, `${hooked.nameless}`);
    for (const name of [
      "setTimeout",
      "cancelAnimationFrame",
      "Scheduler.prototype.yield",
      "Worker",
    ])
      assert.ok(hooked.nameless.includes(`window.${name}`), name);
  });

test("no object of the page has something new", () =>
  same(`JSON.stringify([document, document.documentElement, document.body, performance, navigator, history,
    location, screen, new MessageChannel().port1, document.createEvent("Event"), new AbortController().signal,
    setTimeout, Worker.prototype, window.chrome ?? 0].map((o) => Reflect.ownKeys(Object(o)).map(String)${inOrder})
    .concat([[document.documentElement.outerHTML, window.length,
      document.scripts.length, document.styleSheets.length, String(window.event), String(document.currentScript)]]))`));

/** Sets a global to the stacks of an error that is thrown where `code` is. */
const stackPage = (code) =>
  `${EMPTY}<script>
  window.stacks = [];
  const take = (error) => stacks.push(error.stack.trim().split("\\n"));
  function inner() { ${code} }
  function outer() { try { inner(); } catch (error) { take(error); } }
  outer();
</script>`.replaceAll("\\\\", "\\");
const STACKS = `new Promise((done) => setTimeout(() => done(JSON.stringify(stacks)), 60))`;
const BAD =
  '{ toString() { take(new Error("x")); return "http://x.invalid/"; }, valueOf() { take(new Error("y")); return 1; } }';
for (const [code, more] of [
  // What is called later has the same stack.
  ["setTimeout(function later() { take(new Error('x')); })", 0],
  ["requestAnimationFrame(function later() { take(new Error('x')); })", 0],
  ["window.scheduler?.postTask(function later() { take(new Error('x')); }); take(new Error())", 0],
  [
    "const c = new MessageChannel(); c.port1.onmessage = () => take(new Error('x')); c.port2.postMessage(0)",
    0,
  ],
  // What only counts as used leaves nothing on the stack.
  ["postMessage(0, { get targetOrigin() { take(new Error('x')); } })", 0],
  ["postMessage()", 0],
  ["MessagePort.prototype.postMessage.call(1)", 0],
  ["new AudioContext(5)", 0],
  [`new EventSource(${BAD})`, 0],
  [`indexedDB.open(${BAD}, ${BAD})`, 1],
  ["new FileReader().readAsText()", 0],
  // One frame of the hooks where arguments or results are read.
  [`setTimeout(() => {}, ${BAD})`, 1],
  ["setInterval()", 1],
  [`clearTimeout(${BAD})`, 1],
  ["requestAnimationFrame(5)", 1],
  ["new Worker()", 1],
])
  test(`the stack of: ${code.slice(0, 60)}`, async () => {
    const without = JSON.parse(await seen(STACKS, false, stackPage(code)));
    const hooked = JSON.parse(await seen(STACKS, true, stackPage(code)));
    assert.equal(hooked.length, without.length);
    assert.ok(without.length > 0, "no stack");
    for (const [n, lines] of without.entries()) {
      // Firefox keeps what set a callback where a script was added to the page's own world.
      const cut = hooked[n].findIndex((line) => /^[^@]*\*/.test(line));
      const kept = cut > 0 ? hooked[n].slice(0, cut) : hooked[n];
      assert.equal(kept.length, lines.length + more, hooked[n].join("\n"));
      for (const line of lines) assert.ok(kept.includes(line), line);
    }
  });

test("a page cannot get hold of the functions on the stack", async () => {
  const expression = `(() => {
    const found = [];
    const look = function look() { let f = look; for (let n = 0; f && n < 9; n++) { found.push(f.name); try { f = f.caller; } catch { f = null; } } };
    Error.prepareStackTrace = (_, sites) => sites.map((site) => [typeof site.getFunction(), typeof site.getThis()].join());
    setTimeout(() => {}, { valueOf() { look(); for (const site of [].concat(new Error().stack)) found.push(site); return 1; } });
    return JSON.stringify(found);
  })()`;
  const found = JSON.parse(await seen(expression, true));
  assert.deepEqual(
    found.filter((what) => /apply|construct|get/.test(what)),
    [],
    `${found}`,
  );
});

/** Counts in \`hits\` what the page is called for; afterwards it throws, if asked. */
const SPY = `
  const { apply, construct, ownKeys, getOwnPropertyDescriptor: describe, defineProperty: define } = Reflect;
  const { create } = Object, text = String, Standin = Proxy;
  window.hits = ""; window.throws = false;
  const hit = (name) => { hits += name + " "; if (throws) throw hits; };
  const wrap = (name, f) => new Standin(f, Object.assign(create(null), {
    apply(f, self, all) { hit(name); return apply(f, self, all); },
    construct(f, all, as) { hit("new " + name); return construct(f, all, as); },
  }));
  /** Has the calls of all functions, getters and setters of an object counted. */
  const spy = (name, o) => {
    for (const key of o ? ownKeys(o) : []) {
      const d = Object.assign(create(null), describe(o, key));
      if (!d.configurable || key === "constructor") continue;
      for (const kind of ["value", "get", "set"])
        if (typeof d[kind] === "function") d[kind] = wrap(name + "." + text(key), d[kind]);
      define(o, key, d);
    }
  };
  /** Has it counted when a property is read or set that most objects lack. */
  const trap = (o, names) => {
    for (const name of names) define(o, name, { __proto__: null, configurable: true, get() { hit("get " + name); }, set() { hit("set " + name); } });
  };
  const replace = (...names) => { for (const name of names) if (window[name]) window[name] = wrap(name, window[name]); };
`;
/** Changes of built-ins that the hooks might use. */
const POISONS = {
  "properties of all objects": `trap(Object.prototype, ["apply", "construct", "get", "set", "has", "value", "writable", "enumerable", "configurable",
    "getOwnPropertyDescriptor", "defineProperty", "bubbles", "cancelable", "composed", "detail", "relatedTarget", "view", "delay", "signal", "priority",
    "timeout", "once", "passive", "capture", "due", "next", "entries", "count", "room", "slots", "isRestless", "scheduleWord", "0", "1", "2", "3", "4", "5"])`,
  "elements and methods of arrays": `spy("Array", Array.prototype); trap(Array.prototype, ["0", "1", "2", "3", "4", "5", "8", "9", "40"])`,
  "typed arrays": `spy("TypedArray", Object.getPrototypeOf(Float64Array.prototype)); spy("TypedArray", Object.getPrototypeOf(Float64Array)); spy("ArrayBuffer", ArrayBuffer.prototype);
    trap(Float64Array.prototype, ["0", "1", "32", "length"]); replace("Float64Array", "ArrayBuffer")`,
  "functions and objects": `spy("Function", Function.prototype); spy("Object", Object); spy("Object.prototype", Object.prototype); spy("Reflect", Reflect); replace("Reflect", "Proxy", "Object", "Function")`,
  "maps, promises and the rest": `for (const name of ["Map", "WeakMap", "Set", "WeakSet", "WeakRef", "Promise", "RegExp", "Symbol", "Error", "BigInt", "Boolean"]) { spy(name, window[name].prototype); replace(name); }`,
  "numbers, texts and clocks": `spy("Number.prototype", Number.prototype); spy("Number", Number); spy("String", String.prototype); spy("Math", Math); spy("JSON", JSON); spy("Date", Date);
    spy("Performance", Performance.prototype); define(performance, "now", { value: wrap("now", () => 0) }); replace("Number", "String", "Date", "isNaN", "parseInt")`,
  events: `for (const name of ["EventTarget", "Event", "CustomEvent", "UIEvent", "MouseEvent", "AbortSignal"]) { spy(name, window[name].prototype); replace(name); }`,
  "the document": `spy("Document", Document.prototype); spy("Node", Node.prototype); spy("Element", Element.prototype); spy("HTMLElement", HTMLElement.prototype);
    define(window, "performance", { value: 0 }); define(window, "self", { value: 0 }); replace("HTMLElement", "Document")`,
};
const USE = `
  const tries = [
    () => setTimeout(f, 400), () => { for (let n = 0; n < 40; n++) setTimeout(f, 5000); }, () => clearTimeout(setTimeout(f, 200)), () => clearTimeout("7"),
    () => clearInterval(setInterval(f, 90)), () => requestAnimationFrame(f), () => cancelAnimationFrame(requestAnimationFrame(f)),
    () => window.requestIdleCallback(f), () => postMessage(0, "*"), () => channel.port1.postMessage(0),
    () => window.scheduler && scheduler.postTask(f, { delay: 450, signal: controller.signal }), () => window.scheduler && scheduler.postTask(f, given),
    () => scheduler.yield(), () => worker.postMessage(0), () => new BroadcastChannel("x"), () => blob.text(),
  ];
  const channel = new MessageChannel(), controller = new AbortController(), f = () => {}, blob = new Blob(["x"]);
  const given = { get delay() { return 300; }, signal: controller.signal };
  const worker = new Worker(URL.createObjectURL(new Blob(["onmessage = () => postMessage(1)"])));
`;

for (const [what, poison] of Object.entries(POISONS))
  for (const throws of [false, true])
    test(`replaced by a page: ${what}${throws ? ", throwing" : ""}`, async () => {
      const go = async (hooks) => {
        const page = await open("<p>");
        const forget = hooks ? await page.observe() : null;
        try {
          await open(EMPTY);
          await page.call("token");
          await page.main(
            `{ ${SPY} ${USE} ${poison}; hits = ""; throws = ${throws};
              for (let n = 0; n < tries.length; n++) try { tries[n](); } catch {} }
              0`,
          );
          let { schedule } = await page.call("activityNow", true);
          // Once more, if the machine was busy.
          if (schedule?.took > 100) ({ schedule } = await page.call("activityNow", true));
          return { schedule, hits: await page.main("hits") };
        } finally {
          await forget?.();
        }
      };
      const { hits } = await go(false);
      const hooked = await go(true);
      assert.equal(hooked.hits, hits);
      const { due, restless, used } = hooked.schedule ?? {};
      assert.ok(due > 0 && due <= 400 && !restless && used > 0, JSON.stringify(hooked.schedule));
    });
