// Activity of the document while a caller waits until it is quiet: which elements change, how
// often, and whether the main thread was busy. Reported as it happens (`nextChange`) or on
// request (`activityNow`); Rust decides what it means. The page cannot see the observers and
// timers; they end when nobody waits any longer.

import { redrawnCanvases } from "../capture/canvasDigest";
import { countDescendants as descendants } from "../capture/viewportFirst";
import {
  attr,
  flatContains,
  flatParent,
  hostOf,
  isConnected,
  isElement,
  localName,
  nodeType,
  parentNode,
  readyState,
  rootOf,
} from "../dom/dom";
import { idOf } from "../dom/identity";
import { timeInSlices } from "../dom/timeSlices";
import { remainingTransitionTime } from "./animations";
import { findLoadingSign } from "./loadingSigns";
import { deniedPermissions, notePermissions } from "./permissions";
import { loadingPart, restProof } from "./restProof";
import { scheduleNow } from "./schedule";
import { observeChanges } from "./waitFor";

/** Changes closer together than this count as one: a framework may render in several steps. */
const DEBOUNCE = 30;
/** After this time without a change, counting starts again. */
const FORGET_AFTER = 2000;
/** The shortest time between two reports. */
const MIN_REPORT_INTERVAL = 50;
/** How often the main thread is checked, and how late a timer may be. */
const TICK = 50;
const MAX_DELAY = 100;
/** How long the main thread is checked after the last call. */
const TICK_AFTER_CALL = 2000;
/**
 * How long the document is observed after the last call. Changes between two actions of a slow
 * caller are not caused by an action.
 */
const OBSERVE_AFTER_CALL = 60_000;
/**
 * How often an element must have changed without an action to be called self-changing, and how
 * recently: in milliseconds, or in multiples of its own interval.
 */
const MIN_REPEATS = 3;
/**
 * If so many elements of a kind change on their own, the others of the kind do as well as soon as
 * they change again: the values of a dashboard.
 */
const MIN_OF_KIND = 3;
const RECENT = 1500;
const MAX_PACES = 2.5;
/** A component renders so soon after a value of it changed, in milliseconds. */
const RENDERS_WITHIN = 100;
/** The most nodes that it replaces then, and how far up the value may be. */
const MAX_RENDERED = 4;
const MAX_LEVELS = 2;
/**
 * Elements with more descendants than this are not reported as self-changing; fewer if the content
 * is replaced.
 */
const MAX_SELF_CHANGING = 500;
const MAX_REDRAWN = 30;
/**
 * Repeated changes that are kept when an action begins; rarer ones may belong to the action before.
 */
const MIN_REPEATS_TO_KEEP = 6;
const MAX_SITES = 500;
/** Attributes with a value that is drawn. */
const VALUES =
  /^(value|style|d|points|transform|x[12]?|y[12]?|r[xy]?|width|height|aria-value(now|text))$/;
/** Elements that show nothing when they are added or removed. */
const UNSEEN = /^(script|style|link|meta|noscript|template|title|base)$/;

interface ChangeSite {
  shape: number;
  label: string;
  grows: boolean;
  /** Only a text changed, or an attribute that shows or hides nothing. */
  value: boolean;
  count: number;
  first: number;
  last: number;
  /** When it was last counted. */
  countedAt: number;
  reported: boolean;
  /** It is background. */
  steady: boolean;
  target: WeakRef<Node>;
  kind: string;
  /** How often it changed without an action, and when. */
  unprompted: number;
  unpromptedFirst: number;
  unpromptedLast: number;
  family: SiteFamily;
}

/** The same kind of change in elements that look alike in the source. */
interface SiteFamily {
  /** How many of them change on their own, and when one last did. */
  steady: number;
  last: number;
}

