// Editors that draw their text themselves and take the keys through a field that nobody sees (code
// editors do). Such an editor is one thing to a person: it is hit where its text is drawn, typed
// into through its field, and read off what it shows. Changes nothing but by `paste`.

import {
  closest,
  drawn,
  flatParent,
  localName,
  queryAll,
  rectOf,
  rootOf,
  textContent,
} from "../dom/dom";
import { elementOf } from "../dom/identity";

/** How far around a field or a line its editor may be. */
const AROUND = 8;
/** The lines of the editors that are in use; others are read as a whole. */
const LINES = ".view-line,.CodeMirror-line,.ace_line,.cm-line";
/** What is part of an editor but not of its text. */
const BESIDE = "[class*=gutter],[class*=line-number],[class*=linenumber],textarea,style";
const LONGEST = 20_000;

export interface Editor {
  /** What takes the keys. */
  field: HTMLTextAreaElement;
  /** What is seen. */
  shown: Element;
}

const isTiny = (el: Element): boolean => {
  const { width, height } = rectOf(el);
  return width <= 20 || height <= 3;
};
/** Tiny, transparent, or cut off by a tiny box around it. */
const isUnseen = (el: Element): boolean => {
  const around = flatParent(el);
  return (
    isTiny(el) ||
    !drawn(el) ||
    (around !== null && isTiny(around) && getComputedStyle(around).overflow !== "visible")
  );
};
const isSizable = (el: Element): boolean => {
  const { width, height } = rectOf(el);
  return width >= 60 && height >= 14 && drawn(el);
};

/** The editor that an element is part of; null: it is part of none. */
export function editorOf(el: Element): Editor | null {
  if (
    /^(input|select|button|a|body|html|form)$/.test(localName(el)) ||
    closest(el, "button,a[href]")
  )
    return null;
  const own = localName(el) === "textarea";
  if (own && !isUnseen(el)) return null;
  let at: Element | null = own ? flatParent(el) : el;
  for (
    let up = 0;
    at && up < AROUND && !/^(body|html|form|main)$/.test(localName(at));
    up++, at = flatParent(at)
  ) {
    const fields = queryAll(at, "textarea");
    if (fields.length > 1) return null;
    const field = fields[0];
    if (!field) continue;
    if (!isUnseen(field)) return null;
    if (isSizable(at) && textContent(at) !== null)
      return { field: field as HTMLTextAreaElement, shown: at };
  }
  return null;
}

/**
 * What is seen in the place of a field: an editor with lines of text, or one that is being typed
 * in. Anything else may hide a field for a reason.
 */
export function drawnByEditor(el: Element): Element | null {
  const editor = localName(el) === "textarea" ? editorOf(el) : null;
  if (!editor) return null;
  const root = rootOf(el) as Document | ShadowRoot;
  return root.activeElement === el || queryAll(editor.shown, LINES).length > 0
    ? editor.shown
    : null;
}

/** The text that an editor shows: what is scrolled away may not be there. */
export function shownIn({ shown }: Editor): string {
  const lines = [...queryAll(shown, LINES)].map((line) => ({
    top: rectOf(line).top,
    text: textContent(line) ?? "",
  }));
  // Lines that are placed by their position need not be in order.
  lines.sort((a, b) => a.top - b.top);
  const text = lines.length > 0 ? lines.map((line) => line.text).join("\n") : plainText(shown);
  return text
    .replace(/[\u200b\ufeff]/g, "")
    .replace(/[\u00a0·]/g, " ")
    .slice(0, LONGEST);
}

/**
 * Hands text to an editor as if it were pasted: some take what is typed as reason to indent and to
 * close brackets.
 */
export function paste(id: number, text: string): object {
  const el = elementOf(id);
  const editor = el ? editorOf(el) : null;
  if (!editor) return { ok: false, reason: "gone" };
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const taken = !editor.field.dispatchEvent(
    new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true, composed: true }),
  );
  return { ok: taken };
}

function plainText(shown: Element): string {
  const walker = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
  let text = "";
  for (let node = walker.nextNode(); node && text.length < LONGEST; node = walker.nextNode()) {
    const parent = flatParent(node);
    if (parent && !closest(parent, BESIDE)) text += `${textContent(node)}\n`;
  }
  return text;
}
