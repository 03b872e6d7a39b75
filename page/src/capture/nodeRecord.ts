// The record of one node, and how it is read from an element. The walker decides which nodes get a
// record; this file decides what a record says.

import {
  attr,
  attributeNames,
  flatParent,
  hasAttr,
  hasAttributes,
  localName,
  query,
} from "../dom/dom";
import { hasListenerWithin } from "../dom/engineSupplied";
import { truncate, wordSet, words } from "../dom/text";
import { isGutterAttribute, isGutterClass } from "../semantics/gutters";
import { marksDragItem } from "../semantics/interactivity";
import { isSecret, mayRevealSecret, safeAttribute } from "../semantics/secrets";
import { STYLING_ATTRIBUTES } from "../semantics/stylesheetEffects";
import { type Area, EMPTY_AREA, type HiddenReason } from "../visibility/visibility";
import type { InheritedContext } from "./inheritedContext";
import type { Clue } from "./nameClues";

/** The record of one node. All records have the same shape; rare fields are in `rare`. */
export class NodeRecord {
  x = 0;
  y = 0;
  w = 0;
  h = 0;
  flags = 0;
  why: HiddenReason = 0;
  /** The index after its last descendant. */
  end = 0;
  /** The node is not sent; its descendants are. */
  isDropped = false;
  inShadowRoot = false;
  /** Its box is that of its label or of its content, not of the element itself. */
  boxIsBorrowed = false;
  attrs: [string, string][] | null = null;
  rare: RareFields | null = null;
  // For a later walk that reuses the record (see reusePlan.ts):
  /** The context that the element passes down to its content. */
  context: InheritedContext | null = null;
  /** The element that it was found in. */
  foundIn: Element | null = null;
  /** Where it can be seen or scrolled to, and where it is seen now. */
  flow: Area = EMPTY_AREA;
  view: Area = EMPTY_AREA;
  /**
   * The values that it passed on to its parent: the number of usable elements in it (itself included), the
   * last of them, and whether anything shows. Main ones may do the same as an item around them.
   */
  uses = 0;
  mainUses = 0;
  lastUse: NodeRecord | null = null;
  shown = false;
  /** It counted as a usable element of the page, and how many came before it (ten at most). */
  countsAsUse = false;
  usesBefore = 0;
  counts: Counts | null = null;
  /** It may cover something, and whether it is opaque (null until that was read). */
  isLayer = false;
  isOpaque: boolean | null = null;
  /** Its box may move without other effects, as long as it has an extent and can be reached. */
  mayMove = false;
  /** If its box keeps its size, its content keeps its layout. */
  isolatesLayout = false;
  /** Floating boxes outside of it do not push its content aside. */
  keepsFloatsOut = false;
  /** Out of the flow: it may stay while the box around it moves. */
  outOfFlow = false;
  /** It clips or scrolls its content. */
  clipsContent = false;
  /** A light record: hidden with everything in it, its style was not read. */
  isLight = false;
  /** The only usable element in it that was changed by a merge, as it was before. */
  merged: { node: NodeRecord; flags: number; role: string; name: string } | null = null;
  /** The generation of the plan from which it was reused last. */
  generation = 0;
  /** Its index in the last answer; -1 if it was not sent, or in a different form. */
  sentIndex = -1;

  /** `el` is null for a text; its `name` is the text itself. */
  constructor(
    readonly el: Element | null,
    readonly tag: string,
    public role: string,
    public name: string,
  ) {}

  /** Returns the rare fields, for writing. */
  rareFields(): RareFields {
    return (this.rare ??= {
      value: null,
      level: 0,
      scrolls: null,
      options: null,
      frame: false,
      clues: null,
    });
  }
}

/**
 * `display` values of boxes whose content depends on the outside only through the size of the box.
 * The content of table parts and lines of text depends on more.
 */
export const ISOLATING_DISPLAYS = wordSet(
  "block flow-root flex grid list-item table inline-block inline-flex inline-grid " +
    "inline-table",
);

/** Those of them whose content floating boxes outside cannot push aside. */
export const FLOAT_FREE_DISPLAYS = wordSet(
  "flow-root flex grid inline-block inline-flex inline-grid",
);

/** Counts of descendants without a record. */
export interface Counts {
  elements: number;
  withheld: number;
  hidden: number[] | null;
  roots: ShadowRoot[] | null;
}

export interface RareFields {
  value: string | null;
  level: number;
  scrolls: [number, number, number, number] | null;
  options: string[] | null;
  frame: boolean;
  /** The clues to the name of an element without one. */
  clues: Clue[] | null;
}

