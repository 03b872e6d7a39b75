// The text alternative computation of accname 1.2 and HTML-AAM: the text that an element, or what
// labels it, contributes to a name. Reads attributes, styles and generated content; writes nothing.
// Bounded in length, depth and number of elements, because a page may be built to make it slow.

import {
  attr,
  byIdIn,
  closest,
  firstElementChild,
  flatChildren,
  flatParent,
  hasAttr,
  isElement,
  isRendered,
  isText,
  labelledByElements,
  localName,
  namespaceOf,
  nextElementSibling,
  query,
  queryAll,
  rootOf,
  textContent,
} from "../dom/dom";
import {
  applyTextTransform,
  collapse,
  collapseAndTrim,
  isBlank,
  stripNoise,
  wordSet,
} from "../dom/text";
import { ariaOwns } from "./ariaOwns";
import { isSummary } from "./elementTraits";
import { isRangeRole, rangeText, selectedText } from "./fieldValue";
import { generatedText } from "./generatedContent";
import { labelsOf } from "./labels";
import type { ReadCache } from "./readCache";
import { isSecret } from "./secrets";

const SVG = "http://www.w3.org/2000/svg";
export const MAX_NAME = 1000;
const MAX_DEPTH = 200;
/** The number of ids or elements that are followed for one name. */
const MAX_LABELS = 100;

export const WITHOUT_TEXT = wordSet(
  "audio canvas datalist embed head iframe frame math noscript object script source style " +
    "template textarea title track video",
);
const BLOCKS = wordSet(
  "address article aside blockquote br caption center dd details dialog dir div dl dt " +
    "fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 " +
    "header hgroup hr li main menu nav ol option p pre search section summary table tbody td " +
    "tfoot th thead tr ul",
);

/** Finds the role of an element. */
export type RoleOf = (cache: ReadCache, el: Element) => string;

/** The state of one computation of a name. */
export interface NameContext {
  /** Finds roles. A parameter, because roles depend on author names and import this file. */
  roleOf: RoleOf;
  root: Element;
  seen: Set<Element>;
  /** Inside a hidden element that was referred to: everything counts. */
  hidden: boolean;
  /** Inside a label already: aria-labelledby is not followed a second time. */
  insideLabel: boolean;
  /** The roles of nested items, which are separate items and not part of this one's name. */
  nestedItems: RegExp | null;
  charactersLeft: number;
}

export const nameContext = (root: Element, hidden: boolean, roleOf: RoleOf): NameContext => ({
  roleOf,
  root,
  seen: new Set(),
  hidden,
  insideLabel: false,
  nestedItems: null,
  charactersLeft: MAX_NAME * 2,
});

/** Returns the name that attributes give; roles depend on whether there is one. */
export function authorName(
  cache: ReadCache,
  el: Element,
  roleOf: RoleOf,
  withTitle = true,
): string {
  if (
    !hasAttr(el, "aria-label") &&
    !hasAttr(el, "aria-labelledby") &&
    !(withTitle && hasAttr(el, "title"))
  )
    return "";
  const labelled = collapseAndTrim(labelledByText(cache, el, nameContext(el, false, roleOf), 0));
  if (labelled !== "") return labelled;
  return (
    collapseAndTrim(attr(el, "aria-label") ?? "") ||
    (withTitle ? collapseAndTrim(attr(el, "title") ?? "") : "")
  );
}

export function labelledByText(
  cache: ReadCache,
  el: Element,
  context: NameContext,
  depth: number,
): string {
  const given = attr(el, "aria-labelledby");
  if (given === null || context.insideLabel) return "";
  let refs: Element[] = [];
  if (isBlank(given)) {
    // Set from script, by element.
    refs = (labelledByElements(el) ?? []).slice(0, MAX_LABELS);
  } else {
    const root = rootOf(el);
    for (const id of given.split(/[ \t\n\r\f]+/, MAX_LABELS)) {
      const ref = id ? byIdIn(root, id) : null;
      if (ref) refs.push(ref);
    }
  }
  const parts: string[] = [];
  for (const ref of refs) {
    cache.addDependency(context.root, ref);
    if (refs.length === 1) cache.addLabel(ref, el, context.root);
    const hidden = context.hidden || isHidden(cache, ref);
    const part = collapseAndTrim(
      elementText(cache, ref, { ...context, hidden, insideLabel: true }, depth + 1),
    );
    if (part !== "") parts.push(part);
  }
  return parts.join(" ");
}

