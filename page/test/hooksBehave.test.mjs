// Scripts of a page run with the hooks as they run without them. Each case runs in the page's own
// world, once in a document with hooks and once in one without, and has to give the same result.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { open } from "./check.mjs";

/** Helpers of the cases. */
const HELPERS = `
  const W = window;
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  const text = (error) => error instanceof Object && "message" in error
    ? [error.constructor.name, error.name, error.message] : ["no error", String(error?.name ?? error)];
  const fault = (f) => { try { const r = f(); return ["fine", typeof r]; } catch (error) { return text(error); } };
  const refused = (f) => { try { return Promise.resolve(f()).then((r) => ["fine", typeof r], (e) => ["rejected", text(e)]); } catch (e) { return ["thrown", text(e)]; } };
  const heard = (target, type) => new Promise((done) => target.addEventListener(type, done, { once: true }));
  const frame = async (html) => {
    const f = document.createElement("iframe");
    if (html) f.srcdoc = html;
    const loaded = heard(f, "load");
    document.body.append(f);
    await loaded;
    return f;
  };
  const workerOf = (Kind, code) => new Kind(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
  /** An object that says when it is converted. */
  const loud = (log, name, value) => ({
    [Symbol.toPrimitive](hint) { log.push(name + ":" + hint); return value; },
  });
`;

const FUNCTIONS =
  "[setTimeout, setInterval, clearTimeout, clearInterval, requestAnimationFrame, cancelAnimationFrame, W.requestIdleCallback, W.cancelIdleCallback, postMessage, createImageBitmap, MessagePort.prototype.postMessage, W.Scheduler?.prototype.postTask, W.Scheduler?.prototype.yield, Blob.prototype.text, FileReader.prototype.readAsText, IDBFactory.prototype.open, SubtleCrypto.prototype.digest, Worker.prototype.postMessage, WebSocket.prototype.send, HTMLCanvasElement.prototype.toBlob, WebAssembly.compile, AbortSignal.timeout, Atomics.waitAsync]";
const CLASSES =
  "[W.Worker, W.SharedWorker, W.WebSocket, W.BroadcastChannel, W.EventSource, W.AudioContext, W.RTCPeerConnection, W.MediaRecorder, W.WebTransport, W.WebSocketStream, W.webkitRTCPeerConnection]";

