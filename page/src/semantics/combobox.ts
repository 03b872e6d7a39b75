// The combobox of ARIA 1.1: an element with the role around the field that is typed into. One thing
// to a person, so one thing here: the field is the combobox, with the wrapper's name (if it has
// none) and states; the wrapper is nothing. Reads attributes, and whether the field is drawn: one
// that is not cannot stand for anything.

import { attr, closest, isElement, localName, parentNode, query, rendered } from "../dom/dom";

const TYPED = /^(text|search|email|url|tel|number|password)$/;

/**
 * The field that stands for this wrapper; null: it is no such wrapper. What can have the focus
 * itself is a combobox itself.
 */
export function comboField(el: Element): Element | null {
  if (
    attr(el, "role")?.trim().toLowerCase() !== "combobox" ||
    Number.parseInt(attr(el, "tabindex") ?? "-1", 10) >= 0
  )
    return null;
  const tag = localName(el);
  if (tag === "input" || tag === "textarea" || tag === "select" || tag === "button") return null;
  const field = query(el, "input:not([type=hidden i]),textarea");
  if (!field || !rendered(field)) return null;
  return localName(field) === "textarea" || TYPED.test((field as HTMLInputElement).type)
    ? field
    : null;
}

/** The wrapper that a field stands for. */
export function comboAround(el: Element): Element | null {
  const tag = localName(el);
  const parent = parentNode(el);
  if ((tag !== "input" && tag !== "textarea") || !isElement(parent)) return null;
  const wrapper = closest(parent, '[role="combobox" i]');
  return wrapper && comboField(wrapper) === el ? wrapper : null;
}
