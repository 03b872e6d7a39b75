// Stands in for functions of the browser in the page's own world, so that their calls are noticed. A
// proxy keeps name, length, `this` and results, and prints as native code. It calls the function
// with what the page gave, before anything is noted.

const { apply, construct, defineProperty, getOwnPropertyDescriptor } = Reflect;

/** What to do after a call: its arguments and its result. */
type Note = (args: ArrayLike<unknown>, result: unknown) => void;

/** A handler without a prototype: a page may add traps to `Object.prototype`. */
function handlerFor(note: Note): ProxyHandler<() => unknown> {
  return Object.assign(Object.create(null) as ProxyHandler<() => unknown>, {
    apply(native: () => unknown, self: unknown, args: ArrayLike<unknown>): unknown {
      const result: unknown = apply(native, self, args as []);
      note(args, result);
      return result;
    },
  });
}

/** Replaces the value of a property by what `stand` makes of it; everything else stays as it is. */
function replace(holder: object, name: PropertyKey, stand: (native: object) => object): void {
  const descriptor = getOwnPropertyDescriptor(holder, name);
  if (!descriptor?.configurable || typeof descriptor.value !== "function") return;
  descriptor.value = stand(descriptor.value as object);
  defineProperty(holder, name, descriptor);
}

/** Has `note` called after each call of these functions of an object. */
export function watchCalls(holder: object | undefined, names: string, note: Note): void {
  if (!holder) return;
  const handler = handlerFor(note);
  for (const name of names.split(" "))
    replace(holder, name, (native) => new Proxy(native as () => unknown, handler));
}

/** Has `note` called with each new object of these classes. */
export function watchClasses(names: string, note: (made: object) => void): void {
  const handler = Object.assign(Object.create(null) as ProxyHandler<() => unknown>, {
    construct(native: () => unknown, args: ArrayLike<unknown>, as: () => unknown): object {
      const made = construct(native, args as [], as) as object;
      note(made);
      return made;
    },
  });
  for (const name of names.split(" "))
    replace(globalThis, name, (native) => {
      const stand = new Proxy(native as () => unknown, handler);
      // The class and its prototype name each other.
      replace((native as { prototype: object }).prototype, "constructor", () => stand);
      return stand;
    });
}
