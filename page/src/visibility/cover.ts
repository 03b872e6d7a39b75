// Whether a cover is permanent: no scroll position of the page and of its scroll containers takes
// an element out from under it. A header that stays while the page scrolls is no such cover for
// what can be scrolled away from it; a cookie banner is one for what always lies under it. Shared
// by captures and actions, so that a click is refused exactly where captures mark a cover. Reads
// only.

import { flatContains, flatParent, follows, matches, rectOf, scrollBoxBy } from "../dom/dom";
import type { ReadCache } from "../semantics/readCache";
import { clickTargetOf, forwardsClick } from "./clickTarget";
import { clickBoxes, findCover, hitTest, visibleArea } from "./hitTest";
import {
  type Axis,
  type InnerScroller,
  type Mover,
  moversOf,
  reachOf,
  roomOf,
  type Span,
} from "./scrollReach";
import { type Area, areaOf } from "./visibility";

/**
 * The width of a scroll bar, which nothing on the page can cover, also where only its space is
 * reserved (`scrollbar-gutter`).
 */
const SCROLL_BAR = 20;
/** The points of a box that have to get out, as shares of its size, and the least distance. */
const [NEAR, FAR, GAP] = [0.25, 0.75, 1];
/** How many line boxes of an element are tried. */
const MOST_BOXES = 4;

/** How far an element has to move to get out from under a cover. */
export interface Shift {
  x: number;
  y: number;
}

/** Returns the cover and what is around it, up to what it has in common with the target. */
function partsOf(cover: Element, target: Element): Element[] {
  const around = new Set<Element>();
  for (let at: Element | null = target; at; at = flatParent(at)) around.add(at);
  const parts: Element[] = [];
  for (let at: Element | null = cover; at && !around.has(at); at = flatParent(at)) parts.push(at);
  return parts;
}

/** Returns the area in which the cover takes clicks; its edges are endless at those of the page. */
function coveredArea(cache: ReadCache, parts: readonly Element[]): Area {
  const last = (position: string): number =>
    parts.findLastIndex((part) => cache.style(part).position === position);
  const end = [last("fixed"), last("sticky")].find((at) => at >= 0) ?? parts.length - 1;
  const all: Area = { x0: innerWidth, y0: innerHeight, x1: 0, y1: 0 };
  for (const part of parts.slice(0, end + 1)) {
    const { x0, y0, x1, y1 } = areaOf(rectOf(part));
    if (cache.style(part).pointerEvents === "none" || x1 <= x0 || y1 <= y0) continue;
    all.x0 = Math.min(all.x0, x0);
    all.y0 = Math.min(all.y0, y0);
    all.x1 = Math.max(all.x1, x1);
    all.y1 = Math.max(all.y1, y1);
  }
  const { NEGATIVE_INFINITY: before, POSITIVE_INFINITY: after } = Number;
  return {
    x0: all.x0 <= 0 ? before : all.x0,
    y0: all.y0 <= 0 ? before : all.y0,
    x1: all.x1 >= innerWidth - SCROLL_BAR ? after : all.x1,
    y1: all.y1 >= innerHeight - SCROLL_BAR ? after : all.y1,
  };
}

/**
 * Returns positions on one axis at which a point of the box is beside the cover, the best first:
 * near the middle of the view, where nothing else is likely to cover it.
 */
function positionsBeside(
  span: Span,
  from: number,
  to: number,
  view: number,
): [position: number, share: number][] {
  const { lo, hi, size } = span;
  const found: [number, number][] = [];
  const add = (first: number, last: number, share: number): void => {
    if (first > last) return;
    const centre = Math.min(Math.max((view - size) / 2, first), last);
    for (const at of [centre, (first + last) / 2, first, last]) found.push([at, share]);
  };
  add(lo, Math.min(hi, from - GAP - NEAR * size), NEAR);
  add(Math.max(lo, to + GAP - FAR * size), hi, FAR);
  return found;
}

