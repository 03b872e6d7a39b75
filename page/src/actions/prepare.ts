// Prepares an element for real input: scrolls it into view and waits until it is visible, enabled
// and still, and a click at the chosen point would reach it. Changes only scroll positions.

import { isThrottled } from "../dom/animationFrame";
import {
  closest,
  flatContains,
  localName,
  matches,
  pointerLockElement,
  scrollIntoCenter,
} from "../dom/dom";
import { elementOf } from "../dom/identity";
import { codeEditorOf } from "../semantics/codeEditor";
import { hiddenControlOf } from "../semantics/interactivity";
import { ReadCache } from "../semantics/readCache";
import { hideSecretValues, MASK, mayBeSpread } from "../semantics/secretValues";
import { classify, coverWords } from "../visibility/classify";
import { clickTargetOf, forwardsClick } from "../visibility/clickTarget";
import { scrollOut, wayOut } from "../visibility/cover";
import {
  clickBoxes,
  clickReaches,
  findClickPoint,
  hitTest,
  visibleArea,
} from "../visibility/hitTest";
import { isInert } from "../visibility/inert";
import { areaOf, EMPTY_AREA, intersect } from "../visibility/visibility";
import { pointAnswer, stopsBefore } from "./approach";
import { stopWatching, watchElement } from "./inputWatch";
import { Stillness } from "./stillness";

const TIMEOUT = 2000;
/**
 * The timeout for an element that was never seen moving, on a page that is too busy to draw frames.
 */
const BUSY_TIMEOUT = 3500;
/** A cover is reported after this time, in milliseconds. */
const COVER_TIMEOUT = 700;
/** How often an element is scrolled out from under a header or banner that stays. */
const MOST_RETRIES = 4;

/** Actions that need the mouse. */
const POINTING = new Set(["click", "double_click", "right_click", "hover", "drag"]);

/** Returns the element that gets all mouse events, if the page has locked the pointer to one. */
function pointerLock(): { el: Element; words: object } | null {
  const el = pointerLockElement(document);
  if (!el) return null;
  return { el, words: coverWords(el) };
}

/** Returns whether a page has locked the pointer: a point cannot be clicked then. */
export function lockedPointer(): object {
  const lock = pointerLock();
  return lock ? { ok: false, reason: "locked", ...lock.words } : { ok: true };
}

export async function prepare(
  id: number,
  action: string,
  expected?: { role?: string; name?: string },
): Promise<object> {
  stopWatching();
  const el = elementOf(id);
  if (!el) return { ok: false, reason: "gone", role: "", name: "" };
  const { role, name, otherName } = classify(new ReadCache(), el);
  if (expected && hasChanged(expected, role, name, otherName))
    return { ok: false, reason: "changed", role, name };

  const lock = POINTING.has(action) ? pointerLock() : null;
  if (lock && lock.el !== el && !flatContains(el, lock.el))
    return { ok: false, reason: "locked", ...lock.words, role, name };
  const begun = performance.now();
  const still = new Stillness();
  let reason = "hidden";
  let cover: Element | null = null;
  let coveredSince = 0;
  let scrolled = 0;
  let aside = 0;
  for (;;) {
    if (!elementOf(id)) return { ok: false, reason: "gone", role, name };
    const cache = new ReadCache();
    // An editor is hit where its text is drawn.
    const target = (action === "fill" ? codeEditorOf(el)?.shown : null) ?? clickTargetOf(cache, el);
    if (!target) reason = "hidden";
    else if (isInert(el)) reason = "inert";
    else if (action !== "hover" && isDisabled(el)) reason = "disabled";
    else {
      const boxes = clickBoxes(target);
      const first = boxes[0];
      if (!first) reason = "hidden";
      else {
        const sight = visibleArea(cache, target);
        const area = areaOf(first);
        const seen = intersect(area, sight);
        const whole =
          seen !== EMPTY_AREA &&
          seen.x1 - seen.x0 >= Math.min(first.width, innerWidth) - 1 &&
          seen.y1 - seen.y0 >= Math.min(first.height, innerHeight) - 1;
        if (!whole && scrolled < 2) {
          scrolled++;
          scrollIntoCenter(target);
          still.reset();
        }
        // Only its middle must be still: an element that pulses can be hit.
        const { x, y, width, height } = clickBoxes(target)[0] ?? first;
        still.observe(target, [x + width / 2, y + height / 2].map(Math.round).join());
        // Two frames, because at the turning point of a movement one frame may look the same.
        if (still.frames < 2) reason = "moving";
        else {
          const found = findClickPoint(cache, target, (hit) =>
            forwardsClick(cache, el, target, hit),
          );
          if (found && "x" in found) {
            watchElement(el, target, found.hit, action);
            // Without frames the browser merges the moves, and does not confirm them for a second.
            const via = isThrottled() ? [] : stopsBefore(found.x, found.y, found.hit);
            const point = pointAnswer([found.x, found.y], via);
            return { ...point, undrawn: isThrottled() || undefined, role, name };
          }
          reason = found ? "covered" : "offscreen";
          cover = found?.cover ?? null;
          const shift = cover && aside < MOST_RETRIES ? wayOut(cache, cover, target) : null;
          if (shift) {
            aside++;
            scrollOut(cache, target, shift);
            still.reset();
            coveredSince = 0;
          }
          coveredSince ||= performance.now();
          if (performance.now() - coveredSince > COVER_TIMEOUT) break;
        }
      }
    }
    if (reason !== "covered" && reason !== "offscreen") coveredSince = 0;
    if (
      performance.now() - begun >
      (reason === "moving" && !still.wasMoving ? BUSY_TIMEOUT : TIMEOUT)
    )
      break;
    await still.nextAnimationFrame();
  }
  const over = reason === "covered" && cover ? coverWords(cover) : {};
  return { ok: false, reason, ...over, role, name };
}

/**
 * Returns whether a click at this point still reaches the element, which may move, shrink or be
 * covered once the mouse is over it.
 */
export function isUnderPoint(id: number, x: number, y: number): object {
  const el = elementOf(id);
  const cache = new ReadCache();
  const target = el && clickTargetOf(cache, el);
  const hit = target ? hitTest(x, y) : null;
  return {
    ok:
      !!el &&
      !!target &&
      !!hit &&
      (clickReaches(target, hit) || forwardsClick(cache, el, target, hit)),
  };
}

/**
 * Returns whether role or name differ. An element that is clickable only by a listener has no role
 * here; that is not a change.
 */
function hasChanged(
  expected: { role?: string; name?: string },
  role: string,
  name: string,
  otherName: string,
): boolean {
  const plain = (r: string): string => (r === "clickable" ? "" : r);
  return (
    (expected.role !== undefined && plain(expected.role) !== plain(role)) ||
    (expected.name !== undefined &&
      // The caller saw the name without the values of secret fields, or parts of them.
      !(expected.name.includes(MASK) && mayBeSpread()) &&
      ![name, hideSecretValues(name), otherName].includes(expected.name))
  );
}

export function isDisabled(el: Element): boolean {
  const control = localName(el) === "label" ? hiddenControlOf(el) : null;
  if (matches(control ?? el, ":disabled")) return true;
  return closest(el, '[aria-disabled="true"]') !== null;
}

/** Returns why an element takes no input at all: `inert` or `disabled`; null if it may take some. */
export function whyUnusable(el: Element): "inert" | "disabled" | null {
  return isInert(el) ? "inert" : isDisabled(el) ? "disabled" : null;
}
