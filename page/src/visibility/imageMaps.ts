// Which area of an image map lies at a point of an image. Firefox's hit-test answers with the image
// where a click goes to the area, so it is worked out from the coordinates; Chromium's answers with
// the area itself and never gets here. Reads only.

import { attr, localName, query, queryAll, rectOf } from "../dom/dom";

/** Whether a point, in pixels of the image, lies in the shape. */
function holds(shape: string, coords: number[], x: number, y: number): boolean {
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

/** The area at a point of the viewport, if `hit` is an image with a map that has one there. */
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
    if (holds((attr(area, "shape") ?? "rect").toLowerCase(), coords, x - left, y - top))
      return area;
  }
  return null;
}
