// White space and length of the texts that leave the page. Pure: does not touch the DOM.

/** Returns the words of a list that is written with spaces. */
export const words = (list: string): string[] => list.split(" ");
export const wordSet = (list: string): Set<string> => new Set(words(list));

/** Every string that is sent is at most this long. */
export const MAX_STRING = 10_000;

// HTML's white space, not Unicode's: a no-break space is an ordinary character in a name.
const SPACE = /[ \t\n\r\f]+/g;
// Glyphs of icon fonts live in the private use area and mean nothing outside their font; zero-width
// marks mean nothing at all.
const NOISE = /[\uE000-\uF8FF\u200B\u2060\uFEFF\u00AD]|[\u{F0000}-\u{10FFFD}]/gu;
const HAS_NOISE = /[\uE000-\uF8FF\u200B\u2060\uFEFF\u00AD\uDB80-\uDBFF]/;
const ONLY_SPACE = /^[ \t\n\r\f]*$/;

export const stripNoise = (text: string): string =>
  HAS_NOISE.test(text) ? text.replace(NOISE, "") : text;

export const isBlank = (text: string): boolean => ONLY_SPACE.test(text);

const LOOSE = /[\t\n\r\f]| {2}/;
/** Returns whether a text has no white space to collapse and no line break to keep. */
export const isCollapsed = (text: string): boolean => !LOOSE.test(text);

/**
 * Collapses runs of white space to one space. One is kept at either end, because the text next to
 * it may continue.
 */
export const collapse = (text: string): string =>
  isCollapsed(text) ? text : text.replace(SPACE, " ");

/** Collapses white space and removes it at both ends. */
export function collapseAndTrim(text: string): string {
  const collapsed = collapse(text);
  const from = collapsed.startsWith(" ") ? 1 : 0;
  const to =
    collapsed.length > from && collapsed.endsWith(" ") ? collapsed.length - 1 : collapsed.length;
  return collapsed.slice(from, to);
}

/** Truncates a text, never inside a surrogate pair. */
export function truncate(text: string, limit: number = MAX_STRING): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 2);
  return `${text.slice(0, last >= 0xd800 && last < 0xdc00 ? limit - 2 : limit - 1)}…`;
}

/**
 * Applies `text-transform`. Kana and width transforms are left out: they would change the meaning.
 */
export function applyTextTransform(text: string, transform: string): string {
  switch (transform) {
    case "uppercase":
      return text.toUpperCase();
    case "lowercase":
      return text.toLowerCase();
    case "capitalize":
      return text.replace(
        /(^|[^\p{L}\p{N}\p{M}'’])(\p{L})/gu,
        (_, before: string, letter: string) => before + letter.toUpperCase(),
      );
    default:
      return text;
  }
}

/** Returns a text as it is drawn: `pre*` keeps its line breaks. */
export function drawnText(data: string, whiteSpace: string, transform: string): string {
  let text = data;
  if (whiteSpace.startsWith("pre") || whiteSpace === "break-spaces") {
    if (whiteSpace === "pre-line") text = text.replace(/[ \t\f]+/g, " ");
    text = text.replace(/\r\n?/g, "\n");
  } else {
    text = collapse(text);
  }
  return truncate(stripNoise(transform === "none" ? text : applyTextTransform(text, transform)));
}
