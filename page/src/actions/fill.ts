// Filling fields: focus, selection and value. Focuses and selects as a person would. Sets a value
// directly only in fields that cannot be typed into.

import { nextAnimationFrame } from "../dom/animationFrame";
import {
  activeElement,
  attr,
  bodyElement,
  dispatch,
  flatContains,
  flatParent,
  focusOn,
  hasAttr,
  isEditable,
  isElement,
  localName,
  query,
} from "../dom/dom";
import { elementOf, idOf } from "../dom/identity";
import { codeEditorOf, editorText } from "../semantics/codeEditor";
import { fieldOfCombobox } from "../semantics/combobox";
import { isEditingHost } from "../semantics/elementTraits";
import { valueLength, valueOfField } from "../semantics/fieldValue";
import { hiddenControlOf } from "../semantics/interactivity";
import { ReadCache } from "../semantics/readCache";
import { roleOf } from "../semantics/roles";
import { isSecret, MASK, rememberSecret, valueIn } from "../semantics/secrets";
import { FRAMES } from "../semantics/tagTraits";
import { isDisabled, whyUnusable } from "./prepare";

const TYPED = /^(text|search|email|url|tel|password|number)$/;

/** The number of frames that the focus may take to arrive. */
const MAX_FOCUS_FRAMES = 10;

/** The element that got the focus for an element: itself, its editing host, or the field in it. */
const focusTargets = new WeakMap<Element, Element>();

/**
 * Returns whether keys reach this document: in a frame only if the document around it passed on the
 * focus.
 */
const frameHasFocus = (): boolean => window === window.top || document.hasFocus();

/** Returns whether an element has the focus. An editable body has it when no element has it. */
const hasFocus = (el: Element): boolean => (activeElement() ?? bodyElement()) === el;

/**
 * Focuses an element. If it has the focus of its frame already, the frame must get the focus of the
 * page.
 */
export function giveFocus(el: Element, options?: FocusOptions): void {
  if (!frameHasFocus()) window.focus();
  focusOn(el, options);
}

/**
 * Returns whether the focus arrived. A page may move it on at once; typed text would then go
 * elsewhere.
 */
function focusResult(el: Element, field: Element, kind: string): object {
  focusTargets.set(el, field);
  return hasFocus(field) ? { ok: true, kind } : { ok: false, reason: "focus moved" };
}

/**
 * Focuses a field and selects its content, so that typing replaces it. `direct`: typing cannot fill
 * it, use `setValue`. `editor` and `editable`: select the content with a key, because editors that
 * draw their own text then select all of it.
 */
export function focusField(id: number): object {
  const el = elementOf(id);
  if (!el) return { ok: false, reason: "gone" };
  const tag = localName(el);
  if (isDisabled(el)) return { ok: false, reason: "disabled" };
  const editor = codeEditorOf(el);
  if (editor) {
    if (editor.field.readOnly) return { ok: false, reason: "readonly" };
    giveFocus(editor.field, { preventScroll: true });
    return focusResult(el, editor.field, "editor");
  }
  if (tag === "input" || tag === "textarea") {
    const field = el as HTMLInputElement;
    if (field.readOnly) return { ok: false, reason: "readonly" };
    if (
      tag === "input" &&
      /^(button|checkbox|file|hidden|image|radio|reset|submit)$/.test(field.type)
    )
      return { ok: false, reason: "not a field" };
    giveFocus(field);
    // It is set without typing, so the focus does not matter.
    if (tag === "input" && !TYPED.test(field.type)) return { ok: true, kind: "direct" };
    field.select();
    return focusResult(el, field, "text");
  }
  const host = editingHostOf(el);
  if (host) {
    if (attr(host, "aria-readonly") === "true") return { ok: false, reason: "readonly" };
    const outer = outermostEditable(host);
    giveFocus(outer);
    const range = document.createRange();
    range.selectNodeContents(host);
    const selection = getSelection();
    selection?.removeAllRanges();
    selection?.addRange(range);
    return focusResult(el, outer, "editable");
  }
  if (tag === "select") return { ok: false, reason: "not a field: it is a select" };
  // A wrapper with the role of a field: the field is inside.
  const combo = fieldOfCombobox(el);
  const inner = combo ?? query(el, "input:not([type=hidden]),textarea,[contenteditable]");
  if (
    inner &&
    (combo || /^(textbox|searchbox|combobox|spinbutton)$/.test(roleOf(new ReadCache(), el)))
  ) {
    const answer = focusField(idOf(inner));
    focusTargets.set(el, focusTargets.get(inner) ?? inner);
    return answer;
  }
  const steps = /^(slider|spinbutton)$/.test(roleOf(new ReadCache(), el));
  return { ok: false, reason: steps ? "takes arrow keys" : "not a field" };
}

/** Focuses an element for a key press; its content stays as it is. */
export function focusElement(id: number): object {
  const el = elementOf(id);
  if (!el) return { ok: false, reason: "gone" };
  const unusable = whyUnusable(el);
  if (unusable) return { ok: false, reason: unusable };
  const target = (localName(el) === "label" ? hiddenControlOf(el) : editingHostOf(el)) ?? el;
  if (!hasFocus(target) || !frameHasFocus()) giveFocus(target);
  focusTargets.set(el, target);
  return hasFocus(target) ? { ok: true, kind: "focused" } : { ok: false, reason: "not focusable" };
}

