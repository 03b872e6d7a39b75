// Decides whether a person could use the current element, from its markup, corrected by the cursor,
// by the control that a label stands for, and by usable elements around it. Reads its style.

import { takesKeys } from "../semantics/elementTraits";
import { delegatesCursor, hiddenControlOf, isTentative, Use } from "../semantics/interactivity";
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

const handsDownEntry = (entry: StackEntry): boolean =>
  delegatesCursor(entry.node?.role ?? "", entry.tag);
