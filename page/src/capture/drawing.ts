// Gives a drawing (an SVG) a hash by which the icon can be found in a table. Only attributes are
// read, never computed geometry, so the hash is the same in every engine, at every size and in
// every colour. Nothing of the drawing but the hash leaves the page.

import {
  attr,
  byIdIn,
  firstElementChild,
  nextElementSibling,
  rawLocalName,
  rootOf,
} from "../dom/dom";
import { BOX, DrawingOutline, IDENTITY, type Matrix, multiply } from "./drawingOutline";
import { readNumbers, readPath } from "./pathData";

/** A drawing with more elements than this is a picture, not an icon. */
const MAX_ELEMENTS = 200;
/** All attributes that are read together may be this long. */
const MAX_LENGTH = 20_000;
/** A `transform` may be this long. */
const MAX_TRANSFORM = 500;
/** How deep elements, and references of `use`, may be nested. */
const MAX_DEPTH = 12;

/** Elements that only group others. */
const GROUPS = new Set(["g", "a", "switch"]);

/** A reason to give up: the drawing is too large. */
class TooLarge extends Error {}

/** How many characters of drawings may still be read; shared by the drawings of a page. */
export interface DrawingBudget {
  drawn: number;
}

/**
 * Returns the hash of the shapes in an `svg` element: 12 lower-case hex digits. Undefined if it has
 * no shapes, or too many.
 */
