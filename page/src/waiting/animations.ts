// Transitions and animations that will end: while one runs, the page is not in its final state.
// Reads only.
// be. Reads only.

/** What takes longer is no transition from one state to another, in milliseconds. */
const MAX_TRANSITION = 1000;

/**
 * How long the transitions that are running in these roots will take, in milliseconds; 0 if there
 * are none.
 */
export function remainingTransitionTime(roots: Iterable<Node>): number {
  let longest = 0;
  for (const root of roots) {
    for (const animation of (root as Document | ShadowRoot).getAnimations?.() ?? []) {
      if (animation.playState !== "running") continue;
      const { effect, currentTime, playbackRate } = animation;
      const end = Number(effect?.getComputedTiming().endTime);
      // Endless ones have no end, and what scrolling drives has no time.
      const left =
        (playbackRate < 0 ? Number(currentTime) : end - Number(currentTime)) /
        Math.abs(playbackRate);
      if (left > longest && left <= MAX_TRANSITION) longest = left;
    }
  }
  return longest;
}
