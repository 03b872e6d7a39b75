// Inherited text styles of an element on the walk's stack. A property is read at the nearest
// ancestor that may set it, and cached there, because each read of a computed style is slow. Reads
// styles.

import { StyleEffect } from "../semantics/stylesheetEffects";

/** The part of a walk's entry that decides whether its texts can be seen. */
export interface StyledEntry {
  readonly up: StyledEntry | null;
  readonly el: Element;
  readonly style: CSSStyleDeclaration | null;
  /** The properties that may differ from the parent's, as `StyleEffect` bits. */
  readonly effects: number;
  // Cached values of the style; null until the first read.
  whiteSpace: string | null;
  textTransform: string | null;
  textColor: string | null;
  background: string | null;
  tiny: boolean | null;
  indentedAway: boolean | null;
}

/**
 * Returns the entry that an inherited property is read from: the nearest one that may differ from
 * its parent.
 */
export function styleSource(entry: StyledEntry, property: number): StyledEntry {
  let at = entry;
  while (!(at.effects & property) && at.up) at = at.up;
  return at;
}

export function whiteSpaceOf(entry: StyledEntry): string {
  const source = styleSource(entry, StyleEffect.WhiteSpace);
  return (source.whiteSpace ??= (source.style as CSSStyleDeclaration).whiteSpace);
}

export function textTransformOf(entry: StyledEntry): string {
  const source = styleSource(entry, StyleEffect.TextTransform);
  return (source.textTransform ??= (source.style as CSSStyleDeclaration).textTransform);
}
