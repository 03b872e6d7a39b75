// How icons are drawn without a drawing in the document: glyphs and ligatures of icon fonts, and
// image files. Pure: does not touch the DOM.

/** Words in the names of fonts that draw icons. */
const ICON_FONT =
  /icon|symbol|awesome|glyph|material|codicon|octicon|remix|mdi|dashicons|feather|themify|boxicons|tabler/i;

/** Returns whether the first font of a list draws icons. */
export const isIconFont = (family: string): boolean =>
  ICON_FONT.test(family.slice(0, 200).split(",")[0] as string);

/**
 * Returns whether a text is one character after the private use area. Fonts with more icons than
 * that area has places go on there, among letters of rare scripts.
 */
export function mayBeGlyph(text: string): boolean {
  const code = text.codePointAt(0) ?? 0;
  const length = code > 0xffff ? 2 : 1;
  return text.length === length && code >= 0xf900 && code < 0x1_2000;
}

/** Returns the code point of a text that is one glyph, in hex. Of what may be one, the font says. */
export function glyphClue(text: string): string | null {
  const code = text.codePointAt(0) ?? 0;
  const isPrivate = (code >= 0xe000 && code <= 0xf8ff) || (code >= 0xf0000 && code <= 0x10fffd);
  return isPrivate || mayBeGlyph(text) ? code.toString(16) : null;
}

/** Returns a text if it can be the name of a glyph: `delete_forever`. */
export const ligatureClue = (text: string): string =>
  /^[a-z][a-z0-9_]{1,40}$/.test(text.trim()) ? text.trim() : "";

/** Returns the file name of an image, without its path and its parameters. */
export function imageClue(address: string | null): string {
  if (address === null || /^\s*(data|blob|javascript):/i.test(address)) return "";
  const path = address.slice(0, 2000).split(/[?#]/, 1)[0] as string;
  const file = path.slice(path.lastIndexOf("/") + 1);
  return file.length <= 80 ? file : "";
}
