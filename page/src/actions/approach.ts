// Where the mouse comes from. A hand moves over an element before it presses; menus rely on that:
// they ignore the first event of a mouse that has not moved. Some of them repeat that event, for
// the item that was under the mouse when they opened, as soon as it moves. Reads only.

import { closest, contains } from "../dom/dom";
import { hearFirst } from "../dom/firstListeners";
import { hitTest } from "../visibility/hitTest";

export type Point = [number, number];

/** Sideways first: the items of a list are wide, and their neighbours are above and below. */
const DIRECTIONS: Point[] = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
];
/** How far away the mouse stops first, in pixels: at least one, because events have whole ones. */
const DISTANCES = [6, 3, 2, 1];
const LIST = '[role="listbox" i],[role="menu" i],[role="list" i],[role="tree" i],ul,ol';
const MOUSE_EVENTS = ["mousemove", "mouseover", "mousedown"];

/** Where the mouse is, as far as this document knows. */
let mouse: Point | null = null;

function noteMouse(event: Event): void {
  if (event.isTrusted) mouse = [(event as MouseEvent).clientX, (event as MouseEvent).clientY];
}

export function listenForMouse(): void {
  for (const event of MOUSE_EVENTS) hearFirst(event, noteMouse);
}

/**
 * Returns the points that the mouse visits before a point of an element: a second point of the same
 * element, if it is large enough. If the mouse lies on a different item of the element's list, it
 * moves there first. Nothing else is touched on the way that a jump would not touch.
 */
export function stopsBefore(x: number, y: number, hit: Element): Point[] {
  return [restingPoint(hit), beside(x, y, hit, DISTANCES)].filter((stop) => stop !== null);
}

/** Returns the answer for a point that can be clicked, also as shares of the viewport. */
export const pointAnswer = ([x, y]: Point, via: Point[]): object => ({
  ok: true,
  x,
  y,
  fx: x / innerWidth,
  fy: y / innerHeight,
  via,
  viaShares: via.map(([sx, sy]) => [sx / innerWidth, sy / innerHeight]),
});

/** Returns a point near the mouse, if it lies in the list of an element but not on that. */
export function restingPoint(hit: Element): Point | null {
  if (!mouse) return null;
  const list = closest(hit, LIST);
  const [x, y] = mouse;
  const under = hitTest(x, y);
  if (!list || !under || !contains(list, under) || contains(under, hit) || contains(hit, under))
    return null;
  return beside(x, y, under, [1]);
}

function beside(x: number, y: number, hit: Element, distances: number[]): Point | null {
  for (const distance of distances)
    for (const [dx, dy] of DIRECTIONS) {
      const stop: Point = [x + dx * distance, y + dy * distance];
      if (hitTest(stop[0], stop[1]) === hit) return stop;
    }
  return null;
}
