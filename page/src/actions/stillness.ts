// Whether an element stands still. Only drawn frames count: between two of them nothing moves,
// however long that takes. Reads only.

import { isThrottled, nextAnimationFrame } from "../dom/animationFrame";
import { animationsOf, flatParent, isInBackground } from "../dom/dom";

/** A page that has not drawn a frame for this time (milliseconds) is taken to draw none. */
const UNDRAWN_AFTER = 1000;

export class Stillness {
  /** The number of frames for which it has not moved. */
  frames = 0;
  /** It was seen at two positions. */
  wasMoving = false;
  private last = "";
  private lastWasDrawn = false;
  private since = performance.now();

  /** Notes its position in this frame. */
  observe(el: Element, place: string): void {
    if (place !== this.last) {
      this.frames = 0;
      if (this.last) this.wasMoving = true;
    } else if (this.lastWasDrawn || isUndrawn(el, this.since)) this.frames++;
    this.last = place;
  }

  /** Forgets its position, because this script moved it. */
  reset(): void {
    this.last = "";
  }

  async nextAnimationFrame(): Promise<void> {
    this.lastWasDrawn = await nextAnimationFrame();
    if (this.lastWasDrawn) this.since = performance.now();
  }
}

/**
 * Returns whether no frame will be drawn, so that nothing moves: the tab is in the background, or
 * the frame is out of view.
 */
function isUndrawn(el: Element, since: number): boolean {
  if (isInBackground()) return true;
  return (isThrottled() || performance.now() - since > UNDRAWN_AFTER) && !isAnimated(el);
}

function isAnimated(el: Element): boolean {
  for (let at: Element | null = el; at; at = flatParent(at)) {
    if (animationsOf(at).some((animation) => animation.playState === "running")) return true;
  }
  return false;
}
