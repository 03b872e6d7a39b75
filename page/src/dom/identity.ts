// Element identity from one capture to the next: a number for each element of this document. Kept
// in this world only, so that nothing is written into the page. Numbers are never reused. Holds
// elements weakly.

import { dispatch, hostOf, isConnected, isElement, nodeType, ownerDocument, rootOf } from "./dom";
import { traits } from "./engineTraits";

const ids = new WeakMap<Element, number>();
const elements: (WeakRef<Element> | null)[] = [null];

/**
 * Made once for each document: a world that outlives its page (bfcache) keeps it, a new document
 * gets a new one.
 */
export let documentToken: string = Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) =>
  n.toString(36),
).join("");

/** Returns whether events report an element. From a closed root they report its host instead. */
function isReported(el: Element): boolean {
  for (let root = rootOf(el); nodeType(root) === 11; root = rootOf(hostOf(root) ?? root))
    if (!hostOf(root) || (root as ShadowRoot).mode === "closed") return false;
  return true;
}
const MOST_HANDED_OVER = 50_000;

/**
 * In Firefox a page that comes back from the back/forward cache has lost its world, but listeners
 * of the old world still run. The new world asks with an event of a secret name, and the old one
 * answers with the id of each element.
 */
function inheritIds(word: string): void {
  const onOne = (event: Event): void => {
    const id = Number((event as CustomEvent<unknown>).detail);
    const el = event.composedPath()[0] as Node;
    if (isElement(el) && id > 0 && !ids.has(el)) {
      ids.set(el, id);
      elements[id] = new WeakRef(el);
    }
  };
  const onAll = (event: Event): void => {
    const [token, count] = String((event as CustomEvent<unknown>).detail).split(" ");
    documentToken = token as string;
    while (elements.length < Number(count)) elements.push(null);
  };
  addEventListener(`${word}-all`, onAll, true);
  addEventListener(`${word}-one`, onOne, true);
  dispatchEvent(new CustomEvent(word));
  removeEventListener(`${word}-all`, onAll, true);
  removeEventListener(`${word}-one`, onOne, true);
  addEventListener(word, () => {
    dispatchEvent(
      new CustomEvent(`${word}-all`, { detail: `${documentToken} ${elements.length}` }),
    );
    for (let id = 1; id < Math.min(elements.length, MOST_HANDED_OVER); id++) {
      const el = elementOf(id);
      if (el && isReported(el))
        dispatch(el, new CustomEvent(`${word}-one`, { detail: id, composed: true }));
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

/** Returns the highest id so far: an element with a higher id is newer, or was never seen. */
export const newestId = (): number => elements.length - 1;

/** Returns the element with this id, if it is still in this document. */
export function elementOf(id: number): Element | null {
  const el = elements[id]?.deref();
  return el && isConnected(el) && ownerDocument(el) === document ? el : null;
}

if (traits.idHandover) inheritIds(traits.idHandover);
