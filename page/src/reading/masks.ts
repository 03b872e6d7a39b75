// Masks what expressions of callers must not read: values of secret fields, cookies and storage.
// Replaces getters of a realm in the world where these expressions run, and nowhere else. The
// replacements run under the check for side effects: they change nothing.

import { nodeType } from "../dom/dom";
import { isSecret, MASK, readPendingPasswords, valueIn } from "../semantics/secrets";
import { fieldsIn, type Method, type Realm, replace } from "./realms";

const { apply, getOwnPropertyDescriptor, ownKeys, defineProperty } = Reflect;
const isKnown = WeakSet.prototype.has;
const split = String.prototype.split;
const join = Array.prototype.join;

/** Shorter values are too common in texts; the field itself is masked all the same. */
const SHORTEST_IN_TEXT = 4;

const state = {
  /** Whether values are masked. Off while this script itself reads fields. */
  on: true,
  fields: new WeakSet<Element>(),
  values: [] as string[],
};
const withTexts = new WeakSet<Realm>();

const isField = (o: unknown): boolean => apply(isKnown, state.fields, [o]) as boolean;

/** Hides the values of secret fields in a text. */
function maskText(text: string): string {
  let masked = text;
  for (let at = 0; at < state.values.length; at++)
    masked = apply(join, apply(split, masked, [state.values[at]]), [MASK]) as string;
  return masked;
}

/** The properties and attributes of a field that have its value. */
const isValueName = (name: unknown): boolean =>
  name === "value" || name === "defaultValue" || name === "textContent" || name === "innerHTML";

function masked(owner: unknown, name: unknown, value: unknown): unknown {
  if (!state.on) return value;
  if (typeof value === "number") return name === "valueAsNumber" && isField(owner) ? NaN : value;
  if (typeof value !== "string" || value === "") return value;
  return isValueName(name) && isField(owner) ? MASK : maskText(value);
}

/** Replaces the getter of a property. */
function replaceGetter(owner: object, name: PropertyKey, make: (get: Method) => Method): void {
  const own = getOwnPropertyDescriptor(owner, name);
  if (own?.configurable && own.get) defineProperty(owner, name, { ...own, get: make(own.get) });
}

/** The methods that return the text of an attribute or of markup. */
const TEXT_METHODS = ["getAttribute", "getAttributeNS", "getHTML", "substringData", "toString"];
/** The methods that match elements by a selector. */
const SELECTOR_METHODS = ["querySelector", "querySelectorAll", "matches", "closest"];

/** The interfaces that have texts of elements. To look at all of a realm would take long. */
const WITH_TEXTS = [
  "Node Element Attr CharacterData Text Document ShadowRoot Selection HTMLElement",
  "HTMLInputElement HTMLTextAreaElement HTMLSelectElement HTMLOptionElement HTMLOutputElement",
  "HTMLButtonElement HTMLDataElement HTMLMetaElement HTMLTitleElement HTMLAnchorElement",
  "HTMLScriptElement HTMLParamElement HTMLLIElement",
].flatMap((names) => names.split(" "));

/** Masks all texts that nodes of a realm have. */
function maskTexts(realm: Realm): void {
  for (const name of WITH_TEXTS) {
    const made = getOwnPropertyDescriptor(realm, name)?.value as { prototype: object } | undefined;
    if (made) maskMembers(made.prototype);
  }
}

function maskMembers(owner: object): void {
  for (const name of ownKeys(owner)) {
    if (typeof name === "symbol" || /^on/.test(name)) continue;
    if (name === "cookie" || name === "ownerElement") continue;
    replaceGetter(owner, name, (get) => textGetter(name, get));
    if (TEXT_METHODS.includes(name)) replace(owner, name, textMethod);
    if (SELECTOR_METHODS.includes(name)) replace(owner, name, selectorMethod);
  }
}

const ownerOf = getOwnPropertyDescriptor(Attr.prototype, "ownerElement")?.get as Method;
const nameOf = getOwnPropertyDescriptor(Attr.prototype, "name")?.get as Method;
const isAttribute = (o: unknown): boolean => nodeType(o as Node) === 2;

