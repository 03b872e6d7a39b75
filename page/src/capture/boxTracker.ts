// Updates the boxes of records that are not walked again. A box that kept its size keeps the layout
// of its content, so most boxes are not read: they move with the box around them. Parts of tables,
// lines of text and everything out of the flow are read one by one. Where columns or subgrids may
// couple boxes, all are read; where boxes float, also the blocks that they may push aside. If a
// move may change more than the position, the element is walked again. Reads only.

import { rectOf, scrollHeight, scrollLeft, scrollTop, scrollWidth } from "../dom/dom";
import { wordSet } from "../dom/text";
import { Flag } from "../semantics/stateFlags";
import { isOutside, viewport } from "../visibility/visibility";
import type { ChangedAreas } from "./changedAreas";
import type { NodeRecord } from "./nodeRecord";
import type { ReusePlan } from "./reusePlan";

/** How many boxes are read between two checks of the clock. */
const STRIDE = 32;

/**
 * Engines compute in 64ths or 60ths of a pixel, and both are multiples of a 960th. Rounding to
 * 960ths removes the floating-point error from a sum of two such numbers.
 */
const SUBPIXELS = 960;
const roundToSubpixel = (n: number): number => Math.fround(Math.round(n * SUBPIXELS) / SUBPIXELS);
const shiftBy = (n: number, by: number): number =>
  roundToSubpixel(n) === n ? roundToSubpixel(n + by) : n + by;

/** Returns the own boxes of elements whose record has a borrowed box. */
export const borrowedBoxes = (nodes: readonly NodeRecord[]): Map<Element, DOMRect> => {
  const boxes = new Map<Element, DOMRect>();
  for (const { el, boxIsBorrowed } of nodes) if (el && boxIsBorrowed) boxes.set(el, rectOf(el));
  return boxes;
};

/** Elements that the engine may resize on its own: Firefox measures the options of a list late. */
const SIZED_BY_ENGINE = wordSet("select textarea canvas object embed video iframe");

/** The scroll position and the content size of a box that clips or scrolls. */
type ScrollState = [Element, number, number, number, number];

export const scrollStates = (nodes: readonly NodeRecord[]): ScrollState[] => {
  const rooms: ScrollState[] = [];
  for (const { el, clipsContent } of nodes)
    if (el && clipsContent)
      rooms.push([el, scrollLeft(el), scrollTop(el), scrollWidth(el), scrollHeight(el)]);
  return rooms;
};

export class BoxTracker {
  private readonly view = viewport();
  /** The records that are walked again with everything in them. */
  private readonly isWalkedAgain: Uint8Array;
  /**
   * The indices of subtrees that are checked separately: the page, and everything out of the flow.
   */
  private readonly starts: number[] = [0];
  private at = 0;
  private end = 0;
  private steps = 0;
  /** The number of boxes that moved. */
  moved = 0;

  /**
   * `borrowedBoxes`: the own boxes of elements whose record has a borrowed box; `areas`: gets the
   * boxes that moved.
   */
  constructor(
    private readonly plan: ReusePlan,
    rooms: readonly ScrollState[],
    private readonly borrowedBoxes: Map<Element, DOMRect>,
    private readonly areas: ChangedAreas,
  ) {
    const { nodes } = plan;
    for (const [el, left, top, width, height] of rooms) {
      if (
        scrollLeft(el) === left &&
        scrollTop(el) === top &&
        scrollWidth(el) === width &&
        scrollHeight(el) === height
      )
        continue;
      this.moved++;
      plan.touch(el);
    }
    this.isWalkedAgain = new Uint8Array(nodes.length);
    for (const el of plan.restyled) {
      const from = plan.indexOf(el);
      if (from >= 0) this.isWalkedAgain.fill(1, from, (nodes[from] as NodeRecord).end);
    }
    for (let i = 1; i < nodes.length; i++) {
      const node = nodes[i] as NodeRecord;
      if (node.outOfFlow) this.starts.push(i);
      if (node.el && !node.isLight && SIZED_BY_ENGINE.has(node.tag)) this.checkSize(node, node.el);
    }
    this.starts.reverse();
  }

