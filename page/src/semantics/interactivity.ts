// Whether a person could use an element. Yes/no rules on markup and role; no weights. Reads
// attributes, and one style for labels.
// attributes and one style.

import { attr, closest, hasAttr, isRendered, localName } from "../dom/dom";
import { hasListener } from "../dom/engineSupplied";
import { isEditingHost, isFocusable, isSummary } from "./elementTraits";
import { LANDMARKS } from "./roles";

export const enum Use {
  No,
  /** For certain. */
  Certain,
  /** A widget by role alone: not if it merely wraps the one thing that is used. */
  ByRole,
  /**
   * Clickable by tabindex or cursor: not if it contains anything usable, for then it merely
   * delegates.
   */
  Likely,
  /**
   * Clickable for a handler or listener alone: the same, and what has the hand-shaped cursor in it
   * is used instead of it.
   */
  ByListener,
  /**
   * Focusable for the keyboard's sake, or listening for what is in it: to be clicked only if
   * nothing in it is.
   */
  Focusable,
}
/** Not for certain. */
export const isTentative = (use: Use): boolean => use === Use.Likely || use === Use.ByListener;

const WIDGETS = new Set(
  (
    "button checkbox combobox link menuitem menuitemcheckbox menuitemradio option radio " +
    "searchbox slider spinbutton switch tab " +
    "textbox treeitem"
  ).split(" "),
);

/**
 * What is focusable for the keyboard's sake (to scroll or to be announced), rather than to be
 * clicked.
 */
const FOCUS_ONLY = new Set(
  (
    "alert alertdialog application article banner complementary contentinfo dialog document " +
    "feed figure form grid group heading list listbox " +
    "log main menu menubar navigation paragraph radiogroup region rowgroup scrollbar search " +
    "status table tablist tabpanel timer toolbar tooltip tree treegrid"
  ).split(" "),
);

/** Lists and tables hand the hand-shaped cursor down to what is in them. */
const DELEGATING = new Set(
  (
    "feed grid group list listbox main menu menubar navigation radiogroup region rowgroup " +
    "table tablist toolbar tree treegrid"
  ).split(" "),
);
export const delegatesCursor = (role: string, tag: string): boolean =>
  DELEGATING.has(role) || tag === "body" || tag === "html";

/**
 * Parts of a grid that are chosen with the hand: with a tabindex (a calendar gives all days but one
 * -1), or because they can be selected.
 */
const isGridChoice = (el: Element, role: string, tabindex: string | null): boolean =>
  /^(gridcell|row|rowheader|columnheader)$/.test(role) &&
  (tabindex !== null || hasAttr(el, "aria-selected")) &&
  (role === "gridcell" || closest(el, '[role="grid" i],[role="treegrid" i]') !== null);

const HANDLERS = [
  "onclick",
  "onmousedown",
  "onmouseup",
  "onpointerdown",
  "onpointerup",
  "ontouchstart",
  "ondblclick",
];

const CONTROLS = new Set(
  "a area audio button input optgroup option select summary textarea video".split(" "),
);
/**
 * Tags that may be usable without any attribute; what has none of interest and another tag is not,
 * as far as markup tells.
 */
export const isControl = (tag: string): boolean => CONTROLS.has(tag);

/** What markup tells; the cursor is the walk's to judge, because it is inherited. */
export function markupUse(el: Element, tag: string, role: string): Use {
  switch (tag) {
    case "button":
    case "select":
    case "textarea":
      return Use.Certain;
    case "input":
      return (el as HTMLInputElement).type === "hidden" ? Use.No : Use.Certain;
    case "a":
    case "area":
      if (hasAttr(el, "href") || hasAttr(el, "xlink:href")) return Use.Certain;
      break;
    case "summary":
      if (isSummary(el)) return Use.Certain;
      break;
    case "video":
    case "audio":
      if (hasAttr(el, "controls")) return Use.Certain;
      break;
    case "option":
    case "optgroup":
    case "html":
      return Use.No;
  }
  if (isEditingHost(el)) return Use.Certain;
  if (WIDGETS.has(role)) return isFocusable(el) && role !== "combobox" ? Use.Certain : Use.ByRole;
  if (tag === "body") return Use.No;
  const tabindex = attr(el, "tabindex");
  if (isGridChoice(el, role, tabindex)) return Use.Likely;
  if (tabindex !== null && Number.parseInt(tabindex, 10) >= 0)
    return FOCUS_ONLY.has(role) ? Use.Focusable : Use.Likely;
  // Lists, tables and landmarks listen for what is in them.
  const heard = delegatesCursor(role, tag) || LANDMARKS.has(role) ? Use.Focusable : Use.ByListener;
  if (hasListener(el)) return heard;
  for (const handler of HANDLERS) if (hasAttr(el, handler)) return heard;
  return Use.No;
}

/** The control that a label stands in for, because the control itself is not drawn. */
export function hiddenControlOf(label: Element): HTMLElement | null {
  const control = (label as HTMLLabelElement).control;
  if (!control || !/^(input|button)$/.test(localName(control))) return null;
  if (isRendered(control) && getComputedStyle(control).visibility === "visible") return null;
  return control;
}
