// Reuse of whole subtrees from the last walk: their records, and everything that was counted in
// them. reusePlan.ts decides which subtrees are unchanged; this file puts their records into the
// output as if they had been walked. Does not touch the page.

import { flatParent, hostOf, isElement } from "../dom/dom";
import { Flag } from "../semantics/stateFlags";
import { InheritedContext } from "./inheritedContext";
import { MAX_TARGETS } from "./mutationLog";
import type { NodeRecord } from "./nodeRecord";
import type { ReusePlan } from "./reusePlan";
import type { StackEntry } from "./stackEntry";
import type { WalkOutput } from "./walkOutput";

/** Above this number, how many usable elements came before does not matter. */
const MAX_USES = 10;

export class SubtreeReuse {
  /** Too much changed during the walk. */
  private isOff = false;

  /** `plan`: the records that may be reused; null if the whole page is walked. */
  constructor(
    private readonly output: WalkOutput,
    private readonly plan: ReusePlan | null,
  ) {}

  /**
   * Leaves out what changed since the walk began: elements may have come from elsewhere, or have
   * gone there.
   */
  pageChanged(targets: ReadonlySet<Node> | undefined): void {
    if (!targets || targets.size >= MAX_TARGETS) this.isOff = true;
    else
      for (const target of targets) {
        const el = isElement(target) ? target : (hostOf(target) ?? flatParent(target));
        if (el) this.plan?.touch(el);
      }
  }

  /**
   * Restores the only usable descendant that the element changed in the last walk, because the
   * element is walked again.
   */
  undoMerge(el: Element): void {
    const undo = this.plan?.recordOf(el)?.merged;
    if (!undo) return;
    const { node } = undo;
    node.flags = (undo.flags & ~Flag.InViewport) | (node.flags & Flag.InViewport);
    node.role = undo.role;
    node.name = undo.name;
    node.sentIndex = -1;
  }

  /** Notes where a new record was found, for the next walk. */
  noteRecord(node: NodeRecord, above: StackEntry | null): void {
    node.foundIn = above?.el ?? null;
    node.usesBefore = Math.min(this.output.uses, MAX_USES);
  }

  /** Notes the context that an entry passes down, once all of it is known. */
  noteEntry(entry: StackEntry, above: StackEntry | null): void {
    const { node, el } = entry;
    const { plan } = this;
    if (plan) {
      entry.restyled = (above?.restyled ?? false) || plan.restyled.has(el);
      entry.reusable =
        !entry.restyled &&
        node !== null &&
        (plan.recordOf(el)?.context?.equals(entry, node.role) ?? false);
    }
    if (node && !entry.isEmpty)
      node.context = above?.node?.context?.equals(entry, node.role)
        ? above.node.context
        : new InheritedContext(entry, node.role);
  }

  /** Reuses an element with everything in it. Returns false if it has to be walked. */
  reuse(el: Element, above: StackEntry): boolean {
    const { plan, output } = this;
    if (!plan || this.isOff || !above.reusable || plan.touched.has(el)) return false;
    const from = plan.indexOf(el);
    const top = from < 0 ? null : (plan.nodes[from] as NodeRecord);
    if (!top || top.foundIn !== above.el || top.usesBefore !== Math.min(output.uses, MAX_USES))
      return false;
    if (!top.isLight) output.separate(above, !(top.flags & Flag.Block), null);
    const shift = output.nodes.length - from;
    const { end } = top;
    for (let i = from; i < end; i++)
      this.reuseRecord(plan.nodes[i] as NodeRecord, shift, plan.generation);
    if (top.uses > 0 && !top.why) {
      above.uses += top.uses;
      above.mainUses += top.mainUses;
      above.lastUse = top.lastUse;
    }
    if (top.shown) above.shown = true;
    return true;
  }

  private reuseRecord(node: NodeRecord, shift: number, generation: number): void {
    const { output } = this;
    node.generation = generation;
    node.end += shift;
    output.nodes.push(node);
    if (node.el) output.elements++;
    if (node.countsAsUse) output.uses++;
    if (node.isDropped) output.countHidden(node.why);
    if (node.isLayer) output.layers.push(node);
    const { counts } = node;
    if (!counts) return;
    output.elements += counts.elements;
    output.withheld += counts.withheld;
    if (counts.hidden)
      for (let why = 0; why < counts.hidden.length; why++)
        output.hidden[why] = (output.hidden[why] as number) + (counts.hidden[why] as number);
    for (const root of counts.roots ?? []) output.roots.push(root);
  }
}
