// Where everything is that need not be walked again. A box that kept its size keeps everything in
// it where it was in it, so most boxes are not even read: they move with the one around them. Parts
// of tables and lines of text know of more than that and are read one by one, as is all that is out
// of the flow; where floats, columns or containers may entangle boxes everything is. What a move
// may mean more than a move for is walked again. Reads only.

import { rectOf, scrollHeight, scrollLeft, scrollTop, scrollWidth } from "../dom/dom";
import { Flag } from "../semantics/stateFlags";
import { outside, viewport } from "../visibility/visibility";
import type { Record } from "./nodeRecord";
import type { Kept } from "./reusePlan";

/** How many boxes are read between two looks at the clock. */
const STRIDE = 32;

/**
 * Engines count in 64ths or 60ths of a pixel: a sum of two such numbers is one too, whatever
 * floating point makes of it.
 */
const PARTS = 960;
const counted = (n: number): number => Math.fround(Math.round(n * PARTS) / PARTS);
const moved = (n: number, by: number): number => (counted(n) === n ? counted(n + by) : n + by);

/** Their own boxes, for those that are drawn by another. */
export const lentBoxes = (nodes: readonly Record[]): Map<Element, DOMRect> => {
  const boxes = new Map<Element, DOMRect>();
  for (const { el, lent } of nodes) if (el && lent) boxes.set(el, rectOf(el));
  return boxes;
};

/**
 * The engine may give them another size by itself, sooner or later: Firefox measures the options of
 * a list when it next has a reason to.
 */
const LOOSE = new Set(["select", "textarea", "canvas", "object", "embed", "video", "iframe"]);

/** Where a box that clips or scrolls stands, and how large what is in it is. */
type Room = [Element, number, number, number, number];

export const roomsOf = (nodes: readonly Record[]): Room[] => {
  const rooms: Room[] = [];
  for (const { el, clips } of nodes)
    if (el && clips)
      rooms.push([el, scrollLeft(el), scrollTop(el), scrollWidth(el), scrollHeight(el)]);
  return rooms;
};

export class Boxes {
  private readonly view = viewport();
  private readonly all: boolean;
  /** Which records are walked again with everything in them. */
  private readonly gone: Uint8Array;
  /**
   * Where subtrees begin that are looked at by themselves: the page, and all that is out of the
   * flow.
   */
  private readonly starts: number[] = [0];
  private at = 0;
  private end = 0;
  private steps = 0;
  /** Boxes of another size than before. */
  private sizes = 0;
  /** How many are somewhere else than before. */
  moved = 0;

  /** `lent`: the boxes of those that are drawn by another. */
  constructor(
    private readonly kept: Kept,
    rooms: readonly Room[],
    private readonly lent: Map<Element, DOMRect>,
  ) {
    const { nodes } = kept;
    this.all = kept.entangled;
    for (const [el, left, top, width, height] of rooms) {
      if (
        scrollLeft(el) === left &&
        scrollTop(el) === top &&
        scrollWidth(el) === width &&
        scrollHeight(el) === height
      )
        continue;
      this.moved++;
      kept.touch(el);
    }
    this.gone = new Uint8Array(nodes.length);
    for (const el of kept.deep) {
      const from = kept.indexOf(el);
      if (from >= 0) this.gone.fill(1, from, (nodes[from] as Record).end);
    }
    for (let i = 1; i < nodes.length; i++) {
      const node = nodes[i] as Record;
      if (node.apart) this.starts.push(i);
      if (node.el && !node.light && LOOSE.has(node.tag)) this.loose(node, node.el);
    }
    this.starts.reverse();
  }

  private loose(node: Record, el: Element): void {
    const { width, height } = rectOf(el);
    const was = this.lent.get(el);
    if (width === (was ? was.width : node.w) && height === (was ? was.height : node.h)) return;
    this.moved++;
    this.sizes++;
    this.kept.touch(el);
  }

  /** Sizes changed, and what is in a box may depend on its size. */
  get unsure(): boolean {
    return this.sizes > 0 && this.kept.contained;
  }

  go(until: number): boolean {
    const { nodes } = this.kept;
    for (;;) {
      if (this.at >= this.end) {
        const start = this.starts.pop();
        if (start === undefined) {
          // Who is drawn by another box than its own goes where that goes.
          if (this.moved > 0) for (const el of this.lent.keys()) this.kept.touch(el);
          return true;
        }
        this.at = start;
        this.end = (nodes[start] as Record).end;
        this.at = this.check(start, true);
      } else this.at = this.check(this.at, false);
      if (++this.steps % STRIDE === 0 && performance.now() >= until) return false;
    }
  }

  /** Looks at one record; answers with the next to look at. */
  private check(at: number, start: boolean): number {
    const { nodes, touched } = this.kept;
    const node = nodes[at] as Record;
    const { el } = node;
    if (!el) return at + 1;
    // Hidden with everything in it; or looked at by itself; or walked again.
    if (node.light || (node.apart && !start) || this.gone[at]) return node.end;
    if (touched.has(el)) return at + 1;
    const { x, y, width, height } = rectOf(el);
    const was = this.lent.get(el);
    const [dx, dy] = was ? [x - was.x, y - was.y] : [x - node.x, y - node.y];
    const resized = was
      ? width !== was.width || height !== was.height
      : width !== node.w || height !== node.h;
    if (resized || dx !== 0 || dy !== 0) {
      if (resized) this.sizes++;
      this.put(node, x, y, width, height);
      if (touched.has(el)) return at + 1;
    }
    if (resized || node.lent || !node.closed || this.all) return at + 1;
    if (dx !== 0 || dy !== 0) this.shift(at + 1, node.end, dx, dy);
    return node.end;
  }

  /** Everything there moves with what it is in. */
  private shift(from: number, end: number, dx: number, dy: number): void {
    const { nodes } = this.kept;
    for (let i = from; i < end; ) {
      const node = nodes[i] as Record;
      if (node.el && (node.light || node.apart)) {
        i = node.end;
        continue;
      }
      if (node.el) this.put(node, moved(node.x, dx), moved(node.y, dy), node.w, node.h);
      i++;
    }
  }

  private put(node: Record, x: number, y: number, w: number, h: number): void {
    this.moved++;
    const box = { x0: x, y0: y, x1: x + w, y1: y + h };
    if (
      node.lent ||
      !node.free ||
      node.why ||
      node.w < 1 ||
      node.h < 1 ||
      w < 1 ||
      h < 1 ||
      outside(box, node.flow)
    )
      return this.kept.touch(node.el as Element);
    node.x = x;
    node.y = y;
    node.w = w;
    node.h = h;
    const seen = !outside(box, node.view) && (node.view === this.view || !outside(box, this.view));
    node.flags = seen ? node.flags | Flag.InViewport : node.flags & ~Flag.InViewport;
  }
}
