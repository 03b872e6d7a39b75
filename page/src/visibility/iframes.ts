// Frames as seen from the document that holds them: where they are, what they show, and whether
// something lies over them. What is inside is another document's business: its own copy of this
// script looks there, and the two are put together outside of the page. Points inside a frame are
// given as shares of its width and height, so that no document needs to know how another one is
// scaled.

import { Stillness } from "../actions/stillness";
import { FRAMES } from "../capture/nodeRecord";
import { clientLeft, clientTop, flatParent, intoView, localName, rectOf } from "../dom/dom";
import { elementOf, idOf } from "../dom/identity";
import { Look } from "../semantics/readCache";
import { worthNaming } from "./classify";
import { staysPut } from "./clickTarget";
import { hitAt, sightOf } from "./hitTest";
import { type Area, areaOf, cut, NOWHERE } from "./visibility";

const LIMIT = 2000;
/** A cover that has not gone for so long is not on its way out. */
const COVERED = 700;
/** Where a box is tried, as shares of its width and height. */
const SHARES = [
  [0.5, 0.5],
  [0.25, 0.5],
  [0.75, 0.5],
  [0.5, 0.25],
  [0.5, 0.75],
  [0.15, 0.2],
  [0.85, 0.2],
  [0.15, 0.8],
  [0.85, 0.8],
] as const;

/** The windows of these frame elements; the engine reads off which frames they are. */
export function windowsOf(ids: number[]): (Window | null)[] {
  return ids.map((id) => {
    const el = elementOf(id);
    return el && FRAMES.has(localName(el))
      ? ((el as HTMLIFrameElement).contentWindow ?? null)
      : null;
  });
}

/** Where the document in a frame is drawn: the frame's box without border and padding. */
function contentBox(el: Element): Area {
  const rect = rectOf(el);
  const { offsetWidth = 0, offsetHeight = 0 } = el as HTMLElement;
  const style = getComputedStyle(el);
  const px = (text: string): number => Number.parseFloat(text) || 0;
  // A transform scales border and padding too.
  const sx = offsetWidth > 0 ? rect.width / offsetWidth : 1;
  const sy = offsetHeight > 0 ? rect.height / offsetHeight : 1;
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
 * Of a frame element: x, y, width, height of the document in it, and the part of that which is in
 * sight (x, y, x, y).
 */
export function viewOf(el: Element): number[] {
  const box = contentBox(el);
  const seen = cut(box, sightOf(new Look(), el));
  return [box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0, seen.x0, seen.y0, seen.x1, seen.y1];
}

/** The place of a point within a frame, as shares. */
export function shareOf(el: Element, x: number, y: number): { fx: number; fy: number } {
  const box = contentBox(el);
  return {
    fx: (x - box.x0) / Math.max(1, box.x1 - box.x0),
    fy: (y - box.y0) / Math.max(1, box.y1 - box.y0),
  };
}

/**
 * For boxes in a frame (x, y, width, height in this viewport, flat): what lies over all of each, as
 * ids from the cover upwards; empty where a click gets through or nothing of the box is in sight.
 */
export function through(id: number, boxes: number[]): object {
  const el = elementOf(id);
  if (!el) return { covers: [] };
  const look = new Look();
  const sight = cut(areaOf(rectOf(el)), sightOf(look, el));
  const covers: number[][] = [];
  for (let i = 0; i + 3 < boxes.length; i += 4) {
    const [x, y, w, h] = boxes.slice(i, i + 4) as [number, number, number, number];
    covers.push(coverOver(look, el, cut({ x0: x, y0: y, x1: x + w, y1: y + h }, sight)));
  }
  return { covers };
}

function coverOver(look: Look, el: Element, box: Area): number[] {
  if (box === NOWHERE) return [];
  let cover: Element | null = null;
  for (const [fx, fy] of SHARES) {
    const hit = hitAt(box.x0 + (box.x1 - box.x0) * fx, box.y0 + (box.y1 - box.y0) * fy);
    if (hit === el) return [];
    cover ??= hit;
  }
  if (!cover || staysPut(look, cover, el)) return [];
  const chain: number[] = [];
  for (
    let at: Element | null = worthNaming(look, cover).el;
    at && chain.length < 16;
    at = flatParent(at)
  )
    chain.push(idOf(at));
  return chain;
}

/** Brings a frame into sight if nothing of it is. */
export function reveal(id: number): object {
  const el = elementOf(id);
  if (el && cut(contentBox(el), sightOf(new Look(), el)) === NOWHERE) intoView(el);
  return { ok: el !== null };
}

/**
 * The point of this viewport where a point inside a frame is, once it is in sight, still, and not
 * under something else.
 */
export async function framePoint(id: number, fx: number, fy: number): Promise<object> {
  const end = performance.now() + LIMIT;
  const still = new Stillness();
  let moved = 0;
  let coveredSince = 0;
  let cover: Element | null = null;
  let reason = "hidden";
  for (;;) {
    const el = elementOf(id);
    if (!el) return { ok: false, reason: "gone" };
    const look = new Look();
    const box = contentBox(el);
    const x = box.x0 + (box.x1 - box.x0) * fx;
    const y = box.y0 + (box.y1 - box.y0) * fy;
    const sight = sightOf(look, el);
    still.stands(el, `${Math.round(x)},${Math.round(y)}`);
    if (x < sight.x0 || x >= sight.x1 || y < sight.y0 || y >= sight.y1) {
      reason = "offscreen";
      // In a box that scrolls by itself first; then the page, because the frame may be larger than
      // what is in sight.
      if (moved === 0) intoView(el);
      else if (moved < 3)
        scrollBy({
          left: x - innerWidth / 2,
          top: y - innerHeight / 2,
          behavior: "instant" as ScrollBehavior,
        });
      moved++;
    } else if (still.frames < 1) reason = "moving";
    else {
      const hit = hitAt(x, y);
      if (hit === el) return { ok: true, x, y, fx: x / innerWidth, fy: y / innerHeight };
      reason = "covered";
      cover = hit;
      coveredSince ||= performance.now();
      if (performance.now() - coveredSince > COVERED) break;
    }
    if (performance.now() > end) break;
    await still.nextFrame();
  }
  if (reason !== "covered" || !cover) return { ok: false, reason };
  const worth = worthNaming(new Look(), cover);
  return { ok: false, reason, cover: idOf(worth.el), coverRole: worth.role, coverName: worth.name };
}
