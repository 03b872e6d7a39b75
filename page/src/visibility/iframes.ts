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
import { isFixedCover } from "./clickTarget";
import { hitTest, POINTS, visibleArea } from "./hitTest";
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
 * Returns what covers boxes in a frame (x, y, width, height in this viewport, flat): for each the
 * ids from the cover upwards; empty where a click gets through or no part of the box is visible.
 */
export function coversOverFrame(id: number, boxes: number[]): object {
  const el = elementOf(id);
  if (!el) return { covers: [] };
  const cache = new ReadCache();
  const sight = intersect(areaOf(rectOf(el)), visibleArea(cache, el));
  const covers: number[][] = [];
  for (let i = 0; i + 3 < boxes.length; i += 4) {
    const [x, y, w, h] = boxes.slice(i, i + 4) as [number, number, number, number];
    covers.push(coverChain(cache, el, intersect({ x0: x, y0: y, x1: x + w, y1: y + h }, sight)));
  }
  return { covers };
}

function coverChain(cache: ReadCache, el: Element, box: Area): number[] {
  if (box === EMPTY_AREA) return [];
  let cover: Element | null = null;
  for (const [fx, fy] of POINTS) {
    const hit = hitTest(box.x0 + (box.x1 - box.x0) * fx, box.y0 + (box.y1 - box.y0) * fy);
    if (hit === el) return [];
    cover ??= hit;
  }
  if (!cover || isFixedCover(cache, cover, el)) return [];
  const chain: number[] = [];
  for (
    let at: Element | null = nameableAncestor(cache, cover).el;
    at && chain.length < 16;
    at = flatParent(at)
  )
    chain.push(idOf(at));
  return chain;
}
