// What a tag alone tells, looked up once for each tag instead of asked of a dozen lists for each
// element. Touches no page.

import { HTML_ONLY, namespace, rawName, XHTML } from "../dom/dom";
import { isControl } from "./interactivity";
import { nameless } from "./names";
import { LIVE, simpleRole } from "./roles";
import { hasStates } from "./stateFlags";
import { May, ownOf } from "./stylesheetEffects";

export const FRAMES = new Set(["iframe", "frame", "object", "embed"]);
/** Drawn as one thing, or not as text: what is inside is not walked. */
export const LEAVES = new Set([
  ...FRAMES,
  "select",
  "textarea",
  "input",
  "canvas",
  "video",
  "audio",
  "img",
  "meter",
  "progress",
  "math",
  "br",
  "hr",
]);
/** Never drawn: not even counted as hidden. */
export const NEVER = new Set(
  (
    "base col colgroup datalist head link map-data meta noscript param script source style " +
    "template title track wbr"
  ).split(" "),
);

export interface Kind {
  /** As `localName` of dom.ts gives it. */
  tag: string;
  never: boolean;
  leaf: boolean;
  frame: boolean;
  /** Usable, it may be, without any attribute. */
  control: boolean;
  /** Has states without any attribute. */
  states: boolean;
  /** The role it has without any attribute, wherever it stands; null: that depends. */
  role: string | null;
  /** Without an attribute, and with that role, it has no name. */
  nameless: boolean;
  /**
   * Without an attribute there is nothing about it: no name, no state, no use, nothing that keeps
   * its texts.
   */
  quiet: boolean;
  /** What is read of its style whatever the page's sheets do: see sheets.ts. */
  own: number;
}

const known = new Map<string, Kind>();

function make(tag: string, html: boolean): Kind {
  const role = simpleRole(tag);
  const own = html ? ownOf(tag) : May.Any;
  const quiet =
    own === 0 &&
    nameless(role ?? "", tag) &&
    !/^(th|h[1-6])$/.test(tag) &&
    !LIVE.has(role ?? "") &&
    !hasStates(tag) &&
    !isControl(tag);
  return {
    tag,
    never: NEVER.has(tag),
    leaf: LEAVES.has(tag),
    frame: FRAMES.has(tag),
    control: isControl(tag),
    states: hasStates(tag),
    role,
    nameless: nameless(role ?? "", tag),
    quiet,
    own,
  };
}

/** XML elements are told apart from HTML ones of the same name. */
export function kindOf(el: Element): Kind {
  const name = rawName(el);
  const html = namespace(el) === XHTML;
  const key = html ? name : `\n${name}`;
  let kind = known.get(key);
  if (!kind) {
    kind = make(!html && HTML_ONLY.has(name) ? `xml:${name}` : name, html);
    // A page may invent any number of tags.
    if (known.size < 1000) known.set(key, kind);
  }
  return kind;
}