export function drawingHash(svg: Element, budget?: DrawingBudget): string | undefined {
  try {
    const reader = new DrawingReader(budget);
    reader.viewport(svg, 0);
    return reader.outline.hash();
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
}

/** Reads the elements of a drawing. */
class DrawingReader {
  readonly outline = new DrawingOutline();
  private elements = 0;
  private length = 0;

  constructor(private readonly budget: DrawingBudget = { drawn: MAX_LENGTH }) {}

  /** Reads an `svg` or a `symbol`: its box becomes the box of the drawing. */
  viewport(el: Element, depth: number): void {
    const { outline } = this;
    const [left, top, width, height] = this.viewBox(el);
    const around = outline.matrix;
    const boxAround = outline.box;
    const scale = BOX / Math.max(width, height);
    outline.matrix = [scale, 0, 0, scale, -left * scale, -top * scale];
    outline.box = [0, 0, width * scale, height * scale];
    this.children(el, depth);
    outline.matrix = around;
    outline.box = boxAround;
  }

  /** Returns the box that an element's coordinates refer to. */
  private viewBox(el: Element): [number, number, number, number] {
    const [left, top, width, height] = readNumbers(this.text(el, "viewBox"));
    if (width !== undefined && height !== undefined && width > 0 && height > 0)
      return [left as number, top as number, width, height];
    const wide = this.number(el, "width");
    const high = this.number(el, "height");
    return wide > 0 && high > 0 ? [0, 0, wide, high] : [0, 0, BOX, BOX];
  }

  private children(el: Element, depth: number): void {
    for (let child = firstElementChild(el); child; child = nextElementSibling(child)) {
      if (++this.elements > MAX_ELEMENTS) throw new TooLarge();
      this.element(child, depth);
    }
  }

  private element(el: Element, depth: number): void {
    const tag = rawLocalName(el);
    const nests = GROUPS.has(tag) || tag === "svg" || tag === "use";
    if (!nests && !SHAPES.has(tag)) return;
    if (depth > MAX_DEPTH) throw new TooLarge();
    if (attr(el, "display") === "none") return;
    if (tag === "svg") return this.viewport(el, depth + 1);
    const { outline } = this;
    const around = outline.matrix;
    const transform = this.text(el, "transform");
    if (transform.length > MAX_TRANSFORM) throw new TooLarge();
    if (transform !== "") outline.matrix = multiply(around, readTransform(transform));
    if (tag === "use") this.use(el, depth + 1);
    else if (nests) this.children(el, depth + 1);
    else if (!isUnpainted(el)) this.shape(el, tag);
    outline.matrix = around;
  }

  /** Reads what a `use` repeats, if that is in the same document or shadow root. */
  private use(el: Element, depth: number): void {
    const href = this.text(el, "href") || this.text(el, "xlink:href");
    const found = href.startsWith("#") ? byIdIn(rootOf(el), href.slice(1)) : null;
    if (!found) return;
    if (++this.elements > MAX_ELEMENTS || depth > MAX_DEPTH) throw new TooLarge();
    const tag = rawLocalName(found);
    if (tag === "symbol" || tag === "svg") return this.viewport(found, depth);
    const { outline } = this;
    const moved: Matrix = [1, 0, 0, 1, this.number(el, "x"), this.number(el, "y")];
    outline.matrix = multiply(outline.matrix, moved);
    this.element(found, depth);
  }

  private shape(el: Element, tag: string): void {
    const { outline } = this;
    switch (tag) {
      case "path":
        return readPath(this.text(el, "d"), outline);
      case "circle": {
        const radius = this.number(el, "r");
        return outline.ellipse(this.number(el, "cx"), this.number(el, "cy"), radius, radius);
      }
      case "ellipse": {
        const rx = this.number(el, "rx");
        const ry = this.number(el, "ry");
        return outline.ellipse(this.number(el, "cx"), this.number(el, "cy"), rx, ry);
      }
      case "rect":
        return this.rect(el);
      case "line":
        outline.move(this.number(el, "x1"), this.number(el, "y1"));
        outline.line(this.number(el, "x2"), this.number(el, "y2"));
        return outline.end();
      default:
        return this.polygon(readNumbers(this.text(el, "points")), tag === "polygon");
    }
  }

  private rect(el: Element): void {
    const { outline } = this;
    const x = this.number(el, "x");
    const y = this.number(el, "y");
    const width = this.number(el, "width");
    const height = this.number(el, "height");
    if (!(width > 0 && height > 0)) return;
    const radius = this.number(el, "rx") || this.number(el, "ry");
    if (radius > 0) {
      const most = Math.min(width, height) / 2;
      return outline.roundedBox(x, y, width, height, Math.min(radius, most));
    }
    this.polygon([x, y, x + width, y, x + width, y + height, x, y + height], true);
  }

  private polygon(points: readonly number[], closed: boolean): void {
    const { outline } = this;
    if (points.length < 4) return;
    outline.move(points[0] as number, points[1] as number);
    for (let at = 2; at + 1 < points.length; at += 2)
      outline.line(points[at] as number, points[at + 1] as number);
    if (closed) outline.close();
    outline.end();
  }

  /** Reads an attribute, which counts towards the length of the drawing. */
  private text(el: Element, name: string): string {
    const text = attr(el, name) ?? "";
    this.length += text.length;
    this.budget.drawn -= text.length;
    if (this.length > MAX_LENGTH || this.budget.drawn < 0) throw new TooLarge();
    return text;
  }

  /** Reads a number; units are left out, and what is none is 0. */
  private number(el: Element, name: string): number {
    const text = this.text(el, name);
    return text.endsWith("%") ? 0 : (readNumbers(text)[0] ?? 0);
  }
}

const SHAPES = new Set(["path", "circle", "ellipse", "rect", "line", "polyline", "polygon"]);

/** Returns whether a shape says itself that it is neither filled nor stroked. */
const isUnpainted = (el: Element): boolean =>
  attr(el, "fill") === "none" && attr(el, "stroke") === "none";

const TRANSFORM = /(matrix|translate|scale|rotate)\s*\(([^)]*)\)/g;

/** Reads the attribute `transform`. Skewed icons do not occur. */
function readTransform(text: string): Matrix {
  let all = IDENTITY;
  for (const [, kind, given] of text.matchAll(TRANSFORM)) {
    const numbers = readNumbers(given as string);
    const [a = 0, b, c = 0, d = 0, e = 0, f = 0] = numbers;
    if (kind === "matrix") all = multiply(all, [a, b ?? 0, c, d, e, f]);
    else if (kind === "translate") all = multiply(all, [1, 0, 0, 1, a, b ?? 0]);
    else if (kind === "scale") all = multiply(all, [a, 0, 0, b ?? a, 0, 0]);
    else all = multiply(all, rotation((a * Math.PI) / 180, b ?? 0, c));
  }
  return all;
}

function rotation(angle: number, x: number, y: number): Matrix {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y];
}
