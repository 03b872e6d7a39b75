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
  has,
  isElement,
  isText,
  localName,
  namespace,
  nextElementSibling,
  query,
  queryAll,
  rendered,
  rootOf,
  textContent,
} from "../dom/dom";
import { collapse, denoise, isBlank, tidy, transformed } from "../dom/text";
import { ownedIn } from "./ariaOwns";
import { isSummary } from "./elementTraits";
import { isRangeRole, rangeText, selectedText } from "./fieldValue";
import { generatedText } from "./generatedContent";
import { labelsOf } from "./labels";
import type { Look } from "./readCache";
import { isSecret } from "./secrets";

const SVG = "http://www.w3.org/2000/svg";
export const LONGEST_NAME = 1000;
const DEEPEST = 200;

export const NEVER_TEXT = new Set(
  (
    "audio canvas datalist embed head iframe frame math noscript object script source style " +
    "template textarea title track video"
  ).split(" "),
);
const BLOCKS = new Set(
  (
    "address article aside blockquote br caption center dd details dialog dir div dl dt " +
    "fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 " +
    "header hgroup hr li main menu nav ol option p pre search section summary table tbody td " +
    "tfoot th thead tr ul"
  ).split(" "),
);

/** Finds the role of an element. */
export type RoleOf = (look: Look, el: Element) => string;

/** One computation: what it has used already, and what it may look at. */
export interface Trail {
  /** How roles are found. Given, because roles depend on author names and would import this file. */
  roleOf: RoleOf;
  root: Element;
  seen: Set<Element>;
  /** Inside something hidden that was referred to: everything counts. */
  hidden: boolean;
  /** Inside a label already: aria-labelledby is not followed a second time. */
  labelled: boolean;
  /** What is in them are further items, not a part of this one: roles. */
  others: RegExp | null;
  left: number;
}

export const trail = (root: Element, hidden: boolean, roleOf: RoleOf): Trail => ({
  roleOf,
  root,
  seen: new Set(),
  hidden,
  labelled: false,
  others: null,
  left: LONGEST_NAME * 2,
});

/** The name that its author gave it by attributes; roles depend on whether there is one. */
export function authorName(look: Look, el: Element, roleOf: RoleOf, withTitle = true): string {
  if (!has(el, "aria-label") && !has(el, "aria-labelledby") && !(withTitle && has(el, "title")))
    return "";
  const labelled = tidy(labelledText(look, el, trail(el, false, roleOf), 0));
  if (labelled !== "") return labelled;
  return tidy(attr(el, "aria-label") ?? "") || (withTitle ? tidy(attr(el, "title") ?? "") : "");
}

export function labelledText(look: Look, el: Element, t: Trail, depth: number): string {
  const given = attr(el, "aria-labelledby");
  if (given === null || t.labelled) return "";
  let refs: Element[] = [];
  if (isBlank(given)) {
    // Set from script, by element.
    const reflected = (el as Element & { ariaLabelledByElements?: readonly Element[] | null })
      .ariaLabelledByElements;
    if (reflected) refs = [...reflected];
  } else {
    const root = rootOf(el);
    for (const id of given.split(/[ \t\n\r\f]+/)) {
      const ref = id ? byIdIn(root, id) : null;
      if (ref) refs.push(ref);
    }
  }
  const parts: string[] = [];
  for (const ref of refs) {
    look.rely(t.root, ref);
    if (refs.length === 1) look.label(ref, el, t.root);
    const hidden = t.hidden || isHidden(look, ref);
    const part = tidy(textOf(look, ref, { ...t, hidden, labelled: true }, depth + 1));
    if (part !== "") parts.push(part);
  }
  return parts.join(" ");
}

/** Not drawn, or hidden from assistive technology, itself or with something above it. */
function isHidden(look: Look, el: Element): boolean {
  if (closest(el, '[aria-hidden="true"]')) return true;
  if (!look.see(el).visible) return true;
  for (let at: Element | null = el; at; at = flatParent(at)) {
    if (rendered(at)) return false;
    if (look.see(at).display !== "contents") return true;
  }
  return true;
}

/**
 * Step 2 for an element met on the way: its part of another's name, with a space at either end
 * where it stands apart.
 */
function textOf(look: Look, el: Element, t: Trail, depth: number): string {
  if (t.seen.has(el) || depth > DEEPEST || t.left <= 0 || look.steps-- <= 0) return "";
  const tag = localName(el);
  // Chromium parts words at `wbr` too.
  if (tag === "br" || tag === "hr" || tag === "wbr") return " ";
  if (t.others?.test(attr(el, "role") ?? "")) return " ";
  const direct = t.labelled && depth === 1;
  if (!t.hidden && !direct) {
    if (look.see(el).display === "none" || attr(el, "aria-hidden") === "true") return "";
  }
  const text = partOf(look, el, tag, t, depth);
  // Pictures stand apart from the text next to them, blocks too.
  const apart =
    tag === "img" || tag === "svg"
      ? text !== ""
      : t.hidden
        ? BLOCKS.has(tag)
        : !/^(inline|contents|ruby|none)$/.test(look.see(el).display);
  return apart ? ` ${text} ` : text;
}

