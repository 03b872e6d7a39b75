// What a person would click to use an element, and whether a click that lands on something else
// counts. Shared by actions and captures, so that a button that is marked as covered is one that a
// click is refused for. Reads only.
// acting and by looking, so that a button that is marked as covered is one that a click is refused
// for. Reads only.

import {
  closest,
  flatContains,
  flatParent,
  isVisible,
  localName,
  matches,
  rectOf,
} from "../dom/dom";
import { editorDrawing } from "../semantics/codeEditor";
import type { ReadCache } from "../semantics/readCache";
import { clickBoxes, findClickPoint } from "./hitTest";
import { hiddenReason, visibleLabel } from "./visibility";

/**
 * A scroll bar takes room that nothing on the page can cover, also where only its place is kept
 * (`scrollbar-gutter`).
 */
const SCROLL_BAR = 20;

/** The cover stays where it is when the page scrolls, and leaves room beside it. */
export function isFixedCover(cache: ReadCache, cover: Element, target: Element): boolean {
  for (let at: Element | null = cover; at; at = flatParent(at)) {
    const position = cache.style(at).position;
    if (position !== "fixed" && position !== "sticky") continue;
    const { left, top, right, bottom } = rectOf(at);
    const all =
      left <= 0 &&
      top <= 0 &&
      right >= innerWidth - SCROLL_BAR &&
      bottom >= innerHeight - SCROLL_BAR;
    return !all && !flatContains(at, target) && !matches(at, ":modal");
  }
  return false;
}

/**
 * What a person would hit to use it: the element, or the label that is drawn for it. Null: there is
 * nothing to hit.
 */
export function clickTargetOf(cache: ReadCache, el: Element): Element | null {
  const input = /^(input|select|button|textarea)$/.test(localName(el));
  if (hiddenReason(cache, el)) return input ? visibleLabel(cache, el) : null;
  if (!input) return clickBoxes(el).length > 0 ? el : null;
  const rect = rectOf(el);
  const style = cache.style(el);
  const small = rect.width <= 2 || rect.height <= 2 || isClippedByStyle(cache, el);
  if (small || style.pointerEvents === "none")
    return visibleLabel(cache, el) ?? (small ? editorDrawing(el) : el);
  if (isVisible(el)) return el;
  // Transparent: it is hit itself if it lies over its drawing; else its label is.
  const seen = findClickPoint(cache, el, () => false);
  return seen && "x" in seen ? el : (visibleLabel(cache, el) ?? el);
}

const isClippedByStyle = (cache: ReadCache, el: Element): boolean => {
  const style = cache.style(el);
  return (
    style.clip !== "auto" ||
    style.clipPath.startsWith("inset(50%") ||
    style.clipPath.startsWith("inset(100%")
  );
};

/**
 * A click on `hit` goes to the element all the same: a label, or what the element leaves its clicks
 * to.
 */
export function forwardsClick(
  cache: ReadCache,
  el: Element,
  target: Element,
  hit: Element,
): boolean {
  const label = closest(hit, "label") as HTMLLabelElement | null;
  if (label && (label.control === el || (localName(el) === "label" && label === el))) return true;
  const lets =
    cache.style(target).pointerEvents === "none" || (localName(el) === "input" && !isVisible(el));
  if (!lets) return false;
  const parent = flatParent(target);
  return hit === parent || (parent !== null && hit === flatParent(parent));
}
