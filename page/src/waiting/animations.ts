// Transitions and animations that will end: while one runs, the page is not in its final state.
// Reads only.

import { animationsIn, flatParent } from "../dom/dom";

/** Longer animations are not transitions between two states, in milliseconds. */
const MAX_TRANSITION = 1000;

/** A change of an element may start transitions of those in it, down to this level. */
const LEVELS = 4;

/**
 * Returns how long the transitions that run in these roots will take, in milliseconds; 0 if there
 * are none. Those of elements that change on their own do not count.
 */
export function remainingTransitionTime(
  roots: Iterable<Node>,
  changesOnItsOwn: (node: Node) => boolean,
): number {
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
      if (left <= longest || left > MAX_TRANSITION) continue;
      const target = (effect as KeyframeEffect | null)?.target ?? null;
      if (!nearestAncestors(target).some(changesOnItsOwn)) longest = left;
    }
  }
  return longest;
}

/** Returns an element and those above it that are near. */
function nearestAncestors(el: Element | null): Element[] {
  const found: Element[] = [];
  for (let at = el; at && found.length < LEVELS; at = flatParent(at)) found.push(at);
  return found;
}
