// The realms that an expression of a caller can reach from its document: those of all documents of
// the same origin around it, in it, and of the one that opened it. Each has built-in functions of
// its own, also in the world where expressions run.

import { queryList, shadowRoots } from "../dom/dom";

/** A window with the constructors of its realm. */
export type Realm = Window & typeof globalThis;
export type Method = (this: unknown, ...given: unknown[]) => unknown;

const { getOwnPropertyDescriptor, defineProperty } = Reflect;
const MOST_REALMS = 200;

/** Returns whether a window is of the same origin. */
function isReadable(realm: Realm): boolean {
  try {
    return realm.document !== null;
  } catch {
    return false;
  }
}

/** Returns the realms that an expression can reach. */
export function reachableRealms(): Realm[] {
  const found: Realm[] = [globalThis as unknown as Realm];
  const met = new Set<unknown>([globalThis]);
  for (let at = 0; at < found.length && found.length < MOST_REALMS; at++) {
    const realm = found[at] as Realm;
    const near: unknown[] = [realm.parent, realm.top, realm.opener];
    for (let frame = 0; frame < realm.length; frame++) near.push(realm[frame]);
    for (const next of near) {
      if (!next || met.has(next)) continue;
      met.add(next);
      if (isReadable(next as Realm)) found.push(next as Realm);
    }
  }
  return found;
}

const FIELDS = "input,textarea,select";
/** Returns all fields of a document, also those in open shadow roots. */
export const fieldsIn = (root: Document): Element[] =>
  [root, ...shadowRoots(root)].flatMap((one) => queryList(one, FIELDS));

/** Replaces a function of an object, and keeps how it is defined. */
export function replace(owner: object, name: PropertyKey, make: (given: Method) => Method): void {
  const own = getOwnPropertyDescriptor(owner, name);
  if (own?.configurable && typeof own.value === "function")
    defineProperty(owner, name, { ...own, value: make(own.value as Method) });
}
