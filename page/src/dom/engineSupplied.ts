// Facts that this world cannot see and the engine supplies: closed shadow roots, and elements with
// listeners added by script. Also counts the known nodes, so that the engine can find out whether a
// root is missing. Writes nothing into the page.

import {
  addClosedRoot,
  closedRootCount,
  enclosingSvg,
  firstElementChild,
  hostOf,
  isElement,
  nextElementSibling,
  queryAll,
  rawLocalName,
  rootElement,
  shadowRoot,
  shadowRoots,
  textContent,
} from "./dom";
import { knowsListeners, listenerTest } from "./listenerMarks";
import { SLICE_MS, yieldToPage } from "./timeSlices";

/** Elements with a listener for presses or clicks, by the engine's number of the node. */
const listenersByNumber = new Map<number, WeakRef<Element>>();
const withListener = new WeakSet<Element>();
let anyListener = false;
/** SVG elements that contain such an element. */
const svgsWithListener = new WeakSet<Element>();
let version = 0;
/** The elements of the last versions; null stands for a shadow root. */
const suppliedElements: (WeakRef<Element> | null)[][] = [];
const MAX_VERSIONS = 20;

/** Returns a number that grows whenever the engine supplies something. */
export const suppliedVersion = (): number => version;

function noteSupplied(elements: (WeakRef<Element> | null)[]): void {
  version++;
  suppliedElements.push(elements);
  if (suppliedElements.length > MAX_VERSIONS) suppliedElements.shift();
}

/** Returns the elements that were supplied since a version; null if that is not known. */
export function suppliedSince(old: number): Element[] | null {
  if (version - old > suppliedElements.length) return null;
  const elements: Element[] = [];
  for (const refs of suppliedElements.slice(suppliedElements.length - (version - old))) {
    for (const ref of refs) {
      if (!ref) return null;
      const el = ref.deref();
      if (el) elements.push(el);
    }
  }
  return elements;
}

/** Returns whether a script is known to listen for presses or clicks on any element. */
export const hasAnyListener = (): boolean => anyListener;

/** Returns whether a script is known to listen for presses or clicks on an element. */
export const hasListener = (el: Element): boolean => anyListener && withListener.has(el);

/** Returns whether a script listens inside of an SVG element. */
export const hasListenerWithin = (svg: Element): boolean => svgsWithListener.has(svg);

/** Adds closed shadow roots. */
export function learnRoots(...roots: Node[]): string {
  let entered = 0;
  for (const root of roots) {
    if (!hostOf(root)) continue;
    addClosedRoot(root as ShadowRoot);
    entered++;
  }
  noteSupplied([null]);
  return JSON.stringify({ entered });
}

/** Notes a listener. Returns false if it was known. */
function noteListener(el: Element): boolean {
  let news = !withListener.has(el);
  anyListener = true;
  withListener.add(el);
  for (let svg = enclosingSvg(el); svg; svg = enclosingSvg(svg)) {
    news ||= !svgsWithListener.has(svg);
    svgsWithListener.add(svg);
  }
  return news;
}

/** Adds elements with listeners: first their numbers, then the elements in the same order. */
export function learnListeners(numbers: number[], ...elements: Node[]): string {
  const refs: WeakRef<Element>[] = [];
  elements.forEach((el, i) => {
    if (!isElement(el)) return;
    const ref = new WeakRef(el);
    refs.push(ref);
    listenersByNumber.set(numbers[i] as number, ref);
    noteListener(el);
  });
  noteSupplied(refs);
  return JSON.stringify({ listening: listenersByNumber.size });
}

/** Removes elements that no longer have listeners. */
export function forgetListeners(numbers: number[]): object {
  const refs: WeakRef<Element>[] = [];
  for (const number of numbers) {
    const ref = listenersByNumber.get(number);
    const el = ref?.deref();
    listenersByNumber.delete(number);
    if (ref) refs.push(ref);
    if (el) withListener.delete(el);
  }
  noteSupplied(refs);
  return { listening: listenersByNumber.size };
}

/**
 * Returns the number of known elements, and of other nodes that contain "</". A search for that
 * string by the engine finds both, closed shadow roots included: if it finds more, there is an
 * unknown root.
 */
export function countNodes(): object {
  let elements = 0;
  let others = 0;
  for (const root of [document, ...shadowRoots(document)]) {
    elements += queryAll(root, "*").length;
    // Hardly any text contains it; one check of all texts is cheaper than one check per text.
    const silent = !(
      textContent(root === document ? (rootElement() ?? root) : root) ?? ""
    ).includes("</");
    const walker = document.createTreeWalker(
      root,
      silent
        ? NodeFilter.SHOW_COMMENT
        : NodeFilter.SHOW_TEXT | NodeFilter.SHOW_COMMENT | NodeFilter.SHOW_CDATA_SECTION,
    );
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if ((node as CharacterData).data.includes("</")) others++;
  }
  return { elements, others, closed: closedRootCount() };
}