/**
 * Returns whether an element is not drawn or is hidden from assistive technology, itself or by an
 * ancestor.
 */
function isHidden(cache: ReadCache, el: Element): boolean {
  if (closest(el, '[aria-hidden="true"]')) return true;
  if (!cache.styleEntry(el).visible) return true;
  for (let at: Element | null = el; at; at = flatParent(at)) {
    if (isRendered(at)) return false;
    if (cache.styleEntry(at).display !== "contents") return true;
  }
  return true;
}

/**
 * Step 2 for a descendant: its part of the name, with a space at either end where it stands apart.
 */
function elementText(cache: ReadCache, el: Element, context: NameContext, depth: number): string {
  if (
    context.seen.has(el) ||
    depth > MAX_DEPTH ||
    context.charactersLeft <= 0 ||
    cache.nameSteps-- <= 0
  )
    return "";
  const tag = localName(el);
  // Chromium separates words at `wbr` too.
  if (tag === "br" || tag === "hr" || tag === "wbr") return " ";
  if (context.nestedItems?.test(attr(el, "role") ?? "")) return " ";
  const direct = context.insideLabel && depth === 1;
  if (!context.hidden && !direct) {
    if (cache.styleEntry(el).display === "none" || attr(el, "aria-hidden") === "true") return "";
  }
  const text = ownText(cache, el, tag, context, depth);
  // Pictures and blocks are separated from the text next to them.
  const apart =
    tag === "img" || tag === "svg"
      ? text !== ""
      : context.hidden
        ? BLOCKS.has(tag)
        : !/^(inline|contents|ruby|none)$/.test(cache.styleEntry(el).display);
  return apart ? ` ${text} ` : text;
}

function ownText(
  cache: ReadCache,
  el: Element,
  tag: string,
  context: NameContext,
  depth: number,
): string {
  const labelled = labelledByText(cache, el, context, depth);
  context.seen.add(el);
  if (labelled !== "") return labelled;
  const role = context.roleOf(cache, el);
  if (el !== context.root) {
    const value = embeddedValue(cache, el, role, context, depth);
    if (value !== null) return value;
  }
  const label = attr(el, "aria-label");
  if (label !== null && !isBlank(label) && tag !== "slot") return label;
  if (attr(el, "role") !== "none" && attr(el, "role") !== "presentation") {
    const native = nativeText(cache, el, context, depth);
    if (native !== null && (native !== "" || tag === "img")) return native || titleOf(el, role);
  }
  if (WITHOUT_TEXT.has(tag) || tag === "select" || tag === "input") return titleOf(el, role);
  const text = contentText(cache, el, context, depth);
  return isBlank(text) ? text + titleOf(el, "anything") : text;
}

const titleOf = (el: Element, role: string): string =>
  role === "" ? "" : (attr(el, "title") ?? "");

/** 2C: a control inside of a label counts with its value. Returns null for other elements. */
function embeddedValue(
  cache: ReadCache,
  el: Element,
  role: string,
  context: NameContext,
  depth: number,
): string | null {
  if (
    role === "textbox" ||
    role === "searchbox" ||
    role === "combobox" ||
    role === "listbox" ||
    isRangeRole(role)
  ) {
    if (isSecret(el)) return "";
    const tag = localName(el);
    if (tag === "select") return selectedText(el as HTMLSelectElement);
    if (isRangeRole(role)) return rangeText(el, role);
    if (tag === "input" || tag === "textarea") return (el as HTMLInputElement).value;
    if (role === "listbox") {
      const parts: string[] = [];
      for (const option of queryAll(el, '[role="option"][aria-selected="true"]'))
        parts.push(collapseAndTrim(contentText(cache, option, context, depth + 1)));
      return parts.join(" ");
    }
    return contentText(cache, el, context, depth);
  }
  return null;
}

