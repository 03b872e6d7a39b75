// Facts about one element that need no styles and no roles: whether it takes the focus, is edited
// in place, or opens a `details`. Roles, names and states are built on them. Reads attributes.

import {
  attr,
  firstElementChild,
  hasAttr,
  isElement,
  localName,
  nextElementSibling,
  parentNode,
} from "../dom/dom";

/** Returns whether an element can take the focus, judged by its markup. */
export function isFocusable(el: Element): boolean {
  const tabindex = attr(el, "tabindex");
  if (tabindex !== null && !Number.isNaN(Number.parseInt(tabindex, 10))) return true;
  switch (localName(el)) {
    case "a":
    case "area":
      return hasAttr(el, "href") || hasAttr(el, "xlink:href");
    case "button":
    case "select":
    case "textarea":
      return !hasAttr(el, "disabled");
    case "input":
      return !hasAttr(el, "disabled") && attr(el, "type")?.toLowerCase() !== "hidden";
    case "summary":
      return isSummary(el);
    case "iframe":
      return true;
    default:
      return isEditingHost(el);
  }
}

/**
 * Returns whether an element is changed with keys, even where no click reaches it: what is drawn
 * around a slider often takes the mouse in its place.
 */
export const takesKeys = (el: Element, role: string): boolean =>
  role === "slider" && isFocusable(el);

/** Returns whether an element is edited in place (`contenteditable`). */
export function isEditingHost(el: Element): boolean {
  const editable = attr(el, "contenteditable");
  return (
    editable !== null && editable.toLowerCase() !== "false" && editable.toLowerCase() !== "inherit"
  );
}

/** Returns whether an element is the summary that opens its `details`: the first one. */
export function isSummary(el: Element): boolean {
  const details = parentNode(el);
  return isElement(details) && localName(details) === "details" && summaryOf(details) === el;
}

/** Returns the summary of a `details` element, which stays visible when that is closed. */
export function summaryOf(details: Element): Element | null {
  let child = firstElementChild(details);
  while (child && localName(child) !== "summary") child = nextElementSibling(child);
  return child;
}
