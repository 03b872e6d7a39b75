// Refuses selectors of callers that would answer questions about secrets: `[value^="T"]` finds out
// the value of a password field letter by letter. Reads attributes only.

import { attr, attributeNames, queryAll, shadowRoots } from "../dom/dom";
import { isSecret, mayRevealSecret } from "./secrets";
import { hideSecretValues, valuesVersion } from "./secretValues";

const FIELDS =
  'input,textarea,select,[contenteditable=""],[contenteditable="true" i],[contenteditable="plaintext-only" i]';

const ESCAPE = /\\(?:([0-9a-fA-F]{1,6})(?:\r\n|[ \t\n\r\f])?|([\s\S]))/y;
const NAME = /[^\\\s"'[\](){}<>|~^$*=,:;.#+/!@&%`?]/;

/** Reads a name with its escapes; returns it and the position after it. */
function nameAt(text: string, from: number): [name: string, end: number] {
  let name = "";
  let at = from;
  while (at < text.length) {
    ESCAPE.lastIndex = at;
    const found = ESCAPE.exec(text);
    if (found) {
      const code = Number.parseInt(found[1] ?? "", 16);
      name += found[2] ?? (code > 0 && code < 0x110000 ? String.fromCodePoint(code) : "\ufffd");
      at = ESCAPE.lastIndex;
    } else if (NAME.test(text[at] as string)) name += text[at++];
    else break;
  }
  return [name, at];
}

/** Returns the position after white space and comments. */
function afterSpace(text: string, from: number): number {
  const space = /(?:\s|\/\*[\s\S]*?(?:\*\/|$))*/y;
  space.lastIndex = from;
  space.test(text);
  return space.lastIndex;
}

/**
 * Returns the names of the attributes that a selector tests, in lower case; `id` and `class` also
 * for `#` and `.`. A bracket counts wherever it stands, also in strings, comments and `url()`:
 * where these end depends on errors that `:is()` and `:where()` forgive.
 */
export function testedAttributes(selector: string): Set<string> {
  const found = new Set<string>();
  for (let at = 0; at < selector.length; at++) {
    const c = selector[at];
    if (c === "#") found.add("id");
    if (c === ".") found.add("class");
    if (c !== "[") continue;
    let from = afterSpace(selector, at + 1);
    if (selector[from] === "*") from++;
    let [name, end] = nameAt(selector, from);
    // A namespace: `[*|value]`, `[|value]`, `[svg|href]`.
    if (selector[end] === "|" && selector[end + 1] !== "=")
      [name] = nameAt(selector, afterSpace(selector, end + 1));
    found.add(name.toLowerCase());
  }
  return found;
}

/**
 * Returns the attribute that a selector tests though it may hold a secret of this page; null if
 * there is none. `value` and its like count as soon as the page has a secret field.
 */
export function secretAttributeIn(selector: string): string | null {
  const names = testedAttributes(selector);
  if (names.size === 0) return null;
  const roots: Node[] = [document, ...shadowRoots(document)];
  const hasSecret = (): boolean =>
    roots.some((root) => Array.from(queryAll(root, FIELDS)).some((el) => isSecret(el)));
  const revealing = [...names].find(mayRevealSecret);
  if (revealing && hasSecret()) return revealing;
  return [...names].find((name) => holdsSecret(roots, name)) ?? null;
}

/** Returns whether an attribute of this name holds the value of a secret field, in any element. */
function holdsSecret(roots: Node[], name: string): boolean {
  if (valuesVersion() === 0) return false;
  const holds = (el: Element): boolean => {
    // Attributes with a namespace, and in documents that are not HTML, those of any case.
    const keys = attributeNames(el).filter((key) => key.toLowerCase().split(":").pop() === name);
    return keys.some((key) => {
      const text = attr(el, key) ?? "";
      return hideSecretValues(text) !== text;
    });
  };
  const selector = name === "" ? "*" : `[*|${CSS.escape(name)}]`;
  return roots.some((root) => Array.from(queryAll(root, selector)).some(holds));
}
