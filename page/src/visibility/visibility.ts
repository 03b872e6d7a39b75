// Why an element is hidden, and which parts of the page can be seen or scrolled to. Reads styles
// and boxes; keeps nothing.

import {
  attr,
  bodyElement,
  clientHeight,
  clientLeft,
  clientTop,
  clientWidth,
  firstElementChild,
  flatParent,
  hasAttr,
  isVisible,
  localName,
  matches,
  nextElementSibling,
  rectOf,
  rootElement,
  scrollHeight,
  scrollingElement,
  scrollLeft,
  scrollTop,
  scrollWidth,
} from "../dom/dom";
import { words } from "../dom/text";
import { isSummary } from "../semantics/elementTraits";
import { labelsOf } from "../semantics/labels";
import type { ReadCache } from "../semantics/readCache";

export enum HiddenReason {
  Shown,
  Display,
  Visibility,
  Skipped,
  Clipped,
  Unreachable,
  Opacity,
  Closed,
}
/** The keys of `hidden` in the wire format. */
export const HIDDEN_REASONS = words(
  " display visibility content-visibility clipped unreachable opacity closed",
);

export interface Area {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}
export const EMPTY_AREA: Area = { x0: 0, y0: 0, x1: 0, y1: 0 };

export const intersect = (a: Area, b: Area): Area => {
  const area = {
    x0: Math.max(a.x0, b.x0),
    y0: Math.max(a.y0, b.y0),
    x1: Math.min(a.x1, b.x1),
    y1: Math.min(a.y1, b.y1),
  };
  return area.x1 - area.x0 < 1 || area.y1 - area.y0 < 1 ? EMPTY_AREA : area;
};

/** Returns whether a box lies outside of an area; a box without extent counts as a point. */
export function isOutside(box: Area, area: Area): boolean {
  if (area === EMPTY_AREA) return true;
  if (box.x0 >= area.x0 && box.y0 >= area.y0 && box.x1 <= area.x1 && box.y1 <= area.y1)
    return false;
  const w = Math.min(box.x1, area.x1) - Math.max(box.x0, area.x0);
  const h = Math.min(box.y1, area.y1) - Math.max(box.y0, area.y0);
  return w < Math.min(1, box.x1 - box.x0) || h < Math.min(1, box.y1 - box.y0);
}

export const areaOf = (rect: DOMRect): Area => ({
  x0: rect.left,
  y0: rect.top,
  x1: rect.right,
  y1: rect.bottom,
});
export const viewport = (): Area => ({ x0: 0, y0: 0, x1: innerWidth, y1: innerHeight });

/**
 * Returns the area that the document can be scrolled to: not left of or above its origin, nor to
 * the right if the page prevents scrolling there.
 */
export function reachableArea(): Area {
  const root = scrollingElement();
  const rtl = root !== null && getComputedStyle(root).direction === "rtl";
  const stuck = [rootElement(), bodyElement()].some(
    (el) => el !== null && /hidden|clip/.test(getComputedStyle(el).overflowX),
  );
  const width = root ? scrollWidth(root) : innerWidth;
  return {
    x0: (rtl ? innerWidth - width : 0) - scrollX,
    y0: -scrollY,
    x1: stuck || rtl ? innerWidth - scrollX : Number.POSITIVE_INFINITY,
    y1: Number.POSITIVE_INFINITY,
  };
}

/** Returns whether an element is in the top layer, where no ancestor clips or fades it. */
export const inTopLayer = (el: Element, tag: string): boolean =>
  (tag === "dialog" || hasAttr(el, "popover")) && matches(el, ":modal,:popover-open");

/** Returns whether an element is not displayed because it is a closed dialog or popover. */
export const isClosed = (el: Element, tag: string): boolean =>
  (tag === "dialog" && !hasAttr(el, "open")) ||
  (hasAttr(el, "popover") && !matches(el, ":popover-open"));

/**
 * Returns whether its own style clips an element to nothing: the usual ways to write text for
 * screen readers only.
 */
