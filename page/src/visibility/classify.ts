// Role, name and use of one element outside of a walk: for actions, descriptions and points. It
// must agree with the walk, so it applies the same rules; what the walk learns from neighbours
// (cursor, usable contents) is looked up here.

import { attr, flatParent, localName, query } from "../dom/dom";
import { idOf } from "../dom/identity";
import { isEditingHost } from "../semantics/elementTraits";
import {
  delegatesCursor,
  hiddenControlOf,
  isItemOfListener,
  isTentative,
  markupUse,
  Use,
} from "../semantics/interactivity";
import { FIELD_ROLES, nameOf } from "../semantics/names";
import { ReadCache } from "../semantics/readCache";
import { roleOf } from "../semantics/roles";
import { hiddenReason } from "./visibility";

/** Elements that are certainly usable, as a selector. */
export const USABLE =
  'a[href],area[href],button,input:not([type="hidden" i]),select,textarea,summary,' +
  '[role="button"],[role="link"],[role="checkbox"],[role="radio"],' +
  '[role="switch"],[role="tab"],[role="menuitem"],[role="menuitemcheckbox"],' +
  '[role="menuitemradio"],[role="option"],[role="combobox"],[role="textbox"],' +
  '[role="searchbox"],[role="slider"],[role="spinbutton"],[role="treeitem"],' +
  '[contenteditable=""],[contenteditable="true" i],[contenteditable="plaintext-only" i]';

export interface Classification {
  role: string;
  name: string;
  /**
   * Its name if its use were judged differently: neighbours may have changed that, not the element
   * itself.
   */
  otherName: string;
  fromContent: boolean;
  usable: boolean;
}

export function classify(cache: ReadCache, el: Element): Classification {
  const tag = localName(el);
  const role = roleOf(cache, el);
  const hiddenControl = tag === "label" ? hiddenControlOf(el) : null;
  if (hiddenControl) {
    const name = nameOf(cache, el, true);
    return {
      role: roleOf(cache, hiddenControl) || "clickable",
      name: name.text,
      otherName: nameOf(cache, el).text,
      fromContent: name.fromContent,
      usable: true,
    };
  }
  let use = markupUse(el, tag, role);
  // Role and name do not depend on this use.
  if (use === Use.Focusable) use = Use.No;
  if (use === Use.No && isItemOfListener(el, role) && !isInPointer(cache, el)) use = Use.ByListener;
  if (use === Use.No && startsPointerCursor(cache, el, tag, role)) use = Use.Likely;
  if (isTentative(use) && query(el, USABLE)) use = Use.No;
  const usable = use !== Use.No;
  const anyway = usable && !FIELD_ROLES.has(role);
  const hidden = hiddenReason(cache, el) !== 0;
  const name = nameOf(cache, el, anyway, hidden);
  const otherName = nameOf(cache, el, !anyway, hidden).text;
  return {
    role: role || (usable ? "clickable" : ""),
    name: name.text,
    otherName,
    fromContent: name.fromContent,
    usable,
  };
}

function isInPointer(cache: ReadCache, el: Element): boolean {
  const parent = flatParent(el);
  return parent !== null && cache.style(parent).cursor === "pointer";
}

/** Returns whether the pointer cursor begins at this element, and not in something usable. */
function startsPointerCursor(cache: ReadCache, el: Element, tag: string, role: string): boolean {
  if (delegatesCursor(role, tag) || cache.style(el).cursor !== "pointer") return false;
  if (tag === "label" && (el as HTMLLabelElement).control) return false;
  const parent = flatParent(el);
  if (!parent) return true;
  return (
    cache.style(parent).cursor !== "pointer" ||
    delegatesCursor(roleOf(cache, parent), localName(parent))
  );
}

/** Returns the element that a person would name as a cover, for an answer. */
export function coverWords(el: Element): object {
  const worth = nameableAncestor(new ReadCache(), el);
  return { cover: idOf(worth.el), coverRole: worth.role, coverName: worth.name };
}

/**
 * Returns the nearest element, from here up, that a person would name: a dialog, a control,
 * anything with a role and a name.
 */
export function nameableAncestor(
  cache: ReadCache,
  el: Element,
): { el: Element; role: string; name: string } {
  let best: { el: Element; role: string; name: string } | null = null;
  for (let at: Element | null = el; at; at = flatParent(at)) {
    const role = roleOf(cache, at);
    const dialog = role === "dialog" || role === "alertdialog" || attr(at, "aria-modal") === "true";
    if (
      dialog ||
      isEditingHost(at) ||
      /^(button|link|menu|listbox|tooltip|alert|status|banner|image|navigation|complementary|contentinfo|region)$/.test(
        role,
      )
    ) {
      const name = nameOf(cache, at).text;
      if (dialog) return { el: at, role: role || "dialog", name };
      if (!best && (name !== "" || role !== "image")) best = { el: at, role, name };
    }
  }
  if (best) return best;
  // Nothing has a role: its content is its name.
  return { el, role: "", name: nameOf(cache, el, true).text };
}
