// Transitions and animations that will end: while one runs, the page is not in its final state.
// Reads only.

import { animationsIn } from "../dom/dom";

/** Longer animations are not transitions between two states, in milliseconds. */
const MAX_TRANSITION = 1000;

/**
 * Returns how long the transitions that run in these roots will take, in milliseconds; 0 if there
 * are none.
 */
export function remainingTransitionTime(roots: Iterable<Node>): number {
  let longest = 0;
  for (const root of roots) {
    for (const animation of animationsIn(root)) {
      if (animation.playState !== "running") continue;
      const { effect, currentTime, playbackRate } = animation;
      const end = Number(effect?.getComputedTiming().endTime);
      // Endless animations have no end, and those that scrolling drives have no time.
      const left =
        (playbackRate < 0 ? Number(currentTime) : end - Number(currentTime)) /
        Math.abs(playbackRate);
      if (left > longest && left <= MAX_TRANSITION) longest = left;
    }
  }
  return longest;
}