/** The cases: what they are about, and the body of an async function. */
const CASES = {
  // timers
  "more arguments": `return new Promise((done) => setTimeout((...all) => done(all), 1, "a", undefined, 3))`,
  "more arguments of an interval": `return new Promise((done) => { const id = setInterval((...all) => { clearInterval(id); done(all); }, 1, "a", null); })`,
  "a callback alone": `return new Promise((done) => setTimeout(function () { done([arguments.length, this === W]); }))`,
  "this in callbacks": `return new Promise((done) => setTimeout(function () { "use strict"; const own = this === W; setTimeout.call(undefined, function () { done([own, this === W]); }); }))`,
  "a string as handler": `setTimeout("var one = this === window; let two = 2", 0); await sleep(20); return [W.one, typeof W.two, eval("typeof two")]`,
  "a string with a mistake": `const error = heard(W, "error"); setTimeout("a b"); return (await error).message`,
  "handlers that are no functions": `const made = [setTimeout(null), setTimeout(undefined, 1), setTimeout({ toString: () => "W2 = 1" }), setTimeout(7)]; await sleep(20); return [made.every((id) => id > 0), W.W2]`,
  delays: `const ran = []; const all = [-5, NaN, "0", "abc", undefined, null, true, false, {}, [], [7], "12", "0x10", 1.9, 2 ** 31, 2 ** 32, 2 ** 32 + 9, Infinity, -Infinity, 1e9, 2 ** 31 - 1, "1e6", 3 * 2 ** 32 + 1e8];
    all.forEach((delay, at) => setTimeout(() => ran.push(at), delay)); await sleep(150); return ran.sort((a, b) => a - b)`,
  "a delay is converted once, after the handler": `const log = []; setTimeout(loud(log, "handler", ""), loud(log, "delay", 3)); setInterval(loud(log, "handler", ""), loud(log, "delay", 1e6)); await sleep(20); return log`,
  "a delay that throws": `let ran = 0; const first = setTimeout(() => {}); const made = fault(() => setTimeout(() => ran++, { valueOf() { throw new RangeError("mine"); } })); await sleep(20); return [made, ran, setTimeout(() => {}) - first]`,
  "delays that cannot be numbers": `return [fault(() => setTimeout(() => {}, Symbol("x"))), fault(() => setTimeout(() => {}, 1n)), fault(() => setInterval(() => {}, Object.create(null)))[1]]`,
  "a delay whose conversion sets a timer": `const ran = []; setTimeout(() => ran.push("outer"), { valueOf() { setTimeout(() => ran.push("inner"), 5); return 5; } }); await sleep(40); return ran`,
  "results are numbers, one after the other": `const all = [setTimeout(() => {}), setInterval(() => {}), setTimeout(() => {}, 1e6), setInterval(() => {}, 1e6)]; return all.map((id) => [typeof id, id - all[0]])`,
  "one clears the other": `const ran = []; clearInterval(setTimeout(() => ran.push("timeout"), 5)); clearTimeout(setInterval(() => ran.push("interval"), 5)); await sleep(40); return ran`,
  "clearing with what is no number": `const ran = []; const set = (name) => setTimeout(() => ran.push(name), 10);
    clearTimeout(String(set("text"))); clearTimeout({ valueOf: (id => () => id)(set("object")) }); clearTimeout([set("list")]); clearTimeout(set("fraction") + 0.5); clearTimeout(set("around") + 2 ** 32); set("kept"); clearTimeout(); clearTimeout(undefined); clearTimeout(null); clearTimeout(NaN); clearTimeout(-1); clearTimeout(1e9); clearTimeout("x"); await sleep(40); return ran`,
  "clearing converts once": `const log = []; clearTimeout(loud(log, "id", 1)); clearInterval(loud(log, "id", 1)); cancelAnimationFrame(loud(log, "id", 1)); W.cancelIdleCallback?.(loud(log, "id", 1)); return [log, fault(() => clearTimeout(Symbol())), fault(() => clearTimeout(1n)), clearTimeout(1, 2, 3)]`,
  "timers of the same delay": `const ran = []; for (let n = 0; n < 30; n++) setTimeout(() => ran.push(n), 4); await sleep(40); return ran`,
  "timers by delay": `const ran = []; for (const delay of [90, 30, 60, 120, 1]) setTimeout(() => ran.push(delay), delay); await sleep(200); return ran`,
  "microtasks between timers": `const ran = []; for (const n of [1, 2]) setTimeout(() => { ran.push(n); queueMicrotask(() => ran.push("m" + n)); }); await sleep(30); return ran`,
  "nested timers are slowed down": `const begun = performance.now(); for (let n = 0; n < 25; n++) await new Promise((done) => setTimeout(done)); return performance.now() - begun > 60`,
  "an interval that clears itself": `let count = 0; const id = setInterval(() => { if (++count === 4) clearInterval(id); }, 2); await sleep(400); return count`,
  "a callback that throws": `const errors = []; W.addEventListener("error", (e) => { errors.push(e.message, e.lineno > 0); e.preventDefault(); }); setTimeout(() => { throw new Error("mine"); }); let count = 0; const id = setInterval(() => { if (++count > 2) clearInterval(id); throw 5; }, 2); await sleep(400); return errors`,
  "what is missing": `return ${FUNCTIONS}.map((f) => f && fault(() => { const r = Reflect.apply(f, W, []); r?.catch?.(() => {}); }))`,
  "this of a different kind": `return Promise.all(${FUNCTIONS}.flatMap((f) => f ? [{}, document, 5].map((self) => refused(() => Reflect.apply(f, self, [0, 0, 0, 0]))) : null))`,
  "no constructors": `return ${FUNCTIONS}.map((f) => f && [fault(() => new f(() => {})), fault(() => class extends f {}), fault(() => Reflect.construct(Object, [], f))])`,
  "called in many ways": `const ran = []; const add = (n) => () => ran.push(n); const { setTimeout: own } = W;
    own(add(1)); (0, setTimeout)(add(2)); setTimeout.call(W, add(3)); setTimeout.apply(undefined, [add(4), 0]); setTimeout.bind(null)(add(5)); Reflect.apply(setTimeout, self, [add(6)]); globalThis.setTimeout(add(7)); [add(8), add(9)].forEach(setTimeout); setTimeout?.(...[add(10)]); new Function("f", "with (window) setTimeout(f)")(add(11)); (0, eval)("setTimeout")(add(12)); new Proxy(setTimeout, {})(add(13)); top.frames.self.setTimeout(add(14)); await sleep(40); return ran.sort((a, b) => a - b)`,
  "kept by objects and classes": `const ran = []; class A { #wait = setTimeout; static wait = setTimeout; set = W.setTimeout.bind(W); go() { return fault(() => this.#wait(() => ran.push(1))); } }
    const made = [new A().go(), fault(() => A.wait(() => {})), fault(() => ({ setTimeout }).setTimeout(() => {}))]; new A().set(() => ran.push(2)); await sleep(30); return [made, ran]`,
  "a page that stands in for setTimeout": `const native = W.setTimeout; const before = Object.getOwnPropertyDescriptor(W, "setTimeout"); let calls = 0; W.setTimeout = function (...all) { calls++; return native.apply(this, all); };
    await sleep(5); const isOwn = setTimeout !== native; delete W.setTimeout; const gone = typeof W.setTimeout; Object.defineProperty(W, "setTimeout", before); await sleep(5); return [calls, isOwn, gone, setTimeout === native, Object.keys(before)]`,
  "a page that marks setTimeout": `setTimeout.mine = 1; setTimeout[Symbol.for("mine")] = 2; Object.defineProperty(setTimeout, "name", { value: "other" }); const keys = Reflect.ownKeys(setTimeout).map(String); Object.setPrototypeOf(setTimeout, { inherited: 3 }); const { inherited } = setTimeout; Object.freeze(setTimeout); return [keys, inherited, setTimeout.name, Object.isFrozen(setTimeout), delete W.setTimeout, typeof setTimeout]`,
  // frames and idle callbacks
  "the time of a frame": `return new Promise((done) => requestAnimationFrame(function (a) { const self = this === W; requestAnimationFrame((b) => done([typeof a, b > a, self, arguments.length])); }))`,
  "one time for a frame": `const all = []; requestAnimationFrame((a) => all.push(a)); requestAnimationFrame((b) => all.push(b)); await new Promise(requestAnimationFrame); return all.length === 2 && all[0] === all[1]`,
  "cancelled in its frame": `const ran = []; let id; requestAnimationFrame(() => { ran.push(1); cancelAnimationFrame(id); requestAnimationFrame(() => ran.push("next")); }); id = requestAnimationFrame(() => ran.push(2)); requestAnimationFrame(() => ran.push(3)); await new Promise(requestAnimationFrame); const now = ran.join(); await sleep(100); return [now, ran, typeof id]`,
  "frames that are no functions": `return [fault(() => requestAnimationFrame()), fault(() => requestAnimationFrame("x")), fault(() => requestAnimationFrame({ handleEvent() {} })), cancelAnimationFrame(-4), fault(() => W.webkitRequestAnimationFrame?.(() => {}))]`,
  "the numbers of frames": `const first = requestAnimationFrame(() => {}); return [1, 2, 3].map(() => requestAnimationFrame(() => {}) - first)`,
  "an idle callback": `return new Promise((done) => requestIdleCallback(function (d) { done([d.constructor.name, typeof d.timeRemaining(), d.timeRemaining() <= 50, d.didTimeout, this === W, arguments.length]); }))`,
  "idle callbacks in order": `const ran = []; requestIdleCallback(() => ran.push(1)); const id = requestIdleCallback(() => ran.push("cancelled")); requestIdleCallback(() => { ran.push(2); requestIdleCallback(() => ran.push(3)); }); cancelIdleCallback(id); for (let n = 0; ran.length < 3 && n < 40; n++) await sleep(50); return [ran, typeof id]`,
  "the options of idle callbacks": `const log = []; const options = { get timeout() { log.push("read"); return loud(log, "timeout", 1e4); }, get other() { log.push("other"); } }; requestIdleCallback(() => {}, options); return [log, fault(() => requestIdleCallback(() => {}, 5)), fault(() => requestIdleCallback(() => {}, null)), fault(() => requestIdleCallback(() => {}, { timeout: Symbol() })), fault(() => requestIdleCallback({}))]`,
  "a timeout of a busy page": `const late = new Promise((done) => requestIdleCallback((d) => done([d.didTimeout, d.timeRemaining()]), { timeout: 1 })); const keep = (until) => { while (performance.now() < until); }; for (let n = 0; n < 3; n++) { await new Promise((done) => { const c = new MessageChannel(); c.port1.onmessage = done; c.port2.postMessage(0); }); keep(performance.now() + 20); } return (await late).length`,
  // messages
  "a channel": `const { port1, port2 } = new MessageChannel(); const got = []; port1.onmessage = (e) => got.push([e.data, e.origin, e.source, e.ports.length, e.isTrusted]); for (const n of [1, "two", { three: 3 }, [4]]) port2.postMessage(n); await sleep(50); return got`,
  "what a channel carries": `const { port1, port2 } = new MessageChannel(); const got = heard(port1, "message"); port1.start(); const bytes = new ArrayBuffer(8); const more = new MessageChannel(); port2.postMessage({ bytes, port: more.port1 }, [bytes, more.port1]); const e = await got; const back = heard(more.port2, "message"); more.port2.start(); e.data.port.postMessage("back", { transfer: [] }); return [bytes.byteLength, e.data.bytes.byteLength, e.ports[0] === e.data.port, (await back).data]`,
  "what a channel refuses": `const { port1, port2 } = new MessageChannel(); const bytes = new ArrayBuffer(1); return [fault(() => port1.postMessage()), fault(() => port1.postMessage(() => {})), fault(() => port1.postMessage(1, [port1])), fault(() => port1.postMessage(bytes, [bytes, bytes])), fault(() => port1.postMessage(1, 5)), fault(() => port1.postMessage(Symbol()))]`,
  "a closed channel": `const { port1, port2 } = new MessageChannel(); const got = []; port1.onmessage = (e) => got.push(e.data); port2.postMessage(1); await sleep(20); port1.close(); port2.postMessage(2); const made = fault(() => port1.postMessage(3)); await sleep(30); return [got, made]`,
  "a message to the own window": `const got = heard(W, "message"); postMessage({ a: [1] }, "*"); const e = await got; return [e.data, e.source === W, e.origin === location.origin, e.ports.length, e.isTrusted, e.target === W]`,
  "messages with options": `const got = []; W.onmessage = (e) => got.push([e.data, e.ports.length]); const { port1 } = new MessageChannel(); postMessage(1); postMessage(2, "/"); postMessage(3, location.origin, [port1]); postMessage(4, { targetOrigin: location.origin }); postMessage(5, "http://other.example"); postMessage(6, { targetOrigin: "http://other.example" }); await sleep(60); return [got, fault(() => postMessage(1, "no origin")), fault(() => postMessage()), fault(() => postMessage(() => {}, "*")), fault(() => postMessage(1, Symbol()))]`,
  "messages, timers and order": `const ran = []; W.onmessage = (e) => ran.push(e.data); const { port1, port2 } = new MessageChannel(); for (const n of [1, 2, 3]) postMessage(n, "*"); await sleep(50); port1.onmessage = (e) => ran.push(e.data); for (const n of [4, 5]) port2.postMessage(n); queueMicrotask(() => ran.push("micro")); await sleep(50); return ran`,
  "messages between a page and its frame": `const f = await frame("<script>onmessage = (e) => e.source.postMessage([e.data, e.source === parent, e.origin], '*')</script>"); const got = heard(W, "message"); f.contentWindow.postMessage("to", "/"); const e = await got; return [e.data[0], e.data[1], e.data[2] === location.origin, e.source === f.contentWindow]`,
  "messages of functions that are borrowed": `const f = await frame("<p>"); const got = []; W.onmessage = (e) => got.push(["own", e.data, e.source === W]); f.contentWindow.onmessage = (e) => got.push(["frame", e.data, e.source === W]); const { postMessage: theirs } = f.contentWindow; theirs.call(W, 1, "*"); theirs.call(f.contentWindow, 2, "*"); postMessage.call(f.contentWindow, 3, "*"); setTimeout(f.contentWindow.postMessage.bind(f.contentWindow, 4, "*")); f.contentWindow.eval("parent.postMessage(5, '*')"); await sleep(80); return got.map(String).sort()`,
  "messages to a window that is gone": `const f = await frame("<p>"); const w = f.contentWindow; f.remove(); return fault(() => w.postMessage(1, "*"))`,
  // tasks
  "the results of tasks": `if (!W.scheduler) return; return Promise.all([scheduler.postTask(() => 5), scheduler.postTask(async () => "late"), refused(() => scheduler.postTask(() => { throw new RangeError("mine"); })), scheduler.postTask(function () { return [arguments.length, this === undefined || this === W]; })])`,
  "tasks by priority": `if (!W.scheduler) return; const ran = []; await Promise.all(["background", "user-visible", "user-blocking", "user-visible"].map((priority, n) => scheduler.postTask(() => ran.push(priority + n), { priority }))); return ran`,
  "tasks with delays": `if (!W.scheduler) return; const ran = []; await Promise.all([60, 20, 0, "40", { valueOf: () => 5 }].map((delay, n) => scheduler.postTask(() => ran.push(n), { delay }))); return ran`,
  "the options of tasks are read once": `if (!W.scheduler) return; const log = []; await scheduler.postTask(() => {}, { get signal() { log.push("signal"); }, get priority() { log.push("priority"); return loud(log, "p", "background"); }, get delay() { log.push("delay"); return loud(log, "d", 3); } }); return [log, await Promise.all([{ priority: "x" }, { delay: -1 }, { delay: NaN }, { signal: {} }, 5, null].map((options) => refused(() => scheduler.postTask(() => {}, options))))]`,
  "tasks that are aborted": `if (!W.scheduler) return; const one = new AbortController(); const task = refused(() => scheduler.postTask(() => {}, { signal: one.signal, delay: 500 })); const two = refused(() => scheduler.postTask(() => {}, { signal: AbortSignal.abort("mine") })); one.abort(new RangeError("why")); const three = new TaskController(); const last = refused(() => scheduler.postTask(() => {}, { signal: three.signal })); three.abort(); return [await task, await two, await last]`,
  "a controller sets the priority": `if (!W.scheduler) return; const ran = []; const c = new TaskController({ priority: "background" }); const events = []; c.signal.onprioritychange = (e) => events.push(e.previousPriority); const all = [scheduler.postTask(() => ran.push("c"), { signal: c.signal }), scheduler.postTask(() => ran.push("v"))]; c.setPriority("user-blocking"); await Promise.all(all); return [ran, events, c.signal.priority]`,
  "a task that fails and nobody hears": `if (!W.scheduler) return; const got = heard(W, "unhandledrejection"); scheduler.postTask(() => { throw new Error("mine"); }); const e = await got; e.preventDefault(); return text(e.reason)`,
  yielding: `if (!W.scheduler?.yield) return; const ran = []; const one = async () => { ran.push(1); await scheduler.yield(); ran.push(3); }; const all = [scheduler.postTask(one), scheduler.postTask(() => ran.push(2)), scheduler.postTask(async () => { await scheduler.yield(); ran.push("low"); }, { priority: "background" })]; await Promise.all(all); return [ran, await refused(() => scheduler.yield.call({}))]`,
  // windows that come and go
  "timers of a frame": `const f = await frame("<p>"); const ran = []; const w = f.contentWindow; const { setTimeout: theirs } = w; theirs(function () { ran.push(this === w); }); theirs.call(W, function () { ran.push(this === W); }, 5); setTimeout.call(w, function () { ran.push(this === w, "by own"); }, 10); w.eval("parent.setTimeout(() => { parent.ran2 = 1 }, 5)"); theirs("parent.ran3 = this !== parent", 5); await sleep(50); const typed = [fault(() => w.setTimeout()), fault(() => theirs.call({}, 1))].map((t) => t[1]); return [ran, W.ran2, W.ran3, typed]`,
  "timers of a frame that is removed": `const f = await frame("<p>"); const ran = []; const w = f.contentWindow; w.setTimeout(() => ran.push("timer"), 20); w.requestAnimationFrame(() => ran.push("frame")); f.remove(); await sleep(60); const { setTimeout: theirs } = w; const after = [fault(() => theirs(() => ran.push("after"))), fault(() => w.requestAnimationFrame(() => ran.push("after"))), fault(() => w.clearTimeout(1)), fault(() => w.setTimeout({ toString() { ran.push("text"); return ""; } }))]; await sleep(30); return [ran, after]`,
  "document.open keeps timers": `const f = await frame("<p>"); const w = f.contentWindow; const ran = []; w.setTimeout(() => ran.push(1), 20); const { setTimeout: before } = w; f.contentDocument.open(); f.contentDocument.write("<script>setTimeout(() => parent.ran4 = 1)</script>x"); f.contentDocument.close(); await sleep(60); return [ran, W.ran4, w.setTimeout === before, f.contentDocument.body.textContent]`,
  // classes
  "a worker": `const w = workerOf(Worker, "onmessage = (e) => postMessage([e.data, e.ports.length])"); const got = heard(w, "message"); const { port1 } = new MessageChannel(); w.postMessage("a", [port1]); const e = await got; const order = []; w.onmessage = () => order.push("on"); w.addEventListener("message", () => order.push("listener")); w.postMessage(1); await sleep(100); w.terminate(); return [e.data, e.target === w, order, w instanceof Worker, w.constructor === Worker, Object.prototype.toString.call(w), Reflect.ownKeys(w)]`,
  "subclasses of Worker": `class Own extends Worker { #n = 7; constructor(code) { super(URL.createObjectURL(new Blob([code]))); this.mine = new.target === Own; } get n() { return this.#n; } addEventListener(...all) { this.heard = all[0]; return super.addEventListener(...all); } } const w = new Own("postMessage(1)"); const first = w.heard; w.terminate(); const other = Reflect.construct(Worker, [URL.createObjectURL(new Blob([""]))], class Other {}); return [w.mine, w.n, w instanceof Own, w instanceof Worker, first, Object.getPrototypeOf(Own) === Worker, Own.name, other.constructor.name, fault(() => other.terminate()), fault(() => Worker.prototype.terminate.call(other))]`,
  "a worker that fails": `const w = workerOf(Worker, "throw new Error('mine')"); const e = await heard(w, "error"); e.preventDefault(); return [e.message, e.type, fault(() => w.postMessage(() => {})), fault(() => new Worker("http://other.example/x.js"))[1]]`,
  sockets: `class Own extends WebSocket { static mine = Own.OPEN; } const s = new Own("ws://" + location.host + "/none"); const closed = heard(s, "close"); const made = [s.readyState, Own.mine, WebSocket.CLOSED, s.CLOSING, s instanceof WebSocket, s.url === "ws://" + location.host + "/none", s.binaryType, fault(() => s.send("x"))]; const e = await closed; return [made, e.code, e.wasClean, s.readyState, fault(() => new WebSocket("no url:")), fault(() => new WebSocket("ws://x", ["a", "a"])), fault(() => Own.prototype.url)]`,
  "broadcast channels": `class Own extends BroadcastChannel {} const a = new Own("n"), b = new BroadcastChannel({ toString: () => "n" }), c = new BroadcastChannel("other"); const got = []; for (const x of [a, b, c]) x.onmessage = (e) => got.push([x.name, e.data, e.source, e.origin === location.origin]); a.postMessage(1); b.postMessage(2); await sleep(60); b.close(); a.postMessage(3); await sleep(60); return [got, b.name, a.constructor.name, fault(() => b.postMessage(1)), fault(() => new BroadcastChannel())]`,
  "classes and their statics": `return ${CLASSES}.map((C) => C && [C.name, C.length, C.prototype.constructor === C, Object.getPrototypeOf(C).name, Reflect.ownKeys(C).map(String), fault(() => C()), fault(() => new C(Symbol())), fault(() => C.call(C.prototype)), Object.create(C.prototype) instanceof C, fault(() => Reflect.construct(Object, [], C))])`,
  "other classes": `const made = [W.EventSource && new EventSource("/none"), W.AudioContext && new AudioContext(), W.RTCPeerConnection && new RTCPeerConnection(), W.webkitRTCPeerConnection && new webkitRTCPeerConnection(), W.SharedWorker && workerOf(SharedWorker, "")]; return made.map((m) => m && [m.constructor.name, m instanceof m.constructor, Object.prototype.toString.call(m), m.readyState ?? m.state ?? m.connectionState, m.close?.() === undefined]).map((m) => m && m.slice(0, 3))`,
  // interfaces that call scripts later
  "blobs and readers": `const b = new Blob(["text"]); const r = new FileReader(); const log = []; for (const t of ["loadstart", "load", "loadend"]) r["on" + t] = (e) => log.push(t, r.readyState, e.loaded); r.readAsText(b); await heard(r, "loadend"); return [await b.text(), (await b.arrayBuffer()).byteLength, (await b.bytes?.())?.length, r.result, log, fault(() => r.readAsText("x")), await refused(() => Blob.prototype.text.call({}))]`,
  databases: `const request = indexedDB.open("x" + Math.random(), 2); request.onupgradeneeded = (e) => request.result.createObjectStore("s", { keyPath: "id" }); await heard(request, "success"); const db = request.result; const t = db.transaction("s", "readwrite"); t.objectStore("s").put({ id: 1, v: "a" }); await heard(t, "complete"); const get = db.transaction(["s"]).objectStore("s").get(1); const e = await heard(get, "success"); return [e.target.result, db.version, t.mode, fault(() => db.transaction("none")), fault(() => indexedDB.open("x", 0)), e.target.source.name, db.close()]`,
  cryptography: `const hex = (b) => [...new Uint8Array(b)].join(); const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 128 }, true, ["encrypt"]); return [hex(await crypto.subtle.digest("SHA-1", new Uint8Array([1]))), key.type, key.usages, await refused(() => crypto.subtle.digest("none", new Uint8Array())), await refused(() => crypto.subtle.digest.call({}, "SHA-1", new Uint8Array()))]`,
  pictures: `const c = document.createElement("canvas"); c.width = c.height = 2; const blob = await new Promise((done) => c.toBlob(done)); const map = await createImageBitmap(c, { resizeWidth: 4, resizeHeight: 4 }); const i = new Image(); i.src = c.toDataURL(); const o = new OffscreenCanvas(1, 1); o.getContext("2d"); return [blob.type, blob.constructor.name, map.width, await i.decode(), await refused(() => createImageBitmap()), await refused(() => createImageBitmap({})), await refused(() => createImageBitmap(c, 0, 0, 0, 0)), (await o.convertToBlob()).type]`,
  locks: `const log = []; const held = navigator.locks.request("a", async (l) => { log.push(l.name, l.mode); await sleep(20); return "first"; }); const next = navigator.locks.request("a", { mode: "shared" }, (l) => { log.push(l.mode); return "second"; }); const none = await navigator.locks.request("a", { ifAvailable: true }, (l) => l); return [await held, await next, none, log, await refused(() => navigator.locks.request("a")), Object.keys(await navigator.locks.query()).sort()]`,
  "other promises": `const cache = await caches.open("x"); await cache.put("/x", new Response("y")); const face = new FontFace("None", "url(data:,)"); return [await (await caches.match("/x")).text(), await caches.has("x"), await caches.delete("x"), await refused(() => face.load()), (await navigator.permissions.query({ name: "geolocation" })).constructor.name, typeof (await navigator.storage.estimate()).quota]`,
  "modules and signals": `const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]); const made = await WebAssembly.instantiate(bytes); const s = AbortSignal.timeout(10); await heard(s, "abort"); return [Object.keys(made), (await WebAssembly.compile(bytes)).constructor.name, await refused(() => WebAssembly.compile(new Uint8Array(4))), s.aborted, s.reason.name, fault(() => AbortSignal.timeout(-1)), fault(() => AbortSignal.timeout())]`,
  "changes of views, and sound": `const order = []; const v = document.startViewTransition?.(() => { order.push("update"); }); await v?.updateCallbackDone; v?.skipTransition(); await v?.finished; const audio = new OfflineAudioContext(1, 10, 44100); return [order, v?.constructor.name, (await audio.startRendering()).length, await refused(() => document.createElement("video").play.call({}))]`,
  // deep stacks
  "at the end of the stack": `let set = 0; let ran = 0; const deep = () => { try { setTimeout(() => ran++); set++; } catch {} deep(); }; try { deep(); } catch {} await sleep(800); return ran === set`,
};

const run = async (body) => {
  const page = await open("<!doctype html><title>t</title><body>");
  const code = `(async () => { ${HELPERS}
    try { return JSON.stringify((await (async () => { ${body} })()) ?? "undefined"); }
    catch (error) { return JSON.stringify(["failed", text(error)]); } })()`;
  const late = new Promise((done) => setTimeout(() => done('"no answer"'), 8000).unref());
  return JSON.parse(await Promise.race([page.main(code), late]));
};

const plain = {};
test("every case works without hooks", async () => {
  for (const [what, body] of Object.entries(CASES)) {
    plain[what] = await run(body);
    const isDone = plain[what][0] !== "failed" && plain[what] !== "no answer";
    assert.ok(isDone, `${what}: ${JSON.stringify(plain[what])}`);
  }
});
const hooked = async (body) => {
  const forget = await (await open("<p>")).observe();
  try {
    return await run(body);
  } finally {
    await forget();
  }
};
for (const [what, body] of Object.entries(CASES))
  test(`the same with hooks: ${what}`, async () => {
    const first = await hooked(body);
    if (isDeepStrictEqual(first, plain[what])) return;
    // A timer may have been late in one of both.
    assert.deepEqual(await hooked(body), await run(body));
  });
