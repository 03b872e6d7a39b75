// The state that all parts of a walk share: the cache, the output, the stack, and values that were
// read once at the beginning. The walker owns it; the files for hidden, plain and shown elements
// write through it. Reads only.

import { activeElement, shadowRoot } from "../dom/dom";
import type { ReadCache } from "../semantics/readCache";
import { watchPasswords } from "../semantics/secrets";
import { Flag } from "../semantics/stateFlags";
import { type Clips, reachableArea } from "../visibility/visibility";
import { CanvasDigests } from "./canvasDigest";
import { ElementStack } from "./elementStack";
import { ClueBudget } from "./nameClues";
import { levelOf, type NodeRecord } from "./nodeRecord";
import type { ReusePlan } from "./reusePlan";
import type { StackEntry } from "./stackEntry";
import { SubtreeReuse } from "./subtreeReuse";
import { WalkOutput } from "./walkOutput";

export class WalkState {
  readonly output: WalkOutput;
  readonly reuse: SubtreeReuse;
  readonly stack = new ElementStack();
  /** The part of the page that can be scrolled to. */
  readonly reachable = reachableArea();
  /** The clips of the root, and of everything in the top layer. */
  readonly rootClips: Clips;
  readonly focused = activeElement();
  readonly canvases = new CanvasDigests();
  /** Shadow roots are entered; otherwise they are only counted. */
  pierce = true;
  /** How much may still be read for clues. */
  readonly clueBudget = new ClueBudget();
  /** The number of shadow roots that were not entered. */
  unentered = 0;
  /** Called with each shadow root before it is entered. */
  onShadowRoot: ((root: ShadowRoot) => void) | null = null;

  constructor(
    readonly cache: ReadCache,
    readonly full: boolean,
    readonly plan: ReusePlan | null,
  ) {
    this.output = new WalkOutput(cache, full);
    this.reuse = new SubtreeReuse(this.output, plan);
    const { view } = this.output;
    this.rootClips = { flow: this.reachable, view, abs: this.reachable, absView: view };
  }

  /** Returns the shadow root of an element, if there is one to enter. */
  shadowRootToEnter(el: Element): ShadowRoot | null {
    const root = shadowRoot(el);
    if (!root || this.pierce) return root;
    this.unentered++;
    return null;
  }

  /** Notes that a shadow root is entered. `node`: the record of its host. */
  enterShadowRoot(shadow: ShadowRoot, node: NodeRecord | null, above: StackEntry | null): void {
    const { output } = this;
    output.roots.push(shadow);
    const counts = node
      ? (node.counts ??= { elements: 0, withheld: 0, hidden: null, roots: null })
      : output.countsOf(above);
    (counts.roots ??= []).push(shadow);
    this.onShadowRoot?.(shadow);
    watchPasswords(shadow);
    if (node) node.flags |= Flag.Host;
  }

  /** Sets the level of headings and tree items. */
  setLevel(node: NodeRecord, role: string): void {
    if (role === "heading" || role === "treeitem")
      node.rareFields().level = levelOf(node.el as Element, node.tag, role);
  }
}
