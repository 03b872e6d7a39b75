// Describes one element in full, and counts how many elements its selectors match in the live page.
// Only reads the page.

import { levelOf, TEST_IDS } from "../capture/nodeRecord";
import {
  activeElement,
  attr,
  attributeNames,
  firstElementChild,
  flatParent,
  hostOf,
  isElement,
  localName,
  namespaceOf,
  nextElementSibling,
  nodeType,
  parentNode,
  previousElementSibling,
  queryAll,
  rectOf,
  rootElement,
  rootOf,
  shadowRoot,
} from "../dom/dom";
import { elementOf } from "../dom/identity";
import { listenersOn } from "../dom/listenerMarks";
import { truncate, words } from "../dom/text";
import { valueOfField } from "../semantics/fieldValue";
import { hiddenControlOf } from "../semantics/interactivity";
import { contentOf } from "../semantics/names";
import { ReadCache } from "../semantics/readCache";
import { secretAttributeIn } from "../semantics/secretSelectors";
import { isSecret, safeAttribute } from "../semantics/secrets";
import { Flag, statesOf, WHY_SHIFT } from "../semantics/stateFlags";
import { classify } from "../visibility/classify";
import { coverOutOfView, permanentCover } from "../visibility/cover";
import { clickBoxes } from "../visibility/hitTest";
import { isInert } from "../visibility/inert";
import { areaOf, hiddenReason, isOutside, viewport } from "../visibility/visibility";

const MAX_PATH = 200;
const MAX_ATTRIBUTES = 200;
const MAX_ATTRIBUTE = 5000;
/** Longer names are of no use in a selector. */
const MAX_NAME = 300;
const STABLE_ATTRIBUTES = words("aria-label role type href alt title placeholder for value");

export function describe(id: number): object {
  const el = elementOf(id);
  if (!el) return { error: "gone", message: "the element is no longer in the page" };
  const cache = new ReadCache();
  const tag = localName(el);
  const { role, name, fromContent, usable } = classify(cache, el);
  const secret = isSecret(el);
  const rect =
    clickBoxes(el).length === 1 && tag === "area" ? (clickBoxes(el)[0] as DOMRect) : rectOf(el);
  const why = hiddenReason(cache, el);
  const stands = tag === "label" ? hiddenControlOf(el) : null;
  const display = cache.style(el).display;
  const within =
    !why && rect.width >= 1 && rect.height >= 1 && !isOutside(areaOf(rect), viewport());
  const flags =
    statesOf(stands ?? el, stands ? "input" : tag, role, isDisabledAbove(el), false) |
    (isInert(el) ? Flag.Inert : 0) |
    (usable ? Flag.Usable : 0) |
    (fromContent ? Flag.FromContent : 0) |
    (secret ? Flag.Secret : 0) |
    (/^(inline|contents|ruby)/.test(display) ? 0 : Flag.Block) |
    (shadowRoot(el) ? Flag.Host : 0) |
    (el === activeElement() ? Flag.Focused : 0) |
    (within ? Flag.InViewport : 0) |
    (hiddenFromAria(el) ? Flag.AriaHidden : 0);
  const attributes: Record<string, string> = {};
  const names = attributeNames(el);
  for (const key of names.slice(0, MAX_ATTRIBUTES))
    attributes[truncate(key, 200)] = truncate(
      safeAttribute(el, key, attr(el, key) ?? "", secret),
      MAX_ATTRIBUTE,
    );
  const root = rootOf(el);
  const shadow = nodeType(root) === 11;
  return {
    tag,
    role,
    name,
    text: /^(select|textarea|script|style)$/.test(tag)
      ? ""
      : truncate(contentOf(cache, el, why !== 0), 2000),
    box: [rect.x, rect.y, rect.width, rect.height].map(Math.round),
    flags: flags | (why << WHY_SHIFT),
    covered:
      usable && !why && (within ? permanentCover(cache, el) : coverOutOfView(cache, el)) !== null,
    value: valueOfField(el, role),
    level: levelOf(el, tag, role) || null,
    attributes,
    left_out: Math.max(0, names.length - MAX_ATTRIBUTES),
    path: pathOf(el),
    root: shadow ? "shadow" : "document",
    shadow_path: hostsOf(root),
    xpath: shadow ? null : xpathOf(el),
    listeners: listenersOn(el),
  };
}

/**
 * Returns, for each selector, how many elements in the element's root it matches, and whether the
 * first match is this element.
 */
