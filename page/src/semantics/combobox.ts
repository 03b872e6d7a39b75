// The combobox of ARIA 1.1: an element with the role around the text field. To a person both are
// one thing, so the field gets the role, the wrapper's states and, if it has none, the wrapper's
// name; the wrapper gets nothing. Reads attributes, and whether the field is rendered: one that is
// not cannot stand for the wrapper.
// to a person, so one thing here: the field is the combobox, with the wrapper's name (if it has
// none) and states; the wrapper is nothing. Reads attributes, and whether the field is drawn: one
// that is not cannot stand for anything.

import { attr, closest, isElement, isRendered, localName, parentNode, query } from "../dom/dom";

const TYPED = /^(text|search|email|url|tel|number|password)$/;

/**
 * The field that stands for this wrapper; null: it is no such wrapper. What can have the focus
 * itself is a combobox itself.
 */
export function fieldOfCombobox(el: Element): Element | null {
  if (
    attr(el, "role")?.trim().toLowerCase() !== "combobox" ||
    Number.parseInt(attr(el, "tabindex") ?? "-1", 10) >= 0
  )
    return null;
  const tag = localName(el);
  if (tag === "input" || tag === "textarea" || tag === "select" || tag === "button") return null;
  const field = query(el, "input:not([type=hidden i]),textarea");
  if (!field || !isRendered(field)) return null;
  return localName(field) === "textarea" || TYPED.test((field as HTMLInputElement).type)
    ? field
    : null;
}

/** The wrapper that a field stands for. */
export function comboboxOfField(el: Element): Element | null {
  const tag = localName(el);
  const parent = parentNode(el);
  if ((tag !== "input" && tag !== "textarea") || !isElement(parent)) return null;
  const wrapper = closest(parent, '[role="combobox" i]');
  return wrapper && fieldOfCombobox(wrapper) === el ? wrapper : null;
}
