// Scrolling with the wheel: which box would scroll, where the mouse has to be for that, how far it
// is scrolled and how far it can be. Brings the box into view; the wheel does the rest.

import {
  bodyElement,
  clientHeight,
  clientWidth,
  flatContains,
  flatParent,
  intoView,
  localName,
  queryAll,
  rectOf,
  rootElement,
  scrollHeight,
  scrollingElement,
  scrollLeft,
  scrollTop,
  scrollWidth,
} from "../dom/dom";
import { elementOf, idOf } from "../dom/identity";
import { nextFrame } from "../dom/nextFrame";
import { Look } from "../semantics/readCache";
import { FRAMES } from "../semantics/tagTraits";
import { boxesOf, hitAt, sightOf } from "../visibility/hitTest";
import { areaOf, cut, NOWHERE, viewport } from "../visibility/visibility";
import { Stillness } from "./stillness";

/** A smooth scroll that takes longer is told as it stands. */
const LIMIT = 3000;
const STILL = 4;
/** Where the mouse is tried, as shares of what is seen of a box. */
const SHARES = [0.5, 0.25, 0.75, 0.1, 0.9, 0.03, 0.97];

const isPage = (el: Element): boolean =>
  el === scrollingElement() ||
  el === rootElement() ||
  (el === bodyElement() && scrollingElement() === el);

/** How far it can be scrolled each way. */
const roomOf = (el: Element): [number, number] => [
  Math.max(0, scrollWidth(el) - clientWidth(el)),
  Math.max(0, scrollHeight(el) - clientHeight(el)),
];

/**
 * Whether the wheel scrolls it: `auto` and `scroll` do, a textarea does, and the page does unless
 * it is locked.
 */
function scrolls(look: Look, el: Element, dx: number, dy: number): boolean {
  const [wide, high] = roomOf(el);
  const style = look.style(el);
  const lets = (overflow: string): boolean =>
    isPage(el) ? !/^(hidden|clip)$/.test(overflow) : /^(auto|scroll|overlay)$/.test(overflow);
  return (
    (dx !== 0 && wide > 0 && lets(style.overflowX)) ||
    (dy !== 0 && high > 0 && lets(style.overflowY))
  );
}

/**
 * The box that is meant: the element, what fills it, what it lies in; without one the page, or what
 * fills that.
 */
function scrollerOf(look: Look, el: Element | null, dx: number, dy: number): Element | null {
  const page = scrollingElement();
  if (!el) {
    if (page && scrolls(look, page, dx, dy)) return page;
    return largest(look, bodyElement() ?? page, dx, dy) ?? page;
  }
  if (scrolls(look, el, dx, dy)) return el;
  const inner = largest(look, el, dx, dy);
  if (inner) return inner;
  for (let at = flatParent(el); at; at = flatParent(at))
    if (!isPage(at) && at !== bodyElement() && scrolls(look, at, dx, dy)) return at;
  return page && scrolls(look, page, dx, dy) ? page : null;
}

/**
 * The largest box in an element that scrolls, if it fills at least a third of what is seen of it.
 */
function largest(look: Look, el: Element | null, dx: number, dy: number): Element | null {
  if (!el) return null;
  const size = (at: Element): number => {
    const { x0, x1, y0, y1 } = cut(areaOf(rectOf(at)), viewport());
    return (x1 - x0) * (y1 - y0);
  };
  let best: Element | null = null;
  let most = Math.min(size(el) || innerWidth * innerHeight, innerWidth * innerHeight) / 3;
  let left = 20_000;
  for (const at of queryAll(el, "*")) {
    if (left-- <= 0) break;
    const [wide, high] = roomOf(at);
    if ((wide === 0 && high === 0) || !scrolls(look, at, dx, dy)) continue;
    if (size(at) > most) [best, most] = [at, size(at)];
  }
  return best;
}

const position = (el: Element): object => {
  const [wide, high] = roomOf(el);
  // From right to left, positions count downwards from 0.
  return { left: Math.abs(scrollLeft(el)), top: Math.abs(scrollTop(el)), wide, high };
};

/** Something inside the box that would take the wheel instead. */
function takes(look: Look, hit: Element, box: Element, dx: number, dy: number): boolean {
  if (FRAMES.has(localName(hit))) return hit !== box;
  for (let at: Element | null = hit; at && at !== box; at = flatParent(at))
    if (!isPage(at) && scrolls(look, at, dx, dy)) return true;
  return false;
}

/**
 * How often the wheel was heard here since `scroller`; it may be given to another frame than the
 * one under the mouse.
 */
