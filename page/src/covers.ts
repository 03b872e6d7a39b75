// What lies over what, in the viewport: the same hit-test that a click is aimed with, for everything usable that the walk found there.
// Reads only. Below the fold nothing can be hit, so nothing is said.

import { flatContains } from "./dom";
import { aim } from "./hit";
import { worthNaming } from "./judge";
import type { Look } from "./look";
import { drawnBy, staysPut, targetOf } from "./target";

/** A page may put any number of controls into the viewport; a person can use only so many. */
const MOST = 500;

/** For each of these elements that no click can reach, what lies over it. */
export function coversOf(look: Look, usable: Element[]): Map<Element, Element> {
  const covers = new Map<Element, Element>();
  for (const el of usable.slice(0, MOST)) {
    const target = targetOf(look, el);
    const found = target && aim(look, target, (hit) => drawnBy(look, el, target, hit));
    if (!target || !found || "x" in found || !found.cover) continue;
    // A header that stays while the page scrolls covers nothing for good.
    if (staysPut(look, found.cover, target)) continue;
    const named = worthNaming(look, found.cover).el;
    const cover = flatContains(named, el) ? found.cover : named;
    if (!flatContains(cover, el)) covers.set(el, cover);
  }
  return covers;
}