/** Returns the scroll containers among these that can move anything. */
function withRoom(cache: ReadCache, movers: readonly Mover[]): Set<Element | null> {
  const found = new Set<Element | null>();
  for (const { box } of movers)
    for (const axis of ["x", "y"] as const) {
      const { back, on } = roomOf(cache, box, axis);
      if (back + on > 0) found.add(box);
    }
  return found;
}

/** Returns whether an element stays where it is while these containers are scrolled. */
const stays = (cache: ReadCache, el: Element, moving: Set<Element | null>): boolean =>
  !moversOf(cache, el).some(({ box, sticky }) => sticky.length === 0 && moving.has(box));

/**
 * Returns how far scrolling has to move the target so that a click reaches it beside the cover;
 * null if it stays under the cover wherever it is scrolled to. `inside`: a box in the target, which
 * is a frame, and how the document in it scrolls.
 */
export function wayOut(
  cache: ReadCache,
  cover: Element,
  target: Element,
  inside?: { box: Area; scroller: InnerScroller },
): Shift | null {
  const parts = partsOf(cover, target);
  if (parts.length === 0 || parts.some((part) => matches(part, ":modal"))) return null;
  const along = new Set<Element | null>();
  for (const { box, sticky } of moversOf(cache, cover)) if (sticky.length === 0) along.add(box);
  // What moves the cover, too, moves everything around it.
  const movers = moversOf(cache, target);
  const shared = movers.findIndex(({ box }) => along.has(box));
  const own = shared < 0 ? movers : movers.slice(0, shared);
  const moving = withRoom(cache, own);
  if (moving.size === 0 && !inside) return null;
  const over = coveredArea(cache, parts);
  const isFree = (x: number, y: number): boolean => {
    const hit = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight ? hitTest(x, y) : null;
    return (
      !hit || flatContains(target, hit) || flatContains(hit, target) || !stays(cache, hit, moving)
    );
  };
  const boxes = inside ? [inside.box] : clickBoxes(target).slice(0, MOST_BOXES).map(areaOf);
  for (const box of boxes) {
    const reach = reachOf(cache, box, own, inside?.scroller);
    const shift = shiftBeside(box, reach, over, isFree);
    if (shift) return shift;
  }
  return null;
}

/** `isFree`: whether nothing else that stays would cover the target at this point. */
function shiftBeside(
  box: Area,
  reach: Record<Axis, Span>,
  over: Area,
  isFree: (x: number, y: number) => boolean,
): Shift | null {
  const { x, y } = reach;
  const [left, top] = [
    Math.min(Math.max(box.x0, x.lo), x.hi),
    Math.min(Math.max(box.y0, y.lo), y.hi),
  ];
  for (const [at, share] of positionsBeside(y, over.y0, over.y1, innerHeight))
    if (isFree(left + x.size / 2, at + share * y.size)) return { x: left - box.x0, y: at - box.y0 };
  for (const [at, share] of positionsBeside(x, over.x0, over.x1, innerWidth))
    if (isFree(at + share * x.size, top + y.size / 2)) return { x: at - box.x0, y: top - box.y0 };
  return null;
}

/** Scrolls what moves an element, the outermost first, so that it moves as far as it can. */
export function scrollOut(cache: ReadCache, target: Element, shift: Shift): void {
  let { x, y } = shift;
  for (const { box } of moversOf(cache, target).reverse()) {
    const moved = (axis: Axis, by: number): number => {
      const { back, on } = roomOf(cache, box, axis);
      return Math.max(-on, Math.min(back, by));
    };
    const [dx, dy] = [moved("x", x), moved("y", y)];
    if (dx !== 0 || dy !== 0) scrollBoxBy(box, -dx, -dy);
    x -= dx;
    y -= dy;
  }
}

/**
 * Returns the element that a cover is part of, if that stays while the page scrolls and covers all
 * of the viewport, or makes the rest of the page inert.
 */
