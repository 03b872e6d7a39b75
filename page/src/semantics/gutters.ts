// Gutters of code editors and listings: line numbers and fold marks. They stand beside the lines
// and are not part of the text. Common editors are recognised by their classes; numbers without a
// telling class are recognised from the captured page. Reads attributes.

import { localName } from "../dom/dom";

/**
 * CodeMirror 5 and 6, Monaco, Ace, Prism, highlight.js, GitHub, Pygments and Rouge. Only the
 * element's own class counts: the records of its content are reused when a class around it changes.
 */
const GUTTER_CLASS =
  /(?:^|\s)(?:CodeMirror-(?:gutters|gutter-wrapper|gutter-elt|linenumber)|cm-gutters?|cm-gutterElement|margin-view-overlays|glyph-margin(?:-widgets)?|ace_gutter|line-numbers-rows|hljs-ln-numbers|blob-num|react-line-numbers?|line-number|lineno|linenos|linenodiv)(?:\s|$)/;

/** Returns whether a class attribute makes an element a gutter. */
export const isGutterClass = (classes: string): boolean => GUTTER_CLASS.test(classes);

/** Returns whether an attribute other than the class makes an element a gutter. */
export const isGutterAttribute = (el: Element, name: string): boolean =>
  name === "data-line-number" && localName(el) === "td";
