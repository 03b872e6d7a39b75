// Where an element can be scrolled to, from its box and the ranges of the scroll containers around
// it. Nothing is scrolled. Each axis is separate: on it, the positions of a box are one interval,
// because every container adds an interval and clips it. Reads only.

import {
  bodyElement,
  clientHeight,
  clientLeft,
  clientTop,
  clientWidth,
  flatParent,
  localName,
  nextElementSibling,
  previousElementSibling,
  rectOf,
  rootElement,
  scrollHeight,
  scrollingElement,
  scrollLeft,
  scrollTop,
  scrollWidth,
} from "../dom/dom";
import type { ReadCache } from "../semantics/readCache";
import { type Area, areaOf, holdsFixed, inTopLayer } from "./visibility";

/** The keys of an area and of a style on one axis. */
const AXES = {
  x: { from: "x0", to: "x1", start: "left", end: "right", overflow: "overflowX" },
  y: { from: "y0", to: "y1", start: "top", end: "bottom", overflow: "overflowY" },
} as const;
export type Axis = keyof typeof AXES;

/** How far content can move on one axis: back to its start, so that it moves down, and on. */
export interface Room {
  back: number;
  on: number;
}
const NO_ROOM: Room = { back: 0, on: 0 };

/** A scroll container that moves an element, and the sticky boxes between that it moves less. */
export interface Mover {
  /** Null for the page. */
  box: Element | null;
  sticky: Element[];
}

/** Returns whether a box at this position is moved by an ancestor with this style. */
const isMovedBy = (position: string, style: CSSStyleDeclaration): boolean =>
  position === "fixed"
    ? holdsFixed(style)
    : position !== "absolute" || style.position !== "static" || holdsFixed(style);

/** Returns whether the page takes the `overflow` of the body for itself. */
const givesOverflowToPage = (cache: ReadCache, el: Element): boolean => {
  const root = rootElement();
  if (el === root) return true;
  if (el !== bodyElement() || !root) return false;
  const { overflowX, overflowY } = cache.style(root);
  return overflowX === "visible" && overflowY === "visible";
};

const isScrollContainer = (cache: ReadCache, el: Element): boolean => {
  const { overflowX, overflowY, display } = cache.style(el);
  return (
    !/^(visible|clip)$/.test(overflowX) &&
    !/^(visible|clip)$/.test(overflowY) &&
    display !== "inline" &&
    !givesOverflowToPage(cache, el)
  );
};

/** Returns the scroll containers that move an element, the innermost first. */
export function moversOf(cache: ReadCache, el: Element): Mover[] {
  const movers: Mover[] = [];
  let sticky: Element[] = [];
  let position = "static";
  for (let at: Element | null = el; at; at = flatParent(at)) {
    const style = cache.style(at);
    if (style.display === "contents" || (at !== el && !isMovedBy(position, style))) continue;
    if (at !== el && isScrollContainer(cache, at)) {
      movers.push({ box: at, sticky });
      sticky = [];
    }
    position = style.position;
    if (position === "sticky") sticky.push(at);
    if (inTopLayer(at, localName(at))) break;
  }
  if (position !== "fixed") movers.push({ box: null, sticky });
  return movers;
}

/** Returns how far a scroll container can move its content. Null is the page. */
export function roomOf(cache: ReadCache, box: Element | null, axis: Axis): Room {
  const el = box ?? scrollingElement();
  if (!el) return NO_ROOM;
  const { overflow } = AXES[axis];
  const style = cache.style(el);
  if (box ? !/auto|scroll|overlay/.test(style[overflow]) : isPageLocked(cache, overflow))
    return NO_ROOM;
  const [most, at] =
    axis === "y"
      ? [scrollHeight(el) - clientHeight(el), scrollTop(el)]
      : [scrollWidth(el) - clientWidth(el), scrollLeft(el)];
  if (most < 1) return NO_ROOM;
  // Positions count down from 0 where the content begins at the other end.
  const reversed =
    at < 0 ||
    (axis === "x" && style.direction === "rtl") ||
    (style.display.endsWith("flex") &&
      style.flexDirection === (axis === "y" ? "column-reverse" : "row-reverse"));
  const back = Math.min(most, Math.max(0, reversed ? most + at : at));
  return { back, on: most - back };
}

function isPageLocked(cache: ReadCache, overflow: "overflowX" | "overflowY"): boolean {
  const [root, body] = [rootElement(), bodyElement()];
  if (!root) return true;
  const source = body && givesOverflowToPage(cache, body) ? body : root;
  return /hidden|clip/.test(cache.style(source)[overflow]);
}