export function isClippedAway(style: CSSStyleDeclaration, position: string): boolean {
  if (position === "absolute" || position === "fixed") {
    const clip = style.clip;
    if (clip !== "auto" && clip !== "") {
      const [top = 0, right = 0, bottom = 0, left = 0] = (
        clip.match(/-?[\d.]+(?=px)|auto/g) ?? []
      ).map((n) => (n === "auto" ? Number.NaN : Number(n)));
      if (right - left <= 1 || bottom - top <= 1) return true;
    }
  }
  const path = style.clipPath;
  if (path === "none" || path === "") return false;
  const inset = /^inset\((\d+(?:\.\d+)?)%/.exec(path);
  if (inset) return Number(inset[1]) >= 50;
  return (
    /^(circle|ellipse)\(0(px|%)?[ )]/.test(path) ||
    /^polygon\((0(px|%)? 0(px|%)?(, )?)+\)/.test(path)
  );
}

export interface Clips {
  /** Where in-flow content can be seen or scrolled to, and where it is seen now. */
  flow: Area;
  view: Area;
  /** The same for absolutely positioned content. */
  abs: Area;
  absView: Area;
}

/** Returns the clips of an element's children. `overflow` is not `visible`. */
export function clipsOfContent(
  el: Element,
  style: CSSStyleDeclaration,
  box: Area,
  own: { flow: Area; view: Area },
  clips: Clips,
  positioned: boolean,
): Clips {
  let { flow, view } = own;
  const x = style.overflowX;
  const y = style.overflowY;
  const inner: Area = {
    x0: box.x0 + clientLeft(el),
    y0: box.y0 + clientTop(el),
    x1: box.x1,
    y1: box.y1,
  };
  const gone = box.x1 - box.x0 <= 1 || box.y1 - box.y0 <= 1 || isOutside(box, flow);
  view = intersect(view, inner);
  if (gone) flow = EMPTY_AREA;
  else {
    const scrollsX = x === "auto" || x === "scroll";
    const scrollsY = y === "auto" || y === "scroll";
    const clipsX = !scrollsX && x !== "visible";
    const clipsY = !scrollsY && y !== "visible";
    const far = scrollLeft(el) < 0 || (scrollsX && style.direction === "rtl");
    flow = {
      x0: scrollsX
        ? far
          ? Number.NEGATIVE_INFINITY
          : inner.x0 - scrollLeft(el)
        : clipsX
          ? Math.max(flow.x0, inner.x0)
          : flow.x0,
      x1: scrollsX ? Number.POSITIVE_INFINITY : clipsX ? Math.min(flow.x1, inner.x1) : flow.x1,
      y0: scrollsY ? inner.y0 - scrollTop(el) : clipsY ? Math.max(flow.y0, inner.y0) : flow.y0,
      y1: scrollsY ? Number.POSITIVE_INFINITY : clipsY ? Math.min(flow.y1, inner.y1) : flow.y1,
    };
    if (flow.x1 - flow.x0 < 1 || flow.y1 - flow.y0 < 1) flow = EMPTY_AREA;
  }
  return positioned
    ? { flow, view, abs: flow, absView: view }
    : { flow, view, abs: clips.abs, absView: clips.absView };
}

/**
 * Returns how much more there is in each direction: up, down, left, right; null if it does not
 * scroll.
 */
export function scrollRoom(
  el: Element,
  style: CSSStyleDeclaration,
): [number, number, number, number] | null {
  const y =
    style.overflowY === "auto" || style.overflowY === "scroll"
      ? scrollHeight(el) - clientHeight(el)
      : 0;
  const x =
    style.overflowX === "auto" || style.overflowX === "scroll"
      ? scrollWidth(el) - clientWidth(el)
      : 0;
  if (x <= 1 && y <= 1) return null;
  const top = y > 1 ? Math.round(Math.abs(scrollTop(el))) : 0;
  const left = x > 1 ? Math.round(Math.abs(scrollLeft(el))) : 0;
  return [top, Math.max(0, (y > 1 ? y : 0) - top), left, Math.max(0, (x > 1 ? x : 0) - left)];
}

/**
 * Returns whether the focus would scroll to an element: it is cut off only by boxes with `overflow:
 * hidden` that have more content than they show. `box` is where it is now.
 */
export function focusScrollsTo(cache: ReadCache, el: Element, box: Area): boolean {
  let at = box;
  let position = cache.style(el).position;
  for (let above = flatParent(el); above && position !== "fixed"; above = flatParent(above)) {
    const style = cache.style(above);
    const tag = localName(above);
    if (tag === "html" || tag === "body") break;
    if (
      style.display === "inline" ||
      style.display === "contents" ||
      (position === "absolute" && style.position === "static" && style.transform === "none")
    )
      continue;
    position = style.position;
    if (style.overflowX === "visible" && style.overflowY === "visible") continue;
    const rect = rectOf(above);
    if (rect.width <= 1 || rect.height <= 1 || isClippedAway(style, position)) return false;
    const x0 = rect.left + clientLeft(above) - scrollLeft(above);
    const y0 = rect.top + clientTop(above) - scrollTop(above);
    const all: Area = { x0, y0, x1: x0 + scrollWidth(above), y1: y0 + scrollHeight(above) };
    const seen = areaOf(rect);
    if (style.overflowX === "clip") [all.x0, all.x1] = [seen.x0, seen.x1];
    if (style.overflowY === "clip") [all.y0, all.y1] = [seen.y0, seen.y1];
    if (isOutside(at, all)) return false;
    // It would be scrolled into this box, wherever that is then.
    at = seen;
  }
  return position !== "fixed";
}

/** Returns whether one of the first children has an extent, though the element has none. */
export function hasChildWithExtent(el: Element): boolean {
  for (
    let child = firstElementChild(el), i = 0;
    child && i < 20;
    child = nextElementSibling(child), i++
  ) {
    const rect = rectOf(child);
    if (rect.width >= 1 && rect.height >= 1) return true;
  }
  return false;
}

/** Returns a visible label of a control. */
export function visibleLabel(cache: ReadCache, el: Element): Element | null {
  for (const label of labelsOf(cache, el)) {
    if (!isVisible(label)) continue;
    const rect = rectOf(label);
    if (rect.width > 1 && rect.height > 1) return label;
  }
  return null;
}

/** Returns whether fixed elements inside of an element with this style are fixed to it. */
export const holdsFixed = (style: CSSStyleDeclaration): boolean =>
  style.transform !== "none" ||
  style.filter !== "none" ||
  style.perspective !== "none" ||
  /paint|layout|strict|content/.test(style.contain);

/** Returns whether an element is fixed to an ancestor, not to the viewport. */
export function isFixedToAncestor(cache: ReadCache, el: Element): boolean {
  for (let at = flatParent(el); at; at = flatParent(at))
    if (holdsFixed(cache.style(at))) return true;
  return false;
}

/**
 * Returns why a single element is hidden, for actions. Boxes and clips are judged by the hit test
 * there.
 */
export function hiddenReason(cache: ReadCache, el: Element): HiddenReason {
  let child: Element | null = null;
  for (let at: Element | null = el; at; child = at, at = flatParent(at)) {
    const style = cache.style(at);
    const tag = localName(at);
    if (style.display === "none" && tag !== "area")
      return isClosed(at, tag) ? HiddenReason.Closed : HiddenReason.Display;
    if (child && tag === "details" && !hasAttr(at, "open") && !isSummary(child))
      return HiddenReason.Skipped;
    if (child && style.contentVisibility === "hidden") return HiddenReason.Skipped;
    if (!child && style.visibility !== "visible") return HiddenReason.Visibility;
  }
  return HiddenReason.Shown;
}

export const isSkipLink = (el: Element, tag: string): boolean =>
  tag === "a" && /^#./.test(attr(el, "href") ?? "");