/**
 * Focuses the field of an element, with the caret after its content, unless it has the focus
 * already.
 */
export function placeCaret(id: number): object {
  const el = elementOf(id);
  if (!el) return { ok: false, reason: "gone" };
  const inner =
    fieldOfCombobox(el) ??
    (/^(textbox|searchbox|combobox|spinbutton)$/.test(roleOf(new ReadCache(), el)) &&
    !editingHostOf(el)
      ? query(el, "input:not([type=hidden]),textarea,[contenteditable]")
      : null);
  const field = inner ?? codeEditorOf(el)?.field ?? editingHostOf(el) ?? el;
  const tag = localName(field);
  if (
    (/^(input|textarea)$/.test(tag) &&
      (field as HTMLInputElement).readOnly &&
      hasAttr(field, "readonly")) ||
    attr(field, "aria-readonly") === "true"
  )
    return { ok: false, reason: "readonly" };
  const had = hasFocus(field);
  const answer = focusElement(idOf(field));
  focusTargets.set(el, focusTargets.get(field) ?? field);
  if (had || !hasFocus(focusTargets.get(el) as Element)) return answer;
  if (tag === "input" || tag === "textarea") {
    // Fields for numbers and addresses have no caret that a script may move; theirs is at the end.
    const end = (field as HTMLInputElement).value.length;
    if (
      tag === "textarea" ||
      /^(text|search|url|tel|password)$/.test((field as HTMLInputElement).type)
    )
      (field as HTMLInputElement).setSelectionRange(end, end);
  } else if (isEditingHost(field)) {
    const selection = getSelection();
    selection?.selectAllChildren(field);
    selection?.collapseToEnd();
  }
  return answer;
}

/**
 * Returns the element that has the focus. `frame`: it is a frame, whose own document knows more.
 */
export function focusedElement(): object {
  const el = activeElement();
  return { id: el ? idOf(el) : 0, frame: el !== null && FRAMES.has(localName(el)) };
}

/**
 * Returns whether the element that `focus` focused still has the focus. To be called right before
 * typing, because a page may move it at any time. A frame may get it a moment later.
 */
export async function stillFocused(id: number): Promise<object> {
  await focusArrival();
  const el = elementOf(id);
  return { ok: el !== null && !focusIsElsewhere() && hasFocus(focusTargets.get(el) ?? el) };
}

/** Waits until the focus arrives in this frame. */
async function focusArrival(): Promise<void> {
  for (
    let frames = 0;
    !frameHasFocus() && focusIsElsewhere() !== false && frames < MAX_FOCUS_FRAMES;
    frames++
  )
    await nextAnimationFrame();
}

/**
 * Returns whether the page has the focus but not this frame; null if that cannot be known. If
 * another window is in front, nothing has the focus.
 */
function focusIsElsewhere(): boolean | null {
  try {
    return !frameHasFocus() && (window.top as Window).document.hasFocus();
  } catch {
    return null;
  }
}

/** The text that is being typed: it may reach only this field. */
let typing: {
  field: Element;
  el: Element;
  arrived: boolean;
  elsewhere: boolean;
  timer: ReturnType<typeof setTimeout>;
} | null = null;
/** After this time typing is no longer guarded. */
const MAX_TYPING = 10_000;

function guardInput(event: Event): void {
  if (!typing || !event.isTrusted) return;
  const target = event.composedPath()[0];
  // Outside of a closed root an event does not report its target; the focus does.
  const meant =
    hasFocus(typing.field) ||
    (target instanceof Node &&
      [typing.field, typing.el].some((at) =>
        flatContains(at, isElement(target) ? target : flatParent(target)),
      ));
  if (meant) typing.arrived = true;
  else {
    // The page moved the focus just now.
    typing.elsewhere = true;
    event.preventDefault();
  }
}

/**
 * Like `stillFocused`; from then on, typed text reaches this field or nothing, until `endTyping` is
 * called.
 */
export async function beginTyping(id: number): Promise<object> {
  endTyping();
  await focusArrival();
  const el = elementOf(id);
  if (!el) return { ok: false };
  const field = focusTargets.get(el) ?? el;
  if (focusIsElsewhere() || !hasFocus(field)) return { ok: false };
  typing = {
    field,
    el,
    arrived: false,
    elsewhere: false,
    timer: setTimeout(endTyping, MAX_TYPING),
  };
  addEventListener("beforeinput", guardInput, true);
  return { ok: true };
}

/** Ends the guard. Returns whether the text reached its field. */
export function endTyping(): object {
  const was = typing;
  typing = null;
  removeEventListener("beforeinput", guardInput, true);
  clearTimeout(was?.timer);
  return { ok: !was?.elsewhere || was.arrived };
}

function editingHostOf(el: Element): Element | null {
  for (let at: Element | null = el; at; at = flatParent(at)) if (isEditingHost(at)) return at;
  return null;
}

