// Stands in for functions of the browser in the page's own world, so that their calls are noticed.
// A proxy keeps name, length, `this` and results, and prints as native code. It calls the function
// with what the page gave.

const { apply, construct, defineProperty, getOwnPropertyDescriptor } = Reflect;

type Native = () => unknown;
type Handler = ProxyHandler<Native>;
type Made = { prototype: object };
/** A function that is called after a call, with its arguments, its result and its `this`. */
type Note = (args: ArrayLike<unknown>, result: unknown, self: unknown) => void;

/** Returns a handler without a prototype: a page may add traps to `Object.prototype`. */
const handlerOf = (trap: PropertyDescriptorMap): Handler => Object.create(null, trap) as Handler;

/**
 * Returns a handler that calls `note` where a trap is looked up. There is none, so the browser calls
 * its function itself, and nothing of ours is on the stack then: a message says whose script sent it.
 */
const lookedUp = (trap: "apply" | "construct", note: () => void): Handler =>
  handlerOf({
    [trap]: {
      get(): undefined {
        note();
      },
    },
  });

/** Replaces the value of a property by what `stand` makes of it; everything else stays as it is. */
function replace(holder: object, name: PropertyKey, stand: (native: object) => object): void {
  const descriptor = getOwnPropertyDescriptor(holder, name);
  if (!descriptor?.configurable || typeof descriptor.value !== "function") return;
  descriptor.value = stand(descriptor.value as object);
  defineProperty(holder, name, descriptor);
}

function replaceAll(holder: object | undefined, names: string, handler: Handler): void {
  if (!holder) return;
  for (const name of names.split(" "))
    replace(holder, name, (native) => new Proxy(native as Native, handler));
}

/** Has `note` called after each call of these functions of an object. */
export function watchCalls(holder: object | undefined, names: string, note: Note): void {
  const value = (native: Native, self: unknown, args: ArrayLike<unknown>): unknown => {
    const result: unknown = apply(native, self, args as []);
    try {
      note(args, result, self);
    } catch {
      // The stack of the page is full.
    }
    return result;
  };
  replaceAll(holder, names, handlerOf({ apply: { value } }));
}

/** Has `note` called before each call of these functions of an object. */
export function watchUse(holder: object | undefined, names: string, note: () => void): void {
  replaceAll(holder, names, lookedUp("apply", note));
}

/** Replaces classes, wherever they are named. */
function replaceClasses(names: string, handler: Handler): void {
  for (const name of names.split(" "))
    replace(globalThis, name, (native) => {
      const stand = new Proxy(native as Native, handler);
      // The class and its prototype name each other.
      replace((native as Made).prototype, "constructor", () => stand);
      // One class has two names.
      replace(globalThis, `webkit${name}`, (other) => (other === native ? stand : other));
      return stand;
    });
}

/** Has `note` called before an object of these classes is made. */
export function watchClasses(names: string, note: () => void): void {
  replaceClasses(names, lookedUp("construct", note));
}

/** Has `note` called with each new object of these classes. */
export function watchObjects(names: string, note: (made: object) => void): void {
  const value = (native: Native, args: ArrayLike<unknown>, as: Native): object => {
    const made = construct(native, args as [], as) as object;
    try {
      note(made);
    } catch {
      // The stack of the page is full.
    }
    return made;
  };
  replaceClasses(names, handlerOf({ construct: { value } }));
}
