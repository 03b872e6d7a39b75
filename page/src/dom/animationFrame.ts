// Waits for the next frame. A tab in the background draws none, or about one per second if the
// browser was made to treat it as visible; nothing may wait for those. Does not touch the DOM.

import { isInBackground } from "./dom";
import { traits } from "./engineTraits";
import { yieldToPage } from "./timeSlices";

/** A tab whose frame takes longer than this (milliseconds) is taken not to be drawn. */
const SLOW_FRAME = 80;
/** The time of a frame, in milliseconds. */
const FRAME = 16;
/** So many quick frames in a row prove that the tab is drawn again. */
const QUICK_FRAMES = 3;

let throttled = false;
let quickFrames = 0;
/** When the frame that has not come yet was requested; 0 if there is none. */
let requestedAt = 0;
const waiting = new Set<() => void>();

function requestFrame(): void {
  if (requestedAt) return;
  requestedAt = performance.now();
  requestAnimationFrame(() => {
    const isSlow = performance.now() - requestedAt > SLOW_FRAME;
    quickFrames = isSlow ? 0 : quickFrames + 1;
    if (isSlow || quickFrames >= QUICK_FRAMES) throttled = isSlow;
    requestedAt = 0;
    for (const done of [...waiting]) done();
  });
}

/**
 * Returns whether the tab draws hardly any frames although its scripts run. Only tabs of the user's
 * browser are judged: in a browser of our own every tab is drawn, and a slow frame is a busy page.
 */
export const isThrottled = (): boolean => traits.mayBeUndrawn && throttled;

/** Waits for a moment. Timers of a hidden page fire once per second, so messages count it. */
async function passFrame(): Promise<boolean> {
  const end = performance.now() + FRAME;
  while (performance.now() < end) await yieldToPage();
  return false;
}

/** Waits for the next frame, at most 100 ms. Resolves to whether a frame was drawn. */
export const nextAnimationFrame = (): Promise<boolean> => {
  if (isInBackground()) return passFrame();
  if (traits.mayBeUndrawn) return nextAnimationFrameIfDrawn();
  return new Promise((done) => {
    const timer = setTimeout(() => done(false), 100);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      done(true);
    });
  });
};

/** Waits for the next frame of a tab that may not be drawn. */
const nextAnimationFrameIfDrawn = (): Promise<boolean> =>
  new Promise((done) => {
    const limit = throttled ? FRAME : SLOW_FRAME / 2;
    const begun = performance.now();
    const timer = setTimeout(() => {
      waiting.delete(drawn);
      const now = performance.now();
      // A timer that is late, too, means a busy page.
      const isBusy = now - begun > limit + SLOW_FRAME / 2;
      if (requestedAt && now - requestedAt >= SLOW_FRAME && !isBusy) {
        throttled = true;
        quickFrames = 0;
      }
      done(false);
    }, limit);
    const drawn = (): void => {
      waiting.delete(drawn);
      clearTimeout(timer);
      done(true);
    };
    waiting.add(drawn);
    requestFrame();
  });
