// The context that an element passes down to its descendants during a walk, kept with its record. A
// later walk may reuse the records below an element only if the element passes down the same
// context again. Pure.

import { type Area, type Clips, EMPTY_AREA, type HiddenReason } from "../visibility/visibility";

/** The part of an entry of the walk's stack that the descendants inherit. */
export type Inherited = Omit<InheritedContext, "role" | "equals">;

/**
 * The context that an element passes down, kept for a later capture. Styles are not part of it:
 * where they may differ, everything is walked again.
 */
export class InheritedContext {
  readonly reason: HiddenReason;
  readonly ownReason: HiddenReason;
  readonly fadedLevels: number;
  readonly ariaHidden: boolean;
  readonly disabled: boolean;
  readonly inert: boolean;
  readonly pointer: boolean;
  readonly cursorTaken: boolean;
  readonly insideName: boolean;
  readonly keepsTexts: boolean;
  readonly dropsTexts: boolean;
  readonly onlyChild: Element | null | undefined;
  readonly clips: Clips;

  constructor(
    entry: Inherited,
    readonly role: string,
  ) {
    this.reason = entry.reason;
    this.ownReason = entry.ownReason;
    this.fadedLevels = entry.fadedLevels;
    this.ariaHidden = entry.ariaHidden;
    this.disabled = entry.disabled;
    this.inert = entry.inert;
    this.pointer = entry.pointer;
    this.cursorTaken = entry.cursorTaken;
    this.insideName = entry.insideName;
    this.keepsTexts = entry.keepsTexts;
    this.dropsTexts = entry.dropsTexts;
    this.onlyChild = entry.onlyChild;
    this.clips = entry.clips;
  }

  /** Returns whether an entry passes down the same context. */
  equals(entry: Inherited, role: string): boolean {
    return (
      this.reason === entry.reason &&
      this.ownReason === entry.ownReason &&
      this.fadedLevels === entry.fadedLevels &&
      this.ariaHidden === entry.ariaHidden &&
      this.disabled === entry.disabled &&
      this.inert === entry.inert &&
      this.pointer === entry.pointer &&
      this.cursorTaken === entry.cursorTaken &&
      this.insideName === entry.insideName &&
      this.keepsTexts === entry.keepsTexts &&
      this.dropsTexts === entry.dropsTexts &&
      this.onlyChild === entry.onlyChild &&
      this.role === role &&
      sameClips(this.clips, entry.clips)
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
  (a !== EMPTY_AREA &&
    b !== EMPTY_AREA &&
    a.x0 === b.x0 &&
    a.y0 === b.y0 &&
    a.x1 === b.x1 &&
    a.y1 === b.y1);