const families = new Map<string, SiteFamily>();
/** When a value of an element last changed on its own, or like many of its kind do. */
const valuesChanged = new WeakMap<Node, number>();
const sites = new Map<string, ChangeSite>();
const nodeKeys = new WeakMap<Node, number>();
let nodeCount = 0;
let shapeCount = 0;
/** When the parser last added to the document. */
let parsedAt = -1;
let parsedReported = true;
/** When the main thread was last checked, and when it was last found busy. */
let lastTick = 0;
/** How much work of our own there had been then. */
let workAtTick = 0;
let stalledAt = -1;
let stallReported = true;
let restReported = false;
/** The document that the latest call was meant for, counted by the caller. */
let meantFor = 0;

let stop: (() => void) | null = null;
const roots = new Set<Node>();
let calledAt = 0;
let ticking = false;
/** An action is under way: from its beginning until the next capture. */
let inAction = false;
let actionBegan = 0;
let waiting: ((answer: object) => void) | null = null;
let reportTimer: ReturnType<typeof setTimeout> | undefined;
let reportedAt = -MIN_REPORT_INTERVAL;

function startTicking(): void {
  observeDocument();
  if (ticking) return;
  ticking = true;
  lastTick = calledAt;
  setTimeout(tick, TICK);
}

/** Observes the document without checking the main thread. */
function observeDocument(): void {
  calledAt = performance.now();
  if (stop) return;
  void notePermissions();
  roots.clear();
  stop = observeChanges((_, records) => noteMutations(records), false, roots);
  setTimeout(stopWhenUnused, OBSERVE_AFTER_CALL);
}

function stopWhenUnused(): void {
  const left = calledAt + OBSERVE_AFTER_CALL - performance.now();
  if (left > 0 || waiting) return void setTimeout(stopWhenUnused, Math.max(left, 1000));
  stop?.();
  stop = null;
  sites.clear();
  families.clear();
}

/** Notes that an action begins: it may cause the changes from here on. */
export function actionBegins(): void {
  inAction = true;
  actionBegan = performance.now();
}

/**
 * Returns whether something in an element, or its parent itself, changed since the action began, and
 * not on its own.
 */
function changedInAction(el: Element): boolean {
  const parent = flatParent(el);
  for (const { steady, last, target } of sites.values()) {
    const node = steady || last < actionBegan ? undefined : target.deref();
    const changed = node && (isElement(node) ? node : hostOf(node));
    if (changed && (changed === parent || flatContains(el, changed))) return true;
  }
  return false;
}

/** Notes that the page is captured: the effects of the last action are over. */
export function pageCaptured(): void {
  inAction = false;
  observeDocument();
}

/** Returns the longest pause after which a self-changing element still goes on as usual. */
const longestPause = ({ unprompted, unpromptedFirst, unpromptedLast }: ChangeSite): number =>
  (MAX_PACES * (unpromptedLast - unpromptedFirst)) / (unprompted - 1);

/** Returns whether a self-changing element goes on at its usual interval during an action. */
const keepsChanging = (site: ChangeSite, now: number): boolean =>
  site.unprompted >= MIN_REPEATS && now - site.unpromptedLast <= longestPause(site);

/**
 * Returns whether a change is background: its element changes on its own, or many of its kind do and
 * it changed before. Of values without an action, the first change is enough.
 */
const isSteady = (site: ChangeSite, now: number): boolean =>
  keepsChanging(site, now) ||
  (site.unprompted >= (site.value && !inAction ? 0 : MIN_REPEATS - 1) &&
    !site.grows &&
    isOfSteadyKind(site, now));

/** Returns whether many elements of a kind change on their own. */
const isOfSteadyKind = ({ family }: ChangeSite, now: number): boolean =>
  family.steady >= MIN_OF_KIND && now - family.last <= FORGET_AFTER;

/** Returns whether a node is in a component of which a value just changed on its own. */
function rendersValue(target: Node, now: number): boolean {
  let at: Node | null = target;
  for (let level = 0; at && level <= MAX_LEVELS; level++) {
    if (now - (valuesChanged.get(at) ?? -RENDERS_WITHIN) < RENDERS_WITHIN) return true;
    at = parentNode(at);
  }
  const host = hostOf(rootOf(target));
  return host !== null && now - (valuesChanged.get(host) ?? -RENDERS_WITHIN) < RENDERS_WITHIN;
}

