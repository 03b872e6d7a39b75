// Whether a person could use the element at hand: what its markup says, corrected by the cursor, by
// the label that stands for a control, and by what already counts as used around it. Reads its style.

import { handsDown, isSoft, proxied, Use } from "../semantics/interactivity";
import { roleOf } from "../semantics/roles";
import { May } from "../semantics/stylesheetEffects";
import { shownLabel } from "../visibility/visibility";
import type { CurrentElement } from "./currentElement";
import type { Frame } from "./walkContext";
import type { WalkState } from "./walkState";

/** Finds the use of the element. Needs its visibility, which finds the use that markup tells. */
export function judgeUse({ look }: WalkState, e: CurrentElement): void {
  const { el, tag, style, above, role } = e;
  const control = tag === "label" ? (el as HTMLLabelElement).control : null;
  const stands = control ? proxied(el) : null;
  let { use } = e;
  let taken = above?.taken ?? false;
  if (control) look.rely(el, control);
  // The cursor counts only where nothing above has taken it, and where nothing else decides.
  const free = !taken && !control && use !== Use.Firm && use !== Use.Role;
  let pointer =
    free && (e.asks & May.Cursor || !above ? style.cursor === "pointer" : above.pointer);
  if (stands) use = Use.Firm;
  else if (control) {
    if (isSoft(use)) use = Use.No;
    taken = true;
  } else if (
    (use === Use.No || use === Use.Heard || use === Use.Quiet) &&
    pointer &&
    !taken &&
    !handsDown(role, tag) &&
    (!above?.pointer || handsDownFrame(above))
  )
    use = Use.Soft;
  if ((isSoft(use) || use === Use.Quiet) && e.room) {
    pointer = style.cursor === "pointer";
    if (!pointer) use = Use.No;
  }
  const firm = use === Use.Firm || use === Use.Role;
  e.use = use;
  e.taken = taken;
  e.pointer = pointer;
  e.stands = stands;
  e.standsRole = stands ? roleOf(look, stands) || "clickable" : "";
  e.firm = firm;
  // What lets clicks through cannot be pressed, unless its label takes them.
  e.deaf =
    firm &&
    style.pointerEvents === "none" &&
    !stands &&
    (tag !== "input" || shownLabel(look, el) === null);
}

const handsDownFrame = (frame: Frame): boolean => handsDown(frame.node?.role ?? "", frame.tag);
