// Watches a new document for anything that could change it later: scripts, handlers, other
// documents. Elements are checked as the parser adds them, because a script may remove itself. The
// check ends with the first element that is not passive.

import {
  firstChild,
  isConnected,
  isElement,
  queryAll,
  readyState,
  rootElement,
  shadowRoot,
  shadowRoots,
} from "../dom/dom";
import { startState } from "../dom/startState";
import { isPassive } from "./passiveElements";

const state = startState("passive", () => ({
  begun: false,
  /** Whether everything that was added to the document so far is passive. */
  passive: false,
  observer: null as MutationObserver | null,
  /** The shadow roots whose content is checked as it is added. */
  watched: new WeakSet<ShadowRoot>(),
  /** The elements that were checked when they were added. */
  met: new WeakSet<Element>(),
}));

/** Ends the watch. */
export function giveUp(): void {
  state.passive = false;
  state.observer?.disconnect();
  state.observer = null;
  state.watched = new WeakSet();
  state.met = new WeakSet();
}

/** Whether an element and the open shadow root that the parser gave it are passive. */
function areNewPassive(el: Element): boolean {
  if (!isPassive(el)) return false;
  const shadow = shadowRoot(el);
  const isNew = !state.met.has(el);
  state.met.add(el);
  if (!shadow || state.watched.has(shadow)) return true;
  // The parser moved a host that got its shadow root after it was checked.
  if (!isNew) return false;
  // Records are handed over before a script of the parser runs. So no script of this shadow root
  // has run if its host is new: nothing was removed from it.
  state.watched.add(shadow);
  state.observer?.observe(shadow, { childList: true, subtree: true });
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

/** Whether a service worker may control this document. */
function mayHaveServiceWorker(): boolean {
  try {
    return Boolean(navigator.serviceWorker?.controller);
  } catch {
    // Chromium does not let a sandboxed document ask.
    return true;
  }
}

/** Begins to check the elements of a new document. One that already has content is not checked. */
export function watchFromStart(): void {
  if (state.begun) return;
  state.begun = true;
  const root = rootElement();
  if (readyState(document) !== "loading" || (root && firstChild(root))) return;
  // The page that opened this window may change it, and a service worker may lead it elsewhere.
  if (window.opener !== null || mayHaveServiceWorker()) return;
  state.passive = true;
  state.observer = new MutationObserver(check);
  state.observer.observe(document, { childList: true, subtree: true });
  if (root && !isPassive(root)) giveUp();
}

/** Whether nothing was found so far. */
export const isPassiveSoFar = (): boolean => state.passive;

/** Whether all elements are passive, those that are there now and those that were. */
export function isPassiveDocument(): boolean {
  if (state.observer) check(state.observer.takeRecords());
  if (!state.passive) return false;
  // The parser also moves whole subtrees.
  const all = queryAll(document, "*");
  for (let i = 0; i < all.length; i++) if (!isPassive(all[i] as Element)) return false;
  // A shadow root that came later than its host was not checked from its start. Closed ones cannot
  // be seen here; the engine looks for them before it accepts the proof.
  for (const shadow of shadowRoots(document)) {
    if (!state.watched.has(shadow)) return false;
    const inside = queryAll(shadow, "*");
    for (let i = 0; i < inside.length; i++) if (!isPassive(inside[i] as Element)) return false;
  }
  return true;
}