export function blanketAround(cache: ReadCache, cover: Element): Element | null {
  for (let at: Element | null = cover; at; at = flatParent(at)) {
    if (!/^(fixed|sticky)$/.test(cache.style(at).position)) continue;
    const { left, top, right, bottom } = rectOf(at);
    const all =
      left <= 0 &&
      top <= 0 &&
      right >= innerWidth - SCROLL_BAR &&
      bottom >= innerHeight - SCROLL_BAR;
    return all || matches(at, ":modal") ? at : null;
  }
  return null;
}

/** Returns what covers every point of an element in view, wherever it is scrolled to. */
export function permanentCover(cache: ReadCache, el: Element): Element | null {
  const target = clickTargetOf(cache, el);
  if (!target) return null;
  const through = (hit: Element): boolean => forwardsClick(cache, el, target, hit);
  const { cover } = findCover(target, visibleArea(cache, target), through, () => false);
  return cover && !wayOut(cache, cover, target) ? cover : null;
}

/** Why an element out of view is certainly not covered. */
export interface FreePlace {
  /** The point of the viewport that it can be scrolled to, and that nothing covers that stays. */
  area: Area;
  /** The boxes that scroll it. */
  movers: Mover[];
}

/**
 * Returns what covers an element out of view wherever it can be scrolled to. Only a box that stays
 * while the page scrolls can do that. `noteFree` is called if one place shows that nothing does.
 */
export function coverOutOfView(
  cache: ReadCache,
  el: Element,
  noteFree: (place: FreePlace) => void = () => {},
): Element | null {
  const target = clickTargetOf(cache, el);
  const box = target && clickBoxes(target)[0];
  if (!target || !box) return null;
  const movers = moversOf(cache, target);
  const moving = withRoom(cache, movers);
  const { x, y } = reachOf(cache, areaOf(box), movers);
  let cover: Element | null = null;
  for (const top of [y.lo, y.hi]) {
    const [atX, atY] = [(x.lo + x.hi + x.size) / 2, top + y.size / 2];
    const hit = hitTest(atX, atY);
    if (!hit || !stays(cache, hit, moving)) {
      if (target === el) noteFree({ area: { x0: atX, y0: atY, x1: atX, y1: atY }, movers });
      return null;
    }
    cover ??= hit;
  }
  if (!cover || wayOut(cache, cover, target)) return null;
  return isPaintedOver(cache, cover, target) ? cover : null;
}

/**
 * Returns whether `over` is certainly painted later: by z-index below their common ancestor, else
 * by the order of positioned boxes.
 */
export function isPaintedOver(cache: ReadCache, over: Element, el: Element): boolean {
  const above = new Set<Element>();
  for (let at: Element | null = el; at; at = flatParent(at)) above.add(at);
  const upper = outermostLayer(cache, over, above);
  const common = commonAncestor(over, above);
  const within = new Set<Element>();
  for (let at: Element | null = over; at && at !== common; at = flatParent(at)) within.add(at);
  const lower = outermostLayer(cache, el, within, common);
  if (!upper) return false;
  if (!lower) return upper.z >= 0;
  if (upper.z !== lower.z) return upper.z > lower.z;
  return follows(lower.el, upper.el);
}

function commonAncestor(el: Element, above: Set<Element>): Element | null {
  for (let at: Element | null = el; at; at = flatParent(at)) if (above.has(at)) return at;
  return null;
}

/** Returns the outermost positioned element from `el` up to the common ancestor. */
function outermostLayer(
  cache: ReadCache,
  el: Element,
  other: Set<Element>,
  end: Element | null = null,
): { el: Element; z: number } | null {
  let layer: { el: Element; z: number } | null = null;
  for (let at: Element | null = el; at && at !== end && !other.has(at); at = flatParent(at)) {
    const style = cache.style(at);
    if (style.position !== "static" || style.transform !== "none" || Number(style.opacity) < 1)
      layer = { el: at, z: Number.parseInt(style.zIndex, 10) || 0 };
  }
  return layer;
}
