// Whether an element is inert: its document ignores all input to it, because of the attribute, or
// because a modal dialog is open that the element is not in. Reads only.

import { flatContains, flatParent, hasAttr, matches, queryAll } from "../dom/dom";
import { hitTest } from "./hitTest";

const MODAL = "dialog:modal";

/**
 * Returns the modal dialog that blocks the document; null if there is none. Of several that are
 * open, only the topmost one takes clicks: on itself and, by its backdrop, everywhere else.
 */
export function blockingDialog(): Element | null {
  const points: [number, number][] = [
    [innerWidth / 2, innerHeight / 2],
    [1, 1],
  ];
  for (const [x, y] of points)
    for (let at = hitTest(x, y); at; at = flatParent(at)) if (matches(at, MODAL)) return at;
  const open = queryAll(document, MODAL);
  return open[open.length - 1] ?? null;
}

/** Returns whether an element is inert. */
export function isInert(el: Element): boolean {
  for (let at: Element | null = el; at; at = flatParent(at)) {
    if (hasAttr(at, "inert")) return true;
    // A modal dialog is not inert because of what is around it.
    if (matches(at, MODAL)) break;
  }
  const dialog = blockingDialog();
  return dialog !== null && !flatContains(dialog, el);
}
