// One reading of the page: its records, and everything that an update of them depends on: the
// mutations since, the unobserved state, the shadow roots, and every box in its place. An update
// walks what changed and keeps the rest. Reads only.

import { hostOf, isConnected, parentNode, rootOf, shadowRoots } from "../dom/dom";
import type { SliceRun, WorkLimit } from "../dom/timeSlices";
import { ReadCache } from "../semantics/readCache";
import { secretsVersion } from "../semantics/secrets";
import { BoxTracker, borrowedBoxes, scrollStates } from "./boxTracker";
import { ChangedAreas } from "./changedAreas";
import { FullOcclusion } from "./fullOcclusion";
import type { MutationLog } from "./mutationLog";
import { type HitTests, Occlusion } from "./occlusion";
import { ReusePlan } from "./reusePlan";
import { UnobservedState } from "./unobservedState";
import { Walker } from "./walker";
import type { WalkResult } from "./walkOutput";

/** The share of the limit after which an update is given up. */
export const UPDATE_SHARE = 0.3;

export class Reading {
  /** The covered elements, each with its cover. */
  covers: Map<Element, Element> = new Map();
  /** How many milliseconds the update took that made it. */
  cost = Number.POSITIVE_INFINITY;
  /** The hit tests, and the areas that changed since; null before the first ones. */
  private tested: HitTests | null = null;
  private areas = new ChangedAreas();
  readonly plan: ReusePlan;
  private readonly scrollStates: ReturnType<typeof scrollStates>;
  private readonly borrowedBoxes: Map<Element, DOMRect>;
  private readonly secrets = secretsVersion();

  /**
   * `state` was read first, for each root (null: it cannot be reused); `roots` are in the order in
   * which they were entered. To be created when the walk is done, before further names are computed.
   */
  constructor(
    private cache: ReadCache,
    readonly walked: WalkResult,
    readonly mutations: MutationLog,
    private readonly state: UnobservedState | null,
    private readonly roots: readonly ShadowRoot[],
  ) {
    this.plan = new ReusePlan(cache, walked);
    const { plan } = this;
    this.scrollStates = scrollStates(plan.nodes);
    this.borrowedBoxes = borrowedBoxes(plan.nodes);
  }

  /** Whether an update is possible; otherwise it holds as a whole or not at all. */
  get canBeUpdated(): boolean {
    return this.isReusable && this.plan.canBeUpdated;
  }

  /** Whether a later capture may use it. */
  get isReusable(): boolean {
    const { plan, state, walked } = this;
    return plan.isUsable && state?.isComplete === true && walked.faults === 0;
  }

  /** Resolves to whether the page is still as it was read. `paused`: scripts ran meanwhile. */
  async isCurrent(paused: boolean, slices: SliceRun): Promise<boolean> {
    const { state, mutations } = this;
    if (!mutations.isUnchanged() || secretsVersion() !== this.secrets) return false;
    if (!paused || !state?.isComplete) return true;
    const reader = UnobservedState.reader(this.roots, state);
    return (await slices.run(reader)) && state.equals(reader.state) && mutations.isUnchanged();
  }

  /** Resolves to what changed since; null if that cannot be found out. */
  async changes(slices: SliceRun): Promise<Changes | null> {
    const { state: before, plan } = this;
    const records = this.mutations.takeRecords();
    if (!records || !before || !plan.isUsable) return null;
    if (!this.canBeUpdated && records.length > 0) return null;
    const known = new Set(this.roots);
    const unknown = shadowRoots(document).filter((root) => !known.has(root));
    if (!cameWithHosts(unknown, records)) return null;
    const reader = UnobservedState.reader(this.roots, before);
    if (!(await slices.run(reader)) || !plan.update(records, before, reader.state)) return null;
    const now = reader.state;
    const roots = this.roots.filter((root) => isConnected(hostOf(root) ?? root));
    const state = roots.length === this.roots.length ? now : UnobservedState.read(roots, now);
    return {
      boxes: new BoxTracker(plan, this.scrollStates, this.borrowedBoxes, this.areas),
      state,
      roots,
      anyChange: records.length > 0 || now.animated.size > 0 || !before.equals(now),
    };
  }

  /**
   * Walks what changed. Resolves to the new reading, or to null if the whole page has to be walked;
   * this one cannot be used after that.
   */
  async update(
    { boxes, state, roots }: Changes,
    slices: SliceRun,
    limit: WorkLimit,
  ): Promise<Reading | null> {
    const { mutations, plan, areas } = this;
    if (!(await slices.run(boxes))) return null;
    plan.addAreas(areas, plan);
    for (const el of state.animated) plan.effects.animations(rootOf(el) as ShadowRoot);
    const cache = new ReadCache(plan.effects);
    const walker = new Walker(cache, false, limit, UPDATE_SHARE, UPDATE_SHARE, plan);
    const known = new Set(roots);
    walker.state.onShadowRoot = (root) => {
      if (known.has(root)) return;
      known.add(root);
      roots.push(root);
      mutations.watch(root);
      state.addRoot(root);
    };
    const walking = {
      go(until: number): boolean {
        if (!mutations.isUnchanged()) walker.pageChanged(mutations.targets);
        return walker.go(until);
      },
    };
    if (!(await slices.run(walking)) || !plan.handDown(cache)) return null;
    const walked = walker.result();
    if (walked.truncated || walked.faults > 0 || !state.isComplete) return null;
    const found = new Reading(cache, walked, mutations, state, roots);
    found.plan.inherit(plan);
    plan.addAreas(areas, found.plan);
    walker.state.canvases.remember(false);
    found.tested = this.tested;
    found.areas = areas;
    return found;
  }

  /** Tests what covers what: everything, or what changed since the last time. */
  async testCovers(slices: SliceRun, limit: WorkLimit): Promise<boolean> {
    const occlusion = new Occlusion(this.cache, this.walked, limit, this.tested, this.areas);
    this.areas = new ChangedAreas();
    if (!(await slices.run(occlusion))) return false;
    this.covers = occlusion.found;
    this.tested = occlusion.tests;
    return true;
  }

  /** Finds what lies under something opaque, for a full answer. */
  testFullOcclusion(slices: SliceRun, limit: WorkLimit): Promise<boolean> {
    return slices.run(new FullOcclusion(this.cache, this.walked, this.covers, limit));
  }

  /** Drops what only the capture needed. */
  release(): void {
    this.cache = new ReadCache(this.plan.effects);
  }
}

export interface Changes {
  boxes: BoxTracker;
  /** The state that was read first, and of which roots. */
  state: UnobservedState;
  roots: ShadowRoot[];
  /** Something changed, visible or not. */
  anyChange: boolean;
}

/**
 * Returns whether roots were added together with their hosts, not attached to existing elements.
 * Each ancestor is looked at once, however many roots there are.
 */
function cameWithHosts(roots: readonly ShadowRoot[], records: readonly MutationRecord[]): boolean {
  if (roots.length === 0) return true;
  const added = new Set<Node>();
  for (const { addedNodes } of records) for (const node of addedNodes) added.add(node);
  /** Nodes that were added, or are inside of one that was. */
  const inside = new Set<Node>();
  return roots.every((root) => {
    const path: Node[] = [];
    for (let at: Node | null = hostOf(root); at; at = parentNode(at) ?? hostOf(at)) {
      path.push(at);
      if (!added.has(at) && !inside.has(at)) continue;
      for (const node of path) inside.add(node);
      return true;
    }
    return false;
  });
}
