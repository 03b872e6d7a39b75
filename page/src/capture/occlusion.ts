// Finds usable elements and frames that no click reaches, and what covers them. In the viewport it
// uses the same hit test as clicks. Outside the viewport no hit test is possible, so only certain
// cases are reported: elements below an opaque box that is painted later, and those that can only
// be scrolled to places under a fixed box. Reads only.

import {
  clientHeight,
  clientWidth,
  flatContains,
  rectOf,
  scrollHeight,
  scrollingElement,
  scrollWidth,
} from "../dom/dom";
import type { WorkLimit } from "../dom/timeSlices";
import { takesKeys } from "../semantics/elementTraits";
import type { ReadCache } from "../semantics/readCache";
import { Flag } from "../semantics/stateFlags";
import { nameableAncestor } from "../visibility/classify";
import { clickTargetOf, forwardsClick } from "../visibility/clickTarget";
import {
  blanketAround,
  coverOutOfView,
  type FreePlace,
  isPaintedOver,
  wayOut,
} from "../visibility/cover";
import { findCover, type TestedCover, visibleArea } from "../visibility/hitTest";
import { type Room, roomOf } from "../visibility/scrollReach";
import type { ChangedAreas } from "./changedAreas";
import type { NodeRecord } from "./nodeRecord";
import type { WalkResult } from "./walkOutput";

/** The number of elements that are tested in the viewport. */
const MAX_TESTED = 500;
/** The number of covers outside of the viewport, and of elements that are tested against them. */
const MAX_LAYERS = 200;
const MAX_OUTSIDE = 2000;
const MAX_FIXED = 20;
/** After this share of the limit nothing more is tested. */
export const COVERS_SHARE = 0.9;

/** The hit tests of a reading, which hold in the next one where nothing changed. */
export interface HitTests {
  /** Of the elements in the viewport. */
  inViewport: Map<Element, TestedCover>;
  /** Of those out of it that one place shows to be free, and where they and their movers were. */
  outside: Map<NodeRecord, FreePlace & { at: string }>;
}

/** Finds what covers usable elements and frames; one by one, so that it can stop and continue. */
export class Occlusion {
  readonly found = new Map<Element, Element>();
  readonly tests: HitTests = { inViewport: new Map(), outside: new Map() };
  private readonly inViewport: NodeRecord[] = [];
  private readonly outsideViewport: NodeRecord[] = [];
  private readonly layers: readonly NodeRecord[];
  private opaque: NodeRecord[] | null = null;
  /** For each cover the blanket that it is part of, if there is one. */
  private readonly blankets = new Map<Element, Element | null>();
  private fixed: NodeRecord[] | null = null;
  private room: Room | null = null;
  /** Where each scroll container is, and how large its content. */
  private readonly extents = new Map<Element | null, string>();
  private at = 0;

  /**
   * `limit`: after most of it nothing more is tested; `before`: the hit tests of the last
   * reading, which hold outside of the areas that changed.
   */
  constructor(
    private readonly cache: ReadCache,
    private readonly walked: WalkResult,
    private readonly limit: WorkLimit | null = null,
    private readonly before: HitTests | null = null,
    private readonly changed: ChangedAreas | null = null,
  ) {
    const { nodes, layers } = walked;
    this.layers = layers;
    for (const node of nodes) {
      if (!node.el || node.isDropped || node.why || !(node.flags & Flag.Usable || node.rare?.frame))
        continue;
      const list = node.flags & Flag.InViewport ? this.inViewport : this.outsideViewport;
      if (list.length < (list === this.inViewport ? MAX_TESTED : MAX_OUTSIDE)) list.push(node);
    }
  }

  go(until: number): boolean {
    const { inViewport, outsideViewport } = this;
    while (this.at < inViewport.length + outsideViewport.length) {
      const at = this.at++;
      try {
        if (at < inViewport.length) this.testInViewport(inViewport[at] as NodeRecord);
        else this.testOutsideViewport(outsideViewport[at - inViewport.length] as NodeRecord);
      } catch {
        this.walked.faults++;
      }
      const now = performance.now();
      if (this.limit?.isPast(COVERS_SHARE, now)) break;
      if (now >= until) return false;
    }
    return true;
  }

  private testInViewport(node: NodeRecord): void {
    const { cache } = this;
    const el = node.el as Element;
    const target = clickTargetOf(cache, el, true);
    if (!target) return;
    let tested = this.before?.inViewport.get(el);
    if (!tested || target !== el || node.boxIsBorrowed || this.changed?.meets(tested.area)) {
      const sight = target === el && !node.boxIsBorrowed ? node.view : visibleArea(cache, target);
      tested = findCover(
        target,
        sight,
        (hit) => forwardsClick(cache, el, target, hit),
        (first) => flatContains(first, el) || this.isUnderBlanket(target, first),
      );
    }
    this.tests.inViewport.set(el, tested);
    const { cover } = tested;
    if (cover && letsClicksThrough(cache, node, el)) return;
    // A header that stays while the page scrolls is not a permanent cover.
    if (cover && !wayOut(cache, cover, target)) this.report(el, cover);
  }

