// Waits for images in view that are not loaded yet: they may be missing even when the page is
// quiet, and their containers may have no size. Each image is waited for once, because one that
// never loads would delay every capture. Reads only.

import { imageFault } from "../capture/nodeRecord";
import { isConnected, isRendered, queryAll, rectOf, shadowRoots } from "../dom/dom";

const POLL_INTERVAL = 25;
const MAX_IMAGES = 2000;
/** Images that did not load although they were waited for. */
const timedOut = new WeakSet<Element>();

/**
 * Waits until all images in view are loaded, at most this many milliseconds. `waited`: whether any
 * were missing.
 */
export async function waitForImages(limit: number): Promise<object> {
  const end = performance.now() + limit;
  let waiting = pendingInView();
  const waited = waiting.length > 0;
  while (waiting.length > 0 && performance.now() < end) {
    await new Promise((done) => setTimeout(done, POLL_INTERVAL));
    waiting = waiting.filter(isPending);
  }
  for (const el of waiting) timedOut.add(el);
  return { waited };
}

const isPending = (el: Element): boolean => isConnected(el) && imageFault(el) === "pending";

/** Returns the images in view that are not loaded yet. */
export function pendingInView(): Element[] {
  const found: Element[] = [];
  for (const root of [document, ...shadowRoots(document)]) {
    const all = queryAll(root, "img");
    for (let i = 0; i < all.length && i < MAX_IMAGES; i++) {
      const el = all[i] as Element;
      if (timedOut.has(el) || !isPending(el) || !isRendered(el)) continue;
      const { left, top, right, bottom } = rectOf(el);
      // An image without a size yet is taken to be where it will begin.
      if (right >= 0 && bottom >= 0 && left <= innerWidth && top <= innerHeight) found.push(el);
    }
  }
  return found;
}
