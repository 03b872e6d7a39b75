// Whether a text that is drawn can be perceived at all: font-size 0, thrown off the page by
// text-indent, or in the colour of its own solid background. When in doubt it can: a wrong
// "invisible" would lose real text. Reads styles, boxes and, for the rare doubtful colour, what
// lies at the point.

import {
  attr,
  byIdIn,
  closest,
  contains,
  flatParent,
  isElement,
  parentNode,
  queryAll,
  rootOf,
  stackAt,
} from "../dom/dom";
import type { Look } from "../semantics/readCache";
import { May } from "../semantics/stylesheetEffects";
import { type StyledFrame, sourceOf } from "./inheritedStyle";

export function imperceptible(look: Look, frame: StyledFrame, text: Text): boolean {
  if (unreadable(frame)) return true;
  const fill = fillOf(frame);
  if (fill.startsWith("rgba")) {
    if (!CLEAR.test(fill)) return false;
    const style = frame.style as CSSStyleDeclaration;
    return (
      style.textShadow === "none" &&
      style.getPropertyValue("-webkit-text-stroke-width") === "0px" &&
      !clipsToText(look, frame.el)
    );
  }
  return fill.startsWith("rgb(") && sameAsGround(look, frame, text, fill);
}
const CLEAR = /, 0\)$/;

/**
 * Of no size, or thrown off the page. What is inherited may have been set anew by the browser's
 * sheet, so the element itself has the last word.
 */
function unreadable(frame: StyledFrame): boolean {
  const sized = sourceOf(frame, May.FontSize);
  if ((sized.tiny ??= isTiny(sized)) && (sized === frame || (frame.tiny ??= isTiny(frame))))
    return true;
  const indented = sourceOf(frame, May.TextIndent);
  return (
    (indented.thrown ??= isThrown(indented)) &&
    (indented === frame || (frame.thrown ??= isThrown(frame)))
  );
}

const isTiny = ({ style }: StyledFrame): boolean => style?.fontSize === "0px";

function isThrown({ style }: StyledFrame): boolean {
  const indent = style?.textIndent ?? "";
  return indent.startsWith("-") && Number.parseFloat(indent) <= -500;
}

function fillOf(frame: StyledFrame): string {
  const painted = sourceOf(frame, May.Fill);
  if (painted.fill === null) {
    const style = painted.style as CSSStyleDeclaration;
    painted.fill = style.webkitTextFillColor || style.color;
  }
  return painted.fill;
}

/** Transparent so that a background shows through the letters. */
function clipsToText(look: Look, el: Element): boolean {
  let at: Element | null = el;
  for (let i = 0; at && i < 4; i++, at = flatParent(at)) {
    const style = look.style(at);
    if (
      style.getPropertyValue("background-clip").includes("text") ||
      style.getPropertyValue("-webkit-background-clip").includes("text")
    )
      return true;
  }
  return false;
}

/**
 * The nearest frame, from here up, with a solid opaque colour; pictures and half-transparent layers
 * on the way are looked at only if it matters.
 */
function groundOf(frame: StyledFrame): StyledFrame | null {
  let at: StyledFrame | null = frame;
  for (; at; at = at.up) {
    if (at.ground === null && at.asks & May.Ground)
      at.ground = (at.style as CSSStyleDeclaration).backgroundColor;
    if (at.ground?.startsWith("rgb(")) break;
  }
  return at;
}

function sameAsGround(look: Look, frame: StyledFrame, text: Text, fill: string): boolean {
  const ground = groundOf(frame);
  if (!ground || ground.ground !== fill) return false;
  const { el } = frame;
  const owner = ground.el;
  // Something else may be painted between the ground and the text: pictures, layers, generated
  // boxes, elements that are no ancestors.
  for (let at: Element | null = el; at; at = flatParent(at)) {
    const style = look.style(at);
    if (style.backgroundImage !== "none" || style.mixBlendMode !== "normal") return false;
    if (
      at !== owner &&
      style.backgroundColor !== "rgba(0, 0, 0, 0)" &&
      style.backgroundColor !== "transparent"
    )
      return false;
    for (const pseudo of ["::before", "::after"]) {
      const content = getComputedStyle(at, pseudo).content;
      if (content !== "none" && content !== "normal") return false;
    }
    if (at === owner) break;
  }
  if (owner === el) return true;
  look.doubtful = true;
  const range = document.createRange();
  range.selectNodeContents(text);
  const rect = range.getBoundingClientRect();
  const stack = stackAt(rect.left + rect.width / 2, rect.top + rect.height / 2);
  const top = stack.findIndex((at) => at === el || contains(at, el) || contains(el, at));
  if (top < 0) return false;
  for (const at of stack.slice(top)) {
    if (at === owner) return true;
    if (!contains(at, el) && !contains(el, at)) return false;
  }
  return false;
}

/** The text of this element is, or is in, the name or description of another. */
export function isReferenced(look: Look, el: Element): boolean {
  if (closest(el, "label,legend,caption,figcaption")) return true;
  const root = rootOf(el);
  let ids = look.referenced.get(root);
  if (!ids) {
    ids = new Set();
    for (const at of queryAll(
      root,
      "[aria-labelledby],[aria-describedby],[aria-details],[aria-errormessage]",
    )) {
      for (const name of [
        "aria-labelledby",
        "aria-describedby",
        "aria-details",
        "aria-errormessage",
      ]) {
        for (const id of (attr(at, name) ?? "").split(/\s+/))
          if (id && byIdIn(root, id)) ids.add(id);
      }
    }
    look.referenced.set(root, ids);
  }
  if (ids.size === 0) return false;
  for (let at: Node | null = el; isElement(at); at = parentNode(at)) {
    const id = attr(at, "id");
    if (id && ids.has(id)) return true;
  }
  return false;
}

/** Nothing to see of a text in a box without extent: it is scaled away. */
export function withoutExtent(text: Text): boolean {
  const range = document.createRange();
  range.selectNodeContents(text);
  const rect = range.getBoundingClientRect();
  return rect.width < 1 || rect.height < 1;
}
