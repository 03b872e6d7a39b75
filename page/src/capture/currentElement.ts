// The element that the walk is at, with what was found out about it so far. One object serves the
// whole walk: a page has many elements, and an object for each of them would be slow. Only a shape:
// elementVisibility.ts, elementUse.ts and shownElement.ts fill it.

import { Use } from "../semantics/interactivity";
import type { Seen } from "../semantics/readCache";
import type { Kind } from "../semantics/tagTraits";
import { type Area, type Clips, NOWHERE, Why } from "../visibility/visibility";
import type { Attributes, Record, Rest } from "./nodeRecord";
import type { Frame } from "./walkContext";

const NOT_CLIPPED: Clips = { flow: NOWHERE, view: NOWHERE, abs: NOWHERE, absView: NOWHERE };

export class CurrentElement {
  el!: Element;
  kind!: Kind;
  tag = "";
  /** No attribute can matter to role, name or state. */
  plain = true;
  /** An attribute styles it. */
  styled = false;
  pairs: Record["attrs"] = null;
  seen: Seen | undefined = undefined;
  style!: CSSStyleDeclaration;
  display = "";
  /** The frame that the element is in; null for the root. */
  above: Frame | null = null;
  shadow: ShadowRoot | null = null;
  /** The properties to read of its style, as `May` bits. */
  asks = 0;
  role = "";

  // Where it is.
  position = "static";
  topLayer = false;
  /** What clips the content of the element around it, and what of that clips the element. */
  clips = NOT_CLIPPED;
  own: { flow: Area; view: Area } = NOT_CLIPPED;
  /** What clips its own content. */
  within = NOT_CLIPPED;
  /** `display: contents`: it has no box. */
  contents = false;
  box: Area = NOWHERE;
  hasExtent = false;
  /** The field of a code editor, which takes the keys without a size. */
  editorField = false;
  /** Its own style clips all of it away. */
  cutOff = false;
  clipped = false;
  overflow = false;
  room: Rest["scrolls"] = null;

  // Whether it is seen.
  visible = true;
  /** Levels since an ancestor became transparent; 0 if none is. */
  faded = 0;
  self: Why = Why.Shown;
  live = false;
  /** Its texts are kept even if they are for screen readers only. */
  keeps = false;
  lost = false;
  /** The label that is drawn in its place. */
  drawnBy: Element | null = null;
  sticksOut = false;

  // What a person could do with it.
  use: Use = Use.No;
  /** The hand-shaped cursor belongs to the element or to something around it. */
  taken = false;
  pointer = false;
  /** The control that this label stands for. */
  stands: HTMLElement | null = null;
  standsRole = "";
  /** It is used for certain. */
  firm = false;
  /** It is used, but lets clicks through. */
  deaf = false;

  // What its record says.
  named = false;
  ariaHidden = false;
  inert = false;
  inline = false;
  states = 0;

  /** Begins with an element. What the phases write is not reset: each writes all of its fields. */
  begin(
    el: Element,
    kind: Kind,
    { plain, styled, pairs }: Attributes,
    seen: Seen | undefined,
    style: CSSStyleDeclaration,
    display: string,
    above: Frame | null,
  ): void {
    this.el = el;
    this.kind = kind;
    this.tag = kind.tag;
    this.plain = plain;
    this.styled = styled;
    this.pairs = pairs;
    this.seen = seen;
    this.style = style;
    this.display = display;
    this.above = above;
  }
}
