// The hit test: what lies at a point of the viewport, open shadow roots entered, and whether a
// click there reaches an element. Reads boxes; does not scroll.

import {
  closest,
  elementAt,
  elementAtIn,
  flatContains,
  flatParent,
  isElement,
  isVisible,
  localName,
  namespaceOf,
  nodeType,
  rectOf,
  rectsOf,
  rootOf,
  shadowRoot,
} from "../dom/dom";
import type { ReadCache } from "../semantics/readCache";
import { USABLE } from "./classify";
import { areaAt, areaBox } from "./imageMaps";
import { type Area, areaOf, clipsOfContent, EMPTY_AREA, intersect, viewport } from "./visibility";

export function hitTest(x: number, y: number): Element | null {
  let el = elementAt(x, y);
  for (let shadow = el && shadowRoot(el); el && shadow; shadow = shadowRoot(el)) {
    const inner = elementAtIn(shadow, x, y);
    if (!inner || inner === el) break;
    el = inner;
  }
  return (el && areaAt(el, x, y)) ?? el;
}

/**
 * Returns the area in which an element can be visible: the viewport, clipped by every ancestor that
 * clips or scrolls.
 */
export function visibleArea(cache: ReadCache, el: Element): Area {
  let sight = viewport();
  let position = cache.style(el).position;
  for (let at = flatParent(el); at && position !== "fixed"; at = flatParent(at)) {
    const style = cache.style(at);
    const tag = localName(at);
    if (position === "absolute" && style.position === "static" && style.transform === "none")
      continue;
    position = style.position;
    if (
      tag === "html" ||
      tag === "body" ||
      style.display === "inline" ||
      style.display === "contents" ||
      style.overflow === "visible"
    )
      continue;
    const own = { flow: sight, view: sight };
    sight = clipsOfContent(
      at,
      style,
      areaOf(rectOf(at)),
      own,
      { ...own, abs: sight, absView: sight },
      true,
    ).view;
    if (sight === EMPTY_AREA) break;
  }
  return sight;
}

/**
 * Returns the boxes to click at: its own line boxes, or, if it has none with an extent, those of a
 * descendant.
 */
export function clickBoxes(el: Element): DOMRect[] {
  if (localName(el) === "area") {
    const box = areaBox(el);
    return box ? [new DOMRect(box.x, box.y, box.width, box.height)] : [];
  }
  const boxes = [...rectsOf(el)].filter((rect) => rect.width >= 1 && rect.height >= 1);
  if (boxes.length > 0) return boxes;
  const walker = document.createTreeWalker(el, NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(), i = 0; node && i < 500; node = walker.nextNode(), i++) {
    if (!isElement(node) || !isVisible(node)) continue;
    const rect = rectOf(node);
    if (rect.width >= 1 && rect.height >= 1) return [rect];
  }
  return [];
}

/** Returns whether a click that lands on `hit` is a click on `el`. */
export function clickReaches(el: Element, hit: Element | null): boolean {
  if (!hit) return false;
  if (flatContains(el, hit)) return true;
  const label = closest(hit, "label");
  return label !== null && (label as HTMLLabelElement).control === el && label !== el;
}

type Share = readonly [number, number];
/** Points to try, as shares of a box's width and height: its centre first. */
export const POINTS: Share[] = [
  [0.5, 0.5],
  [0.25, 0.5],
  [0.75, 0.5],
  [0.5, 0.25],
  [0.5, 0.75],
  [0.15, 0.2],
  [0.85, 0.2],
  [0.15, 0.8],
  [0.85, 0.8],
];
const GRID_SIZE = 12;
/** Areas of image maps and shapes of drawings may fill little of their box. */
const GRID: Share[] = [
  ...POINTS,
  ...Array.from(
    { length: GRID_SIZE * GRID_SIZE },
    (_, i): Share => [
      ((i % GRID_SIZE) + 0.5) / GRID_SIZE,
      (Math.floor(i / GRID_SIZE) + 0.5) / GRID_SIZE,
    ],
  ),
];
const SVG = "http://www.w3.org/2000/svg";

export type ClickPoint = { x: number; y: number; hit: Element } | { cover: Element | null } | null;

type Point = readonly [number, number];

/**
 * Yields the points of an element to try, the centre of its first box first. `sight`: the area in
 * which it can be visible.
 */
function* pointsOf(el: Element, sight: Area): Generator<Point> {
  const points = localName(el) === "area" || namespaceOf(el) === SVG ? GRID : POINTS;
  for (const rect of clickBoxes(el).slice(0, 4)) {
    const box = intersect(areaOf(rect), sight);
    if (box === EMPTY_AREA) continue;
    for (const [fx, fy] of points)
      yield [
        Math.round((box.x0 + (box.x1 - box.x0) * fx) * 10) / 10,
        Math.round((box.y0 + (box.y1 - box.y0) * fy) * 10) / 10,
      ];
  }
}

/**
 * Returns a point of the element that a click reaches, its centre if possible; the cover if no
 * point is reached; null if no part of it is visible.
 */
export function findClickPoint(
  cache: ReadCache,
  el: Element,
  through: (hit: Element) => boolean,
): ClickPoint {
  let cover: Element | null = null;
  let second: { x: number; y: number; hit: Element } | null = null;
  let inSight = false;
  for (const [x, y] of pointsOf(el, visibleArea(cache, el))) {
    inSight = true;
    const hit = hitTest(x, y);
    if (hit && (clickReaches(el, hit) || through(hit))) {
      // Not on another control inside it, if that can be avoided.
      const inner = hit === el ? null : closest(hit, USABLE);
      if (!inner || inner === el || !flatContains(el, inner)) return { x, y, hit };
      second ??= { x, y, hit };
    } else cover ??= hit;
  }
  return second ?? (inSight ? { cover } : null);
}

/** The result of the hit tests of an element. */
export interface TestedCover {
  /** Null if a click reaches one of the points, or none is in sight. */
  cover: Element | null;
  /** The area of the points that were tested. */
  area: Area;
}

/**
 * Finds what covers an element: the judgement of `findClickPoint`, mostly with one hit test for an
 * element, however deep it is in shadow trees. `decides`: whether the first cover makes the other
 * points needless.
 */
export function findCover(
  el: Element,
  sight: Area,
  through: (hit: Element) => boolean,
  decides: (cover: Element) => boolean,
): TestedCover {
  const root = rootOf(el);
  const area = { x0: innerWidth, y0: innerHeight, x1: 0, y1: 0 };
  let cover: Element | null = null;
  for (const [x, y] of pointsOf(el, sight)) {
    area.x0 = Math.min(area.x0, x);
    area.y0 = Math.min(area.y0, y);
    area.x1 = Math.max(area.x1, x);
    area.y1 = Math.max(area.y1, y);
    // A root answers with the element of its own tree that is hit or that holds what is hit; in
    // Firefox with nothing if that is outside of it.
    const near = nodeType(root) === 11 ? elementAtIn(root as ShadowRoot, x, y) : elementAt(x, y);
    if (near && flatContains(el, near)) return { cover: null, area };
    const hit = near && !shadowRoot(near) ? (areaAt(near, x, y) ?? near) : hitTest(x, y);
    if (hit && (clickReaches(el, hit) || through(hit))) return { cover: null, area };
    cover ??= hit;
    if (cover && decides(cover)) break;
  }
  return { cover, area };
}