let turns = 0;
const heard = (event: Event): void => {
  if (event.isTrusted) turns++;
};
/**
 * How long a turn may take to be heard, and to move what it can move: frames of other sites are
 * told late.
 */
const UNHEARD = 1500;
const UNMOVED = 1500;
/** Where the box stood when the wheel was to be turned, and whether it can go there. */
let start = { at: "", can: false };

const placeOf = (el: Element): string => `${scrollLeft(el)},${scrollTop(el)}`;
const canGo = (el: Element, dx: number, dy: number): boolean => {
  const [wide, high] = roomOf(el);
  const [left, top] = [Math.abs(scrollLeft(el)), Math.abs(scrollTop(el))];
  return (
    (dx < 0 && left > 1) ||
    (dx > 0 && left < wide - 1) ||
    (dy < 0 && top > 1) ||
    (dy > 0 && top < high - 1)
  );
};

/** Where to turn the wheel for an element (0: the page), and where its box stands. */
export function scroller(id: number, dx: number, dy: number): object {
  const el = id === 0 ? null : elementOf(id);
  if (id !== 0 && !el) return { ok: false, reason: "gone" };
  turns = 0;
  addEventListener("wheel", heard, { capture: true, passive: true });
  const box = scrollerOf(new Look(), el, dx, dy);
  if (!box) return { ok: false, reason: "nothing scrolls" };
  start = { at: placeOf(box), can: canGo(box, dx, dy) };
  const page = isPage(box);
  const seen = () => (page ? viewport() : cut(areaOf(rectOf(box)), sightOf(new Look(), box)));
  if (seen() === NOWHERE) intoView(box);
  const { x0, y0, x1, y1 } = seen();
  const look = new Look();
  let second: { x: number; y: number } | null = null;
  for (const fy of SHARES) {
    for (const fx of SHARES) {
      const x = Math.floor(x0 + (x1 - x0) * fx);
      const y = Math.floor(y0 + (y1 - y0) * fy);
      const hit = x1 > x0 ? hitAt(x, y) : null;
      if (!hit || (!page && !flatContains(box, hit))) continue;
      if (!takes(look, hit, box, dx, dy))
        return {
          ok: true,
          box: idOf(box),
          page,
          own: box === el,
          x,
          y,
          fx: x / innerWidth,
          fy: y / innerHeight,
          ...position(box),
        };
      second ??= { x, y };
    }
  }
  if (!second) return { ok: false, reason: "covered" };
  return {
    ok: true,
    box: idOf(box),
    page,
    own: box === el,
    ...second,
    fx: second.x / innerWidth,
    fy: second.y / innerHeight,
    ...position(box),
  };
}

/** Where a box stands, once it stands still. */
export async function scrolledTo(id: number): Promise<object> {
  const begun = performance.now();
  const end = begun + LIMIT;
  const still = new Stillness();
  for (;;) {
    const el = elementOf(id);
    if (!el) return { ok: false, reason: "gone" };
    const now = placeOf(el);
    const waits =
      performance.now() <
      begun + (turns === 0 ? UNHEARD : start.can && now === start.at ? UNMOVED : 0);
    still.stands(el, now);
    if ((still.frames >= STILL && !waits) || performance.now() > end) {
      removeEventListener("wheel", heard, true);
      return { ok: true, turns, ...position(el) };
    }
    await still.nextFrame();
  }
}

/** Scrolls an element into view, if it is not there. */
export async function bring(id: number): Promise<object> {
  const el = elementOf(id);
  if (!el) return { ok: false, reason: "gone" };
  const box = (): DOMRect | undefined => boxesOf(el)[0];
  const inSight = (): boolean => {
    const rect = box();
    if (!rect) return false;
    const seen = cut(areaOf(rect), sightOf(new Look(), el));
    // What is larger than the view can only be shown in part.
    return (
      seen !== NOWHERE &&
      seen.x1 - seen.x0 >= Math.min(rect.width, innerWidth * 0.5) - 1 &&
      seen.y1 - seen.y0 >= Math.min(rect.height, innerHeight * 0.5) - 1
    );
  };
  if (!box()) return { ok: false, reason: "hidden" };
  const was = inSight();
  if (!was) {
    intoView(el);
    await nextFrame();
  }
  const rect = box();
  const seen = rect ? cut(areaOf(rect), sightOf(new Look(), el)) : NOWHERE;
  if (seen === NOWHERE) return { ok: false, reason: "offscreen" };
  return {
    ok: true,
    was,
    fx: (seen.x0 + seen.x1) / 2 / innerWidth,
    fy: (seen.y0 + seen.y1) / 2 / innerHeight,
  };
}
