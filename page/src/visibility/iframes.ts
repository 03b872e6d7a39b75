// Frames as seen from the document around them: where they are, what part of them is visible, and
// what covers them. The document inside is captured by its own copy of this script, and both are
// merged outside of the page. Points inside a frame are given as shares of its width and height, so
// that no document needs to know how another one is scaled.

import {
  clientLeft,
  clientTop,
  flatParent,
  localName,
  offsetHeight,
  offsetWidth,
  rectOf,
} from "../dom/dom";
import { elementOf, idOf } from "../dom/identity";
import { ReadCache } from "../semantics/readCache";
import { FRAMES } from "../semantics/tagTraits";
import { nameableAncestor } from "./classify";
import { wayOut } from "./cover";
import { hitTest, POINTS, visibleArea } from "./hitTest";
import type { Room } from "./scrollReach";
import { type Area, areaOf, EMPTY_AREA, intersect } from "./visibility";

/** Returns the windows of these frame elements; the engine finds out which frames they are. */
export function frameWindows(ids: number[]): (Window | null)[] {
  return ids.map((id) => {
    const el = elementOf(id);
    return el && FRAMES.has(localName(el))
      ? ((el as HTMLIFrameElement).contentWindow ?? null)
      : null;
  });
}

/** Returns where the document in a frame is drawn: the frame's box without border and padding. */
export function contentBox(el: Element): Area {
  const rect = rectOf(el);
  const [wide, high] = [offsetWidth(el), offsetHeight(el)];
  const style = getComputedStyle(el);
  const px = (text: string): number => Number.parseFloat(text) || 0;
  // A transform scales border and padding too.
  const sx = wide > 0 ? rect.width / wide : 1;
  const sy = high > 0 ? rect.height / high : 1;
  const left = rect.left + (clientLeft(el) + px(style.paddingLeft)) * sx;
  const top = rect.top + (clientTop(el) + px(style.paddingTop)) * sy;
  return {
    x0: left,
    y0: top,
    x1: rect.right - (px(style.borderRightWidth) + px(style.paddingRight)) * sx,
    y1: rect.bottom - (px(style.borderBottomWidth) + px(style.paddingBottom)) * sy,
  };
}

/**
 * Returns x, y, width and height of the document in a frame, and the visible part of that (x, y, x,
 * y).
 */
export function frameView(el: Element): number[] {
  const box = contentBox(el);
  const seen = intersect(box, visibleArea(new ReadCache(), el));
  return [box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0, seen.x0, seen.y0, seen.x1, seen.y1];
}

/** Returns the position of a point within a frame, as shares. */
export function pointInFrame(el: Element, x: number, y: number): { fx: number; fy: number } {
  const box = contentBox(el);
  return {
    fx: (x - box.x0) / Math.max(1, box.x1 - box.x0),
    fy: (y - box.y0) / Math.max(1, box.y1 - box.y0),
  };
}

/**
 * Returns what covers boxes in a frame: for each the ids from the cover upwards; empty where a click
 * gets through, no part of the box is visible, or scrolling takes it out from under the cover. Eight
 * numbers per box, flat: x, y, width and height in this viewport, then how far the document in the
 * frame can be scrolled up, down, left and right there.
 */
export function coversOverFrame(id: number, boxes: number[]): object {
  const el = elementOf(id);
  if (!el) return { covers: [] };
  const cache = new ReadCache();
  const sight = intersect(areaOf(rectOf(el)), visibleArea(cache, el));
  const covers: number[][] = [];
  for (let i = 0; i + 7 < boxes.length; i += 8) {
    const [x, y, w, h, up, down, left, right] = boxes.slice(i, i + 8) as EightNumbers;
    const box = { x0: x, y0: y, x1: x + w, y1: y + h };
    const room = { x: { back: left, on: right }, y: { back: up, on: down } };
    covers.push(coverChain(cache, el, box, sight, room));
  }
  return { covers };
}
type EightNumbers = [number, number, number, number, number, number, number, number];

function coverChain(
  cache: ReadCache,
  el: Element,
  whole: Area,
  sight: Area,
  room: { x: Room; y: Room },
): number[] {
  const box = intersect(whole, sight);
  if (box === EMPTY_AREA) return [];
  let cover: Element | null = null;
  for (const [fx, fy] of POINTS) {
    const hit = hitTest(box.x0 + (box.x1 - box.x0) * fx, box.y0 + (box.y1 - box.y0) * fy);
    if (hit === el) return [];
    cover ??= hit;
  }
  const scroller = { ...room, port: contentBox(el) };
  if (!cover || wayOut(cache, cover, el, { box: whole, scroller })) return [];
  const chain: number[] = [];
  for (
    let at: Element | null = nameableAncestor(cache, cover).el;
    at && chain.length < 16;
    at = flatParent(at)
  )
    chain.push(idOf(at));
  return chain;
}
