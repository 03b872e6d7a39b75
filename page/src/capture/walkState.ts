// What all parts of a walk share: the caches, the output, the stack, and what was read once at the
// beginning. The walker owns it; the files for hidden, plain and shown elements write through it.
// Reads only.

import { activeElement, shadowRoot } from "../dom/dom";
import type { Look } from "../semantics/readCache";
import { guard } from "../semantics/secrets";
import { Flag } from "../semantics/stateFlags";
import { type Clips, reach } from "../visibility/visibility";
import { Canvases } from "./canvasDigest";
import { FrameStack } from "./frameStack";
import { levelOf, type Record } from "./nodeRecord";
import type { Kept } from "./reusePlan";
import { SubtreeReuse } from "./subtreeReuse";
import type { Frame } from "./walkContext";
import { WalkOutput } from "./walkOutput";

export class WalkState {
  readonly output: WalkOutput;
  readonly reuse: SubtreeReuse;
  readonly stack = new FrameStack();
  /** The part of the page that can be scrolled to. */
  readonly reach = reach();
  /** The clips of the root, and of everything in the top layer. */
  readonly start: Clips;
  readonly focused = activeElement();
  readonly canvases = new Canvases();
  /** Shadow roots are entered; otherwise they are only counted. */
  pierce = true;
  /** The number of shadow roots that were not entered. */
  unentered = 0;
  /** Called with each shadow root before it is entered. */
  met: ((root: ShadowRoot) => void) | null = null;

  constructor(
    readonly look: Look,
    readonly full: boolean,
    readonly kept: Kept | null,
  ) {
    this.output = new WalkOutput(look, full);
    this.reuse = new SubtreeReuse(this.output, kept);
    const { view } = this.output;
    this.start = { flow: this.reach, view, abs: this.reach, absView: view };
  }

  /** Returns the shadow root of an element, if there is one to enter. */
  rootOf(el: Element): ShadowRoot | null {
    const root = shadowRoot(el);
    if (!root || this.pierce) return root;
    this.unentered++;
    return null;
  }

  /** Notes that a shadow root is entered. `node`: the record of its host. */
  enterRoot(shadow: ShadowRoot, node: Record | null, above: Frame | null): void {
    const { output } = this;
    output.roots.push(shadow);
    const tally = node
      ? (node.tally ??= { elements: 0, withheld: 0, hidden: null, roots: null })
      : output.tally(above);
    (tally.roots ??= []).push(shadow);
    this.met?.(shadow);
    guard(shadow);
    if (node) node.flags |= Flag.Host;
  }

  /** Sets the level of headings and tree items. */
  setLevel(node: Record, role: string): void {
    if (role === "heading" || role === "treeitem")
      node.more().level = levelOf(node.el as Element, node.tag, role);
  }
}