const textGetter = (name: string, get: Method): Method =>
  ({
    read(this: unknown): unknown {
      const value = apply(get, this, []);
      if (typeof value !== "string" && typeof value !== "number") return value;
      if (typeof value === "string" && isAttribute(this) && name !== "name")
        return masked(apply(ownerOf, this, []), apply(nameOf, this, []), value);
      return masked(this, name, value);
    },
  }).read;

const textMethod = (method: Method): Method =>
  ({
    read(this: unknown, ...given: unknown[]): unknown {
      const attribute = String(given[given.length - 1]).toLowerCase();
      return masked(this, attribute, apply(method, this, given));
    },
  }).read;

/** Guards a method: a selector could find out a value letter by letter: `[value^="s"]`. */
const selectorMethod = (method: Method): Method =>
  ({
    read(this: unknown, selector: unknown): unknown {
      const text = String(selector);
      if (state.on && /\[/.test(text) && /value|\\|\/\*/i.test(text))
        throw new TypeError("a selector that tests value is refused on a page with a secret field");
      return apply(method, this, [text]);
    },
  }).read;

const STORES = ["localStorage", "sessionStorage"] as const;
/** The stand-ins that expressions see for the stores of each realm. */
const copies = new WeakMap<Realm, Partial<Record<(typeof STORES)[number], object>>>();
const readStore = new WeakMap<Realm, Method[]>();

/** Masks the cookies and the storage of a realm. */
function maskStores(realm: Realm): void {
  replaceGetter(
    realm.Document.prototype,
    "cookie",
    (get) =>
      ({
        read(this: unknown): unknown {
          const all = apply(split, apply(get, this, []), ["; "]) as string[];
          const hidden: string[] = [];
          for (let at = 0; at < all.length; at++) {
            const one = all[at] as string;
            const name = (apply(split, one, ["="]) as string[])[0] as string;
            if (one !== "") hidden[hidden.length] = `${name}=${MASK}`;
          }
          return apply(join, hidden, ["; "]);
        },
      }).read,
  );
  const copy: Partial<Record<(typeof STORES)[number], object>> = {};
  const natives: Method[] = [];
  copies.set(realm, copy);
  readStore.set(realm, natives);
  for (const name of STORES)
    replaceGetter(realm, name, (get) => {
      natives.push(get);
      return () => copy[name];
    });
}

/** Copies the names of what is stored, without the values. */
function copyStores(realm: Realm): void {
  const copy = copies.get(realm) ?? {};
  const natives = readStore.get(realm) ?? [];
  STORES.forEach((name, at) => {
    const entries: Record<string, string> = Object.create(STORE_METHODS);
    try {
      const store = apply(natives[at] as Method, realm, []) as Storage;
      for (const key of Object.keys(store))
        defineProperty(entries, key, { value: MASK, enumerable: true });
    } catch {
      // A document without an origin has no storage.
    }
    copy[name] = Object.freeze(entries);
  });
}

const { keys } = Object;
const STORE_METHODS = {
  getItem(key: unknown): string | null {
    const names = keys(this);
    for (let at = 0; at < names.length; at++) if (names[at] === String(key)) return MASK;
    return null;
  },
  key(at: number): string | null {
    return keys(this)[at] ?? null;
  },
};
defineProperty(STORE_METHODS, "length", {
  get(this: object): number {
    return keys(this).length;
  },
});

/**
 * Finds the secret fields of all realms, and masks what is not masked yet. `values`: further values
 * of secret fields, which the page script knows.
 */
export function updateMasks(realms: readonly Realm[], values: readonly string[]): void {
  state.on = false;
  readPendingPasswords();
  const known = new Set(values);
  let some = values.length > 0;
  for (const realm of realms)
    for (const field of fieldsIn(realm.document)) {
      if (!isSecret(field) && !known.has(valueIn(field))) continue;
      state.fields.add(field);
      known.add(valueIn(field));
      some = true;
    }
  // The longest first: one value may be a part of another.
  state.values = [...known].filter((value) => value.trim().length >= SHORTEST_IN_TEXT);
  state.values.sort((a, b) => b.length - a.length);
  for (const realm of realms) {
    if (!copies.has(realm)) maskStores(realm);
    copyStores(realm);
    if (!some || withTexts.has(realm)) continue;
    withTexts.add(realm);
    maskTexts(realm);
  }
  state.on = true;
}