/**
 * Returns whether an element was changing without an action, and goes on at its usual interval; or
 * whether a value of it changed, and many of its kind change on their own.
 */
export function changesOnItsOwn(node: Node): boolean {
  const key = nodeKeys.get(node);
  if (key === undefined) return false;
  const now = performance.now();
  for (const site of sites.values())
    if (site.target.deref() === node) {
      if (keepsChanging(site, now) || (site.value && isOfSteadyKind(site, now))) return true;
    }
  return false;
}

/** Returns the elements that change without an action, and still do. */
export function selfChanging(): object {
  const now = performance.now();
  const ids = new Set<number>();
  for (const site of sites.values()) {
    const { unprompted, unpromptedLast, kind } = site;
    if (unprompted < MIN_REPEATS || now - unpromptedLast > Math.max(RECENT, longestPause(site)))
      continue;
    const node = site.target.deref();
    const el = node && isElement(node) ? node : node && nodeType(node) === 11 ? hostOf(node) : null;
    if (!el || /^(html|body|main)$/.test(localName(el)) || !isConnected(el)) continue;
    const inner = descendants(el);
    if (inner <= (kind === "other" ? MAX_REDRAWN : kind.startsWith("@") ? 0 : MAX_SELF_CHANGING))
      ids.add(idOf(el));
  }
  if (!inAction) for (const el of redrawnCanvases()) ids.add(idOf(el));
  return { ids: [...ids] };
}

function tick(): void {
  const now = performance.now();
  checkForStall(now);
  if (now - calledAt > TICK_AFTER_CALL && !waiting) {
    ticking = false;
    return;
  }
  setTimeout(tick, TICK);
}

/**
 * Notes a busy main thread. In a hidden page the browser slows timers down; that does not count.
 */
function checkForStall(now: number): void {
  const ours = timeInSlices() - workAtTick;
  workAtTick += ours;
  if (now - lastTick - ours > TICK + MAX_DELAY && document.visibilityState !== "hidden") {
    stalledAt = now;
    stallReported = false;
    scheduleReport();
  }
  lastTick = now;
}

function noteMutations(records: MutationRecord[]): void {
  const now = performance.now();
  // While the document is parsed, everything changes, and no single change matters.
  if (readyState(document) === "loading") {
    parsedAt = now;
    parsedReported = false;
    return scheduleReport();
  }
  if (sites.size >= MAX_SITES)
    for (const [old, { reported }] of sites) if (reported) sites.delete(old);
  // bounded: one entry for each changed list
  const lists = new Map<Node, { added: number; removed: number; textOnly: boolean }>();
  for (const { type, target, attributeName, addedNodes, removedNodes } of records) {
    if (type === "attributes")
      noteChange(target, `@${attributeName}`, false, VALUES.test(attributeName ?? ""), now);
    else if (type === "characterData")
      noteChange(parentNode(target) ?? target, "text", false, true, now);
    else {
      const list = lists.get(target) ?? { added: 0, removed: 0, textOnly: true };
      list.textOnly &&= areTexts(addedNodes) && areTexts(removedNodes);
      list.added += countVisible(addedNodes);
      list.removed += countVisible(removedNodes);
      lists.set(target, list);
    }
  }
  for (const [target, { added, removed, textOnly }] of lists) {
    if (added + removed === 0) continue;
    const isPart =
      added + removed <= MAX_RENDERED &&
      rendersValue(target, now) &&
      descendants(target) <= MAX_REDRAWN;
    noteChange(
      target,
      removed === 0 ? "more" : added === 0 ? "less" : "other",
      removed === 0 && !isPart,
      isPart || (textOnly && added > 0 && removed > 0),
      now,
      isPart,
    );
  }
  scheduleReport();
}

