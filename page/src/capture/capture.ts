// One capture of the page: walk, occlusion and wire format, in slices of the main thread. A change
// between two slices makes the capture start again, at most twice; after that, nodes that are still
// changing are marked in the answer. `plain` does the same at once and without shortcuts: the
// reference for tests.

import { flatParent, hostOf, isElement, readyState } from "../dom/dom";
import { SliceRun, whenIdle, yieldToPage } from "../dom/timeSlices";
import { ReadCache } from "../semantics/readCache";
import { secretsVersion } from "../semantics/secrets";
import { CachedAnswer, type CaptureKind, cachedAnswer } from "./answerCache";
import { FullOcclusion } from "./fullOcclusion";
import { MutationLog } from "./mutationLog";
import { Occlusion } from "./occlusion";
import { Patch, patchBase } from "./patch";
import { ReusePlan } from "./reusePlan";
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
   * none.
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

/** How often a capture starts again because the page changed. */
const MAX_RETRIES = 2;
const MAX_CHANGING = 50;
const FOREVER = Number.POSITIVE_INFINITY;

export async function capture(wanted: CaptureOptions): Promise<string> {
  if (wanted.plain) return captureAtOnce(wanted);
  const began = performance.now();
  const cached =
    wanted.known === null || !isCacheable(wanted)
      ? null
      : cachedAnswer(kindOf(wanted), wanted.known);
  // If an update fails for any reason, the whole page can be walked.
  const known = cached && (await updateAnswer(cached, wanted, began).catch(() => null));
  if (known) return known;
  cached?.mutations.end();
  const mutations = new MutationLog();
  let text: string | null = null;
  try {
    for (let tries = 0; text === null; tries++) {
      text = await captureOnce(
        wanted,
        began,
        mutations,
        tries >= MAX_RETRIES || performance.now() - began > wanted.limit / 3,
      );
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

/**
 * Updates a cached answer: reuses the parts that still hold, and walks the rest. Resolves to null
 * if the whole page has to be walked. Some answers hold as a whole or not at all: full ones, which are
 * asked for less often, and those in which any change may change anything.
 */
async function updateAnswer(
  cached: CachedAnswer,
  { slice, share, limit }: CaptureOptions,
  began: number,
): Promise<string | null> {
  const { mutations, plan, base, key: last } = cached;
  const changes = cached.changes();
  if (!changes) return null;
  const { boxes, state, roots, anyChange } = changes;
  if (!cached.canBeUpdated && anyChange) return null;
  let paused = false;
  const resumed = (): boolean => {
    paused = true;
    return mutations.isUnchanged();
  };
  const slices = new SliceRun(slice, resumed);
  const still = (): boolean =>
    mutations.isUnchanged() && (!paused || state.equals(UnobservedState.read(roots)));
  if (!(await slices.run(boxes)) || boxes.isUncertain) return null;
  if (!anyChange && boxes.moved === 0) {
    if (!still()) return null;
    cached.keep();
    return JSON.stringify({ same: last });
  }
  if (!cached.canBeUpdated || !base) return null;
  const cache = new ReadCache(plan.effects);
  const secrets = secretsVersion();
  const walker = new Walker(cache, false, began + limit * 0.3, began + limit * 0.3, plan);
  const known = new Set(roots);
  walker.state.onShadowRoot = (root) => {
    if (known.has(root)) return;
    known.add(root);
    roots.push(root);
    mutations.watch(root);
    state.addRoot(root);
  };
  if (!(await slices.run(walker)) || !plan.handDown(cache)) return null;
  const walked = walker.result();
  if (walked.truncated || walked.faults > 0) return null;
  const found = new ReusePlan(cache, walked);
  found.inherit(plan);
  const occlusion = new Occlusion(cache, walked);
  if (!(await slices.run(occlusion))) return null;
  const key = nextKey();
  const patch = new Patch(walked, found, occlusion.found, base);
  if (!(await slices.run(patch))) return null;
  const made = patch.text(key, share);
  const whole = made ? null : new WireEncoder(walked, occlusion.found, undefined, () => ({ key }));
  if (whole && !(await slices.run(whole))) return null;
  if (!still() || !state.isComplete || secretsVersion() !== secrets) return null;
  walker.state.canvases.remember(false);
  const text = made?.text ?? (whole as WireEncoder).text();
  new CachedAnswer(
    "plain",
    key,
    mutations,
    state,
    roots,
    found,
    made?.base ?? patchBase(key, whole as WireEncoder, walked.nodes, text.length),
  ).keep();
  return text;
}

/** One try to capture the page; null if the page changed and another try is left. */
async function captureOnce(
  wanted: CaptureOptions,
  began: number,
  mutations: MutationLog,
  last: boolean,
): Promise<string | null> {
  mutations.begin();
  const state = isCacheable(wanted) ? new UnobservedState() : null;
  const cache = new ReadCache();
  cache.effects.readRules();
  const walker = new Walker(
    cache,
    wanted.full,
    began + wanted.limit * 0.5,
    began + wanted.limit * 0.8,
  );
  walker.state.pierce = wanted.pierce;
  walker.state.onShadowRoot = (root) => {
    mutations.watch(root);
    state?.addRoot(root);
  };
  let paused = false;
  const resumed = (): boolean => {
    paused = true;
    if (mutations.isUnchanged()) return true;
    if (last) walker.pageChanged();
    return last;
  };
  // Boxes of two scroll positions are never mixed: a page that keeps scrolling is captured at once.
  const slice = last && mutations.moveCount > 0 ? FOREVER : wanted.slice;
  const slices = new SliceRun(slice, resumed);
  if (!(await slices.run(walker))) return null;
  const walked = walker.result();
  const plan = new ReusePlan(cache, walked);
  const occlusion = new Occlusion(cache, walked, began + wanted.limit * 0.9);
  if (!(await slices.run(occlusion))) return null;
  if (
    wanted.full &&
    !(await slices.run(
      new FullOcclusion(cache, walked, occlusion.found, began + wanted.limit * 0.9),
    ))
  )
    return null;
  const key = nextKey();
  const more = (sent: Map<Element, number>): object => ({
    ...leftOut(walked),
    ...changingNodes(mutations, sent),
    key,
  });
  const encoding = new WireEncoder(walked, occlusion.found, wanted.scope, more);
  if (!(await slices.run(encoding))) return null;
  // State that a script sets between two slices may cause no mutation.
  const still =
    mutations.isUnchanged() &&
    (!paused || !state?.isComplete || state.equals(UnobservedState.read(walked.roots)));
  if (!still && !last) return null;
  walker.state.canvases.remember(true);
  const text = encoding.text();
  if (still && state?.isComplete && !walked.truncated && walked.faults === 0)
    new CachedAnswer(
      kindOf(wanted),
      key,
      mutations,
      state,
      walked.roots,
      plan,
      wanted.full ? null : patchBase(key, encoding, walked.nodes, text.length),
    ).keep();
  return text;
}

/** Returns how many elements are missing in the answer, if any are. */
const leftOut = ({ left, faults }: WalkResult): object =>
  left + faults > 0 ? { left: left + faults } : {};

/** Returns the nodes that contain changes made during the capture. */
function changingNodes(mutations: MutationLog, sent: Map<Element, number>): object {
  const nodes = new Set<number>();
  for (const target of mutations.targets) {
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
