// What the walk knows of an element while it is inside it: handed down from above (hidden, clipped,
// faded, named) and gathered from below (uses, shown). Only a shape, and the way up: walk.ts fills
// it.

import type { Use } from "../semantics/interactivity";
import { May } from "../semantics/stylesheetEffects";
import { type Area, type Clips, NOWHERE, type Why } from "../visibility/visibility";
import type { Record } from "./nodeRecord";

/** All of one shape, and used again: a walk needs as many as the page is deep. */
export class Frame {
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

/**
 * What an element hands down to what is in it, kept for a later look. Styles are not in it: who
 * cannot tell that they are the same walks anew.
 */
export class Context {
  readonly why: Why;
  readonly self: Why;
  readonly faded: number;
  readonly ariaHidden: boolean;
  readonly disabled: boolean;
  readonly pointer: boolean;
  readonly taken: boolean;
  readonly named: boolean;
  readonly keeps: boolean;
  readonly mute: boolean;
  readonly only: Element | null | undefined;
  readonly clips: Clips;

  constructor(
    frame: Frame,
    readonly role: string,
  ) {
    this.why = frame.why;
    this.self = frame.self;
    this.faded = frame.faded;
    this.ariaHidden = frame.ariaHidden;
    this.disabled = frame.disabled;
    this.pointer = frame.pointer;
    this.taken = frame.taken;
    this.named = frame.named;
    this.keeps = frame.keeps;
    this.mute = frame.mute;
    this.only = frame.only;
    this.clips = frame.clips;
  }

  /** Whether a frame hands down the same. */
  is(frame: Frame, role: string): boolean {
    return (
      this.why === frame.why &&
      this.self === frame.self &&
      this.faded === frame.faded &&
      this.ariaHidden === frame.ariaHidden &&
      this.disabled === frame.disabled &&
      this.pointer === frame.pointer &&
      this.taken === frame.taken &&
      this.named === frame.named &&
      this.keeps === frame.keeps &&
      this.mute === frame.mute &&
      this.only === frame.only &&
      this.role === role &&
      sameClips(this.clips, frame.clips)
    );
  }
}

const sameClips = (a: Clips, b: Clips): boolean =>
  a === b ||
  (sameArea(a.flow, b.flow) &&
    sameArea(a.view, b.view) &&
    sameArea(a.abs, b.abs) &&
    sameArea(a.absView, b.absView));
const sameArea = (a: Area, b: Area): boolean =>
  a === b ||
  (a !== NOWHERE &&
    b !== NOWHERE &&
    a.x0 === b.x0 &&
    a.y0 === b.y0 &&
    a.x1 === b.x1 &&
    a.y1 === b.y1);

/**
 * The frame that an inherited property is read from: the nearest one that may differ from its
 * parent.
 */
export function sourceOf(frame: Frame, property: number): Frame {
  let at = frame;
  while (!(at.asks & property) && at.up) at = at.up;
  return at;
}

export function whiteSpaceOf(frame: Frame): string {
  const source = sourceOf(frame, May.WhiteSpace);
  return (source.whiteSpace ??= (source.style as CSSStyleDeclaration).whiteSpace);
}

export function transformOf(frame: Frame): string {
  const source = sourceOf(frame, May.TextTransform);
  return (source.transform ??= (source.style as CSSStyleDeclaration).textTransform);
}