/**
 * Elements that were checked for a closed root. They may get one later, so some are checked again.
 */
const askedHosts = new WeakSet<Element>();
/** Elements that may have a shadow root, apart from custom ones. */
const HOST_TAGS =
  "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(
    " ",
  );
const EMPTY_HOSTS = HOST_TAGS.map((tag) => `${tag}:empty`).join(",");
const CUSTOM = ".//*[contains(local-name(), '-')]";
const MOST_HOSTS = 2000;
const MOST_AGAIN = 200;

/**
 * Returns elements that may have an unknown closed root, for an engine that can check only single
 * elements: custom elements and empty ones.
 */
export function possibleHosts(): Element[] {
  const found: Element[] = [];
  let again = 0;
  const consider = (el: Element): void => {
    if (
      found.length >= MOST_HOSTS ||
      shadowRoot(el) ||
      (askedHosts.has(el) && again++ >= MOST_AGAIN)
    )
      return;
    askedHosts.add(el);
    found.push(el);
  };
  const customs = document.evaluate(CUSTOM, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
  for (let i = 0; i < customs.snapshotLength; i++) consider(customs.snapshotItem(i) as Element);
  // XPath does not look into roots.
  for (const root of shadowRoots(document))
    for (const el of queryAll(root, "*")) if (rawLocalName(el).includes("-")) consider(el);
  for (const root of [document, ...shadowRoots(document)])
    for (const el of queryAll(root, EMPTY_HOSTS)) consider(el);
  return found;
}

/**
 * Returns all elements of the document and its known shadow roots that may have a shadow root, for
 * an engine that can check only single elements; none if there are too many to check.
 */
export function everyHost(): Element[] | null {
  const found = [...queryAll(document, HOST_TAGS.join(","))];
  const customs = document.evaluate(CUSTOM, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
  if (found.length + customs.snapshotLength > MOST_HOSTS) return null;
  for (let i = 0; i < customs.snapshotLength; i++) found.push(customs.snapshotItem(i) as Element);
  // XPath does not look into roots.
  for (const root of shadowRoots(document))
    for (const el of queryAll(root, "*")) {
      const tag = rawLocalName(el);
      if (!tag.includes("-") && !HOST_TAGS.includes(tag)) continue;
      if (found.push(el) > MOST_HOSTS) return null;
    }
  return found;
}

/** The number of elements that are searched for marks of listeners per call. */
const MOST_MARKED = 20_000;
let markedUpTo = 0;
let pendingMarks: Promise<boolean> | null = null;

/** The answer of a search for listeners. */
interface ListenerSearch {
  /** Whether any element has got or lost its listeners. */
  changed: boolean;
  /** Whether all listeners are known, and not only those that leave marks. */
  all: boolean;
}

/** Adds the listeners that can be found here. Concurrent calls share one search. */
export async function learnMarks(): Promise<string> {
  const hears = listenerTest();
  const all = knowsListeners();
  if (!hears) return JSON.stringify({ changed: false, all } satisfies ListenerSearch);
  pendingMarks ??= findNewMarks(hears)
    .then((changed) => {
      if (changed.length > 0) noteSupplied(changed);
      return changed.length > 0;
    })
    .finally(() => {
      pendingMarks = null;
    });
  return JSON.stringify({ changed: await pendingMarks, all } satisfies ListenerSearch);
}

async function findNewMarks(hears: (el: Element) => boolean): Promise<WeakRef<Element>[]> {
  const all: Element[] = [];
  for (const root of [document, ...shadowRoots(document)])
    for (const el of queryAll(root, "*")) all.push(el);
  const from = markedUpTo < all.length ? markedUpTo : 0;
  const to = Math.min(from + MOST_MARKED, all.length);
  markedUpTo = to < all.length ? to : 0;
  const changed: WeakRef<Element>[] = [];
  let until = performance.now() + SLICE_MS;
  for (let i = from; i < to; i++) {
    if (i % 32 === 0 && performance.now() > until) {
      await yieldToPage();
      until = performance.now() + SLICE_MS;
    }
    const el = all[i] as Element;
    if (hears(el) ? noteListener(el) : withListener.delete(el)) changed.push(new WeakRef(el));
  }
  return changed;
}

/**
 * Returns the elements to describe in pieces of bounded size: whole subtrees, and elements that
 * were divided.
 */
export function describePieces(most: number): { whole: Element[]; divided: Element[] } {
  const whole: Element[] = [];
  const divided: Element[] = [];
  const stack: Element[] = [];
  const root = rootElement();
  if (root) stack.push(root);
  for (let el = stack.pop(); el; el = stack.pop()) {
    if (queryAll(el, "*").length <= most || divided.length >= 200) {
      whole.push(el);
      continue;
    }
    divided.push(el);
    // The content of an open root is described with its host's root, not in pieces.
    if (!shadowRoot(el))
      for (let child = firstElementChild(el); child; child = nextElementSibling(child))
        stack.push(child);
    else whole.push(el);
  }
  return { whole, divided };
}