/** Returns the outermost editable element: only this one can have the focus. */
function outermostEditable(host: Element): Element {
  let outer = host;
  for (let at = flatParent(host); at && isEditable(at); at = flatParent(at)) outer = at;
  return outer;
}

export function fieldValue(id: number): object {
  const el = elementOf(id);
  if (!el) return { value: null, gone: true };
  if (isSecret(el)) return { value: MASK, length: valueIn(el).length };
  const editor = codeEditorOf(el);
  // Lines that are scrolled out of an editor are not in the DOM.
  if (editor) return { value: editorText(editor), loose: true };
  const value = valueOfField(el, roleOf(new ReadCache(), el));
  if (editingHostOf(el))
    return { value, chars: value === null ? 0 : valueLength(el, value), loose: true };
  return { value, chars: value === null ? 0 : valueLength(el, value) };
}

/**
 * Inserts text at the caret, for an engine that cannot do it. Uses the browser's editing command,
 * so that the page gets the same events as from a keyboard.
 */
export function insertText(text: string): object {
  return { ok: document.execCommand("insertText", false, text) };
}

/** Returns whether this document has one of these origins, so that it may get a secret. */
export function admitsSecret(origins: string[]): object {
  const { origin } = window;
  return origins.includes(origin) ? { ok: true } : { ok: false, reason: "origin", origin };
}

/**
 * Inserts a secret into the focused field of this document, or nothing if the text is empty. Checks
 * the origin and the focus in the same task, so that nothing can take the place of the field. The
 * value of the field is secret from now on, also if the page changes it.
 */
export function enterSecret(id: number, origins: string[], text: string): object {
  const { origin } = window;
  if (!origins.includes(origin)) return { ok: false, reason: "origin", origin };
  const el = elementOf(id);
  if (!el) return { ok: false, reason: "gone" };
  const field = focusTargets.get(el) ?? el;
  if (focusIsElsewhere() || !hasFocus(field)) return { ok: false, reason: "focus" };
  rememberSecret(field);
  rememberSecret(el);
  if (text === "") return { ok: true };
  const done = document.execCommand("insertText", false, text);
  return done ? { ok: true } : { ok: false, reason: "refused" };
}

/** Pastes text into an editor: some editors react to typing with indents and closing brackets. */
export function paste(id: number, text: string): object {
  const el = elementOf(id);
  const editor = el ? codeEditorOf(el) : null;
  if (!editor) return { ok: false, reason: "gone" };
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const taken = !dispatch(
    editor.field,
    new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true, composed: true }),
  );
  return { ok: taken };
}

/**
 * Sets a slider one step beside a value without events, so that one press of the returned key
 * completes the change.
 */
export function setBeside(id: number, text: string): object {
  const el = elementOf(id);
  if (!el || localName(el) !== "input" || (el as HTMLInputElement).type !== "range")
    return { ok: false };
  const slider = el as HTMLInputElement;
  const before = slider.value;
  const put = (value: string): string => {
    slider.value = value;
    return slider.value;
  };
  const taken = put(text);
  if (text.trim() === "" || Number(taken) !== Number(text) || taken === before) {
    slider.value = before;
    return { ok: false };
  }
  for (const [step, key] of [
    ["stepDown", "ArrowUp"],
    ["stepUp", "ArrowDown"],
  ] as const) {
    put(text);
    try {
      slider[step]();
    } catch {
      // `step="any"` has no steps.
    }
    if (slider.value !== taken) return { ok: true, key };
  }
  slider.value = before;
  return { ok: false };
}

/**
 * Sets a field that cannot be typed into (date, time, colour, range) as its picker would: the
 * value, then the events `input` and `change`.
 */
export function setValue(id: number, text: string): object {
  const el = elementOf(id);
  if (!el) return { ok: false, reason: "gone" };
  const tag = localName(el);
  if (tag !== "input" && tag !== "textarea") return { ok: false, reason: "not a field" };
  const field = el as HTMLInputElement;
  if (isDisabled(el)) return { ok: false, reason: "disabled" };
  if (field.readOnly && hasAttr(el, "readonly")) return { ok: false, reason: "readonly" };
  const before = field.value;
  const set = Object.getOwnPropertyDescriptor(
    (tag === "input" ? HTMLInputElement : HTMLTextAreaElement).prototype,
    "value",
  )?.set;
  set?.call(field, text);
  const taken = field.value;
  const same =
    taken === text ||
    (field.type === "range" && Number(taken) === Number(text)) ||
    (field.type === "color" && taken.toLowerCase() === text.toLowerCase());
  if (!same) {
    set?.call(field, before);
    return {
      ok: false,
      reason: `a field of type ${field.type} does not take this value`,
      value: isSecret(el) ? MASK : before,
    };
  }
  if (taken !== before) announce(field);
  return { ok: true, value: isSecret(el) ? MASK : field.value };
}

function announce(field: HTMLElement): void {
  dispatch(field, new Event("input", { bubbles: true, composed: true }));
  dispatch(field, new Event("change", { bubbles: true, composed: true }));
}