/** Test ids by their usual names. */
export const TEST_IDS = words(
  "data-testid data-test-id data-test data-cy data-qa data-pw data-automation-id",
);
const SENT_ATTRIBUTES = new Set([
  ...TEST_IDS,
  ...words("id name href type placeholder title alt src data-empty data-price"),
]);
/** The limits of a field, sent for fields. */
const LIMITS = wordSet("min max pattern maxlength");
const LIMITED = /^(input|textarea)$/;
/** The value of `itemprop` that marks a price. */
const PRICE = /price$/i;
/**
 * Class names are sent where they may say more than role and state: errors, loading, empty states,
 * layers; and those of lists, tables and forms.
 */
const TELLING_CLASS =
  /error|alert|danger|invalid|load|spin|skeleton|shimmer|empty|no-?(results?|data|items)|modal|toast|notif|snackbar/i;
const CLASS_TAGS = /^(ul|ol|dl|table|form)$/;
/** Attributes that do not affect role, name or state. */
const PLAIN_ATTRIBUTES = wordSet(
  "class style id lang dir width height src srcset sizes loading target rel itemprop " +
    "itemtype itemscope",
);

/** The meaning of an element's attributes for its record. */
export interface Attributes {
  /** None of them can matter to role, name or state. */
  plain: boolean;
  /** One of them styles it. */
  styled: boolean;
  /** One of them makes it the gutter of a code editor. */
  gutter: boolean;
  /** Those to send. */
  pairs: [string, string][] | null;
}
const NO_ATTRIBUTES: Attributes = { plain: true, styled: false, gutter: false, pairs: null };

export function attributesOf(el: Element, full: boolean): Attributes {
  if (!hasAttributes(el)) return NO_ATTRIBUTES;
  const names = attributeNames(el);
  let plain = true;
  let styled = false;
  let gutter = false;
  let pairs: [string, string][] | null = null;
  let secret: boolean | null = null;
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    if (plain && name.startsWith("data-r")) plain = !marksDragItem(name, "");
    if (plain && !PLAIN_ATTRIBUTES.has(name) && !name.startsWith("data-") && !name.startsWith("_"))
      plain = false;
    if (!styled && STYLING_ATTRIBUTES.has(name)) styled = true;
    if (isGutterAttribute(el, name)) gutter = true;
    const isLimit = LIMITS.has(name) && LIMITED.test(localName(el));
    if (!full && !isLimit && !SENT_ATTRIBUTES.has(name) && name !== "class" && name !== "itemprop")
      continue;
    const given = attr(el, name) ?? "";
    if (!full && name === "itemprop" && !PRICE.test(given)) continue;
    if (name === "class" && isGutterClass(given)) gutter = true;
    if (plain && name === "class") plain = !marksDragItem(name, given);
    if (!full && name === "class" && !TELLING_CLASS.test(given) && !CLASS_TAGS.test(localName(el)))
      continue;
    const text =
      full || mayRevealSecret(name)
        ? safeAttribute(el, name, given, (secret ??= isSecret(el)))
        : given;
    pairs ??= [];
    pairs.push([
      name,
      truncate(text, DATA.test(text) ? 64 : name === "class" || name === "style" ? 500 : 2000),
    ]);
  }
  return { plain, styled, gutter, pairs };
}
const DATA = /^data:/i;

export function levelOf(el: Element, tag: string, role: string): number {
  if (role !== "heading" && role !== "treeitem") return 0;
  const given = Number.parseInt(attr(el, "aria-level") ?? "", 10);
  if (given > 0) return given;
  if (role === "heading") return /^h[1-6]$/.test(tag) ? Number(tag[1]) : 2;
  let level = 1;
  for (let at = flatParent(el); at && attr(at, "role") !== "tree"; at = flatParent(at))
    if (attr(at, "role") === "treeitem") level++;
  return level;
}

/** Returns whether an image failed to load, or is not loaded yet. */
export function imageFault(el: Element): "broken" | "pending" | "" {
  if ((attr(el, "src") ?? "") === "" && !hasAttr(el, "srcset")) return "";
  const { complete, naturalWidth, naturalHeight } = el as HTMLImageElement;
  return complete === false
    ? "pending"
    : complete === true && naturalWidth === 0 && naturalHeight === 0
      ? "broken"
      : "";
}

/** Returns whether something in an SVG element can be used or read; otherwise it is one image. */
export const hasContentInSvg = (el: Element): boolean =>
  hasListenerWithin(el) ||
  query(el, "a,[tabindex],[onclick]") !== null ||
  (!hasAttr(el, "aria-hidden") && query(el, "[role],text,foreignObject") !== null);
