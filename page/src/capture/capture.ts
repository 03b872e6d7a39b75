// One capture of the page: walk, occlusion and wire format, in slices of the main thread. A change
// between two slices makes the capture start again, at most twice; after that, nodes that are still
// changing are marked in the answer. `plain` does the same at once and without shortcuts: the
// reference for tests.

import { flatParent, hostOf, isElement, readyState } from "../dom/dom";
import { SliceRun, WorkLimit, whenIdle, yieldToPage } from "../dom/timeSlices";
import { ReadCache } from "../semantics/readCache";
import { type CachedAnswer, type CaptureKind, keepAnswer, takeAnswer } from "./answerCache";
import { FullOcclusion } from "./fullOcclusion";
import { MutationLog } from "./mutationLog";
import { Occlusion } from "./occlusion";
import { Patch, patchBase } from "./patch";
import { Reading, UPDATE_SHARE } from "./reading";
import { hideSpreadSecrets } from "./spreadSecrets";
import { UnobservedState } from "./unobservedState";
import { Walker } from "./walker";
import type { WalkResult } from "./walkOutput";
import { WireEncoder } from "./wireFormat";

export interface CaptureOptions {
  full: boolean;
  scope: string | undefined;
  /** At once, without shortcuts. */
  plain: boolean;
  /**
   * In milliseconds. After half of it only elements near the viewport are walked, after four fifths
   * none. A small page is walked longer: its limit says more about the machine than about the page.
   */
  limit: number;
  slice: number;
  /** Shadow roots are entered. */
  pierce: boolean;
  /** The key of the last answer: if nothing changed since, it need not be sent again. */
  known: string | null;
  /** A patch that is longer than this share of the whole is not sent. */
  share: number;
}

/** The share of the limit for an update of the last answer. It comes before a walk with all of it. */
const UPDATE_LIMIT = 0.3;
/** How often a capture starts again because the page changed in a way that cannot be followed. */
const MAX_RETRIES = 2;
/** How often what changed during a capture is walked again. */
const MAX_UPDATES = 3;
/** An update that takes at most so many milliseconds is not interrupted. */
const MAX_AT_ONCE = 40;
/** The share of the limit after which it does not start again. */
const LAST_TRY_SHARE = 0.3;
const MAX_CHANGING = 50;
const FOREVER = Number.POSITIVE_INFINITY;

export async function capture(wanted: CaptureOptions): Promise<string> {
  if (wanted.plain) return captureAtOnce(wanted);
  const cached =
    wanted.known === null || !isCacheable(wanted) ? null : takeAnswer(kindOf(wanted), wanted.known);
  // If an update fails for any reason, the whole page can be walked, and has the time for it.
  const updateLimit = new WorkLimit(wanted.limit * UPDATE_LIMIT);
  const known = cached && (await updateAnswer(cached, wanted, updateLimit).catch(() => null));
  if (known) return known;
  cached?.reading.mutations.end();
  const limit = new WorkLimit(wanted.limit);
  const mutations = new MutationLog();
  let text: string | null = null;
  try {
    for (let tries = 0; text === null; tries++) {
      const last = tries >= MAX_RETRIES || limit.isPast(LAST_TRY_SHARE);
      text = await captureOnce(wanted, limit, mutations, last);
      // A page that just changed may change again at once, so it gets a moment.
      if (text === null) await yieldToPage();
    }
    return text;
  } finally {
    if (!mutations.onOverflow) mutations.end();
  }
}

/** Returns whether a later capture may ask for changes since this one. */
const isCacheable = ({ scope, pierce }: CaptureOptions): boolean => scope === undefined && pierce;

const kindOf = ({ full }: CaptureOptions): CaptureKind => (full ? "full" : "plain");

/**
 * Identifies this world: a world that inherited a document has not sent the old world's answers.
 */
const worldToken = Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) =>
  n.toString(36),
).join("");
let answerCount = 0;
const nextKey = (): string => `${worldToken}.${++answerCount}`;

/** Slices of the main thread, and whether the page ran between them. */
class CaptureSlices extends SliceRun {
  paused = false;

  /** Whether it makes pauses at all, as far as that is decided by the clock. */
  readonly isSliced: boolean;

  /** `goesOn`: whether the capture continues after a pause. */
  constructor(length: number, limit: WorkLimit, goesOn: () => boolean) {
    super(length, limit, () => {
      this.paused = true;
      return goesOn();
    });
    this.isSliced = length > 0 && length < FOREVER;
  }
}

