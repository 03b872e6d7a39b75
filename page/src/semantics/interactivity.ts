// Whether a person could use an element. Yes/no rules on markup and role; no weights. Reads
// attributes, and one style for labels.

import {
  attr,
  closest,
  hasAttr,
  isElement,
  isRendered,
  localName,
  nextElementSibling,
  parentNode,
  previousElementSibling,
  query,
} from "../dom/dom";
import { hasAnyListener, hasListener } from "../dom/engineSupplied";
import { wordSet, words } from "../dom/text";
import { isEditingHost, isFocusable, isSummary } from "./elementTraits";
import { LANDMARKS } from "./roles";

export enum Use {
  No,
  /** Certainly usable. */
  Certain,
  /** A widget by its role only: not usable if it wraps the only usable element. */
  ByRole,
  /**
   * Clickable by tabindex or cursor, unless it contains something usable: then it only delegates.
   */
  Likely,
  /**
   * Clickable only by a handler or listener. As `Likely`, and an element in it with the pointer
   * cursor is used instead.
   */
  ByListener,
  /**
   * Focusable for the keyboard, or listening for its descendants: clickable only if nothing in it
   * is.
   */
  Focusable,
}
/** Returns whether a use is not certain. */
export const isTentative = (use: Use): boolean => use === Use.Likely || use === Use.ByListener;

const WIDGETS = wordSet(
  "button checkbox combobox link menuitem menuitemcheckbox menuitemradio option radio " +
    "searchbox slider spinbutton switch tab " +
    "textbox treeitem",
);

/** Roles that are focusable for the keyboard (to scroll or to be announced), not to be clicked. */
const FOCUS_ONLY = wordSet(
  "alert alertdialog application article banner complementary contentinfo dialog document " +
    "feed figure form grid group heading list listbox " +
    "log main menu menubar navigation paragraph radiogroup region rowgroup scrollbar search " +
    "status table tablist tabpanel timer toolbar tooltip tree treegrid",
);

/** Lists and tables leave the pointer cursor to their items. */
const DELEGATING = wordSet(
  "feed grid group list listbox main menu menubar navigation radiogroup region rowgroup " +
    "table tablist toolbar tree treegrid",
);
export const delegatesCursor = (role: string, tag: string): boolean =>
  DELEGATING.has(role) || tag === "body" || tag === "html";

/**
 * Returns whether a part of a grid can be chosen by a click: with a tabindex (a calendar gives -1
 * to all days but one), or because it can be selected.
 */
const isGridChoice = (el: Element, role: string, tabindex: string | null): boolean =>
  /^(gridcell|row|rowheader|columnheader)$/.test(role) &&
  (tabindex !== null || hasAttr(el, "aria-selected")) &&
  (role === "gridcell" || closest(el, '[role="grid" i],[role="treegrid" i]') !== null);

const HANDLERS = words(
  "onclick onmousedown onmouseup onpointerdown onpointerup ontouchstart ondblclick",
);

const CONTROLS = wordSet("a area audio button input optgroup option select summary textarea video");
/**
 * Returns whether a tag may be usable without attributes. Other tags need an attribute to be
 * usable.
 */
export const isControl = (tag: string): boolean => CONTROLS.has(tag);

/** Classes and attributes of items that common libraries let people drag. */
const DRAG_CLASS =
  /(^|\s)(ui-sortable-handle|ui-draggable|ui-draggable-handle|cdk-drag|sortable-item|draggable-item|react-draggable)(\s|$)/;
const DRAG_ATTRIBUTE = /^data-r[bf]d-(draggable-id|drag-handle-draggable-id)$/;
const DRAG_DESCRIPTION = /^(sortable|draggable)( item)?$/i;

/** Returns whether an attribute marks an item that can be dragged. */
export const marksDragItem = (name: string, value: string): boolean =>
  name === "class"
    ? value.length < 1000 && DRAG_CLASS.test(value)
    : DRAG_ATTRIBUTE.test(name) || (name === "draggable" && value === "true");

/** Returns whether an element can be dragged, by its markup. */
export const isDragItem = (el: Element): boolean =>
  marksDragItem("draggable", attr(el, "draggable") ?? "") ||
  marksDragItem("class", attr(el, "class") ?? "") ||
  DRAG_DESCRIPTION.test(attr(el, "aria-roledescription") ?? "") ||
  hasAttr(el, "data-rbd-draggable-id") ||
  hasAttr(el, "data-rfd-draggable-id");

/**
 * Returns the use that follows from markup. The cursor is judged by the walk, because it is
 * inherited.
 */
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
  if (isDragItem(el)) return Use.Likely;
  const tabindex = attr(el, "tabindex");
  if (isGridChoice(el, role, tabindex)) return Use.Likely;
  if (tabindex !== null && Number.parseInt(tabindex, 10) >= 0)
    return FOCUS_ONLY.has(role) ? Use.Focusable : Use.Likely;
  // Lists, tables and landmarks listen on behalf of their content.
  const heard = delegatesCursor(role, tag) || LANDMARKS.has(role) ? Use.Focusable : Use.ByListener;
  if (hasListener(el)) return heard;
  for (const handler of HANDLERS) if (hasAttr(el, handler)) return heard;
  return Use.No;
}

/**
 * Returns whether an item reacts to presses because what holds it listens for them: an item of a
 * list, a row of a table, or one of several elements of the same kind. Use that follows from its
 * own markup comes first.
 */
export function isItemOfListener(el: Element, role: string): boolean {
  if (!hearsThroughParent(el)) return false;
  // A row of heads is not chosen, but sorted by.
  if (role === "row") return query(el, CELL) !== null;
  return role === "listitem" || (role === "" && isOneOfKind(el));
}
const CELL = 'td,[role="cell" i],[role="gridcell" i]';

/** Returns whether an element is next to one with the same tag and the same first class. */
function isOneOfKind(el: Element): boolean {
  const kind = kindOf(el);
  return (
    kind !== "" &&
    [previousElementSibling(el), nextElementSibling(el)].some(
      (other) => other && kindOf(other) === kind,
    )
  );
}
const kindOf = (el: Element): string => {
  const [first] = words((attr(el, "class") ?? "").trim());
  return first || localName(el) === "div" ? `${localName(el)}.${first ?? ""}` : "";
};

/** Returns whether the parent of an element, or the table around its rows, listens for presses. */
export function hearsThroughParent(el: Element): boolean {
  if (!hasAnyListener()) return false;
  const holder = parentNode(el);
  if (!isElement(holder) || /^(body|thead|label|button|a|svg)$/.test(localName(holder)))
    return false;
  if (hasListener(holder)) return true;
  const rows = localName(holder) === "tbody" || attr(holder, "role")?.toLowerCase() === "rowgroup";
  const table = rows ? parentNode(holder) : null;
  return isElement(table) && hasListener(table);
}

/** Returns whether something around an element listens for presses, and the element does not. */
export function isHeardFurtherUp(el: Element): boolean {
  if (!hasAnyListener() || hasListener(el)) return false;
  let at = parentNode(el);
  for (let levels = 0; levels < LISTENER_REACH && isElement(at); levels++, at = parentNode(at))
    if (hasListener(at)) return true;
  return false;
}
/** How far above a row its listener may be. */
const LISTENER_REACH = 4;

/** Returns the control that a label stands for, because the control itself is not rendered. */
export function hiddenControlOf(label: Element): HTMLElement | null {
  const control = (label as HTMLLabelElement).control;
  if (!control || !/^(input|button)$/.test(localName(control))) return null;
  if (isRendered(control) && getComputedStyle(control).visibility === "visible") return null;
  return control;
}
