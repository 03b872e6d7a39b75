// CSS counters in generated content ("2.1 " before a heading). Computed only when a name needs one,
// and only for pages of a bounded size, because the counter properties of every element must be
// read in order. Reads styles only.

import { flatChildren, isElement, rootElement } from "../dom/dom";
import type { ReadCache } from "./readCache";

const MAX_ELEMENTS = 20_000;

interface Counter {
  name: string;
  value: number;
  /**
   * The depth of the element that created it: it is in scope for that element, its following
   * siblings and all of their descendants.
   */
  depth: number;
}

export function counterText(
  cache: ReadCache,
  el: Element,
  pseudo: string,
  kind: string,
  inside: string,
): string {
  cache.counters ??= countAll();
  const [name = "", second = "", third = ""] = inside.split(",").map((part) => part.trim());
  const joined = cache.counters.get(el)?.get(`${pseudo} ${name}`);
  if (joined === undefined) return "";
  const values = joined.split(" ");
  const style = kind === "counters" ? third : second;
  const drawn = values.map((value) => formatCounter(Number(value), style));
  return kind === "counters"
    ? drawn.join(second.replace(/^"|"$/g, ""))
    : (drawn[drawn.length - 1] ?? "");
}

function formatCounter(value: number, style: string): string {
  if (/alpha|latin/.test(style) && value > 0 && value < 27) {
    return String.fromCharCode((style.startsWith("upper") ? 64 : 96) + value);
  }
  if (/roman/.test(style) && value > 0 && value < 4000) {
    let roman = "";
    let rest = value;
    for (const [n, s] of [
      [1000, "m"],
      [900, "cm"],
      [500, "d"],
      [400, "cd"],
      [100, "c"],
      [90, "xc"],
      [50, "l"],
      [40, "xl"],
      [10, "x"],
      [9, "ix"],
      [5, "v"],
      [4, "iv"],
      [1, "i"],
    ] as const) {
      for (; rest >= n; rest -= n) roman += s;
    }
    return style.startsWith("upper") ? roman.toUpperCase() : roman;
  }
  if (style === "decimal-leading-zero" && value >= 0 && value < 10) return `0${value}`;
  return style === "none" ? "" : String(value);
}

/**
 * Returns the value of every counter at every pseudo-element that uses one, outermost first, in
 * document order.
 */
function countAll(): Map<Element, Map<string, string>> {
  const at = new Map<Element, Map<string, string>>();
  const root = rootElement();
  const stack: { el: Element; depth: number; after: boolean }[] = root
    ? [{ el: root, depth: 0, after: false }]
    : [];
  let scope: Counter[] = [];
  let seen = 0;
  const apply = (style: CSSStyleDeclaration, depth: number): void => {
    for (const [name, value] of pairs(style.counterReset, 0)) {
      scope = scope.filter((c) => c.name !== name || c.depth < depth);
      scope.push({ name, value, depth });
    }
    for (const [name, value] of pairs(style.counterIncrement, 1))
      within(name, depth).value += value;
    for (const [name, value] of pairs(style.counterSet, 0)) within(name, depth).value = value;
  };
  const within = (name: string, depth: number): Counter => {
    let counter = scope.findLast((c) => c.name === name);
    if (!counter) {
      counter = { name, value: 0, depth };
      scope.push(counter);
    }
    return counter;
  };
  const pseudo = (el: Element, which: string, depth: number): void => {
    const style = getComputedStyle(el, which);
    if (style.content === "none" || style.content === "normal" || style.display === "none") return;
    apply(style, depth + 1);
    if (!style.content.includes("counter")) return;
    const map = at.get(el) ?? new Map<string, string>();
    at.set(el, map);
    for (const name of new Set(scope.map((c) => c.name))) {
      map.set(
        `${which} ${name}`,
        scope
          .filter((c) => c.name === name)
          .map((c) => c.value)
          .join(" "),
      );
    }
  };
  for (let top = stack.pop(); top && seen < MAX_ELEMENTS; top = stack.pop()) {
    const { el, depth, after } = top;
    if (after) {
      pseudo(el, "::after", depth);
      scope = scope.filter((c) => c.depth <= depth);
      continue;
    }
    seen++;
    const style = getComputedStyle(el);
    if (style.display === "none") continue;
    apply(style, depth);
    pseudo(el, "::before", depth);
    stack.push({ el, depth, after: true });
    const children = flatChildren(el);
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i] as Node;
      if (isElement(child)) stack.push({ el: child, depth: depth + 1, after: false });
    }
  }
  return at;
}

function pairs(value: string, missing: number): [string, number][] {
  if (value === "none" || value === "") return [];
  const found: [string, number][] = [];
  for (const [, name, number] of value.matchAll(/([-_a-z][-\w]*)(?:\s+(-?\d+))?/gi))
    found.push([name as string, number === undefined ? missing : Number(number)]);
  return found;
}
