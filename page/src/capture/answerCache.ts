// What an answer rests on, kept so that the next look need not be taken, or not as a whole: no
// mutation since, the same facts (state.ts), the same shadow roots, and every box where it was.
// Only the last plain answer is kept; too many changes end it, and with it the observer, and so
// does a change after a long time. Reads only.

import { connected, rootOf, shadowRoots } from "../dom/dom";
import { Boxes, lentBoxes, roomsOf } from "./boxTracker";
import type { Stir } from "./mutationLog";
import type { Base } from "./patch";
import type { Kept } from "./reusePlan";
import { Facts } from "./unobservedState";

let last: Witness | null = null;

/** The witness of the answer with this key, if it still may hold. */
export const witnessOf = (key: string): Witness | null => (last?.key === key ? last : null);

export function forget(): void {
  last?.stir.end();
  last = null;
}

export class Witness {
  private readonly rooms: ReturnType<typeof roomsOf>;
  private readonly lent: Map<Element, DOMRect>;

  /**
   * `facts` were read before anything else was, of each root; `roots` in the order in which they
   * were entered; `base`: what was sent.
   */
  constructor(
    readonly key: string,
    readonly stir: Stir,
    readonly facts: Facts,
    private readonly roots: readonly ShadowRoot[],
    readonly kept: Kept,
    readonly base: Base,
  ) {
    this.rooms = roomsOf(kept.nodes);
    this.lent = lentBoxes(kept.nodes);
  }

  /** From here on a look that asks for this key may be answered by it. */
  keep(): void {
    if (last?.stir !== this.stir) forget();
    last = this;
    this.stir.idle = forget;
  }

  /** What is different since; null: that cannot be told. From here on it is no witness any more. */
  changes(): Changes | null {
    if (last === this) last = null;
    const records = this.stir.take();
    if (!records || !this.kept.good) return null;
    const known = new Set(this.roots);
    if (!shadowRoots(document).every((root) => known.has(root) || isNew(root, records)))
      return null;
    const now = Facts.now(this.roots);
    if (!this.kept.plan(records, this.facts, now)) return null;
    const roots = this.roots.filter((root) => connected(root.host));
    const facts = roots.length === this.roots.length ? now : Facts.now(roots);
    return {
      boxes: new Boxes(this.kept, this.rooms, this.lent),
      facts,
      roots,
      news: records.length > 0 || !this.facts.equals(now),
    };
  }
}

export interface Changes {
  boxes: Boxes;
  /** What was read first, and of which roots. */
  facts: Facts;
  roots: ShadowRoot[];
  /** Something changed, whether or not it shows. */
  news: boolean;
}

/** The root came with its host: it was not attached to what stood there already. */
function isNew(root: ShadowRoot, records: readonly MutationRecord[]): boolean {
  for (let host: Element | undefined = root.host; host; host = (rootOf(host) as ShadowRoot).host) {
    for (const { addedNodes } of records)
      for (const node of addedNodes) if (node.contains(host)) return true;
  }
  return false;
}