  /**
   * Returns whether a cover covers all of the viewport or makes the rest of the page inert: then
   * one point decides about everything that is not in it.
   */
  private isUnderBlanket(target: Element, cover: Element): boolean {
    let blanket = this.blankets.get(cover);
    if (blanket === undefined) {
      blanket = blanketAround(this.cache, cover);
      this.blankets.set(cover, blanket);
    }
    return blanket !== null && !flatContains(blanket, target);
  }

  private testOutsideViewport(node: NodeRecord): void {
    const { cache } = this;
    this.opaque ??= this.layers
      .filter((layer) => !layer.why && (layer.isOpaque ??= isOpaque(cache, layer)))
      .slice(0, MAX_LAYERS);
    for (const layer of this.opaque) {
      const [el, over] = [node.el as Element, layer.el as Element];
      if (
        !containsBox(layer, node) ||
        flatContains(over, el) ||
        flatContains(el, over) ||
        !isPaintedOver(cache, over, el) ||
        isDrawnBy(cache, el, over)
      )
        continue;
      return this.report(el, over);
    }
    if (this.mayStayUnderFixed(node)) this.testWhereverScrolled(node);
  }

  private testWhereverScrolled(node: NodeRecord): void {
    const { outside } = this.tests;
    const el = node.el as Element;
    const known = this.before?.outside.get(node);
    const isKnown = known && !this.changed?.meets(known.area);
    if (isKnown && known.at === this.placeOf(node, known)) {
      outside.set(node, known);
      return;
    }
    const cover = coverOutOfView(this.cache, el, (free) => {
      outside.set(node, { ...free, at: this.placeOf(node, free) });
    });
    if (cover) this.report(el, cover);
  }

  /** Returns where an element and what scrolls it are, and how far that scrolls. */
  private placeOf({ x, y, w, h }: NodeRecord, { movers }: FreePlace): string {
    return [x, y, w, h, ...movers.map(({ box }) => this.extentOf(box))].join();
  }

  private extentOf(box: Element | null): string {
    let extent = this.extents.get(box);
    if (extent === undefined) {
      const el = box ?? scrollingElement();
      const { left, top } = el ? rectOf(el) : { left: 0, top: 0 };
      extent = el
        ? [left, top, clientWidth(el), clientHeight(el), scrollWidth(el), scrollHeight(el)].join()
        : "";
      this.extents.set(box, extent);
    }
    return extent;
  }

  /**
   * Returns whether an element may lie under a fixed box wherever it is scrolled to: the page alone
   * scrolls it to places under that box only, or to none in view.
   */
  private mayStayUnderFixed(node: NodeRecord): boolean {
    const { cache } = this;
    this.fixed ??= this.layers
      .filter((layer) => !layer.why && leavesRoom(cache, layer))
      .slice(0, MAX_FIXED);
    if (this.fixed.length === 0) return false;
    this.room ??= roomOf(cache, null, "y");
    const top = Math.max(node.y - this.room.on, 0);
    const last = Math.min(node.y + this.room.back, innerHeight - node.h);
    return (
      top > last ||
      this.fixed.some(({ y, h }) => y - node.h / 2 <= top && last <= y + h - node.h / 2)
    );
  }

  private report(el: Element, over: Element): void {
    const named = nameableAncestor(this.cache, over).el;
    const cover = flatContains(named, el) ? over : named;
    if (!flatContains(cover, el)) this.found.set(el, cover);
  }
}

/** Returns whether a box hides what is under it, takes clicks, and moves with the page. */
function isOpaque(cache: ReadCache, { el }: NodeRecord): boolean {
  const style = cache.style(el as Element);
  return (
    /^rgb\(/.test(style.backgroundColor) &&
    style.position !== "fixed" &&
    style.position !== "sticky" &&
    style.pointerEvents !== "none" &&
    Number(style.opacity) === 1
  );
}

/** Returns whether a click on what is drawn over a control uses it: a box under its drawing. */
function isDrawnBy(cache: ReadCache, el: Element, over: Element): boolean {
  const target = clickTargetOf(cache, el, true);
  return target !== null && (flatContains(target, over) || forwardsClick(cache, el, target, over));
}

/** Returns whether an element leaves the mouse to what is drawn over it, and takes keys. */
const letsClicksThrough = (cache: ReadCache, node: NodeRecord, el: Element): boolean =>
  takesKeys(el, node.role) && cache.style(el).pointerEvents === "none";

/** Returns whether a fixed box covers a part of the viewport. What it covers all of is in view. */
function leavesRoom(cache: ReadCache, { el, x, y, w, h }: NodeRecord): boolean {
  const style = cache.style(el as Element);
  return (
    style.position === "fixed" &&
    w > 0 &&
    h > 0 &&
    (x > 0 || y > 0 || x + w < innerWidth || y + h < innerHeight)
  );
}

/** Returns whether one box contains the other. */
const containsBox = (outer: NodeRecord, inner: NodeRecord): boolean =>
  outer.x <= inner.x &&
  outer.y <= inner.y &&
  outer.x + outer.w >= inner.x + inner.w &&
  outer.y + outer.h >= inner.y + inner.h;
