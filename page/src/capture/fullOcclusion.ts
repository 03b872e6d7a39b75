// Finds elements that lie entirely under something opaque, for a full capture. Everything usable or
// readable in the viewport is tested at several points, so that the browser decides about stacking
// contexts and the top layer. Transparent covers, covers that let clicks through, ancestors,
// descendants and headers that it can be scrolled away from hide nothing; in doubt an element is
// visible. Reads only.

import {
  elementsAt,
  firstChild,
  flatContains,
  flatParent,
  isText,
  nextSibling,
  rectOf,
} from "../dom/dom";
import { isBlank } from "../dom/text";
import type { WorkLimit } from "../dom/timeSlices";
import type { ReadCache } from "../semantics/readCache";
import { Flag } from "../semantics/stateFlags";
import { LEAVES } from "../semantics/tagTraits";
import { wayOut } from "../visibility/cover";
import { clickBoxes, visibleArea } from "../visibility/hitTest";
import { areaOf, EMPTY_AREA, intersect } from "../visibility/visibility";
import type { NodeRecord } from "./nodeRecord";
import { COVERS_SHARE } from "./occlusion";
import type { WalkResult } from "./walkOutput";

/** The number of elements that are tested. */
const MAX_TESTED = 3000;
const POINTS = [
  [0.5, 0.5],
  [0.1, 0.2],
  [0.9, 0.2],
  [0.1, 0.8],
  [0.9, 0.8],
] as const;

/** Marks the covered elements one by one, so that it can stop and continue. */
export class FullOcclusion {
  private readonly nodes: NodeRecord[] = [];
  private at = 0;

  /** `covers`: elements that no click reaches, and their covers. */
  constructor(
    private readonly cache: ReadCache,
    private readonly walked: WalkResult,
    covers: Map<Element, Element>,
    private readonly limit: WorkLimit | null = null,
  ) {
    for (const node of walked.nodes) {
      if (!node.el || node.isDropped || node.why || node.tag === "html" || node.tag === "body")
        continue;
      if (node.flags & Flag.Usable) {
        const cover = covers.get(node.el);
        // Outside of the viewport only opaque boxes are reported as covers.
        if (cover && !(node.flags & Flag.InViewport)) node.flags |= Flag.Obscured;
        else if (cover) this.nodes.push(node);
      } else if (
        node.flags & Flag.InViewport &&
        this.nodes.length < MAX_TESTED &&
        (LEAVES.has(node.tag) || hasText(node.el))
      )
        this.nodes.push(node);
    }
  }

  go(until: number): boolean {
    while (this.at < this.nodes.length) {
      const node = this.nodes[this.at++] as NodeRecord;
      try {
        if (isObscured(this.cache, node.el as Element)) node.flags |= Flag.Obscured;
      } catch {
        this.walked.faults++;
      }
      const now = performance.now();
      if (this.limit?.isPast(COVERS_SHARE, now)) break;
      if (now >= until) return false;
    }
    return true;
  }
}

/** Returns whether an element directly contains a text. */
function hasText(el: Element): boolean {
  for (let child = firstChild(el), i = 0; child && i < 50; child = nextSibling(child), i++)
    if (isText(child) && !isBlank(child.data)) return true;
  return false;
}

function isObscured(cache: ReadCache, el: Element): boolean {
  const boxes = clickBoxes(el);
  if (boxes.length === 0 || boxes.length > 20) return false;
  const sight = visibleArea(cache, el);
  let tried = false;
  for (const rect of boxes) {
    const box = intersect(areaOf(rect), sight);
    if (box === EMPTY_AREA) continue;
    for (const [fx, fy] of POINTS) {
      tried = true;
      if (!isHiddenAt(cache, el, box.x0 + (box.x1 - box.x0) * fx, box.y0 + (box.y1 - box.y0) * fy))
        return false;
    }
  }
  return tried;
}

/** Returns whether something opaque covers the element at a point. */
function isHiddenAt(cache: ReadCache, el: Element, x: number, y: number): boolean {
  for (const over of elementsAt(x, y)) {
    if (flatContains(over, el) || flatContains(el, over)) return false;
    const { left, top, right, bottom } = rectOf(over);
    // The backdrop of a dialog and generated boxes are hit as the element, but are not where it is.
    const inside = x >= left && x <= right && y >= top && y <= bottom;
    if (inside && isOpaque(cache, over, el)) return wayOut(cache, over, el) === null;
  }
  return false;
}

/** Returns whether neither a cover nor its ancestors are translucent. */
function isOpaque(cache: ReadCache, over: Element, el: Element): boolean {
  if (!/^rgb\(/.test(cache.style(over).backgroundColor)) return false;
  for (let at: Element | null = over; at && !flatContains(at, el); at = flatParent(at)) {
    const style = cache.style(at);
    if (
      Number(style.opacity) < 1 ||
      style.mixBlendMode !== "normal" ||
      style.getPropertyValue("mask-image") !== "none"
    )
      return false;
  }
  return true;
}
