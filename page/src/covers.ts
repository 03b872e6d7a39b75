// What lies over what. In the viewport: the same hit-test that a click is aimed with, for everything usable (and every frame) that the walk
// found there. Elsewhere nothing can be hit, so only what is certain is said: under an opaque box that is painted later. Reads only.

import { flatContains, flatParent } from "./dom";
import { aim } from "./hit";
import { worthNaming } from "./judge";
import type { Look } from "./look";
import type { Record } from "./record";
import { Flag } from "./states";
import { drawnBy, staysPut, targetOf } from "./target";

/** A page may put any number of controls into the viewport; a person can use only so many. */
const MOST = 500;
/** How many boxes are taken for covers outside of the viewport, and how many elements are tried against them. */
const MOST_LAYERS = 200;
const MOST_BELOW = 2000;

/** For each element that no click can reach, what lies over it; one after the other, so that it can stop and go on. */
export class Covers {
  readonly found = new Map<Element, Element>();
  private at = 0;
  private readonly tried: Record[] = [];
  private readonly below: Record[] = [];
  private opaque: Record[] | null = null;

  /** `layers`: what is positioned, in document order. `end`: when nothing more is tested. */
  constructor(private readonly look: Look, nodes: readonly Record[], private readonly layers: readonly Record[], private readonly end = Number.POSITIVE_INFINITY) {
    for (const node of nodes) {
      if (!node.el || node.drop || node.why || !(node.flags & Flag.Usable || node.rest?.frame)) continue;
      if (node.flags & Flag.InViewport) {
        if (this.tried.length < MOST) this.tried.push(node);
      } else if (layers.length > 0 && this.below.length < MOST_BELOW) this.below.push(node);
    }
  }

  go(until: number): boolean {
    const { tried, below } = this;
    while (this.at < tried.length + below.length) {
      const at = this.at++;
      if (at < tried.length) this.test((tried[at] as Record).el as Element);
      else if (!this.compare(below[at - tried.length] as Record)) break;
      const now = performance.now();
      if (now >= this.end) break;
      if (now >= until) return this.at >= tried.length + below.length;
    }
    return true;
  }

  private test(el: Element): void {
    const { look } = this;
    const target = targetOf(look, el);
    const found = target && aim(look, target, (hit) => drawnBy(look, el, target, hit));
    // A header that stays while the page scrolls covers nothing for good.
    if (target && found && !("x" in found) && found.cover && !staysPut(look, found.cover, target)) this.say(el, found.cover);
  }

  /** Outside of the viewport; false if there is nothing that could cover anything. */
  private compare(node: Record): boolean {
    const { look } = this;
    this.opaque ??= this.layers.filter((layer) => isOpaque(look, layer)).slice(0, MOST_LAYERS);
    const el = node.el as Element;
    for (const layer of this.opaque) {
      const over = layer.el as Element;
      if (!holds(layer, node) || flatContains(over, el) || flatContains(el, over) || !paintedOver(look, over, el)) continue;
      this.say(el, over);
      break;
    }
    return this.opaque.length > 0;
  }

  private say(el: Element, over: Element): void {
    const named = worthNaming(this.look, over).el;
    const cover = flatContains(named, el) ? over : named;
    if (!flatContains(cover, el)) this.found.set(el, cover);
  }
}

/** Hides what is under it, takes clicks, and moves with the page. */
function isOpaque(look: Look, { el, why }: Record): boolean {
  const style = look.style(el as Element);
  return !why && /^rgb\(/.test(style.backgroundColor) && style.position !== "fixed" && style.position !== "sticky" && style.pointerEvents !== "none" && Number(style.opacity) === 1;
}

/** One box wholly within the other. */
const holds = (outer: Record, inner: Record): boolean =>
  outer.x <= inner.x && outer.y <= inner.y && outer.x + outer.w >= inner.x + inner.w && outer.y + outer.h >= inner.y + inner.h;

/** For certain painted later: by z-index where their ways part, else by the order of positioned boxes. `over` is positioned. */
function paintedOver(look: Look, over: Element, el: Element): boolean {
  const above = new Set<Element>();
  for (let at: Element | null = el; at; at = flatParent(at)) above.add(at);
  const upper = lastLayer(look, over, above);
  const common = commonOf(over, above);
  const within = new Set<Element>();
  for (let at: Element | null = over; at && at !== common; at = flatParent(at)) within.add(at);
  const lower = lastLayer(look, el, within, common);
  if (!upper) return false;
  if (!lower) return upper.z >= 0;
  if (upper.z !== lower.z) return upper.z > lower.z;
  return (lower.el.compareDocumentPosition(upper.el) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

function commonOf(el: Element, above: Set<Element>): Element | null {
  for (let at: Element | null = el; at; at = flatParent(at)) if (above.has(at)) return at;
  return null;
}

/** The outermost positioned element from `el` up to where the other one's way joins. */
function lastLayer(look: Look, el: Element, other: Set<Element>, end: Element | null = null): { el: Element; z: number } | null {
  let layer: { el: Element; z: number } | null = null;
  for (let at: Element | null = el; at && at !== end && !other.has(at); at = flatParent(at)) {
    const style = look.style(at);
    if (style.position !== "static" || style.transform !== "none" || Number(style.opacity) < 1) layer = { el: at, z: Number.parseInt(style.zIndex, 10) || 0 };
  }
  return layer;
}
