// Role, name and use of one element, outside a walk: for actions, descriptions and points. It must
// say what the walk says, so it asks the same questions; only what the walk learns from neighbours
// (cursor, usable contents) is looked up here.

import { attr, flatParent, localName, query } from "../dom/dom";
import { isEditingHost } from "../semantics/elementTraits";
import { handsDown, isSoft, markupUse, proxied, Use } from "../semantics/interactivity";
import { FIELDS, nameOf } from "../semantics/names";
import type { Look } from "../semantics/readCache";
import { roleOf } from "../semantics/roles";
import { whyHidden } from "./visibility";

/** What is usable for certain, as a selector. */
export const FIRM =
  'a[href],area[href],button,input:not([type="hidden" i]),select,textarea,summary,' +
  '[role="button"],[role="link"],[role="checkbox"],[role="radio"],' +
  '[role="switch"],[role="tab"],[role="menuitem"],[role="menuitemcheckbox"],' +
  '[role="menuitemradio"],[role="option"],[role="combobox"],[role="textbox"],' +
  '[role="searchbox"],[role="slider"],[role="spinbutton"],[role="treeitem"],' +
  '[contenteditable=""],[contenteditable="true" i],[contenteditable="plaintext-only" i]';

export interface Judged {
  role: string;
  name: string;
  /**
   * What it would be called if it were judged otherwise as to its use: neighbours may have changed
   * that, not the element itself.
   */
  otherwise: string;
  fromContent: boolean;
  usable: boolean;
}

export function judge(look: Look, el: Element): Judged {
  const tag = localName(el);
  const role = roleOf(look, el);
  const stands = tag === "label" ? proxied(el) : null;
  if (stands) {
    const name = nameOf(look, el, true);
    return {
      role: roleOf(look, stands) || "clickable",
      name: name.text,
      otherwise: nameOf(look, el).text,
      fromContent: name.content,
      usable: true,
    };
  }
  let use = markupUse(el, tag, role);
  // Role and name are the same whether it is used or not.
  if (use === Use.Quiet) use = Use.No;
  if (use === Use.No && startsPointer(look, el, tag, role)) use = Use.Soft;
  if (isSoft(use) && query(el, FIRM)) use = Use.No;
  const usable = use !== Use.No;
  const anyway = usable && !FIELDS.has(role);
  const hidden = whyHidden(look, el) !== 0;
  const name = nameOf(look, el, anyway, hidden);
  const otherwise = nameOf(look, el, !anyway, hidden).text;
  return {
    role: role || (usable ? "clickable" : ""),
    name: name.text,
    otherwise,
    fromContent: name.content,
    usable,
  };
}

/** The hand-shaped cursor begins here, and not in something usable. */
function startsPointer(look: Look, el: Element, tag: string, role: string): boolean {
  if (handsDown(role, tag) || look.style(el).cursor !== "pointer") return false;
  if (tag === "label" && (el as HTMLLabelElement).control) return false;
  const parent = flatParent(el);
  if (!parent) return true;
  return (
    look.style(parent).cursor !== "pointer" || handsDown(roleOf(look, parent), localName(parent))
  );
}

/**
 * The nearest thing, from here up, that a person would name: a dialog, a control, anything with a
 * role and a name.
 */
export function worthNaming(look: Look, el: Element): { el: Element; role: string; name: string } {
  let best: { el: Element; role: string; name: string } | null = null;
  for (let at: Element | null = el; at; at = flatParent(at)) {
    const role = roleOf(look, at);
    const dialog = role === "dialog" || role === "alertdialog" || attr(at, "aria-modal") === "true";
    if (
      dialog ||
      isEditingHost(at) ||
      /^(button|link|menu|listbox|tooltip|alert|status|banner|image|navigation|complementary|contentinfo|region)$/.test(
        role,
      )
    ) {
      const name = nameOf(look, at).text;
      if (dialog) return { el: at, role: role || "dialog", name };
      if (!best && (name !== "" || role !== "image")) best = { el: at, role, name };
    }
  }
  if (best) return best;
  // Nothing has a role: name it by what it says.
  return { el, role: "", name: nameOf(look, el, true).text };
}
