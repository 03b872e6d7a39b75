// aria-owns: which elements are spoken as part of another that does not contain them. Made once a
// look, when a name first asks. Reads only.

import { attr, byIdIn, closest, contains, nodeType, queryAll, rendered } from "../dom/dom";
import type { Look } from "./readCache";

/**
 * aria-owns of the document: not from or to what is hidden from all, nor to what is around the
 * owner.
 */
export function ownedIn(look: Look): { by: Map<Element, Element>; of: Map<Element, Element[]> } {
  if (look.owned) return look.owned;
  const owned = { by: new Map<Element, Element>(), of: new Map<Element, Element[]>() };
  look.owned = owned;
  let count = 0;
  for (const owner of queryAll(document, "[aria-owns]")) {
    if (count++ > 1000) break;
    if (!rendered(owner) || closest(owner, '[aria-hidden="true"]')) continue;
    for (const id of (attr(owner, "aria-owns") ?? "").split(/\s+/)) {
      const child = id ? byIdIn(document, id) : null;
      if (
        !child ||
        nodeType(child) !== 1 ||
        owned.by.has(child) ||
        contains(child, owner) ||
        !rendered(child)
      )
        continue;
      owned.by.set(child, owner);
      const list = owned.of.get(owner);
      list ? list.push(child) : owned.of.set(owner, [child]);
    }
  }
  return owned;
}
