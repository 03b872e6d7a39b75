// aria-owns: which elements belong to another element that does not contain them. Computed once per
// capture, when a name first needs it. Reads only.

import { attr, byIdIn, closest, contains, isRendered, nodeType, queryAll } from "../dom/dom";
import type { ReadCache } from "./readCache";

/**
 * Returns the aria-owns relations of the document. Hidden elements do not count, nor do ancestors
 * of the owner.
 */
export function ariaOwns(cache: ReadCache): {
  by: Map<Element, Element>;
  of: Map<Element, Element[]>;
} {
  if (cache.owned) return cache.owned;
  const owned = { by: new Map<Element, Element>(), of: new Map<Element, Element[]>() };
  cache.owned = owned;
  let count = 0;
  for (const owner of queryAll(document, "[aria-owns]")) {
    if (count++ > 1000) break;
    if (!isRendered(owner) || closest(owner, '[aria-hidden="true"]')) continue;
    for (const id of (attr(owner, "aria-owns") ?? "").split(/\s+/)) {
      const child = id ? byIdIn(document, id) : null;
      if (
        !child ||
        nodeType(child) !== 1 ||
        owned.by.has(child) ||
        contains(child, owner) ||
        !isRendered(child)
      )
        continue;
      owned.by.set(child, owner);
      const list = owned.of.get(owner);
      list ? list.push(child) : owned.of.set(owner, [child]);
    }
  }
  return owned;
}
