// What goes on in the document while somebody waits for it to come to rest: which places change,
// how often, and whether the main thread was busy. Told as it happens (`news`), or at once when
// asked (`pulse`). Observers and timers of this world, which the page cannot see; they end when
// nobody waits any more. What it means is decided elsewhere.

import { redrawn } from "../capture/canvasDigest";
import { count as descendants } from "../capture/viewportFirst";
import {
  attr,
  connected,
  isElement,
  localName,
  nodeType,
  parentNode,
  readyState,
} from "../dom/dom";
import { idOf } from "../dom/identity";
import { motionIn } from "./animations";
import { loading } from "./loadingSigns";
import { denied, notePermissions } from "./permissions";
import { observe } from "./waitFor";

/** Changes closer together than this are one: a framework draws in several goes. */
const APART = 30;
/** What changes again only after so long is not going on. */
const OVER = 2000;
/** News is told at most this often. */
const TELL = 50;
/** How often the main thread is felt for, and how late it may be. */
const BEAT = 50;
const LATE = 100;
/** How long the main thread is still felt when nobody asks. */
const IDLE = 2000;
/**
 * How long the document is still watched then: what changes between two actions of a caller who
 * thinks is what changes by itself.
 */
const LINGER = 60_000;
/**
 * How often a place must have changed by itself to be called restless, and how recently: in
 * milliseconds, or in times its own pace.
 */
const HABIT = 3;
const RECENT = 1500;
const PACES = 2.5;
/**
 * What holds more elements than this is no one thing that changes; drawn anew, not even so many.
 */
const MOST_RESTLESS = 500;
const MOST_REDRAWN = 30;
/** A habit that outlives an action: what changed less often may have been the action before. */
const ROOTED = 6;
const MOST_PLACES = 500;
/** Added or removed, these show nothing. */
const UNSEEN = /^(script|style|link|meta|noscript|template|title|base)$/;

interface Place {
  shape: number;
  label: string;
  grows: boolean;
  count: number;
  first: number;
  last: number;
  /** When it was last counted. */
  counted: number;
  told: boolean;
  target: WeakRef<Node>;
  kind: string;
  /** How often it changed while nobody acted, and when. */
  alone: number;
  aloneFirst: number;
  aloneLast: number;
}

const places = new Map<string, Place>();
const keys = new WeakMap<Node, number>();
let nodes = 0;
let shapes = 0;
/** Something of the document was written by its parser. */
let parsed = -1;
let parsedTold = true;
/** When the main thread was last felt, and when it was last found to have been busy. */
let beat = 0;
let stall = -1;
let stallTold = true;

let stop: (() => void) | null = null;
const roots = new Set<Node>();
let asked = 0;
let feeling = false;
/** Somebody acts: from the moment it begins until the page is looked at again. */
let inAction = false;
let waiting: ((answer: object) => void) | null = null;
let telling: ReturnType<typeof setTimeout> | undefined;
let toldAt = -TELL;

function begin(): void {
  linger();
  if (feeling) return;
  feeling = true;
  beat = asked;
  setTimeout(feel, BEAT);
}

/** Watches the document, without feeling the main thread. */
function linger(): void {
  asked = performance.now();
  if (stop) return;
  void notePermissions();
  roots.clear();
  stop = observe((_, records) => note(records), false, roots);
  setTimeout(rest, LINGER);
}

function rest(): void {
  const left = asked + LINGER - performance.now();
  if (left > 0 || waiting) return void setTimeout(rest, Math.max(left, 1000));
  stop?.();
  stop = null;
  places.clear();
}

/** An action begins: what changes from here on may be its doing. */
export function acting(): void {
  inAction = true;
}

/** The page is looked at: what the last action did is done. */
export function attended(): void {
  inAction = false;
  linger();
}

/** What changes by itself does so while somebody acts too. */
const keepsPace = ({ alone, aloneFirst, aloneLast }: Place, now: number): boolean =>
  alone >= HABIT && now - aloneLast <= (PACES * (aloneLast - aloneFirst)) / (alone - 1);

/** The elements that change by themselves, and are at it still. */
export function restless(): object {
  const now = performance.now();
  const ids = new Set<number>();
  for (const { alone, aloneFirst, aloneLast, kind, target } of places.values()) {
    if (
      alone < HABIT ||
      now - aloneLast > Math.max(RECENT, (PACES * (aloneLast - aloneFirst)) / (alone - 1))
    )
      continue;
    const node = target.deref();
    const el =
      node && isElement(node)
        ? node
        : node && nodeType(node) === 11
          ? (node as ShadowRoot).host
          : null;
    if (!el || /^(html|body|main)$/.test(localName(el)) || !connected(el)) continue;
    const inner = descendants(el);
    if (inner <= (kind === "other" ? MOST_REDRAWN : kind.startsWith("@") ? 0 : MOST_RESTLESS))
      ids.add(idOf(el));
  }
  if (!inAction) for (const el of redrawn()) ids.add(idOf(el));
  return { ids: [...ids] };
}

function feel(): void {
  const now = performance.now();
  felt(now);
  if (now - asked > IDLE && !waiting) {
    feeling = false;
    return;
  }
  setTimeout(feel, BEAT);
}

/** A page that nobody sees is slowed down by the browser; that is not being busy. */
function felt(now: number): void {
  if (now - beat > BEAT + LATE && document.visibilityState !== "hidden") {
    stall = now;
    stallTold = false;
    tell();
  }
  beat = now;
}

