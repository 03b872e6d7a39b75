// The element that the walk is at, and everything known about it so far. One object serves the
// whole walk, because an object per element would be slow. It holds only data:
// elementVisibility.ts, elementUse.ts and shownElement.ts fill it.

import { Use } from "../semantics/interactivity";
import type { CachedStyle } from "../semantics/readCache";
import type { TagTraits } from "../semantics/tagTraits";
import { type Area, type Clips, EMPTY_AREA, HiddenReason } from "../visibility/visibility";
import type { Attributes, NodeRecord, RareFields } from "./nodeRecord";
import type { StackEntry } from "./stackEntry";

const NO_CLIPS: Clips = {
  flow: EMPTY_AREA,
  view: EMPTY_AREA,
  abs: EMPTY_AREA,
  absView: EMPTY_AREA,
};

export class CurrentElement {
  el!: Element;
  traits!: TagTraits;
  tag = "";
  /** No attribute can matter to role, name or state. */
  plain = true;
  /** An attribute styles it. */
  styled = false;
  /** It is the gutter of a code editor. */
  gutter = false;
  pairs: NodeRecord["attrs"] = null;
  cachedStyle: CachedStyle | undefined = undefined;
  style!: CSSStyleDeclaration;
  display = "";
  /** The entry that the element is in; null for the root. */
  above: StackEntry | null = null;
  shadow: ShadowRoot | null = null;
  /** The properties to read of its style, as `StyleEffect` bits. */
  effects = 0;
  role = "";

  // Position and clips.
  position = "static";
  topLayer = false;
  /** The clips of the parent's content, and those that apply to the element itself. */
  clips = NO_CLIPS;
  ownClips: { flow: Area; view: Area } = NO_CLIPS;
  /** The clips of its own content. */
  contentClips = NO_CLIPS;
  /** `display: contents`: it has no box. */
  contents = false;
  box: Area = EMPTY_AREA;
  hasExtent = false;
  /** The field of a code editor, which takes the keys without a size. */
  editorField = false;
  /** Its own style clips all of it away. */
  clippedAway = false;
  clipped = false;
  overflow = false;
  scrollRoom: RareFields["scrolls"] = null;

  // Visibility.
  visible = true;
  /** Levels since an ancestor became transparent; 0 if none is. */
  fadedLevels = 0;
  reason: HiddenReason = HiddenReason.Shown;
  live = false;
  /** Its texts are kept even if they are for screen readers only. */
  keepsTexts = false;
  unreachable = false;
  /** The label that is drawn in its place. */
  drawnLabel: Element | null = null;
  contentShows = false;

  // How a person could use it.
  use: Use = Use.No;
  /** The pointer cursor belongs to the element or to an ancestor. */
  cursorTaken = false;
  pointer = false;
  /** The control that this label stands for. */
  hiddenControl: HTMLElement | null = null;
  hiddenControlRole = "";
  /** It is certainly usable. */
  certain = false;
  /** It is usable, but lets clicks through. */
  unclickable = false;

  // Content of its record.
  named = false;
  ariaHidden = false;
  /** It is in a part of the page that is inert. */
  inert = false;
  /** It is a dialog that makes the rest of its document inert. */
  opensModally = false;
  inline = false;
  states = 0;

  /**
   * Starts with an element. Does not reset the fields of the phases: each phase writes all of its
   * own.
   */
  begin(
    el: Element,
    traits: TagTraits,
    { plain, styled, gutter, pairs }: Attributes,
    cachedStyle: CachedStyle | undefined,
    style: CSSStyleDeclaration,
    display: string,
    above: StackEntry | null,
  ): void {
    this.el = el;
    this.traits = traits;
    this.tag = traits.tag;
    this.plain = plain;
    this.styled = styled;
    this.gutter = gutter;
    this.pairs = pairs;
    this.cachedStyle = cachedStyle;
    this.style = style;
    this.display = display;
    this.above = above;
  }
}
