// The entry of an open element on the walk's stack: what it inherits (hidden, clipped, faded,
// named) and what is collected from its descendants (uses, shown). It holds only data: the files
// that record elements fill it.

import type { Use } from "../semantics/interactivity";
import { StyleEffect } from "../semantics/stylesheetEffects";
import type { StyledEntry } from "../visibility/inheritedStyle";
import type { Clips, HiddenReason } from "../visibility/visibility";
import type { Inherited } from "./inheritedContext";
import type { NodeRecord } from "./nodeRecord";

/** All entries have the same shape and are reused: a walk needs as many as the page is deep. */
export class StackEntry implements StyledEntry, Inherited {
  up!: StackEntry | null;
  el!: Element;
  tag!: string;
  node!: NodeRecord | null;
  use!: Use;
  clips!: Clips;
  /** The node whose children are walked, and the child that comes next. */
  parent!: Node;
  next!: Node | null;
  /** If set, these are walked instead: the nodes of a slot, or nodes near the viewport. */
  children!: Node[] | null;
  childIndex!: number;
  isEmpty!: boolean;
  style!: CSSStyleDeclaration | null;
  /** The properties to read of its style: see stylesheetEffects.ts. */
  effects!: number;
  /** Why everything in it is hidden. */
  reason!: HiddenReason;
  /** Why the element itself is hidden; its content may be visible. */
  ownReason!: HiddenReason;
  /** The number of levels since an ancestor became transparent; 0 if none is. */
  fadedLevels!: number;
  ariaHidden!: boolean;
  disabled!: boolean;
  inert!: boolean;
  pointer!: boolean;
  /** The pointer cursor belongs to an ancestor. */
  cursorTaken!: boolean;
  /** Inside an element that is named by its content, so that its texts are in a name. */
  insideName!: boolean;
  /**
   * Inside a heading, a live region or a skip link: texts are kept, even those for screen readers
   * only.
   */
  keepsTexts!: boolean;
  dropsTexts!: boolean;
  inline!: boolean;
  isHost!: boolean;
  /** All children but this one are hidden: a closed `details`. */
  onlyChild!: Element | null | undefined;
  uses!: number;
  mainUses!: number;
  lastUse!: NodeRecord | null;
  shown!: boolean;
  afterInline!: boolean;
  pendingSpace!: boolean;
  // Cached values of its style; null until the first read.
  whiteSpace!: string | null;
  textTransform!: string | null;
  textColor!: string | null;
  background!: string | null;
  tiny!: boolean | null;
  indentedAway!: boolean | null;
  // For a walk that reuses records of the last one (see subtreeReuse.ts):
  /** It passes down the same context as in the last walk, so records below it may be reused. */
  reusable!: boolean;
  /** Nothing below it is reused: styles may differ. */
  restyled!: boolean;

  constructor(
    up: StackEntry | null,
    el: Element,
    tag: string,
    node: NodeRecord | null,
    use: Use,
    clips: Clips,
  ) {
    this.begin(up, el, tag, node, use, clips);
  }

  /** Takes over the context of the element around that a plain element does not change. */
  inherit(above: StackEntry): void {
    this.ariaHidden = above.ariaHidden;
    this.disabled = above.disabled;
    this.inert = above.inert;
    this.cursorTaken = above.cursorTaken;
    this.insideName = above.insideName;
    this.keepsTexts = above.keepsTexts;
    this.dropsTexts = above.dropsTexts;
  }

  /** Resets all fields for an element. */
  begin(
    up: StackEntry | null,
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
    this.mainUses = 0;
    this.effects = StyleEffect.Any;
    this.isEmpty = true;
    this.ariaHidden =
      this.disabled =
      this.inert =
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
