// Decides whether something is drawn in the place of a transparent control: the styled box of a
// checkbox, a button around a file field. Without that nobody can know that it is there. Reads
// styles and boxes of its neighbours.

import {
  firstElementChild,
  flatChildren,
  flatParent,
  isElement,
  isText,
  localName,
  nextElementSibling,
  rectOf,
  textContent,
} from "../dom/dom";
import type { ReadCache } from "../semantics/readCache";
import { type Area, areaOf } from "./visibility";

/** How many levels above the element are searched. */
const MOST_LEVELS = 3;
/** How many neighbours are read on each level, and how many elements in a neighbour. */
const MOST_NEIGHBOURS = 30;
const MOST_PARTS = 20;
/** How many times as large as the element something may be that is drawn in its place. */
const MOST_LARGER = 6;
/** Elements that are drawn without any style. */
const DRAWN = /^(img|svg|canvas|video|picture|input|button|select|textarea|meter|progress|object)$/;
const NOTHING = /^(transparent|rgba\(0, 0, 0, 0\))$/;

const extent = (area: Area): number => (area.x1 - area.x0) * (area.y1 - area.y0);

/** Returns whether an area covers the middle of the element's box and is not much larger. */
function isInPlace(area: Area, box: Area): boolean {
  const [x, y] = [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2];
  const over = area.x0 <= x && x <= area.x1 && area.y0 <= y && y <= area.y1;
  return over && extent(area) <= MOST_LARGER * extent(box);
}

const isGenerated = (el: Element, which: string): boolean => {
  const { content, display } = getComputedStyle(el, which);
  return content !== "none" && content !== "normal" && display !== "none";
};

/** Returns whether an element draws something itself. */
function draws(cache: ReadCache, el: Element): boolean {
  const style = cache.style(el);
  if (style.display === "none" || style.visibility !== "visible") return false;
  const borders = [
    [style.borderTopStyle, style.borderTopWidth],
    [style.borderBottomStyle, style.borderBottomWidth],
  ];
  return (
    DRAWN.test(localName(el)) ||
    !NOTHING.test(style.backgroundColor) ||
    style.backgroundImage !== "none" ||
    style.boxShadow !== "none" ||
    borders.some(([kind, width]) => kind !== "none" && width !== "0px") ||
    flatChildren(el).some((child) => isText(child) && /\S/.test(textContent(child) ?? "")) ||
    isGenerated(el, "::before") ||
    isGenerated(el, "::after")
  );
}

const isFaded = (cache: ReadCache, el: Element): boolean => Number(cache.style(el).opacity) < 0.02;

/** Returns whether an element or a part of it is drawn in the place of the box. */
function isDrawnOver(cache: ReadCache, el: Element, box: Area): boolean {
  const open = [el];
  for (let left = MOST_PARTS; left > 0; left--) {
    const at = open.pop();
    if (!at) break;
    if (isFaded(cache, at)) continue;
    if (isInPlace(areaOf(rectOf(at)), box) && draws(cache, at)) return true;
    for (let child = firstElementChild(at); child; child = nextElementSibling(child)) {
      if (open.length >= MOST_PARTS) break;
      open.push(child);
    }
  }
  return false;
}

/**
 * Returns whether something is drawn in the place of a transparent element. `faded`: the number of
 * levels from the element to the one that makes it transparent, 1 for the element itself.
 */
export function isDrawnInPlace(cache: ReadCache, el: Element, box: Area, faded: number): boolean {
  let inner = el;
  // Nothing inside of the transparent ancestor is drawn.
  for (let level = 1; level < faded; level++) inner = flatParent(inner) ?? inner;
  for (let level = 0; level < MOST_LEVELS; level++) {
    const above = flatParent(inner);
    if (!above) break;
    cache.addDependency(el, above);
    let left = MOST_NEIGHBOURS;
    for (const sibling of flatChildren(above)) {
      if (!isElement(sibling) || sibling === inner) continue;
      if (left-- <= 0) break;
      cache.addDependency(el, sibling);
      if (isDrawnOver(cache, sibling, box)) return true;
    }
    const around = areaOf(rectOf(above));
    if (isInPlace(around, box) && draws(cache, above)) return true;
    if (extent(around) > MOST_LARGER * extent(box)) break;
    inner = above;
  }
  return false;
}
