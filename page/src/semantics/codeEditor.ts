// Code editors that draw their text themselves and take keys through an invisible field. Such an
// editor is one element to a person: it is clicked where its text is drawn, typed into through its
// field, and read from its lines. Reads only.

import {
  closest,
  flatParent,
  isVisible,
  localName,
  queryAll,
  rectOf,
  rootOf,
  textContent,
} from "../dom/dom";

/** How many levels above a field or a line its editor may be. */
const MAX_LEVELS = 8;
/** Lines of common editors; other editors are read as a whole. */
const LINES = ".view-line,.CodeMirror-line,.ace_line,.cm-line";
/** Parts of an editor that are not its text. */
const GUTTERS = "[class*=gutter],[class*=line-number],[class*=linenumber],textarea,style";
const LONGEST = 20_000;

export interface CodeEditor {
  /** The field that takes the keys. */
  field: HTMLTextAreaElement;
  /** The element that shows the text. */
  shown: Element;
}

const isTiny = (el: Element): boolean => {
  const { width, height } = rectOf(el);
  return width <= 20 || height <= 3;
};
/** Returns whether an element is tiny, transparent, or cut off by a tiny box around it. */
const isInvisible = (el: Element): boolean => {
  const around = flatParent(el);
  return (
    isTiny(el) ||
    !isVisible(el) ||
    (around !== null && isTiny(around) && getComputedStyle(around).overflow !== "visible")
  );
};
const isLargeEnough = (el: Element): boolean => {
  const { width, height } = rectOf(el);
  return width >= 60 && height >= 14 && isVisible(el);
};

/** Returns the editor that an element is part of; null if there is none. */
export function codeEditorOf(el: Element): CodeEditor | null {
  if (
    /^(input|select|button|a|body|html|form)$/.test(localName(el)) ||
    closest(el, "button,a[href]")
  )
    return null;
  const own = localName(el) === "textarea";
  if (own && !isInvisible(el)) return null;
  let at: Element | null = own ? flatParent(el) : el;
  for (
    let up = 0;
    at && up < MAX_LEVELS && !/^(body|html|form|main)$/.test(localName(at));
    up++, at = flatParent(at)
  ) {
    const fields = queryAll(at, "textarea");
    if (fields.length > 1) return null;
    const field = fields[0];
    if (!field) continue;
    if (!isInvisible(field)) return null;
    if (isLargeEnough(at) && textContent(at) !== null)
      return { field: field as HTMLTextAreaElement, shown: at };
  }
  return null;
}

/**
 * Returns what is drawn in the place of an invisible field: an editor with lines of text, or one
 * that has the focus. Other elements may hide a field for a reason.
 */
export function editorDrawing(el: Element): Element | null {
  const editor = localName(el) === "textarea" ? codeEditorOf(el) : null;
  if (!editor) return null;
  const root = rootOf(el) as Document | ShadowRoot;
  return root.activeElement === el || queryAll(editor.shown, LINES).length > 0
    ? editor.shown
    : null;
}

/** Returns the text that an editor shows. Lines that are scrolled away may be missing. */
export function editorText({ shown }: CodeEditor): string {
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

function plainText(shown: Element): string {
  const walker = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
  let text = "";
  for (let node = walker.nextNode(); node && text.length < LONGEST; node = walker.nextNode()) {
    const parent = flatParent(node);
    if (parent && !closest(parent, GUTTERS)) text += `${textContent(node)}\n`;
  }
  return text;
}
