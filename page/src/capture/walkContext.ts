// What the walk knows of an element while it is inside it: handed down from above (hidden, clipped,
// faded, named) and gathered from below (uses, shown). Only a shape, and the way up: walk.ts fills
// it.

import type { Use } from "../semantics/interactivity";
import { May } from "../semantics/stylesheetEffects";
import type { StyledFrame } from "../visibility/inheritedStyle";
import type { Clips, Why } from "../visibility/visibility";
import type { Handed } from "./inheritedContext";
import type { Record } from "./nodeRecord";

/** All of one shape, and used again: a walk needs as many as the page is deep. */
export class Frame implements StyledFrame, Handed {
  up!: Frame | null;
  el!: Element;
  tag!: string;
  node!: Record | null;
  use!: Use;
  clips!: Clips;
  /** Whose child nodes it has, and which comes next. */
  home!: Node;
  next!: Node | null;
  /** Instead of them: what is assigned to a slot, what is near the viewport. */
  kids!: Node[] | null;
  at!: number;
  empty!: boolean;
  style!: CSSStyleDeclaration | null;
  /** What is read of its style: see sheets.ts. */
  asks!: number;
  /** Why everything in here is hidden, whatever it says of itself. */
  why!: Why;
  /** Why the element itself is not seen, though what is in it may be. */
  self!: Why;
  /** Levels since an ancestor became transparent; 0: none did. */
  faded!: number;
  ariaHidden!: boolean;
  disabled!: boolean;
  pointer!: boolean;
  /** The hand-shaped cursor belongs to something above. */
  taken!: boolean;
  /** Inside something that is named by its content, so that its texts are in a name. */
  named!: boolean;
  /**
   * Inside a heading, a live region or a skip link: texts stay, even those for screen readers only.
   */
  keeps!: boolean;
  mute!: boolean;
  inline!: boolean;
  host!: boolean;
  /** Children but this one are hidden: closed details. */
  only!: Element | null | undefined;
  uses!: number;
  lastUse!: Record | null;
  shown!: boolean;
  joined!: boolean;
  space!: boolean;
  // Of its style, read when a text first asks: null until then.
  whiteSpace!: string | null;
  transform!: string | null;
  fill!: string | null;
  ground!: string | null;
  tiny!: boolean | null;
  thrown!: boolean | null;
  // Of a walk that takes over what a former one found (see rewalk.ts):
  /** It hands down what it handed down then, so that what is in it may be taken over. */
  same!: boolean;
  /** Nothing in it is taken over: its style may be another. */
  deep!: boolean;

  constructor(
    up: Frame | null,
    el: Element,
    tag: string,
    node: Record | null,
    use: Use,
    clips: Clips,
  ) {
    this.begin(up, el, tag, node, use, clips);
  }

  /** As new. */
  begin(
    up: Frame | null,
    el: Element,
    tag: string,
    node: Record | null,
    use: Use,
    clips: Clips,
  ): void {
    this.up = up;
    this.el = el;
    this.tag = tag;
    this.node = node;
    this.use = use;
    this.clips = clips;
    this.home = el;
    this.next = this.kids = this.style = this.lastUse = null;
    this.only = undefined;
    this.at = this.why = this.self = this.faded = this.uses = 0;
    this.asks = May.Any;
    this.empty = true;
    this.ariaHidden =
      this.disabled =
      this.pointer =
      this.taken =
      this.named =
      this.keeps =
      this.mute =
      this.inline =
      this.host =
        false;
    this.shown = this.joined = this.space = false;
    this.whiteSpace = this.transform = this.fill = this.ground = null;
    this.tiny = this.thrown = null;
    this.same = this.deep = false;
  }
}
