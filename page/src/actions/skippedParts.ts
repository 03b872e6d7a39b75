// Has the browser draw the parts of a page that it skips because they are far from the viewport
// (`content-visibility: auto`), for a picture of more than the viewport. An animation sets the
// property, so that nothing is written into the page and nothing has to be restored: it ends on its
// own, also if nobody ends it.

import { nextAnimationFrame } from "../dom/animationFrame";
import { animate, queryList, shadowRoots } from "../dom/dom";

/** How long the search for such parts may take, in milliseconds, and how many are drawn. */
const MAX_TIME = 500;
const MAX_PARTS = 5000;
/** The search looks at the clock after this many elements. */
const PART = 200;

let shown: Animation[] = [];

/** Returns the elements whose content the browser may skip. */
function skippable(): Element[] {
  const end = performance.now() + MAX_TIME;
  const found: Element[] = [];
  for (const root of [document, ...shadowRoots(document)]) {
    const all = queryList(root, "*");
    for (let at = 0; at < all.length; at++) {
      if (found.length >= MAX_PARTS || (at % PART === 0 && performance.now() > end)) return found;
      const el = all[at] as Element;
      if (getComputedStyle(el).contentVisibility === "auto") found.push(el);
    }
  }
  return found;
}

/**
 * Has skipped parts drawn for at most this many milliseconds. Resolves when they have their sizes;
 * `count` is 0 if there are none.
 */
export async function showSkipped(limit: number): Promise<object> {
  hideSkipped();
  for (const el of skippable()) {
    const made = animate(el, { contentVisibility: ["visible", "visible"] }, { duration: limit });
    if (made) shown.push(made);
  }
  // In the first frame they are laid out, in the second what depends on their sizes.
  for (let frame = 0; frame < 2 && shown.length > 0; frame++) await nextAnimationFrame();
  return { count: shown.length };
}

/** Lets the browser skip them again. */
export function hideSkipped(): object {
  for (const one of shown) one.cancel();
  shown = [];
  return { ok: true };
}
