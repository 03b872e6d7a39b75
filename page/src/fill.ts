// Filling fields: the focus, the selection and the value. Focuses and selects, as a person's hand would; the only other thing it changes is
// a value, and only of fields that cannot be typed into.

import { isDisabled } from "./act";
import { comboField } from "./combo";
import { activeElement, attr, bodyElement, flatParent, has, localName, matches, query, queryAll } from "./dom";
import { elementOf, idOf } from "./identity";
import { Look } from "./look";
import { isEditingHost, roleOf } from "./roles";
import { isSecret, MASK } from "./secrets";
import { proxied } from "./usable";
import { optionLabel, valueOf, wholeLength } from "./values";

const TYPED = /^(text|search|email|url|tel|password|number)$/;

/** What was given the focus for an element: itself, its editing host, the field inside it. */
const given = new WeakMap<Element, Element>();

/** A body that is edited has the focus when nothing else has. */
const hasFocus = (el: Element): boolean => (activeElement() ?? bodyElement()) === el;

/** A page may move the focus on while it is being given; what is typed would then go elsewhere. */
function kept(el: Element, field: Element, kind: string): object {
  given.set(el, field);
  return hasFocus(field) ? { ok: true, kind } : { ok: false, reason: "focus moved" };
}

/** Focuses a field and selects what is in it, so that what is typed replaces it. `direct`: typing cannot fill it, use `setValue`. */
export function focus(id: number): object {
  const el = elementOf(id);
  if (!el) return { ok: false, reason: "gone" };
  const tag = localName(el);
  if (isDisabled(el)) return { ok: false, reason: "disabled" };
  if (tag === "input" || tag === "textarea") {
    const field = el as HTMLInputElement;
    if (field.readOnly) return { ok: false, reason: "readonly" };
    if (tag === "input" && /^(button|checkbox|file|hidden|image|radio|reset|submit)$/.test(field.type)) return { ok: false, reason: "not a field" };
    field.focus({ preventScroll: false });
    // Set without typing: it does not matter who has the focus.
    if (tag === "input" && !TYPED.test(field.type)) return { ok: true, kind: "direct" };
    field.select();
    return kept(el, field, "text");
  }
  const host = editingHostOf(el);
  if (host) {
    if (attr(host, "aria-readonly") === "true") return { ok: false, reason: "readonly" };
    const outer = outermostEditable(host);
    (outer as HTMLElement).focus();
    const range = document.createRange();
    range.selectNodeContents(host);
    const selection = getSelection();
    selection?.removeAllRanges();
    selection?.addRange(range);
    return kept(el, outer, "editable");
  }
  if (tag === "select") return { ok: false, reason: "not a field: it is a select" };
  // A wrapper with the role of a field: the field is inside.
  const combo = comboField(el);
  const inner = combo ?? query(el, "input:not([type=hidden]),textarea,[contenteditable]");
  if (inner && (combo || /^(textbox|searchbox|combobox|spinbutton)$/.test(roleOf(new Look(), el)))) {
    const answer = focus(idOf(inner));
    given.set(el, given.get(inner) ?? inner);
    return answer;
  }
  return { ok: false, reason: "not a field" };
}

/** Focuses whatever can have the focus, for a key press; what is in it stays as it is. */
export function focusOnly(id: number): object {
  const el = elementOf(id);
  if (!el) return { ok: false, reason: "gone" };
  if (isDisabled(el)) return { ok: false, reason: "disabled" };
  const target = (localName(el) === "label" ? proxied(el) : editingHostOf(el)) ?? el;
  if (!hasFocus(target)) (target as HTMLElement).focus?.();
  given.set(el, target);
  return hasFocus(target) ? { ok: true, kind: "focused" } : { ok: false, reason: "not focusable" };
}

/** Whether what `focus` gave the focus to still has it: asked right before typing, because a page may move it at any time. */
export function focused(id: number): object {
  const el = elementOf(id);
  return { ok: el !== null && hasFocus(given.get(el) ?? el) };
}

function editingHostOf(el: Element): Element | null {
  for (let at: Element | null = el; at; at = flatParent(at)) if (isEditingHost(at)) return at;
  return null;
}

/** Only the outermost of nested editable elements can have the focus. */
function outermostEditable(host: Element): Element {
  let outer = host;
  for (let at = flatParent(host); at && (at as HTMLElement).isContentEditable; at = flatParent(at)) outer = at;
  return outer;
}

export function value(id: number): object {
  const el = elementOf(id);
  if (!el) return { value: null, gone: true };
  if (isSecret(el)) return { value: MASK, length: (el as HTMLInputElement).value.length };
  const value = valueOf(el, roleOf(new Look(), el));
  return { value, chars: value === null ? 0 : wholeLength(el, value) };
}

/** Sets a field that cannot be typed into (date, time, colour, range) as its picker would: the value, then input and change. */
export function setValue(id: number, text: string): object {
  const el = elementOf(id);
  if (!el) return { ok: false, reason: "gone" };
  const tag = localName(el);
  if (tag !== "input" && tag !== "textarea") return { ok: false, reason: "not a field" };
  const field = el as HTMLInputElement;
  if (isDisabled(el)) return { ok: false, reason: "disabled" };
  if (field.readOnly && has(el, "readonly")) return { ok: false, reason: "readonly" };
  const before = field.value;
  const set = Object.getOwnPropertyDescriptor((tag === "input" ? HTMLInputElement : HTMLTextAreaElement).prototype, "value")?.set;
  set?.call(field, text);
  const taken = field.value;
  const same = taken === text || (field.type === "range" && Number(taken) === Number(text)) || (field.type === "color" && taken.toLowerCase() === text.toLowerCase());
  if (!same) {
    set?.call(field, before);
    return { ok: false, reason: `a field of type ${field.type} does not take this value`, value: isSecret(el) ? MASK : before };
  }
  announce(field);
  return { ok: true, value: isSecret(el) ? MASK : field.value };
}

/** Chooses options of a select by value or label; all must be there. */
export function select(id: number, values: string[]): object {
  const el = elementOf(id);
  if (!el) return { ok: false, reason: "gone" };
  if (localName(el) !== "select") return { ok: false, reason: "not a select" };
  if (isDisabled(el)) return { ok: false, reason: "disabled" };
  const field = el as HTMLSelectElement;
  if (!field.multiple && values.length > 1) return { ok: false, reason: "it takes one option only" };
  const options = [...queryAll(el, "option")] as HTMLOptionElement[];
  const chosen = new Set<HTMLOptionElement>();
  for (const wanted of values) {
    const option = options.find((o) => optionLabel(o) === wanted) ?? options.find((o) => o.value === wanted);
    if (!option) return { ok: false, reason: "no such option", missing: wanted, options: options.slice(0, 100).map(optionLabel) };
    if (matches(option, ":disabled")) return { ok: false, reason: "that option is disabled", missing: wanted };
    chosen.add(option);
  }
  field.focus();
  let moved = false;
  for (const option of options) {
    const on = chosen.has(option);
    if (option.selected !== on && (field.multiple || on)) {
      option.selected = on;
      moved = true;
    }
  }
  if (moved) announce(field);
  return { ok: true, changed: moved, value: valueOf(el, "combobox") };
}

function announce(field: HTMLElement): void {
  field.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  field.dispatchEvent(new Event("change", { bubbles: true, composed: true }));
}
