// What an answer rests on, kept so that the next look need not be taken if nothing changed: no mutation since, the same facts (state.ts), the same
// shadow roots, and every box where it was. Only the last plain answer is kept; the first mutation ends it, and with it the observer. Reads only.

import { rectOf, scrollLeft, scrollTop, shadowRoots } from "./dom";
import type { Record } from "./record";
import { inSlices, type Sliced } from "./slices";
import { Facts } from "./state";
import type { Stir } from "./stir";
import { Why } from "./visibility";

/** How many boxes are compared between two looks at the clock. */
const STRIDE = 32;

let last: Witness | null = null;

/** The witness of the answer with this key, if it still may hold. */
export const witnessOf = (key: string): Witness | null => (last?.key === key ? last : null);

export function forget(): void {
  last?.stir.end();
  last = null;
}

export class Witness implements Sliced {
  private readonly elements: Element[] = [];
  private readonly boxes: Float64Array;
  private readonly scrollers: [Element, number, number][] = [];
  private at = 0;
  private moved = false;

  /** `facts` were read before anything else was, of each root; `roots` in the order in which they were entered. */
  constructor(readonly key: string, readonly stir: Stir, private readonly facts: Facts, private readonly roots: readonly ShadowRoot[], nodes: readonly Record[]) {
    const boxes: number[] = [];
    for (const node of nodes) {
      const { el } = node;
      // Boxes of what is skipped are not even made.
      if (!el || node.drop || node.why === Why.Skipped) continue;
      this.elements.push(el);
      const box = node.lent ? rectOf(el) : null;
      boxes.push(box ? box.x : node.x, box ? box.y : node.y, box ? box.width : node.w, box ? box.height : node.h);
      if (node.rest?.scrolls) this.scrollers.push([el, scrollLeft(el), scrollTop(el)]);
    }
    this.boxes = Float64Array.from(boxes);
  }

  /** From here on a look that asks for this key may be answered by it. */
  keep(): void {
    forget();
    last = this;
    this.stir.idle = forget;
  }

  /** Nothing changed since. */
  async holds(slice: number): Promise<boolean> {
    this.at = 0;
    this.moved = false;
    if (!this.stir.still() || !this.sameState()) return false;
    await inSlices(this, slice, () => {
      this.moved ||= !this.stir.still();
      return !this.moved;
    });
    // What the comparison of boxes gave time for counts too.
    return !this.moved && this.stir.still() && this.sameState();
  }

  private sameState(): boolean {
    if (this.scrollers.some(([el, left, top]) => scrollLeft(el) !== left || scrollTop(el) !== top)) return false;
    const known = new Set(this.roots);
    const roots = shadowRoots(document);
    return roots.length === known.size && roots.every((root) => known.has(root)) && this.facts.equals(Facts.now(this.roots));
  }

  go(until: number): boolean {
    const { elements, boxes } = this;
    while (this.at < elements.length) {
      const el = elements[this.at] as Element;
      const i = this.at++ * 4;
      const { x, y, width, height } = rectOf(el);
      if (x !== boxes[i] || y !== boxes[i + 1] || width !== boxes[i + 2] || height !== boxes[i + 3]) {
        this.moved = true;
        return true;
      }
      if (this.at % STRIDE === 0 && performance.now() >= until) return false;
    }
    return true;
  }
}