/**
 * Updates a cached answer: reuses the parts that still hold, and walks the rest. Resolves to null
 * if the whole page has to be walked. Some answers hold as a whole or not at all: full ones, which are
 * asked for less often, and those in which any change may change anything.
 */
async function updateAnswer(
  { key: last, reading: before, base }: CachedAnswer,
  { full, slice, share }: CaptureOptions,
  limit: WorkLimit,
): Promise<string | null> {
  const { mutations } = before;
  const { moveCount } = mutations;
  const slices = new CaptureSlices(slice, limit, () => {
    mutations.isUnchanged();
    return mutations.moveCount === moveCount;
  });
  if (slices.isSliced && before.cost < slices.fairLength) slices.holdOn();
  const changes = await before.changes(slices);
  if (!changes) return null;
  const canBeUpdated = base !== null && before.canBeUpdated;
  if (!canBeUpdated && changes.anyChange) return null;
  if (!(await slices.run(changes.boxes))) return null;
  if (!changes.anyChange && changes.boxes.moved === 0) {
    if (!(await before.isCurrent(slices.paused, slices))) return null;
    keepAnswer(full ? "full" : "plain", { key: last, reading: before, base });
    return JSON.stringify({ same: last });
  }
  if (!canBeUpdated || !base) return null;
  const first = await before.update(changes, slices, limit);
  const reading = first && (await catchUp(first, slices, limit));
  if (!reading) return null;
  const key = nextKey();
  const { walked, covers, plan } = reading;
  const targets = [...mutations.targets];
  const spread = hideSpreadSecrets(walked.nodes);
  const patch = new Patch(walked, plan, covers, base);
  if (!spread && !(await slices.run(patch))) return null;
  const made = spread ? null : patch.text(key, share);
  const more = (sent: Map<Element, number>): object => ({ ...changingNodes(targets, sent), key });
  const whole = made ? null : new WireEncoder(walked, covers, undefined, more);
  if (whole && !(await slices.run(whole))) return null;
  const text = made?.text ?? (whole as WireEncoder).text();
  reading.cost = Math.min(reading.cost, slices.worked);
  reading.release();
  keepAnswer("plain", {
    key,
    reading,
    base:
      made?.base ??
      (spread ? null : patchBase(key, whole as WireEncoder, walked.nodes, text.length)),
  });
  return text;
}

/**
 * Tests what covers what, and follows a page that changed while it was read: walks what changed
 * until nothing did. An update that takes little time is not interrupted, or a page that changes all
 * the time would never be read as it is. Resolves to null if that is not possible.
 */
async function catchUp(
  first: Reading,
  slices: CaptureSlices,
  limit: WorkLimit,
): Promise<Reading | null> {
  let reading = first;
  if (!(await reading.testCovers(slices, limit))) return null;
  for (let updates = 0; updates < MAX_UPDATES && !limit.isPast(UPDATE_SHARE); updates++) {
    if (await reading.isCurrent(slices.paused, slices)) break;
    const before = slices.worked;
    const atOnce = slices.isSliced && reading.cost < Math.max(MAX_AT_ONCE, slices.fairLength);
    if (atOnce) slices.holdOn();
    slices.paused = false;
    const changes = await reading.changes(slices);
    const next = changes && (await reading.update(changes, slices, limit));
    if (!next || !(await next.testCovers(slices, limit))) return null;
    if (atOnce) slices.letGo();
    reading = next;
    reading.cost = slices.worked - before;
  }
  return reading;
}

