// Checkboxes, radio buttons and switches: finds the one that an element stands for, and its state.
// Reads only; a real click changes the state.

import { attr, closest, localName } from "../dom/dom";
import { elementOf, idOf } from "../dom/identity";

/** Elements with an ARIA state. */
const ARIA_CHECKABLE =
  '[role="checkbox" i],[role="switch" i],[role="radio" i],[role="menuitemcheckbox" i],' +
  '[role="menuitemradio" i],[aria-checked]';

const isNative = (el: Element): el is HTMLInputElement =>
  localName(el) === "input" && /^(checkbox|radio)$/.test((el as HTMLInputElement).type);

/** Returns the checkbox that an element is, labels, or lies in. */
function checkboxOf(el: Element): Element | null {
  if (isNative(el)) return el;
  const label = closest(el, "label") as HTMLLabelElement | null;
  if (label?.control && isNative(label.control)) return label.control;
  return closest(el, ARIA_CHECKABLE);
}

/** Returns the state of a checkbox: true, false or mixed, as in `aria-checked`. */
export function checkboxState(id: number): object {
  const el = elementOf(id);
  if (!el) return { ok: false, reason: "gone" };
  const box = checkboxOf(el);
  if (!box) return { ok: false, reason: "not a box" };
  const role = (attr(box, "role") ?? "").trim().toLowerCase();
  const native = isNative(box);
  const said = attr(box, "aria-checked")?.trim().toLowerCase();
  const state = native
    ? box.indeterminate
      ? "mixed"
      : String(box.checked)
    : said === "true" || said === "mixed"
      ? said
      : "false";
  return {
    ok: true,
    box: idOf(box),
    state,
    radio: native ? box.type === "radio" : role === "radio" || role === "menuitemradio",
  };
}
