// Element identity from one capture to the next: a number for each element of this document. Kept
// in this world only, so that nothing is written into the page. Numbers are never reused. Holds
// elements weakly.

import { isConnected, ownerDocument } from "./dom";
import { handOver } from "./handover";

const ids = new WeakMap<Element, number>();
const elements: (WeakRef<Element> | null)[] = [null];

/**
 * Made once for each document: a world that outlives its page (bfcache) keeps it, a new document
 * gets a new one.
 */
export let documentToken: string = Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) =>
  n.toString(36),
).join("");

const MOST_HANDED_OVER = 50_000;

export function idOf(el: Element): number {
  let id = ids.get(el);
  if (id === undefined) {
    id = elements.length;
    ids.set(el, id);
    elements.push(new WeakRef(el));
  }
  return id;
}

/** Returns the highest id so far: an element with a higher id is newer, or was never seen. */
export const newestId = (): number => elements.length - 1;

/** Returns the element with this id, if it is still in this document. */
export function elementOf(id: number): Element | null {
  const el = elements[id]?.deref();
  return el && isConnected(el) && ownerDocument(el) === document ? el : null;
}

handOver(
  "ids",
  (el, fact) => {
    if (!el) {
      const [token, count] = fact.split(" ");
      documentToken = token as string;
      while (elements.length < Number(count)) elements.push(null);
    } else if (!ids.has(el)) {
      ids.set(el, Number(fact));
      elements[Number(fact)] = new WeakRef(el);
    }
  },
  (report) => {
    report(null, `${documentToken} ${elements.length}`);
    for (let id = 1; id < Math.min(elements.length, MOST_HANDED_OVER); id++) {
      const el = elementOf(id);
      if (el) report(el, String(id));
    }
  },
);