function areTexts(list: NodeList): boolean {
  for (let i = 0; i < list.length; i++) if (nodeType(list[i] as Node) !== 3) return false;
  return true;
}

function countVisible(list: NodeList): number {
  let count = 0;
  for (let i = 0; i < list.length; i++) {
    const node = list[i] as Node;
    if (nodeType(node) === 3 || (isElement(node) && !UNSEEN.test(localName(node)))) count++;
  }
  return count;
}

/** Notes one change. `isPart`: of something that changes on its own. */
function noteChange(
  target: Node,
  kind: string,
  grows: boolean,
  value: boolean,
  now: number,
  isPart = false,
): void {
  let key = nodeKeys.get(target);
  if (key === undefined) nodeKeys.set(target, (key = ++nodeCount));
  const name = `${key}${kind}`;
  let site = sites.get(name);
  if (!site) {
    if (sites.size >= MAX_SITES * 2) return;
    site = {
      shape: ++shapeCount,
      label: labelOf(target),
      grows,
      value,
      count: 0,
      first: now,
      last: now,
      countedAt: 0,
      reported: true,
      steady: false,
      target: new WeakRef(target),
      kind,
      unprompted: 0,
      unpromptedFirst: 0,
      unpromptedLast: 0,
      family: familyOf(target, kind),
    };
    sites.set(name, site);
  }
  if (site.count === 0 || now - site.last > FORGET_AFTER) {
    site.count = 0;
    site.first = now;
  }
  if (site.count === 0 || now - site.countedAt >= DEBOUNCE) {
    site.count++;
    site.countedAt = now;
    [site.grows, site.value] = [grows, value];
    site.steady = isPart || isSteady(site, now);
    if (value && (site.steady || isOfSteadyKind(site, now))) valuesChanged.set(target, now);
    if (!inAction || site.steady) {
      if (site.unprompted++ === 0) site.unpromptedFirst = now;
      site.unpromptedLast = now;
      if (site.unprompted === MIN_REPEATS) site.family.steady++;
      if (site.unprompted >= MIN_REPEATS) site.family.last = now;
    }
  }
  site.last = now;
  site.reported = false;
}

/** Returns the family of changes like this one. */
function familyOf(target: Node, kind: string): SiteFamily {
  const parent = parentNode(target);
  const name = [
    kind,
    classOf(target),
    isElement(parent) ? classOf(parent) : "",
    hostTagOf(target),
  ].join(" ");
  let family = families.get(name);
  if (!family) {
    if (families.size >= MAX_SITES) families.clear();
    families.set(name, (family = { steady: 0, last: 0 }));
  }
  return family;
}

/** Returns the tag of the element whose shadow tree a node is in. */
function hostTagOf(node: Node): string {
  const host = hostOf(rootOf(node));
  return host ? localName(host) : "";
}

/** `ul#log`, `div.clock`. */
function labelOf(node: Node): string {
  const el = isElement(node) ? node : hostOf(node);
  if (!el) return "the document";
  const id = attr(el, "id");
  return (id ? `${localName(el)}#${id}` : classOf(el)).slice(0, 60);
}

/** Returns the tag of an element with its first class. */
function classOf(node: Node): string {
  const el = isElement(node) ? node : hostOf(node);
  const first = el ? (attr(el, "class") ?? "").trim().split(/\s+/)[0] : "";
  return el ? `${localName(el)}${first ? `.${first}` : ""}` : "";
}

const hasUnreported = (): boolean => {
  if (!parsedReported || !stallReported) return true;
  for (const site of sites.values()) if (!site.reported) return true;
  return false;
};