function note(records: MutationRecord[]): void {
  const now = performance.now();
  // While the parser writes, everything changes, and none of it is of interest by itself.
  if (readyState(document) === "loading") {
    parsed = now;
    parsedTold = false;
    return tell();
  }
  if (places.size >= MOST_PLACES)
    for (const [old, { told }] of places) if (told) places.delete(old);
  const lists = new Map<Node, { added: number; removed: number }>();
  for (const { type, target, attributeName, addedNodes, removedNodes } of records) {
    if (type === "attributes") change(target, `@${attributeName}`, false, now);
    else if (type === "characterData") change(parentNode(target) ?? target, "text", false, now);
    else {
      const list = lists.get(target) ?? { added: 0, removed: 0 };
      list.added += seen(addedNodes);
      list.removed += seen(removedNodes);
      lists.set(target, list);
    }
  }
  for (const [target, { added, removed }] of lists) {
    if (added + removed > 0)
      change(target, removed === 0 ? "more" : added === 0 ? "less" : "other", removed === 0, now);
  }
  tell();
}

function seen(list: NodeList): number {
  let count = 0;
  for (let i = 0; i < list.length; i++) {
    const node = list[i] as Node;
    if (nodeType(node) === 3 || (isElement(node) && !UNSEEN.test(localName(node)))) count++;
  }
  return count;
}

function change(target: Node, kind: string, grows: boolean, now: number): void {
  let key = keys.get(target);
  if (key === undefined) keys.set(target, (key = ++nodes));
  const name = `${key}${kind}`;
  let place = places.get(name);
  if (!place) {
    if (places.size >= MOST_PLACES * 2) return;
    place = {
      shape: ++shapes,
      label: labelOf(target),
      grows,
      count: 0,
      first: now,
      last: now,
      counted: 0,
      told: true,
      target: new WeakRef(target),
      kind,
      alone: 0,
      aloneFirst: 0,
      aloneLast: 0,
    };
    places.set(name, place);
  }
  if (place.count === 0 || now - place.last > OVER) {
    place.count = 0;
    place.first = now;
  }
  if (place.count === 0 || now - place.counted >= APART) {
    place.count++;
    place.counted = now;
    if (!inAction || keepsPace(place, now)) {
      if (place.alone++ === 0) place.aloneFirst = now;
      place.aloneLast = now;
    }
  }
  place.last = now;
  place.told = false;
}

/** `ul#log`, `div.clock`. */
function labelOf(node: Node): string {
  const el = isElement(node) ? node : nodeType(node) === 11 ? (node as ShadowRoot).host : null;
  if (!el) return "the document";
  const id = attr(el, "id");
  const first = (attr(el, "class") ?? "").trim().split(/\s+/)[0];
  return `${localName(el)}${id ? `#${id}` : first ? `.${first}` : ""}`.slice(0, 60);
}

const untold = (): boolean => {
  if (!parsedTold || !stallTold) return true;
  for (const place of places.values()) if (!place.told) return true;
  return false;
};

/** All that was not told yet. */
function report(now: number): object {
  const changes: object[] = [];
  if (!parsedTold)
    changes.push({
      shape: 0,
      label: "the document",
      grows: true,
      count: 1,
      first: now - parsed,
      last: now - parsed,
    });
  for (const place of places.values()) {
    if (place.told) continue;
    const { shape, label, grows, count, first, last } = place;
    changes.push({ shape, label, grows, count, first: now - first, last: now - last });
    place.told = true;
  }
  const stalled = stallTold ? null : now - stall;
  parsedTold = stallTold = true;
  toldAt = now;
  return { changes, stalled };
}

function tell(): void {
  if (!waiting || telling !== undefined) return;
  const left = TELL - (performance.now() - toldAt);
  telling = setTimeout(deliver, Math.max(0, left));
}

function deliver(): void {
  telling = undefined;
  const answer = waiting;
  if (!answer || !untold()) return;
  waiting = null;
  answer(report(performance.now()));
}

/**
 * The next change, or nothing after `limit` milliseconds. Whoever asked before gets his answer now.
 * `fresh`: what is not deeply rooted is forgotten first, because an action begins.
 */
export function news(limit: number, fresh = false): Promise<object> {
  begin();
  if (fresh) {
    acting();
    forget(performance.now());
  }
  waiting?.({ changes: [], stalled: null });
  return new Promise((done) => {
    const late = setTimeout(() => {
      if (waiting === answer) waiting = null;
      answer({ changes: [], stalled: null });
    }, limit);
    const answer = (what: object): void => {
      clearTimeout(late);
      asked = performance.now();
      done(what);
    };
    waiting = answer;
    if (untold()) tell();
  });
}

function forget(now: number): void {
  for (const place of places.values()) {
    if (place.count >= ROOTED && now - place.last <= OVER) continue;
    // To whoever waits it is a new place; that it changes by itself is remembered.
    place.count = 0;
    place.shape = ++shapes;
    place.told = true;
  }
}

/** How long the transitions under way will take; 0 if there are none. */
export const moving = (): number => motionIn(roots);

/** Everything up to now, and what says that it is still loading. */
export async function pulse(): Promise<object> {
  begin();
  const refused = await denied();
  const now = performance.now();
  felt(now);
  return { ...report(now), loading: loading(), moving: moving(), denied: refused };
}
