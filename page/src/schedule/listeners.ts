// Notes for which presses and keys the scripts of a page listen, in an engine that does not report
// it (Firefox). Nothing is kept alive that the browser does not keep alive anyway, apart from what
// hears only once. Runs in the page's own world, see ledger.ts.

import { watchCalls } from "./wrap";

const { apply, getOwnPropertyDescriptor } = Reflect;
const { hasOwn } = Object;

/** The kinds of events that are noted. */
const KINDS =
  "click dblclick auxclick contextmenu mousedown mouseup mousemove mouseover mouseout mouseenter mouseleave pointerdown pointerup pointermove pointerover pointerout pointerenter pointerleave pointercancel touchstart touchend touchmove touchcancel keydown keyup keypress";
const kinds = Object.assign(
  Object.create(null) as Record<string, true>,
  Object.fromEntries(KINDS.split(" ").map((kind) => [kind, true])),
);
/** A target with more listeners is taken to listen for ever. */
const MOST = 64;

/** A listener of a target. */
interface Listener {
  kind: string;
  callback: unknown;
  capture: boolean;
  signal: unknown;
  next: Listener | null;
}
interface Heard {
  first: Listener | null;
  count: number;
}

const targets = new WeakMap<object, Heard>();
const { get, set } = WeakMap.prototype;
const { addEventListener } = EventTarget.prototype;
const isAborted = getOwnPropertyDescriptor(AbortSignal.prototype, "aborted")?.get as () => boolean;
const hasInstance = Function.prototype[Symbol.hasInstance];
const Signal = AbortSignal;
const heardOf = (target: object): Heard | undefined => apply(get, targets, [target]);
const isObject = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function";

/** Reads an option; a getter of the page is not called. */
function optionOf(options: unknown, name: string): unknown {
  const descriptor = isObject(options) ? getOwnPropertyDescriptor(options, name) : undefined;
  return descriptor && hasOwn(descriptor, "value") ? descriptor.value : undefined;
}
const captures = (options: unknown): boolean =>
  isObject(options) ? !!optionOf(options, "capture") : !!options;

function find(heard: Heard, kind: string, callback: unknown, capture: boolean): Listener | null {
  for (let one = heard.first; one; one = one.next)
    if (one.callback === callback && one.kind === kind && one.capture === capture) return one;
  return null;
}

function drop(heard: Heard, gone: Listener): void {
  let before: Listener | null = null;
  for (let one = heard.first; one; before = one, one = one.next) {
    if (one !== gone) continue;
    if (before) before.next = one.next;
    else heard.first = one.next;
    heard.count--;
    return;
  }
}

function noteAdded(args: ArrayLike<unknown>, self: unknown): void {
  const kind = args[0];
  const callback = args[1];
  if (typeof kind !== "string" || !kinds[kind] || !isObject(callback)) return;
  const target = isObject(self) ? self : globalThis;
  let heard = heardOf(target);
  if (!heard) apply(set, targets, [target, (heard = { first: null, count: 0 })]);
  const options = args.length > 2 ? args[2] : undefined;
  const capture = captures(options);
  if (heard.count >= MOST || find(heard, kind, callback, capture)) return;
  const signal = optionOf(options, "signal");
  const added: Listener = { kind, callback, capture, signal, next: heard.first };
  heard.first = added;
  heard.count++;
  if (!optionOf(options, "once")) return;
  const from = heard;
  const how = Object.assign(Object.create(null) as object, { capture, once: true, passive: true });
  apply(addEventListener, target, [kind, () => drop(from, added), how]);
}

function noteRemoved(args: ArrayLike<unknown>, self: unknown): void {
  const kind = args[0];
  if (typeof kind !== "string" || !kinds[kind]) return;
  const heard = heardOf(isObject(self) ? self : globalThis);
  if (!heard || heard.count >= MOST) return;
  const gone = find(heard, kind, args[1], captures(args.length > 2 ? args[2] : undefined));
  if (gone) drop(heard, gone);
}

const isSignal = (value: unknown): boolean =>
  isObject(value) && (apply(hasInstance, Signal, [value]) as boolean);

/** Returns the kinds of events for which scripts listen on a target, with a space after each. */
export function kindsHeardOn(target: object): string {
  let all = "";
  const heard = heardOf(target);
  for (let one = heard ? heard.first : null; one; one = one.next)
    if (!isSignal(one.signal) || !apply(isAborted, one.signal, [])) all += `${one.kind} `;
  return all;
}

/** Has listeners noted from now on. */
export function watchListeners(): void {
  watchCalls(EventTarget.prototype, "addEventListener", (args, _, self) => noteAdded(args, self));
  watchCalls(EventTarget.prototype, "removeEventListener", (args, _, self) =>
    noteRemoved(args, self),
  );
}