export function matchCounts(id: number, selectors: string[]): object {
  const el = elementOf(id);
  if (!el) return { error: "gone", message: "the element is no longer in the page" };
  const root = rootOf(el);
  return selectors.map((selector) => {
    try {
      // One that would be refused as a scope is not offered.
      if (secretAttributeIn(selector) !== null) return [-1, false];
      const found = queryAll(root, selector);
      return [found.length, found[0] === el];
    } catch {
      return [-1, false];
    }
  });
}

function isDisabledAbove(el: Element): boolean {
  for (let at = flatParent(el); at; at = flatParent(at))
    if (attr(at, "aria-disabled") === "true") return true;
  return false;
}

function hiddenFromAria(el: Element): boolean {
  for (let at: Element | null = el; at; at = flatParent(at))
    if (attr(at, "aria-hidden") === "true") return true;
  return false;
}

interface Step {
  tag: string;
  id: string | null;
  classes: string[];
  name: string | null;
  testids: Record<string, string>;
  attrs: Record<string, string>;
  index: number;
  typeIndex: number;
}

/** Returns the path from the root of its tree down to the element. */
function pathOf(el: Element): Step[] {
  const steps: Step[] = [];
  for (let at: Node | null = el; isElement(at) && steps.length < MAX_PATH; at = parentNode(at))
    steps.push(stepOf(at));
  return steps.reverse();
}

function stepOf(el: Element): Step {
  const some = (names: string[]): Record<string, string> => {
    const found: Record<string, string> = {};
    const secret = isSecret(el);
    for (const key of names) {
      const text = attr(el, key);
      if (text !== null && text.length <= 300 && !(secret && key === "value")) found[key] = text;
    }
    return found;
  };
  const { index, typeIndex } = siblingIndex(el);
  return {
    tag: localName(el),
    id: usableName(attr(el, "id")),
    classes: (attr(el, "class") ?? "")
      .slice(0, 10_000)
      .split(/[ \t\n\r\f]+/, 100)
      .filter((name) => name !== "" && name.length <= MAX_NAME)
      .slice(0, 30),
    name: usableName(attr(el, "name")),
    testids: some(TEST_IDS),
    attrs: some(STABLE_ATTRIBUTES),
    index,
    typeIndex,
  };
}

const usableName = (name: string | null): string | null =>
  name !== null && name.length <= MAX_NAME ? name : null;

/** Returns nth-child and nth-of-type, from 1. */
function siblingIndex(el: Element): { index: number; typeIndex: number } {
  const tag = localName(el);
  let index = 1;
  let typeIndex = 1;
  for (let at = previousElementSibling(el); at; at = previousElementSibling(at)) {
    index++;
    if (localName(at) === tag) typeIndex++;
  }
  return { index, typeIndex };
}

/** Returns the hosts around an element, outermost first, each as a selector within its own root. */
function hostsOf(root: Node): string[] {
  const hosts: string[] = [];
  for (let host = hostOf(root); host; host = hostOf(rootOf(host))) {
    const outer = rootOf(host);
    const tag = localName(host);
    const id = attr(host, "id");
    const candidates = [id ? `${tag}#${CSS.escape(id)}` : "", tag].filter(
      (s) => s !== "" && queryAll(outer, s).length === 1,
    );
    hosts.unshift(candidates[0] ?? structuralSelector(host));
  }
  return hosts;
}

function structuralSelector(el: Element): string {
  const parts: string[] = [];
  for (let at: Node | null = el; isElement(at) && parts.length < MAX_PATH; at = parentNode(at))
    parts.unshift(`${localName(at)}:nth-child(${siblingIndex(at).index})`);
  return parts.join(" > ");
}

/** Returns the path from the document; null if it is too long to be of use. */
function xpathOf(el: Element): string | null {
  const parts: string[] = [];
  for (let at: Node | null = el; isElement(at); at = parentNode(at)) {
    const tag = localName(at);
    if (parts.length >= MAX_PATH || tag.length > MAX_NAME) return null;
    // In HTML documents XPath knows the elements of other namespaces (svg) only by local-name().
    const step =
      namespaceOf(at) === namespaceOf(rootElement() ?? at) ? tag : `*[local-name()="${tag}"]`;
    const parent = parentNode(at);
    let alone = true;
    if (isElement(parent)) {
      for (let other = firstElementChild(parent); other && alone; other = nextElementSibling(other))
        alone = other === at || localName(other) !== tag;
    }
    parts.unshift(alone ? step : `${step}[${siblingIndex(at).typeIndex}]`);
  }
  return `/${parts.join("/")}`;
}
