// The parts of the viewport in which something may have changed since the last reading: a hit test
// elsewhere gives the same element as before. A coarse grid, so that a query costs the same however
// much changed. Pure.

import type { Area } from "../visibility/visibility";
import type { NodeRecord } from "./nodeRecord";

/** The side of a cell, in pixels. */
const CELL = 32;
/** Text and generated boxes may reach beyond the box of their element. */
const OVERHANG = 48;

export class ChangedAreas {
  private readonly columns = Math.ceil(innerWidth / CELL);
  private readonly rows = Math.ceil(innerHeight / CELL);
  private readonly cells = new Uint8Array(this.columns * this.rows);
  /** Something changed that may decide about every point. */
  everywhere = false;

  addBox(x: number, y: number, w: number, h: number, around = 0): void {
    const [left, right] = this.range(x - around, x + w + around, this.columns);
    const [top, bottom] = this.range(y - around, y + h + around, this.rows);
    for (let row = top; row <= bottom; row++)
      this.cells.fill(1, row * this.columns + left, row * this.columns + right + 1);
  }

  /** Adds the boxes of an element and of everything in it. */
  addRecords(nodes: readonly NodeRecord[], from: number): void {
    if (from < 0) return;
    const { end } = nodes[from] as NodeRecord;
    for (let i = from; i < end; i++) {
      const { el, tag, x, y, w, h } = nodes[i] as NodeRecord;
      if (!el) continue;
      // A dialog may make everything else inert.
      if (tag === "dialog") this.everywhere = true;
      this.addBox(x, y, w, h, OVERHANG);
    }
  }

  meets({ x0, y0, x1, y1 }: Area): boolean {
    if (this.everywhere) return true;
    const [left, right] = this.range(x0, x1, this.columns);
    const [top, bottom] = this.range(y0, y1, this.rows);
    for (let row = top; row <= bottom; row++)
      for (let column = left; column <= right; column++)
        if (this.cells[row * this.columns + column]) return true;
    return false;
  }

  /** Returns the first and the last cell of a stretch; an empty range outside of the viewport. */
  private range(from: number, to: number, count: number): [number, number] {
    return [Math.max(0, Math.floor(from / CELL)), Math.min(count - 1, Math.floor(to / CELL))];
  }
}
