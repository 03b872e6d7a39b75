// What a walk takes over from the one before instead of walking it again: whole subtrees of which
// it is known that nothing about them changed, with all that was counted in them. Which those are
// is decided in kept.ts; here they are put down as if they had been walked. Touches no page.

import type { Look } from "../semantics/readCache";
import { Flag } from "../semantics/stateFlags";
import { Context } from "./inheritedContext";
import type { Record } from "./nodeRecord";
import type { Kept } from "./reusePlan";
import type { Frame } from "./walkContext";
import { Gathering } from "./walkOutput";

/** Whether so many uses came before, or more, is all that matters. */
const MANY_USES = 10;

export class Taking extends Gathering {
  protected readonly hidden = new Array<number>(8).fill(0);
  protected readonly entered: ShadowRoot[] = [];
  protected elements = 0;
  protected uses = 0;
  /** What is positioned, in order: it may lie over something. */
  protected readonly layers: Record[] = [];

  /** `kept`: what may be taken over. */
  constructor(
    look: Look,
    full: boolean,
    protected readonly kept: Kept | null,
  ) {
    super(look, full);
  }

  /**
   * What it was in the walk before is undone, because it is walked again: what it made of the one
   * thing in it is as it was.
   */
  protected again(el: Element): void {
    const undo = this.kept?.recordOf(el)?.undo;
    if (!undo) return;
    const { node } = undo;
    node.flags = (undo.flags & ~Flag.InViewport) | (node.flags & Flag.InViewport);
    node.role = undo.role;
    node.name = undo.name;
    node.at = -1;
  }

  /** Everything that its children are handed is known. */
  protected opened(frame: Frame, above: Frame | null): void {
    const { node, el, kept } = { node: frame.node, el: frame.el, kept: this.kept };
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

  protected began(node: Record, above: Frame | null): void {
    node.above = above?.el ?? null;
    node.before = Math.min(this.uses, MANY_USES);
  }

  /** Takes an element over, with everything in it; false: it has to be walked. */
  protected takeOver(el: Element, above: Frame): boolean {
    const { kept } = this;
    if (!kept || !above.same || kept.touched.has(el)) return false;
    const from = kept.indexOf(el);
    const top = from < 0 ? null : (kept.nodes[from] as Record);
    if (!top || top.above !== above.el || top.before !== Math.min(this.uses, MANY_USES))
      return false;
    if (!top.light) this.joint(above, !(top.flags & Flag.Block), null);
    const shift = this.nodes.length - from;
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
    node.taken = generation;
    node.end += shift;
    this.nodes.push(node);
    if (node.el) this.elements++;
    if (node.counted) this.uses++;
    if (node.drop) this.hidden[node.why] = (this.hidden[node.why] as number) + 1;
    if (node.layer) this.layers.push(node);
    const { tally } = node;
    if (!tally) return;
    this.elements += tally.elements;
    this.withheld += tally.withheld;
    if (tally.hidden)
      for (let why = 0; why < tally.hidden.length; why++)
        this.hidden[why] = (this.hidden[why] as number) + (tally.hidden[why] as number);
    if (tally.roots) this.entered.push(...tally.roots);
  }
}