  private checkSize(node: NodeRecord, el: Element): void {
    const { width, height } = rectOf(el);
    const was = this.borrowedBoxes.get(el);
    if (width === (was ? was.width : node.w) && height === (was ? was.height : node.h)) return;
    this.moved++;
    this.noteSize(el);
    this.areas.addRecords(this.plan.nodes, this.plan.indexOf(el));
    this.plan.touch(el);
  }

  /** Notes that the size of an element changed: the styles in a container may depend on it. */
  private noteSize(el: Element): void {
    const { plan } = this;
    if (plan.hasContainers && getComputedStyle(el).getPropertyValue("container-type") !== "normal")
      plan.touchAll(el);
  }

  go(until: number): boolean {
    const { nodes } = this.plan;
    for (;;) {
      if (this.at >= this.end) {
        const start = this.starts.pop();
        if (start === undefined) {
          // An element with a borrowed box moves with that box.
          if (this.moved > 0) for (const el of this.borrowedBoxes.keys()) this.plan.touch(el);
          return true;
        }
        this.at = start;
        this.end = (nodes[start] as NodeRecord).end;
        this.at = this.check(start, true);
      } else this.at = this.check(this.at, false);
      if (++this.steps % STRIDE === 0 && performance.now() >= until) return false;
    }
  }

  /** Checks one record. Returns the index of the next one to check. */
  private check(at: number, start: boolean): number {
    const { nodes, touched } = this.plan;
    const node = nodes[at] as NodeRecord;
    const { el } = node;
    if (!el) return at + 1;
    // Hidden with everything in it, or checked separately, or walked again.
    if (node.isLight || (node.outOfFlow && !start) || this.isWalkedAgain[at]) return node.end;
    const isTouched = touched.has(el);
    if (isTouched && !this.plan.hasContainers) return at + 1;
    const { x, y, width, height } = rectOf(el);
    const was = this.borrowedBoxes.get(el);
    const [dx, dy] = was ? [x - was.x, y - was.y] : [x - node.x, y - node.y];
    const resized = was
      ? width !== was.width || height !== was.height
      : width !== node.w || height !== node.h;
    if (resized) this.noteSize(el);
    if (isTouched) return at + 1;
    if (resized || dx !== 0 || dy !== 0) {
      this.put(node, x, y, width, height);
      if (touched.has(el)) return at + 1;
    }
    if (resized || node.boxIsBorrowed || !this.isolates(node)) return at + 1;
    if (dx !== 0 || dy !== 0) this.shift(at + 1, node.end, dx, dy);
    return node.end;
  }

  /** Returns whether the content of a box depends on the outside only through the box's size. */
  private isolates({ isolatesLayout, keepsFloatsOut }: NodeRecord): boolean {
    if (this.plan.entangled) return false;
    return this.plan.floats ? keepsFloatsOut : isolatesLayout;
  }

  /** Moves all records of a range. */
  private shift(from: number, end: number, dx: number, dy: number): void {
    const { nodes } = this.plan;
    for (let i = from; i < end; ) {
      const node = nodes[i] as NodeRecord;
      if (node.el && (node.isLight || node.outOfFlow)) {
        i = node.end;
        continue;
      }
      if (node.el) this.put(node, shiftBy(node.x, dx), shiftBy(node.y, dy), node.w, node.h);
      i++;
    }
  }

  private put(node: NodeRecord, x: number, y: number, w: number, h: number): void {
    this.moved++;
    this.areas.addBox(node.x, node.y, node.w, node.h);
    this.areas.addBox(x, y, w, h);
    const box = { x0: x, y0: y, x1: x + w, y1: y + h };
    if (
      node.boxIsBorrowed ||
      !node.mayMove ||
      node.why ||
      node.w < 1 ||
      node.h < 1 ||
      w < 1 ||
      h < 1 ||
      isOutside(box, node.flow)
    )
      return this.plan.touch(node.el as Element);
    node.x = x;
    node.y = y;
    node.w = w;
    node.h = h;
    const seen =
      !isOutside(box, node.view) && (node.view === this.view || !isOutside(box, this.view));
    node.flags = seen ? node.flags | Flag.InViewport : node.flags & ~Flag.InViewport;
  }
}
