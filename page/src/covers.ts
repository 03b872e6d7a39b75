// What lies over what, in the viewport: the same hit-test that a click is aimed with, for everything usable that the walk found there.
// Reads only. Below the fold nothing can be hit, so nothing is said.

import { flatContains } from "./dom";
import { aim } from "./hit";
import { worthNaming } from "./judge";
import type { Look } from "./look";
import type { Record } from "./record";
import { Flag } from "./states";
import { drawnBy, staysPut, targetOf } from "./target";

/** A page may put any number of controls into the viewport; a person can use only so many. */
const MOST = 500;

/** For each element that no click can reach, what lies over it; one after the other, so that it can stop and go on. */
export class Covers {
  readonly found = new Map<Element, Element>();
  private at = 0;
  private readonly usable: Element[] = [];

  /** `end`: when nothing more is tested. */
  constructor(private readonly look: Look, nodes: readonly Record[], private readonly end = Number.POSITIVE_INFINITY) {
    const seen = Flag.Usable | Flag.InViewport;
    for (const { el, drop, why, flags } of nodes) if (el && !drop && !why && (flags & seen) === seen && this.usable.length < MOST) this.usable.push(el);
  }

  go(until: number): boolean {
    while (this.at < this.usable.length) {
      this.test(this.usable[this.at++] as Element);
      const now = performance.now();
      if (now >= this.end) break;
      if (now >= until) return this.at >= this.usable.length;
    }
    return true;
  }

  private test(el: Element): void {
    const { look } = this;
    const target = targetOf(look, el);
    const found = target && aim(look, target, (hit) => drawnBy(look, el, target, hit));
    if (!target || !found || "x" in found || !found.cover) return;
    // A header that stays while the page scrolls covers nothing for good.
    if (staysPut(look, found.cover, target)) return;
    const named = worthNaming(look, found.cover).el;
    const cover = flatContains(named, el) ? found.cover : named;
    if (!flatContains(cover, el)) this.found.set(el, cover);
  }
}
