// Waiting for the pictures in view that are still to come: a page at rest may have none of them
// yet, and what holds them may have no size. Each is waited for once, because one that never comes
// would hold up every look. Timers of this world; reads only.

import { pictureFault } from "../capture/nodeRecord";
import { connected, queryAll, rectOf, rendered, shadowRoots } from "../dom/dom";

const PAUSE = 25;
const MOST = 2000;
/** Those that did not come although they were waited for. */
const late = new WeakSet<Element>();

/** Waits until all are there, or for so many milliseconds. `waited`: there were any. */
export async function pictures(limit: number): Promise<object> {
  const end = performance.now() + limit;
  let waiting = inView();
  const waited = waiting.length > 0;
  while (waiting.length > 0 && performance.now() < end) {
    await new Promise((done) => setTimeout(done, PAUSE));
    waiting = waiting.filter(isPending);
  }
  for (const el of waiting) late.add(el);
  return { waited };
}

const isPending = (el: Element): boolean => connected(el) && pictureFault(el) === "pending";

function inView(): Element[] {
  const found: Element[] = [];
  for (const root of [document, ...shadowRoots(document)]) {
    const all = queryAll(root, "img");
    for (let i = 0; i < all.length && i < MOST; i++) {
      const el = all[i] as Element;
      if (late.has(el) || !isPending(el) || !rendered(el)) continue;
      const { left, top, right, bottom } = rectOf(el);
      // One that has no size yet is where it will begin.
      if (right >= 0 && bottom >= 0 && left <= innerWidth && top <= innerHeight) found.push(el);
    }
  }
  return found;
}