/** Returns where the content of a scroll container can be seen. Null is the page. */
function portOf(box: Element | null): Area {
  if (!box) {
    const el = scrollingElement();
    const [width, height] = el ? [clientWidth(el), clientHeight(el)] : [0, 0];
    return { x0: 0, y0: 0, x1: width || innerWidth, y1: height || innerHeight };
  }
  const rect = rectOf(box);
  const [x0, y0] = [rect.left + clientLeft(box), rect.top + clientTop(box)];
  return { x0, y0, x1: x0 + clientWidth(box), y1: y0 + clientHeight(box) };
}

const inset = (text: string, size: number): number | null => {
  const n = Number.parseFloat(text);
  return Number.isNaN(n) ? null : text.endsWith("%") ? (n * size) / 100 : n;
};

/**
 * Returns how far a sticky box moves when its scroll container moves the rest by `room`. Where it
 * would be without sticking cannot be read while it sticks; its neighbours limit that.
 */
function stickyRoom(cache: ReadCache, el: Element, port: Area, axis: Axis, room: Room): Room {
  const { from, to, start, end } = AXES[axis];
  const style = cache.style(el);
  const view = port[to] - port[from];
  const [atStart, atEnd] = [inset(style[start], view), inset(style[end], view)];
  const own = areaOf(rectOf(el));
  const parent = flatParent(el);
  const within = parent ? areaOf(rectOf(parent)) : port;
  const size = own[to] - own[from];
  let { back, on } = room;
  if (atStart !== null) {
    const edge = port[from] + atStart;
    const padding = inset(parent ? cache.style(parent)[endPadding(axis)] : "", 0) ?? 0;
    on = own[from] - Math.min(Math.max(own[from] - on, edge), within[to] - padding - on - size);
    const next = own[from] <= edge + 1 ? stillNeighbour(cache, el, nextElementSibling) : null;
    back = Math.max(Math.min(own[from], next?.[from] ?? own[from]) + back, edge) - own[from];
  }
  if (atEnd !== null) {
    const edge = port[to] - atEnd;
    const stuck = Math.max(Math.min(own[to] + room.back, edge), within[from] + room.back + size);
    back = Math.min(back, stuck - own[to]);
    const before = own[to] >= edge - 1 ? stillNeighbour(cache, el, previousElementSibling) : null;
    const natural = Math.max(own[from], before?.[from] ?? own[from]);
    on = Math.min(on, own[from] - Math.min(natural - room.on, edge - size));
  }
  return { back: Math.max(0, Math.min(back, room.back)), on: Math.max(0, Math.min(on, room.on)) };
}

const endPadding = (axis: Axis): "paddingBottom" | "paddingRight" =>
  axis === "y" ? "paddingBottom" : "paddingRight";

/** Returns the box of the nearest sibling in the flow that does not stick. */
function stillNeighbour(
  cache: ReadCache,
  el: Element,
  next: (el: Element) => Element | null,
): Area | null {
  for (let at = next(el), i = 0; at && i < 10; at = next(at), i++) {
    const { position, display } = cache.style(at);
    if (/^(static|relative)$/.test(position) && !/^(none|contents)$/.test(display))
      return areaOf(rectOf(at));
  }
  return null;
}

/** The positions that the start edge of a box can take on one axis, and its size there. */
export interface Span {
  lo: number;
  hi: number;
  size: number;
}

/** Limits positions to those at which the box can be seen, or to the nearest one. */
function clip(span: Span, from: number, to: number): void {
  const last = to - span.size;
  const [low, high] = last < from ? [last, from] : [from, last];
  if (span.lo > high) span.hi = span.lo;
  else if (span.hi < low) span.lo = span.hi;
  else {
    span.lo = Math.max(span.lo, low);
    span.hi = Math.min(span.hi, high);
  }
}

/** The scroll container that a document in a frame is, as seen from the document around it. */
export interface InnerScroller extends Record<Axis, Room> {
  port: Area;
}

/**
 * Returns where a box can be scrolled to by these containers, on each axis; `inner` scrolls it
 * within them.
 */
export function reachOf(
  cache: ReadCache,
  box: Area,
  movers: readonly Mover[],
  inner?: InnerScroller,
): Record<Axis, Span> {
  const reach = {
    x: { lo: box.x0, hi: box.x0, size: box.x1 - box.x0 },
    y: { lo: box.y0, hi: box.y0, size: box.y1 - box.y0 },
  };
  const move = (axis: Axis, { back, on }: Room, port: Area): void => {
    const span = reach[axis];
    span.lo -= on;
    span.hi += back;
    clip(span, port[AXES[axis].from], port[AXES[axis].to]);
  };
  if (inner) for (const axis of ["x", "y"] as const) move(axis, inner[axis], inner.port);
  for (const { box: mover, sticky } of movers) {
    const port = portOf(mover);
    for (const axis of ["x", "y"] as const) {
      let room = roomOf(cache, mover, axis);
      if (room.back + room.on > 0)
        for (const el of sticky) room = stickyRoom(cache, el, port, axis, room);
      move(axis, room, port);
    }
  }
  return reach;
}
