// Decides whether a person could use the current element, from its markup, corrected by the cursor,
// by the control that a label stands for, and by usable elements around it. Reads its style.

import { firstChild, localName, rectOf, textContent } from "../dom/dom";
import { takesKeys } from "../semantics/elementTraits";
import {
  delegatesCursor,
  hiddenControlOf,
  isHeardFurtherUp,
  isTentative,
  Use,
} from "../semantics/interactivity";
import { roleOf } from "../semantics/roles";
import { StyleEffect } from "../semantics/stylesheetEffects";
import { visibleLabel } from "../visibility/visibility";
import type { CurrentElement } from "./currentElement";
import type { StackEntry } from "./stackEntry";
import type { WalkState } from "./walkState";

/** Finds the use of the element. Needs its visibility, and the use that its markup implies. */
export function judgeUse({ cache }: WalkState, e: CurrentElement): void {
  const { el, tag, style, above, role } = e;
  const control = tag === "label" ? (el as HTMLLabelElement).control : null;
  const hiddenControl = control ? hiddenControlOf(el) : null;
  let { use } = e;
  let cursorTaken = above?.cursorTaken ?? false;
  if (control) cache.addDependency(el, control);
  // The cursor counts only if no ancestor has claimed it and nothing else decides.
  const free = !cursorTaken && !control && use !== Use.Certain && use !== Use.ByRole;
  let pointer =
    free && (e.effects & StyleEffect.Cursor || !above ? style.cursor === "pointer" : above.pointer);
  if (hiddenControl) use = Use.Certain;
  else if (control) {
    if (isTentative(use)) use = Use.No;
    cursorTaken = true;
  } else if (
    (use === Use.No || use === Use.ByListener || use === Use.Focusable) &&
    pointer &&
    !cursorTaken &&
    !delegatesCursor(role, tag) &&
    (!above?.pointer || handsDownEntry(above))
  )
    use = Use.Likely;
  else if (use === Use.No && cursorTaken && isIconOfRow(el, above)) use = Use.Likely;
  if ((isTentative(use) || use === Use.Focusable) && e.scrollRoom) {
    pointer = style.cursor === "pointer";
    if (!pointer) use = Use.No;
  }
  const certain = use === Use.Certain || use === Use.ByRole;
  e.use = use;
  e.cursorTaken = cursorTaken;
  e.pointer = pointer;
  e.hiddenControl = hiddenControl;
  e.hiddenControlRole = hiddenControl ? roleOf(cache, hiddenControl) || "clickable" : "";
  e.certain = certain;
  // An element that lets clicks through cannot be pressed, unless its label takes them.
  e.unclickable =
    certain &&
    style.pointerEvents === "none" &&
    !hiddenControl &&
    !takesKeys(el, role) &&
    (tag !== "input" || visibleLabel(cache, el) === null);
}

/** Tags that icons are drawn with. */
const ICON = /^(i|span|em|b|svg|img|div)$/;
/** How deep in a row its icons are. */
const ICON_REACH = 3;

/**
 * Returns whether an element without text may be an icon in a row that is clicked, where something
 * further up listens for both: which of them reacts cannot be known.
 */
function isIconOfRow(el: Element, above: StackEntry | null): boolean {
  if (!ICON.test(localName(el)) || (localName(el) !== "svg" && firstChild(el))) return false;
  let row = above;
  for (let levels = 0; row && row.use !== Use.Likely; row = row.up)
    if (++levels > ICON_REACH) return false;
  if (!row?.pointer || !isHeardFurtherUp(row.el)) return false;
  const { width, height } = rectOf(el);
  return Math.min(width, height) >= SMALLEST && (textContent(row.el) ?? "").trim() !== "";
}
/** A smaller icon is not clicked, in pixels. */
const SMALLEST = 8;

const handsDownEntry = (entry: StackEntry): boolean =>
  delegatesCursor(entry.node?.role ?? "", entry.tag);
