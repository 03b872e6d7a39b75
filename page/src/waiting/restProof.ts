// Proves that a document is at rest: it never had a script, a handler or a refresh, its frames
// neither, and everything it shows is loaded and drawn. Then nothing in it can change, and no wait
// is needed.

import { fontsOf, readyState, shadowRoots } from "../dom/dom";
import { yieldToPage } from "../dom/timeSlices";
import { pendingInView } from "./images";
import { findLoadingSign } from "./loadingSigns";
import { areFramesComplete, isMoving } from "./passiveElements";
import { giveUp, isPassiveDocument, isPassiveSoFar } from "./passiveWatch";

/** A page that is not drawn this long after it was loaded proves nothing, in milliseconds. */
const PAINT_LIMIT = 1000;

let proof: Promise<boolean> | null = null;

/** Whether all elements are passive and everything is loaded. */
function isComplete(): boolean {
  if (readyState(document) !== "complete" || !isPassiveDocument()) return false;
  if (fontsOf(document).status !== "loaded" || pendingInView().length > 0) return false;
  for (const root of [document, ...shadowRoots(document)])
    if (isMoving(root) || !areFramesComplete(root)) return false;
  return findLoadingSign(null) === null;
}

/**
 * Returns what a document without scripts still loads: it is ready when it is loaded, and nothing in
 * it can say so.
 */
export const loadingPart = (): string | null =>
  isPassiveSoFar() && readyState(document) !== "complete" ? "pictures or fonts" : null;

/** Waits until the page was drawn; false if that takes too long. */
const drawn = (): Promise<boolean> =>
  new Promise((done) => {
    if (document.visibilityState === "hidden") return done(true);
    setTimeout(() => done(false), PAINT_LIMIT);
    // Callbacks run before the frame is drawn, a message that they send arrives after it.
    requestAnimationFrame(() => void yieldToPage().then(() => done(true)));
  });

async function prove(): Promise<boolean> {
  if (!isPassiveSoFar()) return false;
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
