// Element identity from one capture to the next: a number for each element of this document. Kept
// in this world only, so that nothing is written into the page. Numbers are never reused. Holds
// elements weakly.
// kept in this world only, so that nothing is written into the page. Numbers are never used twice.
// Holds elements weakly.

import { isConnected, isElement, nodeType, ownerDocument, rootOf } from "./dom";

const ids = new WeakMap<Element, number>();
const elements: (WeakRef<Element> | null)[] = [null];

/**
 * Made once for each document: a world that outlives its page (bfcache) keeps it, a new document
 * gets a new one.
 */
export let documentToken: string = Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) =>
  n.toString(36),
).join("");

declare global {
  /**
   * A word that only worlds of the same browser know; there where a page may come back without its
   * world.
   */
  var pagesightWord: string | undefined;
}
/** From a closed root an event tells its host instead of what is in it. */
function isReported(el: Element): boolean {
  for (let root = rootOf(el); nodeType(root) === 11; root = rootOf((root as ShadowRoot).host))
    if ((root as ShadowRoot).mode === "closed") return false;
  return true;
}
const MOST_HANDED_OVER = 50_000;

/**
 * In Firefox a page that comes out of the back/forward cache has lost its world, though what
 * listens in it lives on. So the new one asks, with events that have a name nobody else knows, and
 * the old one answers which element is which.
 */
function inheritIds(word: string): void {
  const named = (event: Event): void => {
    const id = Number((event as CustomEvent<unknown>).detail);
    const el = event.composedPath()[0] as Node;
    if (isElement(el) && id > 0 && !ids.has(el)) {
      ids.set(el, id);
      elements[id] = new WeakRef(el);
    }
  };
  const told = (event: Event): void => {
    const [token, count] = String((event as CustomEvent<unknown>).detail).split(" ");
    documentToken = token as string;
    while (elements.length < Number(count)) elements.push(null);
  };
  addEventListener(`${word}-all`, told, true);
  addEventListener(`${word}-one`, named, true);
  dispatchEvent(new CustomEvent(word));
  removeEventListener(`${word}-all`, told, true);
  removeEventListener(`${word}-one`, named, true);
  addEventListener(word, () => {
    dispatchEvent(
      new CustomEvent(`${word}-all`, { detail: `${documentToken} ${elements.length}` }),
    );
    for (let id = 1; id < Math.min(elements.length, MOST_HANDED_OVER); id++) {
      const el = elementOf(id);
      if (el && isReported(el))
        el.dispatchEvent(new CustomEvent(`${word}-one`, { detail: id, composed: true }));
    }
  });
}

export function idOf(el: Element): number {
  let id = ids.get(el);
  if (id === undefined) {
    id = elements.length;
    ids.set(el, id);
    elements.push(new WeakRef(el));
  }
  return id;
}

/**
 * The highest number given out so far: whatever has a higher one later is newer than this moment,
 * or was never met.
 */
export const newestId = (): number => elements.length - 1;

/** The element, if it still stands in this document. */
export function elementOf(id: number): Element | null {
  const el = elements[id]?.deref();
  return el && isConnected(el) && ownerDocument(el) === document ? el : null;
}

if (globalThis.pagesightWord) inheritIds(globalThis.pagesightWord);
