// The accessible name of an element, after accname 1.2 and HTML-AAM. Reads attributes, styles and
// generated content; writes nothing. The length is bounded, because a page may be built to make
// names slow.

import { attr, hasAttr, localName } from "../dom/dom";
import { collapseAndTrim, isBlank, stripNoise, truncate, wordSet } from "../dom/text";
import { comboboxOfField, fieldOfCombobox } from "./combobox";
import type { AccessibleName, ReadCache } from "./readCache";
import { roleOf } from "./roles";
import {
  authorName,
  contentText,
  labelledByText,
  MAX_NAME,
  nameContext,
  nativeText,
  WITHOUT_TEXT,
} from "./textAlternative";

/**
 * Roles that are named by their content. Rows and cells are named so only where they are usable:
 * see shownElement.ts.
 */
const NAMED_BY_CONTENT = wordSet(
  "button checkbox columnheader heading link menuitem menuitemcheckbox menuitemradio " +
    "option radio rowheader switch tab " +
    "tooltip treeitem",
);
/** Roles whose content is a value, not a name. */
export const FIELD_ROLES = wordSet("textbox searchbox combobox spinbutton slider listbox");

/** Tags that are named by something else than attributes and content. */
const NATIVELY_NAMED = wordSet(
  "img area input button select textarea meter progress output fieldset table figure svg " +
    "optgroup option audio video",
);
/** Returns whether an element with this role and tag, and no attribute of interest, has no name. */
export const isNameless = (role: string, tag: string): boolean =>
  !NAMED_BY_CONTENT.has(role) && !NATIVELY_NAMED.has(tag) && !tag.includes("-");

/**
 * Items that may hold further items. By attribute: a `details` is a group too, but a part of its
 * item.
 */
const NESTED_ITEMS: { [role: string]: RegExp } = {
  treeitem: /^(group|tree|treeitem)$/,
  menuitem: /^(menu|menuitem(checkbox|radio)?)$/,
};

/**
 * Returns the accessible name. `anyway`: take it from the content even if the role does not say so
 * (for usable elements without a role). `hidden`: the element itself is hidden, so that everything
 * in it counts.
 */
export function nameOf(
  cache: ReadCache,
  el: Element,
  anyway = false,
  hidden = false,
): AccessibleName {
  const memo = anyway ? cache.namesFromContent : cache.names;
  let name = memo.get(el);
  if (!name) memo.set(el, (name = computeName(cache, el, anyway, hidden)));
  return name;
}

function computeName(
  cache: ReadCache,
  el: Element,
  anyway: boolean,
  hidden: boolean,
): AccessibleName {
  const given = (text: string): AccessibleName => ({
    text: truncate(collapseAndTrim(stripNoise(text)), MAX_NAME),
    fromContent: false,
  });
  // The field in it has the name.
  if (fieldOfCombobox(el)) return given("");
  const context = nameContext(el, hidden, roleOf);
  const labelled = labelledByText(cache, el, context, 0);
  if (labelled !== "") return given(labelled);
  const label = attr(el, "aria-label");
  if (label !== null && !isBlank(label) && localName(el) !== "slot") return given(label);
  context.seen.add(el);
  const native = nativeText(cache, el, context, 0);
  if (native !== null && !isBlank(native)) return given(native);
  const role = roleOf(cache, el);
  if (
    (anyway || NAMED_BY_CONTENT.has(role)) &&
    native === null &&
    !WITHOUT_TEXT.has(localName(el))
  ) {
    context.nestedItems = NESTED_ITEMS[role] ?? null;
    const text = collapseAndTrim(contentText(cache, el, context, 0));
    if (text !== "") return { text: truncate(text, MAX_NAME), fromContent: true };
  }
  const title = attr(el, "title");
  if (title !== null && !isBlank(title) && (role !== "" || anyway || isNamedByTitle(el)))
    return given(title);
  const combo = comboboxOfField(el);
  const lent = combo ? authorName(cache, combo, roleOf) : "";
  if (lent !== "") return given(lent);
  return given(
    attr(el, "placeholder") ?? attr(el, "aria-placeholder") ?? (isPlayer(el) ? localName(el) : ""),
  );
}

/** A player has no role; its tag distinguishes it from other elements without a role. */
const isPlayer = (el: Element): boolean =>
  /^(audio|video)$/.test(localName(el)) && hasAttr(el, "controls");

/** Returns whether an element without a role is named by its title. */
function isNamedByTitle(el: Element): boolean {
  const tag = localName(el);
  return (
    tag === "abbr" ||
    tag === "iframe" ||
    tag === "frame" ||
    tag === "form" ||
    tag === "section" ||
    tag === "aside" ||
    tag === "header" ||
    tag === "footer" ||
    tag === "video" ||
    tag === "audio" ||
    tag === "object" ||
    tag === "embed" ||
    tag === "svg" ||
    (tag === "img" && attr(el, "alt") !== "")
  );
}

/** Returns the content of an element as one text, for descriptions. */
export const contentOf = (cache: ReadCache, el: Element, hidden: boolean): string =>
  collapseAndTrim(
    contentText(cache, el, { ...nameContext(el, hidden, roleOf), charactersLeft: 4000 }, 0),
  );
