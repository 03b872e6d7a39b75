// Whether an element stands still. Only drawn frames count: between two of them nothing moves,
// however long that takes. Reads only.
// however long it takes. Reads only.

import { animationsOf, flatParent, isInBackground } from "../dom/dom";
import { nextFrame } from "../dom/nextFrame";

/** A page that draws no frame for so long draws none at all, in milliseconds. */
const UNDRAWN_AFTER = 1000;

export class Stillness {
  /** For how many frames it has stood where it is. */
  frames = 0;
  /** It was seen in two places. */
  wasMoving = false;
  private last = "";
  private lastWasDrawn = false;
  private since = performance.now();

  /** Where it is in this frame. */
  observe(el: Element, place: string): void {
    if (place !== this.last) {
      this.frames = 0;
      if (this.last) this.wasMoving = true;
    } else if (this.lastWasDrawn || isUndrawn(el, this.since)) this.frames++;
    this.last = place;
  }

  /** It was moved: where it stood does not count. */
  reset(): void {
    this.last = "";
  }

  async nextFrame(): Promise<void> {
    this.lastWasDrawn = await nextFrame();
    if (this.lastWasDrawn) this.since = performance.now();
  }
}

/**
 * Whether nothing will be drawn, so that it is where it is: the tab is in the background, or the
 * frame out of sight.
 */
function isUndrawn(el: Element, since: number): boolean {
  if (isInBackground()) return true;
  return performance.now() - since > UNDRAWN_AFTER && !isAnimated(el);
}

function isAnimated(el: Element): boolean {
  for (let at: Element | null = el; at; at = flatParent(at)) {
    if (animationsOf(at).some((animation) => animation.playState === "running")) return true;
  }
  return false;
}
