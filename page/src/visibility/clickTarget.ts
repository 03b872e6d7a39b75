// Finds what a person would click to use an element, and decides whether a click that lands on
// something else counts. Shared by actions and captures, so that clicks are refused on the same
// elements that captures mark as covered. Reads only.

import { attr, closest, flatContains, flatParent, isVisible, localName, rectOf } from "../dom/dom";
import { editorDrawing } from "../semantics/codeEditor";
import { isFocusable } from "../semantics/elementTraits";
import type { ReadCache } from "../semantics/readCache";
import { clickBoxes, findClickPoint } from "./hitTest";
import { hiddenReason, visibleLabel } from "./visibility";

/** A control may be this much larger than its slider, in pixels. */
const SMALL = 40;

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
  if (isSlider(el) && isLayerOver(target, hit)) return true;
  const lets =
    cache.style(target).pointerEvents === "none" || (localName(el) === "input" && !isVisible(el));
  if (!lets) return false;
  const parent = flatParent(target);
  return hit === parent || (parent !== null && hit === flatParent(parent));
}

/** Returns whether an element is a slider that takes keys. */
const isSlider = (el: Element): boolean =>
  (attr(el, "role") === "slider" || (localName(el) === "input" && attr(el, "type") === "range")) &&
  isFocusable(el);

/** Returns whether `layer` is drawn over an element as a part of the same small control. */
function isLayerOver(el: Element, layer: Element): boolean {
  const control = flatParent(el);
  if (!control || !flatContains(control, layer)) return false;
  const [own, around] = [rectOf(el), rectOf(control)];
  return around.width <= own.width + SMALL && around.height <= own.height + SMALL;
}
