// Notes what the scripts of a page schedule, so that a wait can distinguish a page at rest from one
// that will go on in a moment. Runs in the page's own world before any script of the page, in every
// document. The page script, in its own world, asks with events on a target that the page cannot
// get hold of.

import { expect, Ledger, type Outlook, SHORT } from "./ledger";
import { kindsHeardOn, watchListeners } from "./listeners";
import { watchUnobserved } from "./unobserved";
import { watchCalls, watchUse } from "./wrap";

/** The parameter of the function that bundleText.mjs wraps around the bundle. */
declare const engineTraits: { scheduleWord: string; reportsListeners: boolean };

const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;
const { hasOwn } = Object;
const { scheduleWord: word, reportsListeners } = engineTraits;
const clock = performance;
const clockNow = Performance.prototype.now;
const now = (): number => apply(clockNow, clock, []);
const { addEventListener, dispatchEvent } = EventTarget.prototype;
const Custom = CustomEvent;
const Mouse = MouseEvent;
const Signal = AbortSignal;
const hasInstance = Function.prototype[Symbol.hasInstance];
const sourceOf = Function.prototype.toString;
const getter = (of: object, name: string): (() => unknown) =>
  getOwnPropertyDescriptor(of, name)?.get as () => unknown;
const detailOf = getter(CustomEvent.prototype, "detail");
const isAborted = getter(AbortSignal.prototype, "aborted");

const timers = new Ledger();
const frames = new Ledger();
const idle = new Ledger();
/** Workers that have not answered yet. They may need a while to start, most of all nested ones. */
const workers = new Ledger();
let workerCount = 0;
/** So long a new worker is waited for, in milliseconds. Many never send a message. */
const WORKER_COUNTS = 1000;
/** Messages and tasks without a delay: when the last one was sent, and since when without a pause. */
let sentAt = -Infinity;
let sentSince = -Infinity;
/** A pause in sending, in milliseconds. */
const PAUSE = 100;
/** Sending without a pause for longer than this is background. */
const LONG = 900;
/** Counts for a delay that is an object of the page. */
const UNKNOWN_DELAY = 1000;

/** A task that was posted and may be cancelled by its signal. */
interface Task {
  due: number;
  signal: unknown;
  next: Task | null;
}
let tasks: Task | null = null;
let taskCount = 0;
const MOST_TASKS = 256;

/** When an interface was last used that does not say when it calls scripts. */
let usedAt = -1;
/** Whether one was used that may call them at any time. */
let isLasting = false;
/** Work whose object says when it ends: how much has not ended, and when the last of it began. */
let working = 0;
let workBegan = -Infinity;
/** Work that takes longer than this does not end, in milliseconds. */
const LONGEST_WORK = 5000;
/** So soon it is asked for again, in milliseconds. */
const WORK_ENDS = 50;

/** Reads a delay without calling anything of the page. Only the browser converts an object. */
function delayOf(value: unknown): number {
  if (typeof value === "number") return value > 0 && value < 2 ** 31 ? value : 0;
  if (typeof value === "string") return delayOf(+value);
  if (value === null) return 0;
  return typeof value === "object" || typeof value === "function" ? UNKNOWN_DELAY : 0;
}
const argument = (args: ArrayLike<unknown>, at: number): unknown =>
  at < args.length ? args[at] : undefined;
/** Reads an own property; a getter of the page is not called. */
function ownValue(of: unknown, name: string): unknown {
  if (typeof of !== "object" || of === null) return undefined;
  const descriptor = getOwnPropertyDescriptor(of, name);
  return descriptor && hasOwn(descriptor, "value") ? descriptor.value : undefined;
}

/** Callbacks are alike if their sources have the same length, as closures of one function. */
const markOf = (callback: unknown): number =>
  typeof callback === "function" ? (apply(sourceOf, callback, []) as string).length : 0;

function noteTimer(args: ArrayLike<unknown>, id: unknown): void {
  timers.add(id as number, delayOf(argument(args, 1)), now(), markOf(argument(args, 0)));
}

function noteInterval(args: ArrayLike<unknown>, id: unknown): void {
  // What repeats is background. At short intervals it may still be work that ends.
  if (delayOf(argument(args, 1)) <= SHORT) timers.addRepeating(id as number);
}

function noteSent(): void {
  const at = now();
  if (at - sentAt > PAUSE || sentSince > at) sentSince = at;
  sentAt = at;
}

function noteTask(args: ArrayLike<unknown>): void {
  const options = argument(args, 1);
  const delay = delayOf(ownValue(options, "delay"));
  const at = now();
  if (taskCount >= MOST_TASKS) lookAtTasks({ due: -1, isRestless: false, isLater: false }, at, at);
  if (delay === 0 || taskCount >= MOST_TASKS) return noteSent();
  tasks = { due: at + delay, signal: ownValue(options, "signal"), next: tasks };
  taskCount++;
}

