// Copying and pasting for workspaces that share one browser, and with it one clipboard: what is
// copied by key is read here, and pasted as text without the browser's clipboard. Keeps one text
// between two calls.

import {
  activeElement,
  contains,
  dispatch,
  isEditable,
  isElement,
  listen,
  localName,
  unlisten,
} from "../dom/dom";
import { truncate } from "../dom/text";
import { isSecret } from "../semantics/secrets";

const MOST = 1_000_000;

let copied = "";
let stop: (() => void) | null = null;

/** Returns what the copy keys would copy from this document. */
function selectedText(): string {
  const el = activeElement();
  if (el && /^(input|textarea)$/.test(localName(el))) {
    const field = el as HTMLInputElement;
    if (isSecret(field)) return "";
    const { selectionStart: from, selectionEnd: to } = field;
    if (from !== null && to !== null) return field.value.slice(from, to);
  }
  return getSelection()?.toString() ?? "";
}

/** Watches what the next copy or cut puts into the clipboard; a page may change that. */
export function watchCopy(): object {
  stop?.();
  copied = selectedText();
  const onCopy = (event: Event): void => {
    const { clipboardData, defaultPrevented, isTrusted } = event as ClipboardEvent;
    if (isTrusted && defaultPrevented) copied = clipboardData?.getData("text/plain") ?? "";
  };
  // On the way up: the page has had its turn.
  for (const type of ["copy", "cut"]) listen(window, type, onCopy);
  stop = () => {
    for (const type of ["copy", "cut"]) unlisten(window, type, onCopy);
    stop = null;
  };
  return { ok: true };
}

/** Returns what was copied since; empty if nothing was. */
export function copiedText(): object {
  stop?.();
  const text = truncate(copied, MOST);
  copied = "";
  return { text };
}

/**
 * Pastes a text where the focus is: the page gets the event, and if it does not handle that, the
 * text is inserted as from a keyboard.
 */
export function pasteText(text: string): object {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const options = { clipboardData, bubbles: true, cancelable: true, composed: true };
  const target = activeElement() ?? document.body ?? document;
  if (!dispatch(target, new ClipboardEvent("paste", options))) return { ok: true };
  // An editor that got the focus from a script has no caret yet in every engine.
  const selection = getSelection();
  if (isElement(target) && isEditable(target) && !contains(target, selection?.anchorNode ?? null)) {
    selection?.selectAllChildren(target);
    selection?.collapseToEnd();
  }
  return { ok: document.execCommand("insertText", false, text) };
}
