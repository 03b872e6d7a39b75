// Finds what a person would click to use an element, and decides whether a click that lands on
// something else counts. Shared by actions and captures, so that clicks are refused on the same
// elements that captures mark as covered. Reads only.

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
 * The width of a scroll bar, which nothing on the page can cover, also where only its space is
 * reserved (`scrollbar-gutter`).
 */
const SCROLL_BAR = 20;

/** Returns whether a cover stays where it is when the page scrolls, and leaves room beside it. */
export function isFixedCover(cache: ReadCache, cover: Element, target: Element): boolean {
  const fixed = fixedAround(cache, cover);
  return fixed !== null && !isBlanket(fixed) && !flatContains(fixed, target);
}

/**
 * Returns the element that a cover is part of, if that covers all of the viewport or makes the rest
 * of the page inert.
 */
export function blanketAround(cache: ReadCache, cover: Element): Element | null {
  const fixed = fixedAround(cache, cover);
  return fixed && isBlanket(fixed) ? fixed : null;
}

/** Returns the element that keeps a cover in its place when the page scrolls. */
function fixedAround(cache: ReadCache, cover: Element): Element | null {
  for (let at: Element | null = cover; at; at = flatParent(at))
    if (/^(fixed|sticky)$/.test(cache.style(at).position)) return at;
  return null;
}

function isBlanket(fixed: Element): boolean {
  const { left, top, right, bottom } = rectOf(fixed);
  return (
    (left <= 0 &&
      top <= 0 &&
      right >= innerWidth - SCROLL_BAR &&
      bottom >= innerHeight - SCROLL_BAR) ||
    matches(fixed, ":modal")
  );
}

/**
 * Returns what a person would click to use an element: itself, or the label that is drawn for it;
 * null if there is nothing to click. `shown`: it is known to be shown.
 */
export function clickTargetOf(cache: ReadCache, el: Element, shown = false): Element | null {
  const input = /^(input|select|button|textarea)$/.test(localName(el));
  if (!shown && hiddenReason(cache, el)) return input ? visibleLabel(cache, el) : null;
  if (!input) return clickBoxes(el).length > 0 ? el : null;
  const rect = rectOf(el);
  const style = cache.style(el);
  const small = rect.width <= 2 || rect.height <= 2 || isClippedByStyle(cache, el);
  if (small || style.pointerEvents === "none")
    return visibleLabel(cache, el) ?? (small ? editorDrawing(el) : el);
  if (isVisible(el)) return el;
  // A transparent input is clicked itself if it lies over its drawing; otherwise its label is.
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
 * Returns whether a click on `hit` still goes to the element: `hit` is its label, or gets the
 * clicks that the element lets through.
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
