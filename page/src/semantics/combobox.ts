// The combobox of ARIA 1.1: an element with the role around the text field. To a person both are
// one thing, so the field gets the role, the wrapper's states and, if it has none, the wrapper's
// name; the wrapper gets nothing. Reads attributes, and whether the field is rendered: a field that
// is not rendered cannot stand for the wrapper.

import { attr, closest, isElement, isRendered, localName, parentNode, query } from "../dom/dom";

const TYPED = /^(text|search|email|url|tel|number|password)$/;

/**
 * Returns the field that stands for a combobox wrapper; null if it is not such a wrapper. An
 * element that can have the focus is a combobox on its own.
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

/** Returns the combobox wrapper that a field stands for. */
export function comboboxOfField(el: Element): Element | null {
  const tag = localName(el);
  const parent = parentNode(el);
  if ((tag !== "input" && tag !== "textarea") || !isElement(parent)) return null;
  const wrapper = closest(parent, '[role="combobox" i]');
  return wrapper && fieldOfCombobox(wrapper) === el ? wrapper : null;
}
