// The point of this viewport where a point inside a frame is, for actions inside the frame. Waits
// until the point is in view, still and not covered. Changes nothing but scroll positions.
// until the point is in view, still and not covered. Scrolls; changes nothing else.

import { scrollIntoCenter } from "../dom/dom";
import { elementOf, idOf } from "../dom/identity";
import { ReadCache } from "../semantics/readCache";
import { nameableAncestor } from "../visibility/classify";
import { hitTest, visibleArea } from "../visibility/hitTest";
import { contentBox } from "../visibility/iframes";
import { EMPTY_AREA, intersect } from "../visibility/visibility";
import { Stillness } from "./stillness";

const TIMEOUT = 2000;
/** A cover that has not gone for so long is not on its way out. */
const COVER_TIMEOUT = 700;

/** Brings a frame into sight if nothing of it is. */
export function revealFrame(id: number): object {
  const el = elementOf(id);
  if (el && intersect(contentBox(el), visibleArea(new ReadCache(), el)) === EMPTY_AREA)
    scrollIntoCenter(el);
  return { ok: el !== null };
}

/**
 * The point of this viewport where a point inside a frame is, once it is in sight, still, and not
 * under something else.
 */
export async function framePoint(id: number, fx: number, fy: number): Promise<object> {
  const end = performance.now() + TIMEOUT;
  const still = new Stillness();
  let moved = 0;
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
      // In a box that scrolls by itself first; then the page, because the frame may be larger than
      // what is in sight.
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
      if (hit === el) return { ok: true, x, y, fx: x / innerWidth, fy: y / innerHeight };
      reason = "covered";
      cover = hit;
      coveredSince ||= performance.now();
      if (performance.now() - coveredSince > COVER_TIMEOUT) break;
    }
    if (performance.now() > end) break;
    await still.nextFrame();
  }
  if (reason !== "covered" || !cover) return { ok: false, reason };
  const worth = nameableAncestor(new ReadCache(), cover);
  return { ok: false, reason, cover: idOf(worth.el), coverRole: worth.role, coverName: worth.name };
}
