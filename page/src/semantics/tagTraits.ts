// Facts that follow from the tag alone, looked up once per tag instead of in a dozen lists per
// element. Does not touch the page.

import { HTML_ONLY, namespaceOf, rawLocalName, XHTML } from "../dom/dom";
import { wordSet, words } from "../dom/text";
import { isControl } from "./interactivity";
import { isNameless } from "./names";
import { LIVE_ROLES, roleByTag } from "./roles";
import { hasStates } from "./stateFlags";
import { StyleEffect, tagEffects } from "./stylesheetEffects";

export const FRAMES = new Set(["iframe", "frame", "object", "embed"]);
/** Tags that are drawn as a whole, or not as text: their content is not walked. */
export const LEAVES = new Set([
  ...FRAMES,
  ...words("select textarea input canvas video audio img meter progress math br hr"),
]);
/** Tags that are never drawn. They do not count as hidden either. */
export const NEVER_DRAWN = wordSet(
  "base col colgroup datalist head link map-data meta noscript param script source style " +
    "template title track wbr",
);

export interface TagTraits {
  /** As `localName` of dom.ts gives it. */
  tag: string;
  neverDrawn: boolean;
  leaf: boolean;
  frame: boolean;
  /** It may be usable without attributes. */
  isControl: boolean;
  /** It has states without any attribute. */
  hasStates: boolean;
  /** The role it has without any attribute, wherever it is; null if that depends on the context. */
  role: string | null;
  /** Without attributes, and with that role, it has no name. */
  nameless: boolean;
  /**
   * Without attributes there is nothing special about it: no name, no state, no use, nothing that
   * keeps its texts.
   */
  featureless: boolean;
  /** The effects that the browser's own sheet has on it: see stylesheetEffects.ts. */
  effects: number;
}

const known = new Map<string, TagTraits>();

function traitsFor(tag: string, html: boolean): TagTraits {
  const role = roleByTag(tag);
  const own = html ? tagEffects(tag) : StyleEffect.Any;
  const quiet =
    own === 0 &&
    isNameless(role ?? "", tag) &&
    !/^(th|h[1-6])$/.test(tag) &&
    !LIVE_ROLES.has(role ?? "") &&
    !hasStates(tag) &&
    !isControl(tag);
  return {
    tag,
    neverDrawn: NEVER_DRAWN.has(tag),
    leaf: LEAVES.has(tag),
    frame: FRAMES.has(tag),
    isControl: isControl(tag),
    hasStates: hasStates(tag),
    role,
    nameless: isNameless(role ?? "", tag),
    featureless: quiet,
    effects: own,
  };
}

/**
 * Returns the traits of an element's tag. XML elements are distinguished from HTML elements of the
 * same name.
 */
export function tagTraits(el: Element): TagTraits {
  const name = rawLocalName(el);
  const html = namespaceOf(el) === XHTML;
  const key = html ? name : `\n${name}`;
  let traits = known.get(key);
  if (!traits) {
    traits = traitsFor(!html && HTML_ONLY.has(name) ? `xml:${name}` : name, html);
    // A page may invent any number of tags.
    if (known.size < 1000) known.set(key, traits);
  }
  return traits;
}
