// Reuse of whole subtrees from the last walk: their records, and everything that was counted in
// them. reusePlan.ts decides which subtrees are unchanged; this file puts their records into the
// output as if they had been walked. Touches no page.

import { Flag } from "../semantics/stateFlags";
import { Context } from "./inheritedContext";
import type { Record } from "./nodeRecord";
import type { Kept } from "./reusePlan";
import type { Frame } from "./walkContext";
import type { WalkOutput } from "./walkOutput";

/** Whether so many usable elements came before, or more, is all that matters. */
const MANY_USES = 10;

export class SubtreeReuse {
  /** `kept`: what may be reused; null for a walk of everything. */
  constructor(
    private readonly output: WalkOutput,
    private readonly kept: Kept | null,
  ) {}

  /**
   * Undoes what the element changed about its only usable descendant in the last walk, because the
   * element is walked again.
   */
  undo(el: Element): void {
    const undo = this.kept?.recordOf(el)?.undo;
    if (!undo) return;
    const { node } = undo;
    node.flags = (undo.flags & ~Flag.InViewport) | (node.flags & Flag.InViewport);
    node.role = undo.role;
    node.name = undo.name;
    node.at = -1;
  }

  /** Notes where a new record was found, for the next walk. */
  began(node: Record, above: Frame | null): void {
    node.above = above?.el ?? null;
    node.before = Math.min(this.output.uses, MANY_USES);
  }

  /** Notes what a frame hands down, once all of that is known. */
  opened(frame: Frame, above: Frame | null): void {
    const { node, el } = frame;
    const { kept } = this;
    if (kept) {
      frame.deep = (above?.deep ?? false) || kept.deep.has(el);
      frame.same =
        !frame.deep && node !== null && (kept.recordOf(el)?.context?.is(frame, node.role) ?? false);
    }
    if (node && !frame.empty)
      node.context = above?.node?.context?.is(frame, node.role)
        ? above.node.context
        : new Context(frame, node.role);
  }

  /** Reuses an element with everything in it. Returns false if it has to be walked. */
  takeOver(el: Element, above: Frame): boolean {
    const { kept, output } = this;
    if (!kept || !above.same || kept.touched.has(el)) return false;
    const from = kept.indexOf(el);
    const top = from < 0 ? null : (kept.nodes[from] as Record);
    if (!top || top.above !== above.el || top.before !== Math.min(output.uses, MANY_USES))
      return false;
    if (!top.light) output.joint(above, !(top.flags & Flag.Block), null);
    const shift = output.nodes.length - from;
    const { end } = top;
    for (let i = from; i < end; i++) this.take(kept.nodes[i] as Record, shift, kept.generation);
    if (top.uses > 0 && !top.why) {
      above.uses += top.uses;
      above.lastUse = top.lastUse;
    }
    if (top.shown) above.shown = true;
    return true;
  }

  private take(node: Record, shift: number, generation: number): void {
    const { output } = this;
    node.taken = generation;
    node.end += shift;
    output.nodes.push(node);
    if (node.el) output.elements++;
    if (node.counted) output.uses++;
    if (node.drop) output.countHidden(node.why);
    if (node.layer) output.layers.push(node);
    const { tally } = node;
    if (!tally) return;
    output.elements += tally.elements;
    output.withheld += tally.withheld;
    if (tally.hidden)
      for (let why = 0; why < tally.hidden.length; why++)
        output.hidden[why] = (output.hidden[why] as number) + (tally.hidden[why] as number);
    if (tally.roots) output.roots.push(...tally.roots);
  }
}
