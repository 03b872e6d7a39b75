// The states of an element as flag bits: native ones from the DOM, ARIA states where there is no
// native one. Reads properties, so that what a script set (checked, indeterminate) counts.

import { attr, hasAttr, localName, matches, parentNode } from "../dom/dom";
import { wordSet } from "../dom/text";
import { comboboxOfField } from "./combobox";
import { isSummary } from "./elementTraits";
import { LIVE_ROLES } from "./roles";

export enum Flag {
  Usable = 1 << 0,
  Block = 1 << 1,
  Scrolls = 1 << 2,
  Host = 1 << 3,
  AriaHidden = 1 << 4,
  FromContent = 1 << 5,
  Secret = 1 << 6,
  Live = 1 << 7,
  Checked = 1 << 8,
  Mixed = 1 << 9,
  Disabled = 1 << 10,
  Expanded = 1 << 11,
  Collapsed = 1 << 12,
  Selected = 1 << 13,
  Pressed = 1 << 14,
  Required = 1 << 15,
  Invalid = 1 << 16,
  Readonly = 1 << 17,
  Focused = 1 << 18,
  Modal = 1 << 19,
  Busy = 1 << 20,
  Unreachable = 1 << 21,
  InViewport = 1 << 22,
  Withheld = 1 << 23,
  // 24 to 26: why it is hidden.
  Inert = 1 << 27,
  Obscured = 1 << 28,
  Gutter = 1 << 29,
  Invisible = 1 << 30,
}
export const WHY_SHIFT = 24;

const CHECKABLE = wordSet("checkbox menuitemcheckbox menuitemradio option radio switch treeitem");

/** `plain`: the element has no attribute that could give it a state. */
export function statesOf(
  el: Element,
  tag: string,
  role: string,
  disabledAbove: boolean,
  plain: boolean,
): number {
  let flags = nativeStates(el, tag);
  if (!plain) flags |= ariaStates(el, role, flags);
  const combo = role === "combobox" && tag !== "select" ? comboboxOfField(el) : null;
  if (combo) flags |= ariaStates(combo, role, flags);
  if (LIVE_ROLES.has(role)) flags |= Flag.Live;
  if (disabledAbove) flags |= Flag.Disabled;
  return flags;
}

const NATIVE = wordSet("input textarea select button fieldset option summary dialog output");
/** Returns whether a tag may have states without attributes. */
export const hasStates = (tag: string): boolean => NATIVE.has(tag) || tag.includes("-");

function nativeStates(el: Element, tag: string): number {
  let flags = 0;
  switch (tag) {
    case "input": {
      const input = el as HTMLInputElement;
      if (input.type === "checkbox" || input.type === "radio") {
        if (input.indeterminate && input.type === "checkbox") flags |= Flag.Mixed;
        else if (input.checked) flags |= Flag.Checked;
      } else if (
        input.readOnly &&
        !/^(button|color|file|image|range|reset|submit)$/.test(input.type)
      )
        flags |= Flag.Readonly;
      return flags | fieldStates(input);
    }
    case "textarea":
      if ((el as HTMLTextAreaElement).readOnly) flags |= Flag.Readonly;
      return flags | fieldStates(el as HTMLTextAreaElement);
    case "select":
      return fieldStates(el as HTMLSelectElement);
    case "button": {
      const target = (el as HTMLButtonElement).popoverTargetElement;
      if (target) flags |= matches(target, ":popover-open") ? Flag.Expanded : Flag.Collapsed;
      return flags | (matches(el, ":disabled") ? Flag.Disabled : 0);
    }
    case "fieldset":
      return matches(el, ":disabled") ? Flag.Disabled : 0;
    case "option":
      return (
        ((el as HTMLOptionElement).selected ? Flag.Selected : 0) |
        (matches(el, ":disabled") ? Flag.Disabled : 0)
      );
    case "summary":
      return isSummary(el)
        ? hasAttr(parentNode(el) as Element, "open")
          ? Flag.Expanded
          : Flag.Collapsed
        : 0;
    case "dialog":
      return matches(el, ":modal") ? Flag.Modal : 0;
    default:
      return tag.includes("-") && matches(el, ":disabled") ? Flag.Disabled : 0;
  }
}

function fieldStates(field: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement): number {
  let flags = 0;
  if (field.required) flags |= Flag.Required;
  if (matches(field, ":disabled")) flags |= Flag.Disabled;
  if (matches(field, ":user-invalid")) flags |= Flag.Invalid;
  return flags;
}

function ariaStates(el: Element, role: string, native: number): number {
  let flags = 0;
  const checked = attr(el, "aria-checked");
  const nativeCheck =
    localName(el) === "input" && /^(checkbox|radio)$/.test((el as HTMLInputElement).type);
  if (checked && !nativeCheck && CHECKABLE.has(role)) {
    if (checked === "true") flags |= Flag.Checked;
    if (checked === "mixed") flags |= Flag.Mixed;
  }
  const pressed = attr(el, "aria-pressed");
  if (pressed === "true") flags |= Flag.Pressed;
  if (pressed === "mixed") flags |= Flag.Mixed;
  const expanded = attr(el, "aria-expanded");
  if (!(native & (Flag.Expanded | Flag.Collapsed))) {
    if (expanded === "true") flags |= Flag.Expanded;
    if (expanded === "false") flags |= Flag.Collapsed;
  }
  if (attr(el, "aria-selected") === "true") flags |= Flag.Selected;
  if (attr(el, "aria-required") === "true") flags |= Flag.Required;
  if (attr(el, "aria-readonly") === "true") flags |= Flag.Readonly;
  if (attr(el, "aria-disabled") === "true") flags |= Flag.Disabled;
  if (attr(el, "aria-modal") === "true") flags |= Flag.Modal;
  if (attr(el, "aria-busy") === "true") flags |= Flag.Busy;
  const invalid = attr(el, "aria-invalid");
  if (invalid !== null && invalid !== "" && invalid !== "false") flags |= Flag.Invalid;
  const live = attr(el, "aria-live");
  if (live === "polite" || live === "assertive") flags |= Flag.Live;
  return flags;
}
