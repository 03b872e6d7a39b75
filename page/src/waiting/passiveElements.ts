// Finds out which elements cannot change a document on their own: no scripts, handlers, refresh or
// other documents. A frame is passive if its whole content is in its `srcdoc` and passive, too.

import {
  animationsIn,
  attr,
  attributeNames,
  contentDocument,
  fontsOf,
  hasAttr,
  localName,
  queryAll,
  readyState,
} from "../dom/dom";

/** Elements that run scripts, hold another document, or change on their own. */
const ACTIVE =
  /^(script|frame|frameset|object|embed|portal|fencedframe|applet|marquee|animate|animatemotion|animatetransform|animatecolor|set|discard)$/i;
/** A frame with a longer text is not parsed to look for scripts. */
const MAX_SRCDOC = 50_000;

/** The frames that were judged, and whether they are passive. */
const frames = new WeakMap<Element, boolean>();

export function isPassive(el: Element): boolean {
  const name = localName(el);
  if (ACTIVE.test(name)) return false;
  for (const attribute of attributeNames(el)) if (/^on/i.test(attribute)) return false;
  if (name === "meta") return !/^\s*refresh/i.test(attr(el, "http-equiv") ?? "");
  return name !== "iframe" || isPassiveFrame(el);
}

function isPassiveFrame(frame: Element): boolean {
  let passive = frames.get(frame);
  if (passive === undefined) frames.set(frame, (passive = hasPassiveText(attr(frame, "srcdoc"))));
  return passive && attr(frame, "loading")?.toLowerCase() !== "lazy";
}

/**
 * Returns whether a document with this text would be passive. The text is parsed into a document
 * that runs no script, so that a script that removes itself is seen. Such a document reads the
 * content of `noscript` and of shadow roots in a different way.
 */
function hasPassiveText(srcdoc: string | null): boolean {
  if (srcdoc === null || srcdoc.length > MAX_SRCDOC || /<noscript/i.test(srcdoc)) return false;
  const parsed = new DOMParser().parseFromString(srcdoc, "text/html");
  const all = queryAll(parsed, "*");
  for (let i = 0; i < all.length; i++) {
    const el = all[i] as Element;
    if (!isPassive(el) || hasAttr(el, "shadowrootmode")) return false;
    // It is loaded when it comes into view.
    if (attr(el, "loading")?.toLowerCase() === "lazy") return false;
  }
  return true;
}

/** Returns whether the frames of a document are loaded, and nothing in them moves. */
export function areFramesComplete(root: Document | ShadowRoot): boolean {
  const all = queryAll(root, "iframe");
  for (let i = 0; i < all.length; i++) {
    const inside = contentDocument(all[i] as Element);
    if (!inside || readyState(inside) !== "complete" || fontsOf(inside).status !== "loaded")
      return false;
    if (isMoving(inside) || !areFramesComplete(inside)) return false;
  }
  return true;
}

/** Returns whether an animation runs that will end. */
export const isMoving = (root: Document | ShadowRoot): boolean =>
  animationsIn(root).some(
    (animation) => animation.playState === "running" && Number.isFinite(endOf(animation)),
  );

const endOf = (animation: Animation): number =>
  Number(animation.effect?.getComputedTiming().endTime);