/** One try to capture the page; null if the page changed and another try is left. */
async function captureOnce(
  wanted: CaptureOptions,
  limit: WorkLimit,
  mutations: MutationLog,
  last: boolean,
): Promise<string | null> {
  mutations.begin();
  const state = isCacheable(wanted) ? new UnobservedState() : null;
  const cache = new ReadCache();
  cache.effects.readRules();
  const { full } = wanted;
  const walker = new Walker(cache, full, limit, 0.5, 0.8);
  walker.state.pierce = wanted.pierce;
  walker.state.onShadowRoot = (root) => {
    mutations.watch(root);
    state?.addRoot(root);
  };
  const mayFollow = state !== null && !full;
  const { moveCount } = mutations;
  // Boxes of two scroll positions are never mixed: a page that keeps scrolling is captured at once.
  const slice = last && moveCount > 0 ? FOREVER : wanted.slice;
  const slices = new CaptureSlices(slice, limit, () => {
    if (mutations.isUnchanged()) return true;
    const goesOn = last || (mayFollow && mutations.moveCount === moveCount);
    if (goesOn) walker.pageChanged();
    return goesOn;
  });
  if (!(await slices.run(walker))) return null;
  const walked = walker.result();
  const first = new Reading(cache, walked, mutations, state, walked.roots);
  const follows = mayFollow && !last && first.canBeUpdated;
  const reading = follows ? await catchUp(first, slices, limit) : first;
  if (!reading) return null;
  if (!follows && !(await reading.testCovers(slices, limit))) return null;
  if (full && !(await reading.testFullOcclusion(slices, limit))) return null;
  const key = nextKey();
  const { walked: result, covers } = reading;
  // What changes from here on is not part of the answer.
  const targets = follows ? [...mutations.targets] : mutations.targets;
  const more = (sent: Map<Element, number>): object => ({
    ...leftOut(result),
    ...changingNodes(targets, sent),
    key,
  });
  const spread = hideSpreadSecrets(result.nodes);
  const encoding = new WireEncoder(result, covers, wanted.scope, more);
  if (!(await slices.run(encoding))) return null;
  // State that a script sets between two slices may cause no mutation.
  const still = follows || (await reading.isCurrent(slices.paused, slices));
  if (!still && !last) return null;
  walker.state.canvases.remember(true);
  const text = encoding.text();
  reading.release();
  if (still && reading.isReusable && !result.truncated)
    keepAnswer(kindOf(wanted), {
      key,
      reading,
      base: full || spread ? null : patchBase(key, encoding, result.nodes, text.length),
    });
  return text;
}

/** Returns how many elements are missing in the answer, if any are. */
const leftOut = ({ left, faults }: WalkResult): object =>
  left + faults > 0 ? { left: left + faults } : {};

/** Returns the nodes that contain changes made during the capture. */
function changingNodes(targets: Iterable<Node>, sent: Map<Element, number>): object {
  const nodes = new Set<number>();
  for (const target of targets) {
    let at = isElement(target) ? target : (hostOf(target) ?? flatParent(target));
    while (at && !sent.has(at)) at = flatParent(at);
    if (nodes.size < MAX_CHANGING) nodes.add(at ? (sent.get(at) as number) : 0);
  }
  return nodes.size > 0 ? { changing: [...nodes].sort((a, b) => a - b) } : {};
}

function captureAtOnce({ full, scope, pierce }: CaptureOptions): string {
  const cache = new ReadCache();
  const walker = new Walker(cache, full);
  walker.state.pierce = pierce;
  walker.go(FOREVER);
  const walked = walker.result();
  const occlusion = new Occlusion(cache, walked);
  occlusion.go(FOREVER);
  if (full) new FullOcclusion(cache, walked, occlusion.found).go(FOREVER);
  hideSpreadSecrets(walked.nodes);
  const encoding = new WireEncoder(walked, occlusion.found, scope, () => leftOut(walked));
  encoding.go(FOREVER);
  return encoding.text();
}

/**
 * Walks a part of the page when idle, and drops the result: the engine compiles functions that run
 * often, so that the first capture is fast. A few milliseconds at a time, once per document.
 */
export async function warmUp(): Promise<void> {
  if (readyState(document) !== "complete")
    await new Promise((done) => addEventListener("load", done, { once: true }));
  await whenIdle();
  const cache = new ReadCache();
  cache.effects.readRules();
  const walker = new Walker(cache, false);
  for (let turn = 0; turn < WARM_TURNS && !walker.go(performance.now() + WARM_SLICE); turn++) {
    await whenIdle();
    if (answerCount > 0) return;
    walker.pageChanged();
  }
  walker.finish();
  const walked = walker.result();
  const occlusion = new Occlusion(cache, walked);
  const encoding = new WireEncoder(walked, occlusion.found, undefined, () => ({}));
  for (const work of [occlusion, encoding]) {
    for (let turn = 0; turn < WARM_TURNS && !work.go(performance.now() + WARM_SLICE); turn++) {
      await whenIdle();
      if (answerCount > 0) return;
    }
  }
}
const WARM_TURNS = 8;
const WARM_SLICE = 5;
