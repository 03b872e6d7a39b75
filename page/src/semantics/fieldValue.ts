// The value of a field, and the value text of a range. Secrets are masked here, before any other
// code can see them.

import {
  attr,
  flatChildren,
  hasAttr,
  isElement,
  isText,
  localName,
  queryAll,
  textContent,
} from "../dom/dom";
import { collapseAndTrim, stripNoise, truncate } from "../dom/text";
import { isEditingHost } from "./elementTraits";
import { isSecret, MASK } from "./secrets";

const LONGEST_EDITED = 2000;
const LONGEST_COUNTED = 10_000_000;
const RANGES = new Set(["slider", "spinbutton", "progressbar", "meter", "scrollbar"]);
const FIELDS = new Set(["textbox", "searchbox", "combobox", "spinbutton"]);
const BUTTONS = new Set(["button", "checkbox", "hidden", "image", "radio", "reset", "submit"]);

export const isRangeRole = (role: string): boolean => RANGES.has(role);

/** Returns the labels of the selected options. */
export function selectedText(select: HTMLSelectElement): string {
  const parts: string[] = [];
  for (const option of select.selectedOptions) parts.push(optionLabel(option));
  return parts.join(", ");
}

export const optionLabel = (option: Element): string =>
  truncate(collapseAndTrim(stripNoise(attr(option, "label") || (textContent(option) ?? ""))), 500);

/** Returns the labels of the options of a select, in order. */
export function optionLabels(select: Element, most: number): string[] {
  const labels: string[] = [];
  for (const option of queryAll(select, "option")) {
    if (labels.length >= most) break;
    labels.push(optionLabel(option));
  }
  return labels;
}

export function rangeText(el: Element, role: string): string {
  const text = attr(el, "aria-valuetext") ?? attr(el, "aria-valuenow");
  if (text) return text;
  const tag = localName(el);
  if (tag === "input") return (el as HTMLInputElement).value;
  if (tag === "progress")
    return hasAttr(el, "value") ? `${Math.round((el as HTMLProgressElement).position * 100)}%` : "";
  if (tag === "meter") return String((el as HTMLMeterElement).value);
  return role === "spinbutton" ? editedText(el) : "";
}

/** Returns the text of an editing host, with its line breaks. */
export function editedText(el: Element, limit = LONGEST_EDITED): string {
  let text = "";
  const stack: Node[] = flatChildren(el).reverse();
  for (let node = stack.pop(); node && text.length < limit; node = stack.pop()) {
    if (isText(node)) text += node.data;
    else if (isElement(node)) {
      const tag = localName(node);
      if (tag === "style" || tag === "script") continue;
      if (
        /^(br|div|p|li|h[1-6]|pre|blockquote|tr)$/.test(tag) &&
        text !== "" &&
        !text.endsWith("\n")
      )
        text += "\n";
      const inner = flatChildren(node);
      for (let i = inner.length - 1; i >= 0; i--) stack.push(inner[i] as Node);
    }
  }
  return truncate(
    stripNoise(
      text
        .replace(/\u00a0/g, " ")
        .replace(/[ \t\r\f]+/g, " ")
        .trim(),
    ),
    limit,
  );
}

/** Returns the value of a field; null if it has none. */
export function valueOfField(el: Element, role: string): string | null {
  const tag = localName(el);
  if (tag === "select")
    return isSecret(el) ? MASK : truncate(selectedText(el as HTMLSelectElement));
  if (tag === "input" && BUTTONS.has((el as HTMLInputElement).type)) return null;
  if (tag === "input" || tag === "textarea") {
    const value = (el as HTMLInputElement).value;
    if (isSecret(el)) return value === "" ? "" : MASK;
    if (tag === "input" && (el as HTMLInputElement).type === "file") {
      return truncate(
        Array.from((el as HTMLInputElement).files ?? [], (file) => file.name).join(", "),
      );
    }
    return truncate(isRangeRole(role) ? rangeText(el, role) : value);
  }
  if (RANGES.has(role)) return truncate(rangeText(el, role));
  if (isEditingHost(el) && isSecret(el)) return editedText(el, 1) === "" ? "" : MASK;
  if (isEditingHost(el) || FIELDS.has(role)) return editedText(el);
  return null;
}

/**
 * Returns the number of characters (code points) of the whole value, of which `value` may be only
 * the beginning.
 */
export function valueLength(el: Element, value: string): number {
  const tag = localName(el);
  const long = value.endsWith("…");
  const whole = !long
    ? value
    : tag === "input" || tag === "textarea"
      ? (el as HTMLInputElement).value
      : tag === "select"
        ? value
        : editedText(el, LONGEST_COUNTED);
  let count = 0;
  for (let i = 0; i < whole.length; i++) if ((whole.charCodeAt(i) & 0xfc00) !== 0xdc00) count++;
  return count;
}
