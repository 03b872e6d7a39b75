// What a person would hit to use an element, and what a click that lands elsewhere means: shared by
// acting and by looking, so that a button that is marked as covered is one that a click is refused
// for. Reads only.

import { closest, drawn, flatContains, flatParent, localName, matches, rectOf } from "../dom/dom";
import { drawnByEditor } from "../semantics/codeEditor";
import type { Look } from "../semantics/readCache";
import { aim, boxesOf } from "./hitTest";
import { shownLabel, whyHidden } from "./visibility";

/**
 * A scroll bar takes room that nothing on the page can cover, also where only its place is kept
 * (`scrollbar-gutter`).
 */
const SCROLL_BAR = 20;

/** The cover stays where it is when the page scrolls, and leaves room beside it. */
export function staysPut(look: Look, cover: Element, target: Element): boolean {
  for (let at: Element | null = cover; at; at = flatParent(at)) {
    const position = look.style(at).position;
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
export function targetOf(look: Look, el: Element): Element | null {
  const input = /^(input|select|button|textarea)$/.test(localName(el));
  if (whyHidden(look, el)) return input ? shownLabel(look, el) : null;
  if (!input) return boxesOf(el).length > 0 ? el : null;
  const rect = rectOf(el);
  const style = look.style(el);
  const small = rect.width <= 2 || rect.height <= 2 || sightless(look, el);
  if (small || style.pointerEvents === "none")
    return shownLabel(look, el) ?? (small ? drawnByEditor(el) : el);
  if (drawn(el)) return el;
  // Transparent: it is hit itself if it lies over its drawing; else its label is.
  const seen = aim(look, el, () => false);
  return seen && "x" in seen ? el : (shownLabel(look, el) ?? el);
}

const sightless = (look: Look, el: Element): boolean => {
  const style = look.style(el);
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
export function drawnBy(look: Look, el: Element, target: Element, hit: Element): boolean {
  const label = closest(hit, "label") as HTMLLabelElement | null;
  if (label && (label.control === el || (localName(el) === "label" && label === el))) return true;
  const lets =
    look.style(target).pointerEvents === "none" || (localName(el) === "input" && !drawn(el));
  if (!lets) return false;
  const parent = flatParent(target);
  return hit === parent || (parent !== null && hit === flatParent(parent));
}
