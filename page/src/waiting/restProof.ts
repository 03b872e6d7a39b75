// Proves that a document is at rest: it never had a script, a handler or a refresh, its frames
// neither, and everything it shows is loaded and drawn. Then nothing in it can change, and no wait
// is needed. Elements are checked as the parser adds them, because a script may remove itself. The
// check ends with the first element that makes a proof impossible.

import {
  firstChild,
  fontsOf,
  isConnected,
  isElement,
  queryAll,
  readyState,
  rootElement,
  shadowRoot,
  shadowRoots,
} from "../dom/dom";
import { yieldToPage } from "../dom/timeSlices";
import { pendingInView } from "./images";
import { findLoadingSign } from "./loadingSigns";
import { areFramesComplete, isMoving, isPassive } from "./passiveElements";

/** A page that is not drawn this long after it was loaded proves nothing, in milliseconds. */
const PAINT_LIMIT = 1000;

/** Whether everything that was added to the document so far is passive. */
let passive = false;
let observer: MutationObserver | null = null;
/** The shadow roots whose content is checked as it is added. */
let watched = new WeakSet<ShadowRoot>();
/** The elements that were checked when they were added. */
let met = new WeakSet<Element>();
let proof: Promise<boolean> | null = null;

function giveUp(): void {
  passive = false;
  observer?.disconnect();
  observer = null;
  watched = new WeakSet();
  met = new WeakSet();
}

/** Whether an element and the open shadow root that the parser gave it are passive. */
function areNewPassive(el: Element): boolean {
  if (!isPassive(el)) return false;
  const shadow = shadowRoot(el);
  const isNew = !met.has(el);
  met.add(el);
  if (!shadow || watched.has(shadow)) return true;
  // The parser moved a host that got its shadow root after it was checked.
  if (!isNew) return false;
  // Records are handed over before a script of the parser runs. So no script of this shadow root
  // has run if its host is new: nothing was removed from it.
  watched.add(shadow);
  observer?.observe(shadow, { childList: true, subtree: true });
  const inside = queryAll(shadow, "*");
  for (let i = 0; i < inside.length; i++) if (!areNewPassive(inside[i] as Element)) return false;
  return true;
}

function check(records: MutationRecord[]): void {
  for (const { addedNodes, removedNodes } of records) {
    // The parser moves nodes, but only a script takes them away: it may be in what it removes.
    for (let i = 0; i < removedNodes.length; i++)
      if (!isConnected(removedNodes[i] as Node)) return giveUp();
    for (let i = 0; i < addedNodes.length; i++) {
      const node = addedNodes[i] as Node;
      if (isElement(node) && !areNewPassive(node)) return giveUp();
    }
  }
}

/** Whether all elements that are there now are passive: the parser also moves whole subtrees. */
function areAllPassive(): boolean {
  const all = queryAll(document, "*");
  for (let i = 0; i < all.length; i++) if (!isPassive(all[i] as Element)) return false;
  // A shadow root that came later than its host was not checked from its start. Closed ones cannot
  // be seen here; the engine looks for them before it accepts the proof.
  for (const shadow of shadowRoots(document)) {
    if (!watched.has(shadow)) return false;
    const inside = queryAll(shadow, "*");
    for (let i = 0; i < inside.length; i++) if (!isPassive(inside[i] as Element)) return false;
  }
  return true;
}

/** Begins to check the elements of a new document. One that already has content is not checked. */
export function watchFromStart(): void {
  const root = rootElement();
  if (readyState(document) !== "loading" || (root && firstChild(root))) return;
  // The page that opened this window may change it, and a service worker may lead it elsewhere.
  if (window.opener !== null || navigator.serviceWorker?.controller) return;
  passive = true;
  observer = new MutationObserver(check);
  observer.observe(document, { childList: true, subtree: true });
  if (root && !isPassive(root)) giveUp();
}

/** Whether all elements are passive and everything is loaded. */
function isComplete(): boolean {
  if (observer) check(observer.takeRecords());
  if (!passive || readyState(document) !== "complete") return false;
  if (!areAllPassive()) return false;
  if (fontsOf(document).status !== "loaded" || pendingInView().length > 0) return false;
  for (const root of [document, ...shadowRoots(document)])
    if (isMoving(root) || !areFramesComplete(root)) return false;
  return findLoadingSign() === null;
}

/**
 * Returns what a document without scripts still loads: it is ready when it is loaded, and nothing in
 * it can say so.
 */
export const loadingPart = (): string | null =>
  passive && readyState(document) !== "complete" ? "pictures or fonts" : null;

/** Waits until the page was drawn; false if that takes too long. */
const drawn = (): Promise<boolean> =>
  new Promise((done) => {
    if (document.visibilityState === "hidden") return done(true);
    setTimeout(() => done(false), PAINT_LIMIT);
    // Callbacks run before the frame is drawn, a message that they send arrives after it.
    requestAnimationFrame(() => void yieldToPage().then(() => done(true)));
  });

async function prove(): Promise<boolean> {
  if (!passive) return false;
  if (readyState(document) !== "complete")
    await new Promise((done) => addEventListener("load", done, { once: true }));
  await fontsOf(document).ready;
  const shown = await drawn();
  const proven = shown && isComplete();
  giveUp();
  return proven;
}

/** Resolves to true when the document is proven to be at rest, else to false. */
export const restProof = (): Promise<boolean> => (proof ??= prove().catch(() => false));
