// Caches the last answer of each kind (plain, full) with everything that it depends on: no mutation
// since, the same unobserved state, the same shadow roots, and every box in its place. While these
// hold, the next capture need not walk the page, or not all of it. Too many changes, or a change
// after a long time, drop the answer and its observer. Reads only.

import { hostOf, isConnected, parentNode, shadowRoots } from "../dom/dom";
import { BoxTracker, borrowedBoxes, scrollStates } from "./boxTracker";
import type { MutationLog } from "./mutationLog";
import type { PatchBase } from "./patch";
import type { ReusePlan } from "./reusePlan";
import { UnobservedState } from "./unobservedState";

/** The kinds of captures. A full one says more, so that neither can answer for the other. */
export type CaptureKind = "plain" | "full";

const last: Record<CaptureKind, CachedAnswer | null> = { plain: null, full: null };

/** Returns the cached answer with this key, if it may still hold. */
export const cachedAnswer = (kind: CaptureKind, key: string): CachedAnswer | null =>
  last[kind]?.key === key ? last[kind] : null;

export function dropAnswer(kind: CaptureKind): void {
  last[kind]?.mutations.end();
  last[kind] = null;
}

export class CachedAnswer {
  private readonly scrollStates: ReturnType<typeof scrollStates>;
  private readonly borrowedBoxes: Map<Element, DOMRect>;

  /**
   * `state` was read first, for each root; `roots` are in the order in which they were entered;
   * `base` describes the answer that was sent, for a patch; null if it is never patched.
   */
  constructor(
    private readonly kind: CaptureKind,
    readonly key: string,
    readonly mutations: MutationLog,
    readonly state: UnobservedState,
    private readonly roots: readonly ShadowRoot[],
    readonly plan: ReusePlan,
    readonly base: PatchBase | null,
  ) {
    this.scrollStates = scrollStates(plan.nodes);
    this.borrowedBoxes = borrowedBoxes(plan.nodes);
  }

  /** Makes this the cached answer. */
  keep(): void {
    const { kind } = this;
    if (last[kind]?.mutations !== this.mutations) dropAnswer(kind);
    last[kind] = this;
    this.mutations.onOverflow = () => dropAnswer(kind);
  }

  /** Whether parts of it can be reused; otherwise it holds as a whole or not at all. */
  get canBeUpdated(): boolean {
    return this.base !== null && this.plan.canBeUpdated;
  }

  /**
   * Returns what changed since; null if that cannot be found out. After this the answer is no
   * longer cached.
   */
  changes(): Changes | null {
    if (last[this.kind] === this) last[this.kind] = null;
    const records = this.mutations.takeRecords();
    if (!records || !this.plan.isUsable) return null;
    if (!this.canBeUpdated && records.length > 0) return null;
    const known = new Set(this.roots);
    const unknown = shadowRoots(document).filter((root) => !known.has(root));
    if (!cameWithHosts(unknown, records)) return null;
    const now = UnobservedState.read(this.roots);
    if (!this.plan.update(records, this.state, now)) return null;
    const roots = this.roots.filter((root) => isConnected(hostOf(root) ?? root));
    const state = roots.length === this.roots.length ? now : UnobservedState.read(roots);
    return {
      boxes: new BoxTracker(this.plan, this.scrollStates, this.borrowedBoxes),
      state,
      roots,
      anyChange: records.length > 0 || !this.state.equals(now),
    };
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
