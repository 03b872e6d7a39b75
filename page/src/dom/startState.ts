// State that begins with the document. In Firefox a small script runs at its start (start.ts), and
// the whole script only when something is asked: parsing it takes 20 ms, in every frame. Both keep
// such state in one object, a global of this world only. Does not touch the page.

declare global {
  var pagesightStart: Record<string, object> | undefined;
}

// An element called `pagesightStart` is a property of the window too, but not an own one.
if (!Object.hasOwn(globalThis, "pagesightStart"))
  globalThis.pagesightStart = Object.create(null) as Record<string, object>;
const states = globalThis.pagesightStart as Record<string, object>;

/** Returns the state of that name; the first script that asks for it makes it. */
export function startState<T extends object>(name: string, make: () => T): T {
  return (states[name] ??= make()) as T;
}
