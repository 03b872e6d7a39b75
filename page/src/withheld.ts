// Whether a text that is drawn can be perceived at all: font-size 0, thrown off the page by text-indent, or in the colour of its own solid background.
// When in doubt it can: a wrong "invisible" would lose real text. Reads styles, boxes and, for the rare doubtful colour, what lies at the point.

import { attr, byIdIn, closest, contains, flatParent, isElement, parentNode, queryAll, rootOf, stackAt } from "./dom";
import type { Look } from "./look";

export function imperceptible(look: Look, el: Element, text: Text, style: CSSStyleDeclaration): boolean {
  if (style.fontSize === "0px") return true;
  const indent = style.textIndent;
  if (indent.startsWith("-") && Number.parseFloat(indent) <= -500) return true;
  const fill = style.webkitTextFillColor || style.color;
  if (fill.startsWith("rgba") && /, 0\)$/.test(fill)) {
    return style.textShadow === "none" && style.getPropertyValue("-webkit-text-stroke-width") === "0px" && !clipsToText(look, el);
  }
  return fill.startsWith("rgb(") && sameAsGround(look, el, text, fill);
}

/** Transparent so that a background shows through the letters. */
function clipsToText(look: Look, el: Element): boolean {
  let at: Element | null = el;
  for (let i = 0; at && i < 4; i++, at = flatParent(at)) {
    const style = look.style(at);
    if (style.getPropertyValue("background-clip").includes("text") || style.getPropertyValue("-webkit-background-clip").includes("text")) return true;
  }
  return false;
}

type Ground = { color: string; owner: Element } | null;
const grounds = new WeakMap<Look, Map<Element, Ground>>();

/** The solid opaque colour of the nearest ancestor that has one; pictures and half-transparent layers on the way are looked at only if it matters. */
function groundOf(look: Look, el: Element): Ground {
  let known = grounds.get(look);
  if (!known) grounds.set(look, (known = new Map()));
  const path: Element[] = [];
  let ground: Ground | undefined;
  for (let at: Element | null = el; at && ground === undefined; at = flatParent(at)) {
    ground = known.get(at);
    if (ground !== undefined) break;
    path.push(at);
    const color = look.style(at).backgroundColor;
    if (color.startsWith("rgb(")) ground = { color, owner: at };
  }
  for (const at of path) known.set(at, ground ?? null);
  return ground ?? null;
}

function sameAsGround(look: Look, el: Element, text: Text, fill: string): boolean {
  const ground = groundOf(look, el);
  if (!ground || ground.color !== fill) return false;
  // Something else may be painted between the ground and the text: pictures, layers, generated boxes, elements that are no ancestors.
  for (let at: Element | null = el; at; at = flatParent(at)) {
    const style = look.style(at);
    if (style.backgroundImage !== "none" || style.mixBlendMode !== "normal") return false;
    if (at !== ground.owner && style.backgroundColor !== "rgba(0, 0, 0, 0)" && style.backgroundColor !== "transparent") return false;
    for (const pseudo of ["::before", "::after"]) {
      const content = getComputedStyle(at, pseudo).content;
      if (content !== "none" && content !== "normal") return false;
    }
    if (at === ground.owner) break;
  }
  if (ground.owner === el) return true;
  const range = document.createRange();
  range.selectNodeContents(text);
  const rect = range.getBoundingClientRect();
  const stack = stackAt(rect.left + rect.width / 2, rect.top + rect.height / 2);
  const top = stack.findIndex((at) => at === el || contains(at, el) || contains(el, at));
  if (top < 0) return false;
  for (const at of stack.slice(top)) {
    if (at === ground.owner) return true;
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
    for (const at of queryAll(root, "[aria-labelledby],[aria-describedby],[aria-details],[aria-errormessage]")) {
      for (const name of ["aria-labelledby", "aria-describedby", "aria-details", "aria-errormessage"]) {
        for (const id of (attr(at, name) ?? "").split(/\s+/)) if (id && byIdIn(root, id)) ids.add(id);
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