/** Watches the functions that give a thing a number, and the one that takes it back. */
function watchNumbered(ledger: Ledger, request: string, cancel: string): void {
  watchCalls(globalThis, request, (_, id) => ledger.add(id as number, 0, now(), 0));
  watchCalls(globalThis, cancel, (args) => takeBack(ledger, args));
}
function takeBack(ledger: Ledger, args: ArrayLike<unknown>): void {
  const id = argument(args, 0);
  if (typeof id === "number" || typeof id === "string") ledger.cancel(+id);
}

function lookAtTasks(outlook: Outlook, at: number, past: number): void {
  let kept: Task | null = null;
  taskCount = 0;
  for (let task = tasks; task; task = task.next) {
    if (task.due < past || (isSignal(task.signal) && apply(isAborted, task.signal, []))) continue;
    expect(outlook, task.due - at);
    kept = { due: task.due, signal: task.signal, next: kept };
    taskCount++;
  }
  tasks = kept;
}
const isSignal = (value: unknown): boolean =>
  typeof value === "object" && value !== null && apply(hasInstance, Signal, [value]);

/**
 * Says what is still to come: in how many milliseconds the next thing is due, whether something runs
 * at short intervals, and how long ago an interface was used that does not say when it calls scripts.
 * Everything that was due more than `ago` milliseconds ago has happened; 0 if that is not known.
 */
function outlookAfter(ago: number): string {
  const at = now();
  const past = at - ago;
  // bounded: one object for each question
  const outlook: Outlook = { due: -1, isRestless: false, isLater: false };
  timers.look(outlook, at, past);
  tasks && lookAtTasks(outlook, at, past);
  frames.look(outlook, at, past);
  // A message may still be on its way. A busy page is not waited for in any other way.
  if (sentAt >= (ago > 0 ? past : at - PAUSE)) {
    if (sentAt - sentSince < LONG) expect(outlook, 0);
    else outlook.isRestless = true;
  }
  idle.look(outlook, at, past);
  workers.look(outlook, at, at);
  if (working > 0 && at - workBegan < LONGEST_WORK) expect(outlook, WORK_ENDS);
  const used = isLasting ? 0 : usedAt < 0 ? -1 : at - usedAt;
  return `${outlook.due},${+outlook.isRestless},${used},${+outlook.isLater}`;
}

watchCalls(globalThis, "setTimeout", noteTimer);
watchCalls(globalThis, "setInterval", noteInterval);
watchCalls(globalThis, "clearTimeout clearInterval", (args) => takeBack(timers, args));
watchNumbered(
  frames,
  "requestAnimationFrame webkitRequestAnimationFrame",
  "cancelAnimationFrame webkitCancelAnimationFrame",
);
watchNumbered(idle, "requestIdleCallback", "cancelIdleCallback");
watchUse(globalThis, "postMessage", noteSent);
watchUse(MessagePort.prototype, "postMessage", noteSent);
const { Scheduler } = globalThis as { Scheduler?: { prototype: object } };
watchCalls(Scheduler?.prototype, "postTask", noteTask);
watchUse(Scheduler?.prototype, "yield", noteSent);
function noteUse(lasts: boolean): void {
  usedAt = now();
  isLasting ||= lasts;
}
watchUnobserved({
  note: noteUse,
  begins() {
    const worker = ++workerCount;
    // They are no chain: each has its own mark.
    workers.add(worker, WORKER_COUNTS, now(), worker);
    return () => workers.cancel(worker);
  },
  works() {
    working++;
    workBegan = now();
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      working--;
      // The script that hears of it may come after this.
      noteSent();
    };
  },
});

// No element: a window may get a new document, and elements of the old one hear nothing any more.
const channel = new EventTarget();
/** Without a prototype: a page may add the options of events to `Object.prototype`. */
const details = Object.assign(Object.create(null) as { detail: string }, { detail: "" });
const answer = (event: Event): void => {
  details.detail = outlookAfter(+(apply(detailOf, event, []) as string));
  apply(dispatchEvent, channel, [new Custom("answer", details)]);
};
apply(addEventListener, channel, ["ask", answer]);
/** Things that were due or sent so long ago have happened, in milliseconds. */
const RECENT = 50;
/**
 * Notes that an input of ours begins: it leads to no part of a chain or of a run of messages that an
 * earlier one led to. Loops of the page go on.
 */
const begin = (): void => {
  const at = now();
  timers.breakChains(at, at - RECENT);
  frames.breakChains(at, at - RECENT);
  idle.breakChains(at, at - RECENT);
  if (sentAt < at - RECENT) sentSince = Infinity;
};
apply(addEventListener, channel, ["begin", begin]);
if (!reportsListeners) {
  watchListeners();
  // The page script of such an engine may call functions of the page's world.
  defineProperty(channel, "kindsHeardOn", { value: kindsHeardOn });
}
// The page script takes the target from an event whose name no page can guess. `document.open()`
// removes the listeners of a window, and not these; Firefox gives a frame a new `performance`.
const about = Object.assign(Object.create(null) as object, { relatedTarget: channel });
const meeting = visualViewport as VisualViewport;
const introduce = (): void => {
  apply(dispatchEvent, meeting, [new Mouse(`${word}-here`, about)]);
};
apply(addEventListener, meeting, [word, introduce]);
