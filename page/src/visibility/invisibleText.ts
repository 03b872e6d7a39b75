// Decides whether a drawn text can be perceived. A text with font-size 0, moved off the page by
// text-indent, or in the colour of its own solid background cannot. In doubt a text is perceivable,
// because a wrong "invisible" would lose real text. Reads styles, boxes and, for doubtful colours,
// a hit test.

import {
  attr,
  byIdIn,
  closest,
  contains,
  elementsAt,
  flatParent,
  isElement,
  parentNode,
  queryAll,
  rootOf,
} from "../dom/dom";
import type { ReadCache } from "../semantics/readCache";
import { StyleEffect } from "../semantics/stylesheetEffects";
import { type StyledEntry, styleSource } from "./inheritedStyle";

export function isImperceptible(cache: ReadCache, entry: StyledEntry, text: Text): boolean {
  if (isUnreadable(entry)) return true;
  const fill = textColorOf(entry);
  if (fill.startsWith("rgba")) {
    if (!CLEAR.test(fill)) return false;
    const style = entry.style as CSSStyleDeclaration;
    return (
      style.textShadow === "none" &&
      style.getPropertyValue("-webkit-text-stroke-width") === "0px" &&
      !clipsToText(cache, entry.el)
    );
  }
  return fill.startsWith("rgb(") && matchesBackground(cache, entry, text, fill);
}
const CLEAR = /, 0\)$/;

/**
 * Returns whether a text has no size, or is indented off the page. The browser's sheet may reset
 * inherited values, so the element itself decides.
 */
function isUnreadable(entry: StyledEntry): boolean {
  const sized = styleSource(entry, StyleEffect.FontSize);
  if ((sized.tiny ??= isTiny(sized)) && (sized === entry || (entry.tiny ??= isTiny(entry))))
    return true;
  const indented = styleSource(entry, StyleEffect.TextIndent);
  return (
    (indented.indentedAway ??= isIndentedAway(indented)) &&
    (indented === entry || (entry.indentedAway ??= isIndentedAway(entry)))
  );
}

const isTiny = ({ style }: StyledEntry): boolean => style?.fontSize === "0px";

function isIndentedAway({ style }: StyledEntry): boolean {
  const indent = style?.textIndent ?? "";
  return indent.startsWith("-") && Number.parseFloat(indent) <= -500;
}

function textColorOf(entry: StyledEntry): string {
  const painted = styleSource(entry, StyleEffect.TextColor);
  if (painted.textColor === null) {
    const style = painted.style as CSSStyleDeclaration;
    painted.textColor = style.webkitTextFillColor || style.color;
  }
  return painted.textColor;
}

/** Returns whether a text is transparent so that a background shows through the letters. */
function clipsToText(cache: ReadCache, el: Element): boolean {
  let at: Element | null = el;
  for (let i = 0; at && i < 4; i++, at = flatParent(at)) {
    const style = cache.style(at);
    if (
      style.getPropertyValue("background-clip").includes("text") ||
      style.getPropertyValue("-webkit-background-clip").includes("text")
    )
      return true;
  }
  return false;
}

/**
 * Returns the nearest entry, from here up, with a solid opaque background colour. Images and
 * translucent layers on the way are checked later.
 */
function backgroundOf(entry: StyledEntry): StyledEntry | null {
  let at: StyledEntry | null = entry;
  for (; at; at = at.up) {
    if (at.background === null && at.effects & StyleEffect.Background)
      at.background = (at.style as CSSStyleDeclaration).backgroundColor;
    if (at.background?.startsWith("rgb(")) break;
  }
  return at;
}

function matchesBackground(
  cache: ReadCache,
  entry: StyledEntry,
  text: Text,
  fill: string,
): boolean {
  const background = backgroundOf(entry);
  if (!background || background.background !== fill) return false;
  const { el } = entry;
  const owner = background.el;
  // Something else may be painted between the background and the text: images, layers, generated
  // boxes, elements that are not ancestors.
  for (let at: Element | null = el; at; at = flatParent(at)) {
    const style = cache.style(at);
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
  cache.usedHitTest = true;
  const range = document.createRange();
  range.selectNodeContents(text);
  const rect = range.getBoundingClientRect();
  const stack = elementsAt(rect.left + rect.width / 2, rect.top + rect.height / 2);
  const top = stack.findIndex((at) => at === el || contains(at, el) || contains(el, at));
  if (top < 0) return false;
  for (const at of stack.slice(top)) {
    if (at === owner) return true;
    if (!contains(at, el) && !contains(el, at)) return false;
  }
  return false;
}

/** Returns whether the text of an element is part of the name or description of another one. */
export function isReferenced(cache: ReadCache, el: Element): boolean {
  if (closest(el, "label,legend,caption,figcaption")) return true;
  const root = rootOf(el);
  let ids = cache.referencedIds.get(root);
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
    cache.referencedIds.set(root, ids);
  }
  if (ids.size === 0) return false;
  for (let at: Node | null = el; isElement(at); at = parentNode(at)) {
    const id = attr(at, "id");
    if (id && ids.has(id)) return true;
  }
  return false;
}

/** Returns whether a text has no extent: it is scaled to nothing. */
export function hasNoExtent(text: Text): boolean {
  const range = document.createRange();
  range.selectNodeContents(text);
  const rect = range.getBoundingClientRect();
  return rect.width < 1 || rect.height < 1;
}