/** Returns everything that was not reported yet, and marks it as reported. */
function takeReport(now: number): object {
  const changes: object[] = [];
  if (!parsedReported)
    changes.push({
      shape: 0,
      label: "the document",
      grows: true,
      steady: false,
      count: 1,
      first: now - parsedAt,
      last: now - parsedAt,
    });
  for (const site of sites.values()) {
    if (site.reported) continue;
    const { shape, label, grows, value, steady, count } = site;
    const [first, last] = [now - site.first, now - site.last];
    changes.push({ shape, label, grows, value, steady, count, first, last });
    site.reported = true;
  }
  const stalled = stallReported ? null : now - stalledAt;
  parsedReported = stallReported = true;
  reportedAt = now;
  return { changes, stalled };
}

function scheduleReport(): void {
  if (!waiting || reportTimer !== undefined) return;
  const left = MIN_REPORT_INTERVAL - (performance.now() - reportedAt);
  reportTimer = setTimeout(deliver, Math.max(0, left));
}

function deliver(): void {
  reportTimer = undefined;
  const answer = waiting;
  if (!answer || !hasUnreported()) return;
  waiting = null;
  answer(takeReport(performance.now()));
}

/**
 * Waits for the next change, at most `limit` milliseconds. A pending earlier call ends now.
 * `fresh`: changes that did not repeat often are forgotten first, because an action begins.
 * `addressee`: the document that the call is meant for, counted by the caller.
 */
export function nextChange(limit: number, fresh = false, addressee = 0): Promise<object> {
  // Firefox repeats a call in the next document if its own goes away. Nobody waits for the answer.
  if (addressee < meantFor) return Promise.resolve({ changes: [], stalled: null });
  if (addressee === meantFor + 1 && meantFor > 0) reportAgain();
  meantFor = addressee;
  startTicking();
  if (fresh) {
    actionBegins();
    forgetSites(performance.now());
  }
  waiting?.({ changes: [], stalled: null });
  if (!fresh) void restProof().then(reportRest);
  return new Promise((done) => {
    const late = setTimeout(() => {
      if (waiting === answer) waiting = null;
      answer({ changes: [], stalled: null });
    }, limit);
    const answer = (what: object): void => {
      clearTimeout(late);
      calledAt = performance.now();
      done(what);
    };
    waiting = answer;
    if (hasUnreported()) scheduleReport();
  });
}

/** Forgets what was reported: the call before was meant for the document before this one. */
function reportAgain(): void {
  for (const site of sites.values()) site.reported = false;
  parsedReported = parsedAt < 0;
  restReported = false;
}

/** Reports once that the document is proven to be at rest, with all changes before that. */
function reportRest(proven: boolean): void {
  const answer = waiting;
  if (!proven || restReported || !answer) return;
  restReported = true;
  waiting = null;
  answer({ ...takeReport(performance.now()), atRest: true });
}

function forgetSites(now: number): void {
  for (const site of sites.values()) {
    if (site.count >= MIN_REPEATS_TO_KEEP && now - site.last <= FORGET_AFTER) continue;
    // For the waiting caller it is a new site; its self-changing history is kept.
    site.count = 0;
    site.shape = ++shapeCount;
    site.reported = true;
  }
}

/** Returns how long the running transitions will take; 0 if there are none. */
const transitionTime = (): number => remainingTransitionTime(roots, changesOnItsOwn);

/** Returns whether an action is under way and transitions run. */
export const isActionMoving = (): boolean => inAction && transitionTime() > 0;

/**
 * Returns everything up to now, and the sign that the page is still loading; with the schedule, if
 * asked, after everything that is due has run.
 */
export async function activityNow(withSchedule = false): Promise<object> {
  startTicking();
  const [refused, schedule] = await Promise.all([
    deniedPermissions(),
    withSchedule ? scheduleNow(roots) : null,
  ]);
  const now = performance.now();
  checkForStall(now);
  const sign = findLoadingSign(
    inAction ? { began: actionBegan, isTouched: changedInAction } : null,
  );
  return {
    ...takeReport(now),
    loading: sign?.label ?? loadingPart(),
    aside: sign?.isAside ?? false,
    moving: transitionTime(),
    denied: refused,
    schedule,
  };
}
