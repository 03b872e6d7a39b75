// Caches the last answer with everything that it depends on: no mutation since, the same unobserved
// state, the same shadow roots, and every box in its place. While these hold, the next capture need
// not walk the page, or not all of it. Too many changes, or a change after a long time, drop the
// answer and its observer. Reads only.

import { isConnected, rootOf, shadowRoots } from "../dom/dom";
import { BoxTracker, borrowedBoxes, scrollStates } from "./boxTracker";
import type { MutationLog } from "./mutationLog";
import type { PatchBase } from "./patch";
import type { ReusePlan } from "./reusePlan";
import { UnobservedState } from "./unobservedState";

let last: CachedAnswer | null = null;

/** Returns the cached answer with this key, if it may still hold. */
export const cachedAnswer = (key: string): CachedAnswer | null => (last?.key === key ? last : null);

export function dropAnswer(): void {
  last?.mutations.end();
  last = null;
}

export class CachedAnswer {
  private readonly scrollStates: ReturnType<typeof scrollStates>;
  private readonly borrowedBoxes: Map<Element, DOMRect>;

  /**
   * `state` was read first, for each root; `roots` are in the order in which they were entered;
   * `base` describes the answer that was sent.
   */
  constructor(
    readonly key: string,
    readonly mutations: MutationLog,
    readonly state: UnobservedState,
    private readonly roots: readonly ShadowRoot[],
    readonly plan: ReusePlan,
    readonly base: PatchBase,
  ) {
    this.scrollStates = scrollStates(plan.nodes);
    this.borrowedBoxes = borrowedBoxes(plan.nodes);
  }

  /** Makes this the cached answer. */
  keep(): void {
    if (last?.mutations !== this.mutations) dropAnswer();
    last = this;
    this.mutations.onOverflow = dropAnswer;
  }

  /**
   * Returns what changed since; null if that cannot be found out. After this the answer is no
   * longer cached.
   */
  changes(): Changes | null {
    if (last === this) last = null;
    const records = this.mutations.takeRecords();
    if (!records || !this.plan.isUsable) return null;
    const known = new Set(this.roots);
    if (!shadowRoots(document).every((root) => known.has(root) || cameWithHost(root, records)))
      return null;
    const now = UnobservedState.read(this.roots);
    if (!this.plan.update(records, this.state, now)) return null;
    const roots = this.roots.filter((root) => isConnected(root.host));
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

/** Returns whether a root was added together with its host, not attached to an existing element. */
function cameWithHost(root: ShadowRoot, records: readonly MutationRecord[]): boolean {
  for (let host: Element | undefined = root.host; host; host = (rootOf(host) as ShadowRoot).host) {
    for (const { addedNodes } of records)
      for (const node of addedNodes) if (node.contains(host)) return true;
  }
  return false;
}
