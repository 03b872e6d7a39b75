// Inherited text styles of an element on the walk's stack. A property is read at the nearest ancestor
// that may set it, and cached there, because each read of a computed style is slow. Reads styles.

import { May } from "../semantics/stylesheetEffects";

/** The part of a walk's frame that decides whether its texts can be seen. */
export interface StyledFrame {
  readonly up: StyledFrame | null;
  readonly el: Element;
  readonly style: CSSStyleDeclaration | null;
  /** The properties that may differ from the parent's, as `May` bits. */
  readonly asks: number;
  // Cached values of the style; null until the first read.
  whiteSpace: string | null;
  transform: string | null;
  fill: string | null;
  ground: string | null;
  tiny: boolean | null;
  thrown: boolean | null;
}

/**
 * Returns the frame that an inherited property is read from: the nearest one that may differ from
 * its parent.
 */
export function sourceOf(frame: StyledFrame, property: number): StyledFrame {
  let at = frame;
  while (!(at.asks & property) && at.up) at = at.up;
  return at;
}

export function whiteSpaceOf(frame: StyledFrame): string {
  const source = sourceOf(frame, May.WhiteSpace);
  return (source.whiteSpace ??= (source.style as CSSStyleDeclaration).whiteSpace);
}

export function transformOf(frame: StyledFrame): string {
  const source = sourceOf(frame, May.TextTransform);
  return (source.transform ??= (source.style as CSSStyleDeclaration).textTransform);
}
