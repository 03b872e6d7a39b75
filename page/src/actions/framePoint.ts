// The point of this viewport where a point inside a frame is, for actions inside the frame. Waits
// until the point is in view, still and not covered. Changes nothing but scroll positions.

import { scrollIntoCenter } from "../dom/dom";
import { elementOf } from "../dom/identity";
import { ReadCache } from "../semantics/readCache";
import { coverWords } from "../visibility/classify";
import { scrollOut, wayOut } from "../visibility/cover";
import { hitTest, visibleArea } from "../visibility/hitTest";
import { contentBox } from "../visibility/iframes";
import { EMPTY_AREA, intersect } from "../visibility/visibility";
import { type Point, pointAnswer } from "./approach";
import { Stillness } from "./stillness";

const TIMEOUT = 2000;
/** A cover is reported after this time, in milliseconds. */
const COVER_TIMEOUT = 700;
/** How often the frame is scrolled out from under a header or banner that stays. */
const MOST_RETRIES = 3;
const NO_ROOM = { back: 0, on: 0 };

/** Scrolls a frame into view if no part of it is visible. */
export function revealFrame(id: number): object {
  const el = elementOf(id);
  if (el && intersect(contentBox(el), visibleArea(new ReadCache(), el)) === EMPTY_AREA)
    scrollIntoCenter(el);
  return { ok: el !== null };
}

/**
 * Scrolls an element to a different place of the viewport of its frame, where what lies over the
 * frame may not cover it. `turn`: 0, 1 or 2.
 */
export function scrollAside(id: number, turn: number): object {
  const el = elementOf(id);
  if (el) scrollIntoCenter(el, PLACES[turn]);
  return { ok: el !== null };
}
const PLACES: ScrollLogicalPosition[] = ["start", "center", "end"];

/**
 * Waits until a point inside a frame is in view, still and not covered, and returns where it is in
 * this viewport. `stops`: points that the mouse visits first; those that are covered are left out.
 */
export async function framePoint(
  id: number,
  fx: number,
  fy: number,
  stops: Point[] = [],
): Promise<object> {
  const end = performance.now() + TIMEOUT;
  const still = new Stillness();
  let moved = 0;
  let aside = 0;
  let coveredSince = 0;
  let cover: Element | null = null;
  let reason = "hidden";
  for (;;) {
    const el = elementOf(id);
    if (!el) return { ok: false, reason: "gone" };
    const cache = new ReadCache();
    const box = contentBox(el);
    const x = box.x0 + (box.x1 - box.x0) * fx;
    const y = box.y0 + (box.y1 - box.y0) * fy;
    const sight = visibleArea(cache, el);
    still.observe(el, `${Math.round(x)},${Math.round(y)}`);
    if (x < sight.x0 || x >= sight.x1 || y < sight.y0 || y >= sight.y1) {
      reason = "offscreen";
      // First the boxes around it, then the page: the frame may be larger than its visible part.
      if (moved === 0) scrollIntoCenter(el);
      else if (moved < 3)
        scrollBy({
          left: x - innerWidth / 2,
          top: y - innerHeight / 2,
          behavior: "instant" as ScrollBehavior,
        });
      moved++;
    } else if (still.frames < 1) reason = "moving";
    else {
      const hit = hitTest(x, y);
      if (hit === el) {
        const via = stops
          .map(
            ([sx, sy]): Point => [box.x0 + (box.x1 - box.x0) * sx, box.y0 + (box.y1 - box.y0) * sy],
          )
          .filter((stop) => hitTest(stop[0], stop[1]) === el);
        return pointAnswer([x, y], via);
      }
      reason = "covered";
      cover = hit;
      const point = {
        box: { x0: x, y0: y, x1: x, y1: y },
        scroller: { x: NO_ROOM, y: NO_ROOM, port: box },
      };
      const shift = hit && aside < MOST_RETRIES ? wayOut(cache, hit, el, point) : null;
      if (shift) {
        aside++;
        scrollOut(cache, el, shift);
        still.reset();
        coveredSince = 0;
      }
      coveredSince ||= performance.now();
      if (performance.now() - coveredSince > COVER_TIMEOUT) break;
    }
    if (performance.now() > end) break;
    await still.nextAnimationFrame();
  }
  return { ok: false, reason, ...(reason === "covered" && cover ? coverWords(cover) : {}) };
}
