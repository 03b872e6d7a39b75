// Areas of image maps: their boxes, and which one lies at a point. Firefox's hit test returns the
// image where a click goes to the area, so the area is computed from the coordinates; Chromium's
// returns the area itself. Reads only.

import {
  attr,
  isElement,
  localName,
  parentNode,
  query,
  queryAll,
  rectOf,
  rootElement,
} from "../dom/dom";
import type { ReadCache } from "../semantics/readCache";

/** Returns whether a point, in pixels of the image, lies in the shape. */
function containsPoint(shape: string, coords: number[], x: number, y: number): boolean {
  if (shape === "default") return true;
  if (shape.startsWith("circ")) {
    const [cx = 0, cy = 0, r = 0] = coords;
    return (x - cx) ** 2 + (y - cy) ** 2 <= r * r;
  }
  if (!shape.startsWith("poly")) {
    const [a = 0, b = 0, c = 0, d = 0] = coords;
    return x >= Math.min(a, c) && x <= Math.max(a, c) && y >= Math.min(b, d) && y <= Math.max(b, d);
  }
  let inside = false;
  for (let i = 0, j = coords.length - 2; i + 1 < coords.length; j = i, i += 2) {
    const [ax, ay, bx, by] = [
      coords[i] as number,
      coords[i + 1] as number,
      coords[j] as number,
      coords[j + 1] as number,
    ];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

/**
 * Returns the area at a point of the viewport, if `hit` is an image with a map that has one there.
 */
export function areaAt(hit: Element, x: number, y: number): Element | null {
  if (localName(hit) !== "img") return null;
  const name = attr(hit, "usemap")?.replace(/^[^#]*#/, "");
  const map = name ? query(document, `map[name="${CSS.escape(name)}"]`) : null;
  if (!map) return null;
  const rect = rectOf(hit);
  const style = getComputedStyle(hit);
  const left =
    rect.x + Number.parseFloat(style.borderLeftWidth) + Number.parseFloat(style.paddingLeft);
  const top =
    rect.y + Number.parseFloat(style.borderTopWidth) + Number.parseFloat(style.paddingTop);
  for (const area of queryAll(map, "area")) {
    const coords = (attr(area, "coords") ?? "").split(/[,\s]+/).map(Number);
    if (containsPoint((attr(area, "shape") ?? "rect").toLowerCase(), coords, x - left, y - top))
      return area;
  }
  return null;
}

/** Returns the first image that uses a map. */
const imageOf = (map: string): Element | null =>
  query(document, `img[usemap="#${CSS.escape(map)}"],object[usemap="#${CSS.escape(map)}"]`);

/** Returns the least and the greatest of every second number. */
function extent(coords: number[], from: 0 | 1): [number, number] {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i: number = from; i < coords.length; i += 2) {
    const at = coords[i] as number;
    if (at < least) least = at;
    if (at > greatest) greatest = at;
  }
  return [least, greatest];
}

/**
 * Returns the box of an area, from its coordinates and the image that uses the map. `cache` saves a
 * search through the document for each area of a map.
 */
export function areaBox(
  el: Element,
  cache?: ReadCache,
): { x: number; y: number; width: number; height: number } | null {
  const map = parentNode(el);
  const name = isElement(map) ? attr(map, "name") : null;
  if (!name || !rootElement()) return null;
  const known = cache?.mapImages.get(name);
  const image = known !== undefined ? known : imageOf(name);
  cache?.mapImages.set(name, image);
  if (!image) return null;
  const rect = rectOf(image);
  const coords = (attr(el, "coords") ?? "").split(/[,\s]+/).map(Number);
  if (rect.width < 1 || rect.height < 1) return null;
  const shape = (attr(el, "shape") ?? "rect").toLowerCase();
  if (shape === "default" || coords.length < 3 || coords.some(Number.isNaN)) return rect;
  if (shape.startsWith("circ")) {
    const [cx = 0, cy = 0, r = 0] = coords;
    return { x: rect.x + cx - r, y: rect.y + cy - r, width: 2 * r, height: 2 * r };
  }
  const [x, right] = extent(coords, 0);
  const [y, bottom] = extent(coords, 1);
  return { x: rect.x + x, y: rect.y + y, width: right - x, height: bottom - y };
}
