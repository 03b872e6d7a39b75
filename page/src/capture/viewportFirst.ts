// Finds what is in or near the viewport of a page that is too large to be walked as a whole. Uses
// hit tests: they cost the same wherever the page is scrolled to, and however large it is. Reads
// only.

import {
  firstElementChild,
  flatParent,
  follows,
  hostOf,
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
 * Grids of hit tests: a coarse one first, finer ones while there is time. A hit test may take
 * milliseconds where one block contains everything.
 */
const GRIDS = [3, 8, 24];
const MAX_TIME = 200;
/** How many siblings on either side of a hit element count as near. */
const NEIGHBOURS = 40;
/** A sibling with more descendants than this is left out. */
const LARGE = 500;

/** Returns the number of descendants, without those in shadow roots. */
export function countDescendants(root: Node): number {
  const type = nodeType(root);
  if (type === 1)
    return firstElementChild(root)
      ? Element.prototype.getElementsByTagName.call(root, "*").length
      : 0;
  if (type === 9) return Document.prototype.getElementsByTagName.call(root, "*").length;
  return DocumentFragment.prototype.querySelectorAll.call(root, "*").length;
}

/**
 * Returns whether thousands of elements stand in one line: the cost of a hit test there is
 * quadratic, seconds and more.
 */
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
  /** The elements that were hit, and their ancestors. */
  private readonly hit = new Set<Node>();
  private readonly hitsByParent = new Map<Node, Node[]>();

  /** `open`: nodes with many following siblings. */
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

  /** Returns the children from `next` on that were hit, and their neighbours, in order. */
  children(home: Node, next: Node | null): Node[] {
    if (!next) return [];
    const inside = isElement(home) ? home : hostOf(home);
    // A neighbour is small, so all of it counts as near.
    const all = !inside || !this.hit.has(inside);
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
      // It was hit itself, not a descendant.
      for (
        let i = 0, child: Node | null = next;
        child && i < NEIGHBOURS;
        i++, child = nextSibling(child)
      )
        kept.push(child);
      return kept;
    }
    // They form a few runs of siblings. Only the first nodes of the runs are sorted, because a
    // comparison costs as much as the nodes are apart.
    const heads: Node[] = [];
    for (const node of isNear)
      if (node === next || !isNear.has(previousSibling(node) as Node)) heads.push(node);
    heads.sort((a, b) => (follows(a, b) ? -1 : 1));
    for (const head of heads) {
      if (head !== next && !follows(next, head)) continue;
      for (let at: Node | null = head; at && isNear.has(at); at = nextSibling(at)) {
        kept.push(at);
        // A node is in one run only.
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
