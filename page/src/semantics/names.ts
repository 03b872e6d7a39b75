// The accessible name of an element, after accname 1.2 and HTML-AAM. Reads attributes, styles and
// generated content; writes nothing. Names are bounded in length, depth and in how many elements
// they look at, because a page may be made to cost.

import { attr, has, localName } from "../dom/dom";
import { bound, denoise, isBlank, tidy } from "../dom/text";
import { comboAround, comboField } from "./combobox";
import type { Look, Name } from "./readCache";
import { roleOf } from "./roles";
import {
  authorName,
  contentText,
  LONGEST_NAME,
  labelledText,
  NEVER_TEXT,
  nativeText,
  trail,
} from "./textAlternative";

/**
 * Roles that take their name from what they contain. Rows and cells do so only where they can be
 * used: see walk.ts.
 */
const FROM_CONTENT = new Set(
  (
    "button checkbox columnheader heading link menuitem menuitemcheckbox menuitemradio " +
    "option radio rowheader switch tab " +
    "tooltip treeitem"
  ).split(" "),
);
/** What is in them is their value, not their name. */
export const FIELDS = new Set([
  "textbox",
  "searchbox",
  "combobox",
  "spinbutton",
  "slider",
  "listbox",
]);

/** Tags that are named by something else than attributes and content. */
const NATIVE = new Set(
  (
    "img area input button select textarea meter progress output fieldset table figure svg " +
    "optgroup option audio video"
  ).split(" "),
);
/** Without an attribute of interest such an element has no name. */
export const nameless = (role: string, tag: string): boolean =>
  !FROM_CONTENT.has(role) && !NATIVE.has(tag) && !tag.includes("-");

/**
 * Items that may hold further items. By attribute: a `details` is a group too, but a part of its
 * item.
 */
const OTHERS: { [role: string]: RegExp } = {
  treeitem: /^(group|tree|treeitem)$/,
  menuitem: /^(menu|menuitem(checkbox|radio)?)$/,
};

/**
 * The name. `anyway`: take it from the content even if the role does not say so (what is usable
 * without a role). `hidden`: the element is hidden itself, so that everything in it counts.
 */
export function nameOf(look: Look, el: Element, anyway = false, hidden = false): Name {
  const memo = anyway ? look.spoken : look.names;
  let name = memo.get(el);
  if (!name) memo.set(el, (name = compute(look, el, anyway, hidden)));
  return name;
}

function compute(look: Look, el: Element, anyway: boolean, hidden: boolean): Name {
  const given = (text: string): Name => ({
    text: bound(tidy(denoise(text)), LONGEST_NAME),
    content: false,
  });
  // The field in it has the name.
  if (comboField(el)) return given("");
  const t = trail(el, hidden, roleOf);
  const labelled = labelledText(look, el, t, 0);
  if (labelled !== "") return given(labelled);
  const label = attr(el, "aria-label");
  if (label !== null && !isBlank(label) && localName(el) !== "slot") return given(label);
  t.seen.add(el);
  const native = nativeText(look, el, t, 0);
  if (native !== null && !isBlank(native)) return given(native);
  const role = roleOf(look, el);
  if ((anyway || FROM_CONTENT.has(role)) && native === null && !NEVER_TEXT.has(localName(el))) {
    t.others = OTHERS[role] ?? null;
    const text = tidy(contentText(look, el, t, 0));
    if (text !== "") return { text: bound(text, LONGEST_NAME), content: true };
  }
  const title = attr(el, "title");
  if (title !== null && !isBlank(title) && (role !== "" || anyway || titled(el)))
    return given(title);
  const combo = comboAround(el);
  const lent = combo ? authorName(look, combo, roleOf) : "";
  if (lent !== "") return given(lent);
  return given(
    attr(el, "placeholder") ?? attr(el, "aria-placeholder") ?? (isPlayer(el) ? localName(el) : ""),
  );
}

/** A player has no role; it is at least to be told from other things that have none. */
const isPlayer = (el: Element): boolean =>
  /^(audio|video)$/.test(localName(el)) && has(el, "controls");

/** Without a role, but what their title says is what they are called. */
function titled(el: Element): boolean {
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

/** What an element says, as one text; for descriptions. */
export const contentOf = (look: Look, el: Element, hidden: boolean): string =>
  tidy(contentText(look, el, { ...trail(el, hidden, roleOf), left: 4000 }, 0));
