// Scrolling with the mouse wheel: finds the box that would scroll, the point where the mouse has to
// be, and how far the box is and can be scrolled. Brings the box into view; the wheel does the
// rest.

import { nextAnimationFrame } from "../dom/animationFrame";
import {
  bodyElement,
  clientHeight,
  clientWidth,
  flatContains,
  flatParent,
  localName,
  queryAll,
  rectOf,
  rootElement,
  scrollBoxBy,
  scrollHeight,
  scrollIntoCenter,
  scrollingElement,
  scrollLeft,
  scrollTop,
  scrollWidth,
} from "../dom/dom";
import { elementOf, idOf } from "../dom/identity";
import { ReadCache } from "../semantics/readCache";
import { FRAMES } from "../semantics/tagTraits";
import { clickBoxes, hitTest, visibleArea } from "../visibility/hitTest";
import { type Area, areaOf, EMPTY_AREA, intersect, viewport } from "../visibility/visibility";
import { announceInput } from "../waiting/schedule";
import type { Point } from "./approach";
import { Stillness } from "./stillness";

/** The time after which a running smooth scroll is reported as it is. */
const TIMEOUT = 3000;
const STILL_FRAMES = 4;
/** Points for the mouse, as shares of the visible part of a box. */
const SHARES = [0.5, 0.25, 0.75, 0.1, 0.9, 0.03, 0.97];

const isPageScroller = (el: Element): boolean =>
  el === scrollingElement() ||
  el === rootElement() ||
  (el === bodyElement() && scrollingElement() === el);

/** Returns how far an element can be scrolled, horizontally and vertically. */
const scrollRange = (el: Element): [number, number] => [
  Math.max(0, scrollWidth(el) - clientWidth(el)),
  Math.max(0, scrollHeight(el) - clientHeight(el)),
];

/**
 * Returns whether the wheel scrolls an element: with `auto` or `scroll`, a textarea, and the page
 * unless it is locked.
 */
function scrolls(cache: ReadCache, el: Element, dx: number, dy: number): boolean {
  const [wide, high] = scrollRange(el);
  const style = cache.style(el);
  const lets = (overflow: string): boolean =>
    isPageScroller(el)
      ? !/^(hidden|clip)$/.test(overflow)
      : /^(auto|scroll|overlay)$/.test(overflow);
  return (
    (dx !== 0 && wide > 0 && lets(style.overflowX)) ||
    (dy !== 0 && high > 0 && lets(style.overflowY))
  );
}

/**
 * Returns the box to scroll: the element, a box that fills it, or one around it; without an element
 * the page, or a box that fills it.
 */
function scrollerOf(cache: ReadCache, el: Element | null, dx: number, dy: number): Element | null {
  const page = scrollingElement();
  if (!el) {
    if (page && scrolls(cache, page, dx, dy)) return page;
    return largestScroller(cache, bodyElement() ?? page, dx, dy) ?? page;
  }
  if (scrolls(cache, el, dx, dy)) return el;
  const inner = largestScroller(cache, el, dx, dy);
  if (inner) return inner;
  for (let at = flatParent(el); at; at = flatParent(at))
    if (!isPageScroller(at) && at !== bodyElement() && scrolls(cache, at, dx, dy)) return at;
  return page && scrolls(cache, page, dx, dy) ? page : null;
}

/**
 * Returns the largest scrolling box in an element, if it fills at least a third of its visible
 * part.
 */
function largestScroller(
  cache: ReadCache,
  el: Element | null,
  dx: number,
  dy: number,
): Element | null {
  if (!el) return null;
  const size = (at: Element): number => {
    const { x0, x1, y0, y1 } = intersect(areaOf(rectOf(at)), viewport());
    return (x1 - x0) * (y1 - y0);
  };
  let best: Element | null = null;
  let most = Math.min(size(el) || innerWidth * innerHeight, innerWidth * innerHeight) / 3;
  let left = 20_000;
  for (const at of queryAll(el, "*")) {
    if (left-- <= 0) break;
    const [wide, high] = scrollRange(at);
    if ((wide === 0 && high === 0) || !scrolls(cache, at, dx, dy)) continue;
    if (size(at) > most) [best, most] = [at, size(at)];
  }
  return best;
}

const position = (el: Element): object => {
  const [wide, high] = scrollRange(el);
  // From right to left, positions count downwards from 0.
  return { left: Math.abs(scrollLeft(el)), top: Math.abs(scrollTop(el)), wide, high };
};

/** Returns whether something inside of the box would scroll instead. */
function wouldTakeWheel(
  cache: ReadCache,
  hit: Element,
  box: Element,
  dx: number,
  dy: number,
): boolean {
  if (FRAMES.has(localName(hit))) return hit !== box;
  for (let at: Element | null = hit; at && at !== box; at = flatParent(at))
    if (!isPageScroller(at) && scrolls(cache, at, dx, dy)) return true;
  return false;
}

/**
 * The number of wheel events in this frame since `findScroller`. A frame other than the one under
 * the mouse may receive them.
 */
let wheelTurns = 0;
/** The last of them. The page may still prevent it when this listener runs. */
let lastWheel: Event | null = null;
const onWheel = (event: Event): void => {
  if (!event.isTrusted) return;
  wheelTurns++;
  if (!lastWheel?.defaultPrevented) lastWheel = event;
};
/** How long a wheel event may take to arrive, and to scroll. Cross-site frames receive it late. */
const HEAR_TIMEOUT = 1500;
const MOVE_TIMEOUT = 1500;
/** The scroll position before the wheel was turned, and whether it can change. */
let start = { at: "", can: false };

