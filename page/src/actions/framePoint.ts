// The point of this viewport where a point inside a frame is, for actions inside the frame. Waits
// until the point is in view, still and not covered. Scrolls; changes nothing else.

import { intoView } from "../dom/dom";
import { elementOf, idOf } from "../dom/identity";
import { Look } from "../semantics/readCache";
import { worthNaming } from "../visibility/classify";
import { hitAt, sightOf } from "../visibility/hitTest";
import { contentBox } from "../visibility/iframes";
import { cut, NOWHERE } from "../visibility/visibility";
import { Stillness } from "./stillness";

const LIMIT = 2000;
/** A cover that has not gone for so long is not on its way out. */
const COVERED = 700;

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
