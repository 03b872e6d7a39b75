// Finds what is in or near the viewport of a page that is too large to be walked as a whole. Uses
// hit tests: they cost the same wherever the page is scrolled to, and however large it is. Reads
// only.
// hit-tests, which cost the same wherever the page is scrolled to and however large it is. Reads
// only.

import {
  firstElementChild,
  flatParent,
  follows,
  isElement,
  nextSibling,
  nodeType,
  parentNode,
  previousSibling,
  rectOf,
  shadowRoot,
} from "../dom/dom";
import { hitTest } from "../visibility/hitTest";

/**
 * Points across and down: a few first, then the more, while there is time. A hit-test may cost
 * milliseconds where one block holds everything.
 */
const GRIDS = [3, 8, 24];
const MAX_TIME = 200;
/** How many neighbours on either side of what was hit count as near. */
const NEIGHBOURS = 40;
/** A neighbour with more elements in it than this is left out. */
const LARGE = 500;

/** Elements below a node, itself not counted; shadow roots not entered. */
export function countDescendants(root: Node): number {
  const type = nodeType(root);
  if (type === 1)
    return firstElementChild(root)
      ? Element.prototype.getElementsByTagName.call(root, "*").length
      : 0;
  if (type === 9) return Document.prototype.getElementsByTagName.call(root, "*").length;
  return DocumentFragment.prototype.querySelectorAll.call(root, "*").length;
}

/** A single line of thousands: a hit-test there costs as the square of them, seconds and more. */
function isEndlessRow(first: Node | null): boolean {
  let at = first;
  let top: number | null = null;
  for (let i = 0; at && i < 1500; i++, at = nextSibling(at)) {
    if (i % 300 !== 0 || !isElement(at)) continue;
    const { y, width } = rectOf(at);
    if (width === 0) continue;
    if (top !== null && Math.abs(y - top) > 1) return false;
    top = y;
  }
  return at !== null && top !== null;
}

export class ViewportFirst {
  /** What was hit, and everything around it. */
  private readonly hit = new Set<Node>();
  private readonly hitsByParent = new Map<Node, Node[]>();

  /** `open`: nodes whose following siblings are many. */
  constructor(open: (Node | null)[]) {
    if (open.some(isEndlessRow)) return;
    const end = performance.now() + MAX_TIME;
    for (const grid of GRIDS) {
      for (let i = 0; i < grid * grid && performance.now() < end; i++) {
        const found = hitTest(
          (((i % grid) + 0.5) / grid) * innerWidth,
          ((Math.floor(i / grid) + 0.5) / grid) * innerHeight,
        );
        for (let at: Element | null = found; at && !this.hit.has(at); at = flatParent(at))
          this.add(at);
      }
    }
  }

  private add(el: Element): void {
    this.hit.add(el);
    const home = parentNode(el);
    if (!home) return;
    const known = this.hitsByParent.get(home);
    if (known) known.push(el);
    else this.hitsByParent.set(home, [el]);
  }

  /** Of the children from `next` on, those that were hit and their neighbours, in order. */
  children(home: Node, next: Node | null): Node[] {
    if (!next) return [];
    const inside = nodeType(home) === 1 ? (home as Element) : (home as ShadowRoot).host;
    // What is inside of a neighbour is small, and near as a whole.
    const all = !this.hit.has(inside);
    const kept: Node[] = [];
    if (all) {
      for (let child: Node | null = next; child; child = nextSibling(child)) kept.push(child);
      return kept;
    }
    const isNear = new Set<Node>();
    for (const node of this.hitsByParent.get(home) ?? []) {
      isNear.add(node);
      for (
        let i = 0, at = previousSibling(node);
        at && i < NEIGHBOURS;
        i++, at = previousSibling(at)
      )
        isNear.add(at);
      for (let i = 0, at = nextSibling(node); at && i < NEIGHBOURS; i++, at = nextSibling(at))
        isNear.add(at);
    }
    if (isNear.size === 0) {
      // Hit itself, not anything in it.
      for (
        let i = 0, child: Node | null = next;
        child && i < NEIGHBOURS;
        i++, child = nextSibling(child)
      )
        kept.push(child);
      return kept;
    }
    // In order: they stand in few unbroken runs, and only the heads of those are compared, which
    // costs as much as they are apart.
    const heads: Node[] = [];
    for (const node of isNear)
      if (node === next || !isNear.has(previousSibling(node) as Node)) heads.push(node);
    heads.sort((a, b) => (follows(a, b) ? -1 : 1));
    for (const head of heads) {
      if (head !== next && !follows(next, head)) continue;
      for (let at: Node | null = head; at && isNear.has(at); at = nextSibling(at)) {
        kept.push(at);
        // What is in a run once does not come a second time.
        isNear.delete(at);
      }
    }
    return kept;
  }

  wanted(node: Node): boolean {
    return (
      this.hit.has(node) ||
      !isElement(node) ||
      (countDescendants(node) <= LARGE && !shadowRoot(node))
    );
  }
}