/** Returns the name that HTML or SVG gives; null if they define none for this element. */
export function nativeText(
  cache: ReadCache,
  el: Element,
  context: NameContext,
  depth: number,
): string | null {
  const tag = localName(el);
  switch (tag) {
    case "img":
    case "area":
      return attr(el, "alt");
    case "input": {
      const input = el as HTMLInputElement;
      const labels = labelText(cache, el, context, depth);
      if (labels) return labels;
      switch (input.type) {
        case "submit":
          return input.value || attr(el, "title") || "Submit";
        case "reset":
          return input.value || attr(el, "title") || "Reset";
        case "button":
          return input.value;
        case "file":
          return input.multiple ? "Choose Files" : "Choose File";
        case "image":
          return attr(el, "alt") || attr(el, "title") || input.value || "Submit";
        default:
          return "";
      }
    }
    case "button": {
      const labels = labelText(cache, el, context, depth);
      return labels || null;
    }
    case "select":
    case "textarea":
    case "meter":
    case "progress":
    case "output":
      return labelText(cache, el, context, depth);
    case "fieldset":
      return childText(cache, el, "legend", context, depth);
    case "table":
      return childText(cache, el, "caption", context, depth);
    case "figure":
      return childText(cache, el, "figcaption", context, depth);
    case "svg":
      return (
        childText(cache, el, "title", context, depth) ??
        (hasAttr(el, "role") ? "" : symbolTitle(cache, el, context.root))
      );
    case "optgroup":
      return attr(el, "label");
    case "option":
      return attr(el, "label") || collapseAndTrim(textContent(el) ?? "");
    default:
      if (namespaceOf(el) === SVG) return childText(cache, el, "title", context, depth);
      // Form-associated custom elements have labels too.
      return tag.includes("-") ? labelText(cache, el, context, depth) || null : null;
  }
}

function labelText(cache: ReadCache, el: Element, context: NameContext, depth: number): string {
  const labels = labelsOf(cache, el);
  if (labels.length === 0 || depth > 3) return "";
  const parts: string[] = [];
  for (let i = 0; i < labels.length && i < 20; i++) {
    const label = labels[i] as HTMLLabelElement;
    // A label of its own parts is complete; one that also holds other controls is more than a
    // label.
    cache.addDependency(context.root, label);
    cache.addLabel(label, el, context.root);
    const part = collapseAndTrim(
      elementText(
        cache,
        label,
        { ...context, hidden: context.hidden || isHidden(cache, label), insideLabel: true },
        1,
      ),
    );
    if (part !== "") parts.push(part);
  }
  return parts.join(" ");
}

/** Returns the text of the first child with that tag; the child then names its parent. */
function childText(
  cache: ReadCache,
  el: Element,
  tag: string,
  context: NameContext,
  depth: number,
): string | null {
  for (let child = firstElementChild(el); child; child = nextElementSibling(child)) {
    if (localName(child) !== tag) continue;
    if (tag === "title") return textContent(child);
    cache.addLabel(child, el, context.root, true);
    const text = collapseAndTrim(elementText(cache, child, context, depth + 1));
    return text === "" ? null : text;
  }
  return null;
}

/** Returns the title of the symbol that an icon is drawn from. */
function symbolTitle(cache: ReadCache, svg: Element, asked: Element): string {
  const use = query(svg, "use");
  const href = use && (attr(use, "href") ?? attr(use, "xlink:href"));
  const symbol = href?.startsWith("#") ? byIdIn(rootOf(svg), href.slice(1)) : null;
  if (symbol) cache.addDependency(asked, symbol);
  const title = symbol && query(symbol, ":scope > title");
  return title ? (textContent(title) ?? "") : "";
}

/**
 * 2F: generated content before, children in the order they are drawn, owned elements, generated
 * content after.
 */
export function contentText(
  cache: ReadCache,
  el: Element,
  context: NameContext,
  depth: number,
): string {
  const flow = context.hidden ? null : cache.styleEntry(el);
  const shown = !flow || flow.visible;
  const details = localName(el) === "details" && !hasAttr(el, "open");
  const owned = ariaOwns(cache);
  let text = shown && !context.hidden ? generatedText(cache, el, "::before") : "";
  for (const child of flatChildren(el)) {
    if (context.charactersLeft <= 0) break;
    if (isText(child)) {
      if (!shown || details) continue;
      const data = collapse(stripNoise(child.data));
      const part = flow && data !== " " ? applyTextTransform(data, flow.transform) : data;
      text += part;
      context.charactersLeft -= part.length;
    } else if (isElement(child)) {
      if (details && !isSummary(child)) continue;
      if (owned.by.size > 0 && owned.by.has(child) && owned.by.get(child) !== el) continue;
      if (owned.of.get(el)?.includes(child)) continue;
      text += elementText(cache, child, context, depth + 1);
    }
  }
  for (const child of owned.of.get(el) ?? []) {
    cache.addDependency(context.root, child);
    text += ` ${elementText(cache, child, context, depth + 1)}`;
  }
  if (shown && !context.hidden) text += generatedText(cache, el, "::after");
  return text;
}
