// Which element is which, from one look to the next: a number for each element of this document, kept in this world only, so that nothing
// is written into the page. Numbers are never used twice. Holds elements weakly.

import { connected, ownerDocument } from "./dom";

const ids = new WeakMap<Element, number>();
const refs: (WeakRef<Element> | null)[] = [null];

/** Made once for each document: a world that outlives its page (bfcache) keeps it, a new document gets a new one. */
export const documentToken: string = Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) => n.toString(36)).join("");

export function idOf(el: Element): number {
  let id = ids.get(el);
  if (id === undefined) {
    id = refs.length;
    ids.set(el, id);
    refs.push(new WeakRef(el));
  }
  return id;
}

/** The highest number given out so far: whatever has a higher one later is newer than this moment, or was never met. */
export const newestId = (): number => refs.length - 1;

/** The element, if it still stands in this document. */
export function elementOf(id: number): Element | null {
  const el = refs[id]?.deref();
  return el && connected(el) && ownerDocument(el) === document ? el : null;
}
