// The frame of an open element on the walk's stack: what it inherits (hidden, clipped, faded,
// named) and what is collected from its descendants (uses, shown). Only a shape: the files that
// record elements fill it.
// faded, named) and gathered from below (uses, shown). Only a shape, and the way up: walk.ts fills
// it.

import type { Use } from "../semantics/interactivity";
import { StyleEffect } from "../semantics/stylesheetEffects";
import type { StyledFrame } from "../visibility/inheritedStyle";
import type { Clips, HiddenReason } from "../visibility/visibility";
import type { Inherited } from "./inheritedContext";
import type { NodeRecord } from "./nodeRecord";

/** All of one shape, and used again: a walk needs as many as the page is deep. */
export class WalkFrame implements StyledFrame, Inherited {
  up!: WalkFrame | null;
  el!: Element;
  tag!: string;
  node!: NodeRecord | null;
  use!: Use;
  clips!: Clips;
  /** Whose child nodes it has, and which comes next. */
  parent!: Node;
  next!: Node | null;
  /** Instead of them: what is assigned to a slot, what is near the viewport. */
  children!: Node[] | null;
  childIndex!: number;
  isEmpty!: boolean;
  style!: CSSStyleDeclaration | null;
  /** What is read of its style: see sheets.ts. */
  effects!: number;
  /** Why everything in here is hidden, whatever it says of itself. */
  reason!: HiddenReason;
  /** Why the element itself is not seen, though what is in it may be. */
  ownReason!: HiddenReason;
  /** Levels since an ancestor became transparent; 0: none did. */
  fadedLevels!: number;
  ariaHidden!: boolean;
  disabled!: boolean;
  pointer!: boolean;
  /** The hand-shaped cursor belongs to something above. */
  cursorTaken!: boolean;
  /** Inside something that is named by its content, so that its texts are in a name. */
  insideName!: boolean;
  /**
   * Inside a heading, a live region or a skip link: texts stay, even those for screen readers only.
   */
  keepsTexts!: boolean;
  dropsTexts!: boolean;
  inline!: boolean;
  isHost!: boolean;
  /** Children but this one are hidden: closed details. */
  onlyChild!: Element | null | undefined;
  uses!: number;
  lastUse!: NodeRecord | null;
  shown!: boolean;
  afterInline!: boolean;
  pendingSpace!: boolean;
  // Of its style, read when a text first asks: null until then.
  whiteSpace!: string | null;
  textTransform!: string | null;
  textColor!: string | null;
  background!: string | null;
  tiny!: boolean | null;
  indentedAway!: boolean | null;
  // Of a walk that takes over what a former one found (see rewalk.ts):
  /** It hands down what it handed down then, so that what is in it may be taken over. */
  reusable!: boolean;
  /** Nothing in it is taken over: its style may be another. */
  restyled!: boolean;

  constructor(
    up: WalkFrame | null,
    el: Element,
    tag: string,
    node: NodeRecord | null,
    use: Use,
    clips: Clips,
  ) {
    this.begin(up, el, tag, node, use, clips);
  }

  /** As new. */
  begin(
    up: WalkFrame | null,
    el: Element,
    tag: string,
    node: NodeRecord | null,
    use: Use,
    clips: Clips,
  ): void {
    this.up = up;
    this.el = el;
    this.tag = tag;
    this.node = node;
    this.use = use;
    this.clips = clips;
    this.parent = el;
    this.next = this.children = this.style = this.lastUse = null;
    this.onlyChild = undefined;
    this.childIndex = this.reason = this.ownReason = this.fadedLevels = this.uses = 0;
    this.effects = StyleEffect.Any;
    this.isEmpty = true;
    this.ariaHidden =
      this.disabled =
      this.pointer =
      this.cursorTaken =
      this.insideName =
      this.keepsTexts =
      this.dropsTexts =
      this.inline =
      this.isHost =
        false;
    this.shown = this.afterInline = this.pendingSpace = false;
    this.whiteSpace = this.textTransform = this.textColor = this.background = null;
    this.tiny = this.indentedAway = null;
    this.reusable = this.restyled = false;
  }
}