function partOf(look: Look, el: Element, tag: string, t: Trail, depth: number): string {
  const labelled = labelledText(look, el, t, depth);
  t.seen.add(el);
  if (labelled !== "") return labelled;
  const role = t.roleOf(look, el);
  if (el !== t.root) {
    const value = embeddedValue(look, el, role, t, depth);
    if (value !== null) return value;
  }
  const label = attr(el, "aria-label");
  if (label !== null && !isBlank(label) && tag !== "slot") return label;
  if (attr(el, "role") !== "none" && attr(el, "role") !== "presentation") {
    const native = nativeText(look, el, t, depth);
    if (native !== null && (native !== "" || tag === "img")) return native || titleOf(el, role);
  }
  if (NEVER_TEXT.has(tag) || tag === "select" || tag === "input") return titleOf(el, role);
  const text = contentText(look, el, t, depth);
  return isBlank(text) ? text + titleOf(el, "anything") : text;
}

const titleOf = (el: Element, role: string): string =>
  role === "" ? "" : (attr(el, "title") ?? "");

/** 2C: a control inside another's label counts with its value. Null: it is no such control. */
function embeddedValue(
  look: Look,
  el: Element,
  role: string,
  t: Trail,
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
        parts.push(tidy(contentText(look, option, t, depth + 1)));
      return parts.join(" ");
    }
    return contentText(look, el, t, depth);
  }
  return null;
}

/** What the host language names it by. Null: nothing of the kind exists for this element. */
export function nativeText(look: Look, el: Element, t: Trail, depth: number): string | null {
  const tag = localName(el);
  switch (tag) {
    case "img":
    case "area":
      return attr(el, "alt");
    case "input": {
      const input = el as HTMLInputElement;
      const labels = labelText(look, el, t, depth);
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
      const labels = labelText(look, el, t, depth);
      return labels || null;
    }
    case "select":
    case "textarea":
    case "meter":
    case "progress":
    case "output":
      return labelText(look, el, t, depth);
    case "fieldset":
      return childText(look, el, "legend", t, depth);
    case "table":
      return childText(look, el, "caption", t, depth);
    case "figure":
      return childText(look, el, "figcaption", t, depth);
    case "svg":
      return (
        childText(look, el, "title", t, depth) ??
        (has(el, "role") ? "" : symbolTitle(look, el, t.root))
      );
    case "optgroup":
      return attr(el, "label");
    case "option":
      return attr(el, "label") || tidy(textContent(el) ?? "");
    default:
      if (namespace(el) === SVG) return childText(look, el, "title", t, depth);
      // Form-associated custom elements have labels too.
      return tag.includes("-") ? labelText(look, el, t, depth) || null : null;
  }
}

function labelText(look: Look, el: Element, t: Trail, depth: number): string {
  const labels = labelsOf(look, el);
  if (labels.length === 0 || depth > 3) return "";
  const parts: string[] = [];
  for (let i = 0; i < labels.length && i < 20; i++) {
    const label = labels[i] as HTMLLabelElement;
    // A label of its own parts is complete; one that also holds other controls is more than a
    // label.
    look.rely(t.root, label);
    look.label(label, el, t.root);
    const part = tidy(
      textOf(look, label, { ...t, hidden: t.hidden || isHidden(look, label), labelled: true }, 1),
    );
    if (part !== "") parts.push(part);
  }
  return parts.join(" ");
}

/** The text of the first child with that tag; the child then names its parent. */
function childText(look: Look, el: Element, tag: string, t: Trail, depth: number): string | null {
  for (let child = firstElementChild(el); child; child = nextElementSibling(child)) {
    if (localName(child) !== tag) continue;
    if (tag === "title") return textContent(child);
    look.label(child, el, t.root, true);
    const text = tidy(textOf(look, child, t, depth + 1));
    return text === "" ? null : text;
  }
  return null;
}

/**
 * An icon that is drawn from a sheet of symbols has its title there; one that is declared a picture
 * is one whole without it.
 */
function symbolTitle(look: Look, svg: Element, asked: Element): string {
  const use = query(svg, "use");
  const href = use && (attr(use, "href") ?? attr(use, "xlink:href"));
  const symbol = href?.startsWith("#") ? byIdIn(rootOf(svg), href.slice(1)) : null;
  if (symbol) look.rely(asked, symbol);
  const title = symbol && query(symbol, ":scope > title");
  return title ? (textContent(title) ?? "") : "";
}

/**
 * 2F: generated content before, children in the order they are drawn, what it owns, generated
 * content after.
 */
export function contentText(look: Look, el: Element, t: Trail, depth: number): string {
  const flow = t.hidden ? null : look.see(el);
  const shown = !flow || flow.visible;
  const details = localName(el) === "details" && !has(el, "open");
  const owned = ownedIn(look);
  let text = shown && !t.hidden ? generatedText(look, el, "::before") : "";
  for (const child of flatChildren(el)) {
    if (t.left <= 0) break;
    if (isText(child)) {
      if (!shown || details) continue;
      const data = collapse(denoise(child.data));
      const part = flow && data !== " " ? transformed(data, flow.transform) : data;
      text += part;
      t.left -= part.length;
    } else if (isElement(child)) {
      if (details && !isSummary(child)) continue;
      if (owned.by.size > 0 && owned.by.has(child) && owned.by.get(child) !== el) continue;
      if (owned.of.get(el)?.includes(child)) continue;
      text += textOf(look, child, t, depth + 1);
    }
  }
  for (const child of owned.of.get(el) ?? []) {
    look.rely(t.root, child);
    text += ` ${textOf(look, child, t, depth + 1)}`;
  }
  if (shown && !t.hidden) text += generatedText(look, el, "::after");
  return text;
}
