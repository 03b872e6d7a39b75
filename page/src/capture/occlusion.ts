// What lies over what. In the viewport: the same hit-test that a click is aimed with, for
// everything usable (and every frame) that the walk found there. Elsewhere nothing can be hit, so
// only what is certain is said: under an opaque box that is painted later. Reads only.

import { flatContains, flatParent } from "../dom/dom";
import type { Look } from "../semantics/readCache";
import { Flag } from "../semantics/stateFlags";
import { worthNaming } from "../visibility/classify";
import { drawnBy, staysPut, targetOf } from "../visibility/clickTarget";
import { aim } from "../visibility/hitTest";
import type { Record } from "./nodeRecord";
import type { Walked } from "./walkOutput";

/** A page may put any number of controls into the viewport; a person can use only so many. */
const MOST = 500;
/**
 * How many boxes are taken for covers outside of the viewport, and how many elements are tried
 * against them.
 */
const MOST_LAYERS = 200;
const MOST_BELOW = 2000;

/**
 * For each thing usable, and each frame, that no click can reach, what lies over it; one after the
 * other, so that it can stop and go on.
 */
export class Covers {
  readonly found = new Map<Element, Element>();
  private readonly seen: Record[] = [];
  private readonly below: Record[] = [];
  private readonly layers: readonly Record[];
  private opaque: Record[] | null = null;
  private at = 0;

  /** `end`: when nothing more is tested. */
  constructor(
    private readonly look: Look,
    { nodes, layers }: Walked,
    private readonly end = Number.POSITIVE_INFINITY,
  ) {
    this.layers = layers;
    for (const node of nodes) {
      if (!node.el || node.drop || node.why || !(node.flags & Flag.Usable || node.rest?.frame))
        continue;
      const list = node.flags & Flag.InViewport ? this.seen : this.below;
      if (list.length < (list === this.seen ? MOST : MOST_BELOW)) list.push(node);
    }
  }

  go(until: number): boolean {
    const { seen, below } = this;
    while (this.at < seen.length + below.length) {
      const at = this.at++;
      if (at < seen.length) this.inView(seen[at] as Record);
      else this.outOfView(below[at - seen.length] as Record);
      const now = performance.now();
      if (now >= this.end) break;
      if (now >= until) return false;
    }
    return true;
  }

  private inView(node: Record): void {
    const { look } = this;
    const el = node.el as Element;
    const target = targetOf(look, el);
    const found = target && aim(look, target, (hit) => drawnBy(look, el, target, hit));
    // A header that stays while the page scrolls covers nothing for good.
    if (target && found && !("x" in found) && found.cover && !staysPut(look, found.cover, target))
      this.say(el, found.cover);
  }

  private outOfView(node: Record): void {
    const { look } = this;
    this.opaque ??= this.layers
      .filter((layer) => !layer.why && (layer.opaque ??= isOpaque(look, layer)))
      .slice(0, MOST_LAYERS);
    for (const layer of this.opaque) {
      const [el, over] = [node.el as Element, layer.el as Element];
      if (
        !holds(layer, node) ||
        flatContains(over, el) ||
        flatContains(el, over) ||
        !paintedOver(look, over, el)
      )
        continue;
      return this.say(el, over);
    }
  }

  private say(el: Element, over: Element): void {
    const named = worthNaming(this.look, over).el;
    const cover = flatContains(named, el) ? over : named;
    if (!flatContains(cover, el)) this.found.set(el, cover);
  }
}

/** Hides what is under it, takes clicks, and moves with the page. */
function isOpaque(look: Look, { el }: Record): boolean {
  const style = look.style(el as Element);
  return (
    /^rgb\(/.test(style.backgroundColor) &&
    style.position !== "fixed" &&
    style.position !== "sticky" &&
    style.pointerEvents !== "none" &&
    Number(style.opacity) === 1
  );
}

/** One box wholly within the other. */
const holds = (outer: Record, inner: Record): boolean =>
  outer.x <= inner.x &&
  outer.y <= inner.y &&
  outer.x + outer.w >= inner.x + inner.w &&
  outer.y + outer.h >= inner.y + inner.h;

/**
 * For certain painted later: by z-index where their ways part, else by the order of positioned
 * boxes. `over` is positioned.
 */
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
function lastLayer(
  look: Look,
  el: Element,
  other: Set<Element>,
  end: Element | null = null,
): { el: Element; z: number } | null {
  let layer: { el: Element; z: number } | null = null;
  for (let at: Element | null = el; at && at !== end && !other.has(at); at = flatParent(at)) {
    const style = look.style(at);
    if (style.position !== "static" || style.transform !== "none" || Number(style.opacity) < 1)
      layer = { el: at, z: Number.parseInt(style.zIndex, 10) || 0 };
  }
  return layer;
}
