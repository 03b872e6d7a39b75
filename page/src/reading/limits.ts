// Bounds for the functions of the language that may run without end and cannot be interrupted: the
// engine ends a loop, a recursion or a regular expression at the time limit, but not
// `[].indexOf.call({ length: 2 ** 53 - 1 }, 1)`. Replaces functions of a realm in the world where
// expressions of callers run, and nowhere else.

import { type Method, type Realm, replace } from "./realms";

const { apply, getOwnPropertyDescriptor, getPrototypeOf, ownKeys, defineProperty } = Reflect;
const { isArray } = Array;

/** The longest list that a built-in function takes. */
const MOST_ELEMENTS = 1_000_000;
/** The longest text that a built-in function takes or makes. */
const MOST_CHARACTERS = 20_000_000;

function refuse(what: string, most: number): never {
  throw new RangeError(`a ${what} of more than ${most} is refused`);
}

/** Throws if something is too long. An object as a length could have a different value each time. */
function checkLength(of: unknown, what: string, most: number): void {
  if (of === null || of === undefined) return;
  const { length } = of as { length: unknown };
  const isOdd = typeof length === "object" || typeof length === "function";
  if ((isOdd && length !== null) || (length as number) > most) refuse(what, most);
}

const bounded =
  (what: string, most: number) =>
  (method: Method): Method =>
    ({
      bounded(this: unknown, ...given: unknown[]): unknown {
        checkLength(this, what, most);
        for (let at = 0; at < given.length; at++)
          if (typeof given[at] === "object") checkLength(given[at], what, most);
        return apply(method, this, given);
      },
    }).bounded;

/** Makes a function refuse to make a text that is longer than the limit. */
const boundedRepeat = (method: Method, times: boolean): Method =>
  ({
    bounded(this: unknown, count: unknown, ...more: unknown[]): unknown {
      const wanted = Number(count) * (times ? String(this).length : 1);
      if (wanted > MOST_CHARACTERS) refuse("text", MOST_CHARACTERS);
      return apply(method, this, [wanted / (times ? String(this).length || 1 : 1), ...more]);
    },
  }).bounded;

/** Flattens in a loop that can be interrupted: a list can hold the same long list many times. */
const flat: Method = {
  flat(this: unknown, depth: unknown = 1): unknown {
    const found: unknown[] = [];
    const add = (list: unknown[], left: number): void => {
      for (let at = 0; at < list.length; at++) {
        const one = list[at];
        if (left > 0 && isArray(one)) add(one, left - 1);
        else if (at in list) found[found.length] = one;
      }
    };
    add(this as unknown[], Number(depth));
    return found;
  },
}.flat;

/** Bounds the built-in functions of a realm. */
export function boundBuiltIns(realm: Realm): void {
  const lists = [realm.Array.prototype, getPrototypeOf(realm.Uint8Array.prototype) as object];
  const list = bounded("list", MOST_ELEMENTS);
  for (const owner of lists)
    for (const name of ownKeys(owner)) if (name !== "constructor") replace(owner, name, list);
  replace(realm.Array.prototype, "flat", () => flat);
  for (const name of ["from", "fromAsync", "of"]) replace(realm.Array, name, list);
  const raw: PropertyKey = "raw";
  replace(
    realm.String,
    raw,
    (method) =>
      ({
        bounded(this: unknown, strings: unknown, ...given: unknown[]): unknown {
          checkLength((strings as { raw: unknown }).raw, "list", MOST_ELEMENTS);
          return apply(method, this, [strings, ...given]);
        },
      }).bounded,
  );
  const text = bounded("text", MOST_CHARACTERS);
  for (const name of ownKeys(realm.String.prototype))
    if (name !== "constructor" && name !== "valueOf" && name !== "toString")
      replace(realm.String.prototype, name, text);
  replace(realm.String.prototype, "repeat", (method) => boundedRepeat(method, true));
  for (const name of ["padStart", "padEnd"])
    replace(realm.String.prototype, name, (method) => boundedRepeat(method, false));
  for (const name of ["Set", "Map", "WeakSet", "WeakMap"] as const) boundConstructor(realm, name);
}

/** Makes a constructor of collections refuse lists that are too long. */
function boundConstructor(realm: Realm, name: "Set" | "Map" | "WeakSet" | "WeakMap"): void {
  const original = realm[name] as unknown as { new (given?: unknown): object; prototype: object };
  const made = (given?: unknown): object => {
    checkLength(given, "list", MOST_ELEMENTS);
    return new original(given);
  };
  for (const key of ownKeys(original)) {
    const own = getOwnPropertyDescriptor(original, key);
    if (own && key !== "name" && key !== "length") defineProperty(made, key, own);
  }
  defineProperty(original.prototype, "constructor", { value: made });
  defineProperty(realm, name, { value: made });
}
