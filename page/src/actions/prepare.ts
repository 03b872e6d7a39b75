// Getting an element ready for real input: into view, visible, enabled, still, and hit at the point
// that will be clicked. Scrolls, and changes nothing else.

import { closest, intoView, localName, matches } from "../dom/dom";
import { elementOf, idOf } from "../dom/identity";
import { editorOf } from "../semantics/codeEditor";
import { proxied } from "../semantics/interactivity";
import { Look } from "../semantics/readCache";
import { judge, worthNaming } from "../visibility/classify";
import { drawnBy, staysPut, targetOf } from "../visibility/clickTarget";
import { aim, boxesOf, hitAt, reaches, sightOf } from "../visibility/hitTest";
import { areaOf, cut, NOWHERE } from "../visibility/visibility";
import { arm, disarm } from "./inputWatch";
import { Stillness } from "./stillness";

const LIMIT = 2000;
/**
 * For what was never seen moving, on a page that is too busy to draw the frames that would tell.
 */
const BUSY_LIMIT = 3500;
/** A cover that has not gone for so long is not on its way out. */
const COVERED = 700;
/** Where to scroll what lies under a header or banner that does not scroll with it. */
const ASIDE: ScrollLogicalPosition[] = ["center", "end", "start"];

export async function prepare(
  id: number,
  action: string,
  expected?: { role?: string; name?: string },
): Promise<object> {
  disarm();
  const el = elementOf(id);
  if (!el) return { ok: false, reason: "gone", role: "", name: "" };
  const { role, name, otherwise } = judge(new Look(), el);
  if (expected && changed(expected, role, name, otherwise))
    return { ok: false, reason: "changed", role, name };

  const begun = performance.now();
  const still = new Stillness();
  let reason = "hidden";
  let cover: Element | null = null;
  let coveredSince = 0;
  let scrolled = 0;
  let aside = 0;
  for (;;) {
    if (!elementOf(id)) return { ok: false, reason: "gone", role, name };
    const look = new Look();
    // An editor is hit where its text is drawn.
    const target = (action === "fill" ? editorOf(el)?.shown : null) ?? targetOf(look, el);
    if (!target) reason = "hidden";
    else if (action !== "hover" && isDisabled(el)) reason = "disabled";
    else {
      const boxes = boxesOf(target);
      const first = boxes[0];
      if (!first) reason = "hidden";
      else {
        const sight = sightOf(look, target);
        const area = areaOf(first);
        const seen = cut(area, sight);
        const whole =
          seen !== NOWHERE &&
          seen.x1 - seen.x0 >= Math.min(first.width, innerWidth) - 1 &&
          seen.y1 - seen.y0 >= Math.min(first.height, innerHeight) - 1;
        if (!whole && scrolled < 2) {
          scrolled++;
          intoView(target);
          still.moved();
        }
        // Its middle must be still: what only pulses can be hit.
        const { x, y, width, height } = boxesOf(target)[0] ?? first;
        still.stands(target, [x + width / 2, y + height / 2].map(Math.round).join());
        // Two frames: at the turn of a swing one alone may look the same.
        if (still.frames < 2) reason = "moving";
        else {
          const found = aim(look, target, (hit) => drawnBy(look, el, target, hit));
          if (found && "x" in found) {
            arm(el, target, found.hit, action);
            return {
              ok: true,
              x: found.x,
              y: found.y,
              fx: found.x / innerWidth,
              fy: found.y / innerHeight,
              role,
              name,
            };
          }
          reason = found ? "covered" : "offscreen";
          cover = found?.cover ?? null;
          const block = cover && staysPut(look, cover, target) ? ASIDE[aside++] : undefined;
          if (block) {
            intoView(target, block);
            still.moved();
            coveredSince = 0;
          }
          coveredSince ||= performance.now();
          if (performance.now() - coveredSince > COVERED) break;
        }
      }
    }
    if (reason !== "covered" && reason !== "offscreen") coveredSince = 0;
    if (performance.now() - begun > (reason === "moving" && !still.wasMoving ? BUSY_LIMIT : LIMIT))
      break;
    await still.nextFrame();
  }
  if (reason !== "covered" || !cover) return { ok: false, reason, role, name };
  const worth = worthNaming(new Look(), cover);
  return {
    ok: false,
    reason,
    cover: idOf(worth.el),
    coverRole: worth.role,
    coverName: worth.name,
    role,
    name,
  };
}

/**
 * Whether a click at this point would still reach the element: with the mouse over it, it may look
 * different, be smaller or elsewhere.
 */
export function under(id: number, x: number, y: number): object {
  const el = elementOf(id);
  const look = new Look();
  const target = el && targetOf(look, el);
  const hit = target ? hitAt(x, y) : null;
  return {
    ok: !!el && !!target && !!hit && (reaches(target, hit) || drawnBy(look, el, target, hit)),
  };
}

/** What is clickable only for a listener has no role here: that is no change. */
function changed(
  expected: { role?: string; name?: string },
  role: string,
  name: string,
  otherwise: string,
): boolean {
  const plain = (r: string): string => (r === "clickable" ? "" : r);
  return (
    (expected.role !== undefined && plain(expected.role) !== plain(role)) ||
    (expected.name !== undefined && expected.name !== name && expected.name !== otherwise)
  );
}

export function isDisabled(el: Element): boolean {
  const control = localName(el) === "label" ? proxied(el) : null;
  if (matches(control ?? el, ":disabled")) return true;
  return closest(el, '[aria-disabled="true"],[inert]') !== null;
}
