// Bounds for the functions of the language that may run without end and cannot be interrupted: the
// engine ends a loop, a recursion or a regular expression at the time limit, but not
// `[].indexOf.call({ length: 2 ** 53 - 1 }, 1)`. Replaces functions of a realm in the world where
// expressions of callers run, and nowhere else.

import { type Method, type Realm, replace } from "./realms";

const { apply, deleteProperty, ownKeys } = Reflect;
const { isArray } = Array;

/** The longest list that a built-in function takes. */
const MOST_ELEMENTS = 1_000_000;
/** The longest text that a built-in function takes or makes. */
const MOST_CHARACTERS = 2_000_000;

/** The most places at which a text is replaced by a function or a pattern, or that are listed. */
const MOST_PLACES = 20_000;

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

/** Makes a function that lists members refuse texts that have too many of them. */
const boundedText = (method: Method): Method =>
  ({
    bounded(this: unknown, ...given: unknown[]): unknown {
      for (let at = 0; at < given.length; at++)
        if (typeof given[at] === "string") checkLength(given[at], "text", MOST_PLACES);
      return apply(method, this, given);
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

/**
 * Binary data: a few calls take all memory, and its members are listed without interruption. To
 * read a page it is not needed. These are the only ways to make such objects under the check.
 */
const BINARY = [
  "ArrayBuffer SharedArrayBuffer DataView Atomics WebAssembly Int8Array Uint8Array",
  "Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float16Array Float32Array",
  "Float64Array BigInt64Array BigUint64Array",
].flatMap((names) => names.split(" "));

const { split } = String.prototype;
const { join } = Array.prototype;

/** Replaces a text everywhere; the built-in function takes long if there are many places. */
const boundedReplaceAll = (method: Method): Method =>
  ({
    bounded(this: unknown, ...given: unknown[]): unknown {
      const [search, by] = given;
      if (typeof search !== "string") return apply(method, this, given);
      const parts = apply(split, this, [search]) as unknown[];
      const isPlain = typeof by === "string" && (apply(split, by, ["$"]) as unknown[]).length === 1;
      if (isPlain) return apply(join, parts, [by]);
      if (parts.length > MOST_PLACES) refuse("list", MOST_PLACES);
      return apply(method, this, given);
    },
  }).bounded;

/** Bounds the built-in functions of a realm. */
export function boundBuiltIns(realm: Realm): void {
  for (const name of BINARY) deleteProperty(realm, name);
  const list = bounded("list", MOST_ELEMENTS);
  for (const name of ownKeys(realm.Array.prototype))
    if (name !== "constructor") replace(realm.Array.prototype, name, list);
  replace(realm.Array.prototype, "flat", () => flat);
  for (const name of ["from", "fromAsync", "of"]) replace(realm.Array, name, list);
  for (const owner of [realm.Object, realm.Reflect])
    for (const name of ownKeys(owner)) if (name !== "prototype") replace(owner, name, boundedText);
  const text = bounded("text", MOST_CHARACTERS);
  for (const name of ownKeys(realm.String.prototype))
    if (name !== "constructor" && name !== "valueOf" && name !== "toString")
      replace(realm.String.prototype, name, text);
  replace(realm.String.prototype, "replaceAll", boundedReplaceAll);
  replace(realm.String.prototype, "repeat", (method) => boundedRepeat(method, true));
  for (const name of ["padStart", "padEnd"])
    replace(realm.String.prototype, name, (method) => boundedRepeat(method, false));
}