const placeOf = (el: Element): string => `${scrollLeft(el)},${scrollTop(el)}`;
const canScroll = (el: Element, dx: number, dy: number): boolean => {
  const [wide, high] = scrollRange(el);
  const [left, top] = [Math.abs(scrollLeft(el)), Math.abs(scrollTop(el))];
  return (
    (dx < 0 && left > 1) ||
    (dx > 0 && left < wide - 1) ||
    (dy < 0 && top > 1) ||
    (dy > 0 && top < high - 1)
  );
};

/** Returns where to turn the wheel for an element (0: the page), and the position of its box. */
export function findScroller(id: number, dx: number, dy: number): object {
  const el = id === 0 ? null : elementOf(id);
  if (id !== 0 && !el) return { ok: false, reason: "gone" };
  wheelTurns = 0;
  lastWheel = null;
  addEventListener("wheel", onWheel, { capture: true, passive: true });
  const box = scrollerOf(new ReadCache(), el, dx, dy);
  if (!box) return { ok: false, reason: "nothing scrolls" };
  start = { at: placeOf(box), can: canScroll(box, dx, dy) };
  const page = isPageScroller(box);
  const seen = () =>
    page ? viewport() : intersect(areaOf(rectOf(box)), visibleArea(new ReadCache(), box));
  if (seen() === EMPTY_AREA) scrollIntoCenter(box);
  const { x0, y0, x1, y1 } = seen();
  const cache = new ReadCache();
  const answer = ([x, y]: Point): object => ({
    ok: true,
    box: idOf(box),
    page,
    own: box === el,
    x,
    y,
    fx: x / innerWidth,
    fy: y / innerHeight,
    ...position(box),
  });
  let second: Point | null = null;
  for (const fy of SHARES) {
    for (const fx of SHARES) {
      const point: Point = [Math.floor(x0 + (x1 - x0) * fx), Math.floor(y0 + (y1 - y0) * fy)];
      const hit = x1 > x0 ? hitTest(point[0], point[1]) : null;
      if (!hit || (!page && !flatContains(box, hit))) continue;
      if (!wouldTakeWheel(cache, hit, box, dx, dy)) return answer(point);
      second ??= point;
    }
  }
  return second ? answer(second) : { ok: false, reason: "covered" };
}

/** Returns whether a page does not let itself be scrolled: `overflow` of `body` is that of the page. */
function isLocked(cache: ReadCache, el: Element): boolean {
  const [root, body] = [rootElement(), bodyElement()];
  if (!isPageScroller(el) || !root || !body) return false;
  const given = cache.style(root).overflowY === "visible" ? body : root;
  return /^(hidden|clip)$/.test(cache.style(given).overflowY);
}

/**
 * Scrolls a box on, at once, if the wheel would scroll it. Returns its position before and after
 * that; the page has not reacted yet.
 */
export function scrollOn(id: number, dy: number): object {
  const el = elementOf(id);
  if (!el) return { ok: false, reason: "gone" };
  const cache = new ReadCache();
  if (!scrolls(cache, el, 0, dy) || isLocked(cache, el))
    return { ok: false, reason: "nothing scrolls" };
  const before = Math.abs(scrollTop(el));
  announceInput();
  scrollBoxBy(isPageScroller(el) ? null : el, 0, dy);
  return { ok: true, box: id, before, ...position(el) };
}

/** Waits until a box stands still, and returns its position. */
export async function settledPosition(id: number): Promise<object> {
  const begun = performance.now();
  const end = begun + TIMEOUT;
  const still = new Stillness();
  for (;;) {
    const el = elementOf(id);
    if (!el) return { ok: false, reason: "gone" };
    const now = placeOf(el);
    const waits =
      performance.now() <
      begun + (wheelTurns === 0 ? HEAR_TIMEOUT : start.can && now === start.at ? MOVE_TIMEOUT : 0);
    still.observe(el, now);
    if ((still.frames >= STILL_FRAMES && !waits) || performance.now() > end) {
      removeEventListener("wheel", onWheel, true);
      return {
        ok: true,
        turns: wheelTurns,
        prevented: lastWheel?.defaultPrevented ?? false,
        ...position(el),
      };
    }
    await still.nextAnimationFrame();
  }
}

/** Scrolls an element into view, if it is not there. */
export async function bringIntoView(id: number): Promise<object> {
  const el = elementOf(id);
  if (!el) return { ok: false, reason: "gone" };
  const inSight = (): Area => {
    const rect = clickBoxes(el)[0];
    return rect ? intersect(areaOf(rect), visibleArea(new ReadCache(), el)) : EMPTY_AREA;
  };
  const rect = clickBoxes(el)[0];
  if (!rect) return { ok: false, reason: "hidden" };
  let seen = inSight();
  // An element that is larger than the view can only be shown in part.
  const was =
    seen !== EMPTY_AREA &&
    seen.x1 - seen.x0 >= Math.min(rect.width, innerWidth * 0.5) - 1 &&
    seen.y1 - seen.y0 >= Math.min(rect.height, innerHeight * 0.5) - 1;
  if (!was) {
    scrollIntoCenter(el);
    await nextAnimationFrame();
    seen = inSight();
  }
  if (seen === EMPTY_AREA) return { ok: false, reason: "offscreen" };
  return {
    ok: true,
    was,
    fx: (seen.x0 + seen.x1) / 2 / innerWidth,
    fy: (seen.y0 + seen.y1) / 2 / innerHeight,
  };
}
