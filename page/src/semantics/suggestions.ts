// Whether a field may suggest something for the text in it: comboboxes, fields with a list of their
// own, and the autocomplete fields of jQuery UI, which have no such attribute. Reads only.

import { attr, byIdIn, classList, hasAttr, rootOf } from "../dom/dom";
import { comboboxOfField } from "./combobox";

export function maySuggest(field: Element): boolean {
  const wrapper = comboboxOfField(field);
  return suggests(field) || (wrapper !== null && suggests(wrapper));
}

function suggests(el: Element): boolean {
  const word = (name: string): string => attr(el, name)?.trim().toLowerCase() ?? "";
  return (
    word("role") === "combobox" ||
    hasAttr(el, "list") ||
    /^(list|both)$/.test(word("aria-autocomplete")) ||
    word("aria-haspopup") === "listbox" ||
    classList(el).contains("ui-autocomplete-input") ||
    refersToListbox(el)
  );
}

function refersToListbox(el: Element): boolean {
  const ids = `${attr(el, "aria-controls") ?? ""} ${attr(el, "aria-owns") ?? ""}`.trim();
  if (ids === "") return false;
  const root = rootOf(el);
  return ids
    .split(/\s+/)
    .map((id) => byIdIn(root, id))
    .some((list) => list !== null && attr(list, "role")?.trim().toLowerCase() === "listbox");
}
