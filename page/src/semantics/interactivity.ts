// Whether a person could use an element. Yes/no rules on markup, role and cursor; no weights. Reads
// attributes and one style.

import { attr, closest, has, localName, rendered } from "../dom/dom";
import { hasListener } from "../dom/engineSupplied";
import { isEditingHost, isFocusable, isSummary } from "./elementTraits";
import { LANDMARKS } from "./roles";

export const enum Use {
  No,
  /** For certain. */
  Firm,
  /** A widget by role alone: not if it merely wraps the one thing that is used. */
  Role,
  /**
   * Clickable by tabindex or cursor: not if it contains anything usable, for then it merely
   * delegates.
   */
  Soft,
  /**
   * Clickable for a handler or listener alone: the same, and what has the hand-shaped cursor in it
   * is used instead of it.
   */
  Heard,
  /**
   * Focusable for the keyboard's sake, or listening for what is in it: to be clicked only if
   * nothing in it is.
   */
  Quiet,
}
/** Not for certain. */
export const isSoft = (use: Use): boolean => use === Use.Soft || use === Use.Heard;

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
const QUIET = new Set(
  (
    "alert alertdialog application article banner complementary contentinfo dialog document " +
    "feed figure form grid group heading list listbox " +
    "log main menu menubar navigation paragraph radiogroup region rowgroup scrollbar search " +
    "status table tablist tabpanel timer toolbar tooltip tree treegrid"
  ).split(" "),
);

/** Lists and tables hand the hand-shaped cursor down to what is in them. */
const HANDS_DOWN = new Set(
  (
    "feed grid group list listbox main menu menubar navigation radiogroup region rowgroup " +
    "table tablist toolbar tree treegrid"
  ).split(" "),
);
export const handsDown = (role: string, tag: string): boolean =>
  HANDS_DOWN.has(role) || tag === "body" || tag === "html";

/**
 * Parts of a grid that are chosen with the hand: with a tabindex (a calendar gives all days but one
 * -1), or because they can be selected.
 */
const isChosen = (el: Element, role: string, tabindex: string | null): boolean =>
  /^(gridcell|row|rowheader|columnheader)$/.test(role) &&
  (tabindex !== null || has(el, "aria-selected")) &&
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
      return Use.Firm;
    case "input":
      return (el as HTMLInputElement).type === "hidden" ? Use.No : Use.Firm;
    case "a":
    case "area":
      if (has(el, "href") || has(el, "xlink:href")) return Use.Firm;
      break;
    case "summary":
      if (isSummary(el)) return Use.Firm;
      break;
    case "video":
    case "audio":
      if (has(el, "controls")) return Use.Firm;
      break;
    case "option":
    case "optgroup":
    case "html":
      return Use.No;
  }
  if (isEditingHost(el)) return Use.Firm;
  if (WIDGETS.has(role)) return isFocusable(el) && role !== "combobox" ? Use.Firm : Use.Role;
  if (tag === "body") return Use.No;
  const tabindex = attr(el, "tabindex");
  if (isChosen(el, role, tabindex)) return Use.Soft;
  if (tabindex !== null && Number.parseInt(tabindex, 10) >= 0)
    return QUIET.has(role) ? Use.Quiet : Use.Soft;
  // Lists, tables and landmarks listen for what is in them.
  const heard = handsDown(role, tag) || LANDMARKS.has(role) ? Use.Quiet : Use.Heard;
  if (hasListener(el)) return heard;
  for (const handler of HANDLERS) if (has(el, handler)) return heard;
  return Use.No;
}

/** The control that a label stands in for, because the control itself is not drawn. */
export function proxied(label: Element): HTMLElement | null {
  const control = (label as HTMLLabelElement).control;
  if (!control || !/^(input|button)$/.test(localName(control))) return null;
  if (rendered(control) && getComputedStyle(control).visibility === "visible") return null;
  return control;
}
