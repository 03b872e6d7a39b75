// What an element hands down to its descendants during a walk, kept with its record. A later walk may
// reuse the records below an element only if the element hands down the same again. Pure.

import { type Area, type Clips, NOWHERE, type Why } from "../visibility/visibility";

/** The part of a walk's frame that reaches the element's descendants. */
export interface Handed {
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
    frame: Handed,
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
  is(frame: Handed, role: string): boolean {
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
