// Runs expressions of callers that may only read. A script of its own, in an isolated world of its
// own: an expression can neither see nor harm the page script. `prepare` compiles the expression
// without running it; the engine then calls `run` under its check for side effects, with a time
// limit. What is returned is always a text, made under the same check: the engine would read an
// object, and with it getters of the expression, without the check.

import { boundBuiltIns } from "./limits";
import { updateMasks } from "./masks";
import { type Realm, reachableRealms } from "./realms";

type Compiled = (element: Element | undefined) => unknown;

const bounded = new WeakSet<Realm>();
const compile = Function;
const { stringify } = JSON;
const text = String;
const { slice } = String.prototype;
const { apply } = Reflect;

/** The longest message of an error. */
const MESSAGE_LENGTH = 500;
/** How many places a list of statements is split at, to find the expression at its end. */
const MOST_SPLITS = 200;

let compiled: Compiled = () => undefined;
let given: Element | undefined;
let longest = 0;

/**
 * Whether a source may have an async function. Such a function may return an object whose `then`
 * the engine calls later, without the check. As a text of its own, or as an attribute in a
 * selector, the word is harmless.
 */
const mayBeAsync = (source: string): boolean =>
  /\basync\b/.test(source.replace(/'async'|"async"|\[async(?=[\]=])/g, " "));

/** Returns the function of an expression, or of statements whose last one is an expression. */
function compileExpression(source: string): Compiled {
  let first: unknown;
  try {
    return compile("element", `return (${source}\n)`) as Compiled;
  } catch (error) {
    first = error;
  }
  const ends = [...source.matchAll(/[;\n}]/g)].map(({ index }) => index + 1).reverse();
  for (const at of ends.slice(0, MOST_SPLITS)) {
    const last = source.slice(at).replace(/[;\s]+$/, "");
    if (last.trim() === "") continue;
    try {
      return compile("element", `${source.slice(0, at)}\nreturn (${last}\n)`) as Compiled;
    } catch {
      // It is not an expression from here on.
    }
  }
  try {
    // With a `return`, or without a value.
    return compile("element", source) as Compiled;
  } catch {
    throw first;
  }
}

/** The message of what was thrown; it may be anything. An error's own `toString` is refused. */
function messageOf(error: unknown): string {
  try {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : text(error);
    return apply(slice, message, [0, MESSAGE_LENGTH]) as string;
  } catch {
    return "an error without a message";
  }
}

const reading = {
  /** Takes the element that the expression is about. */
  take(element: Element): void {
    given = element;
  },

  /**
   * Compiles an expression; `run` answers with at most `most` characters. Returns why it cannot be
   * compiled; an empty text if it can. `values`: the values of secret fields that are known.
   */
  prepare(source: string, values: string[], most: number): string {
    if (mayBeAsync(source)) return "async";
    const realms = reachableRealms();
    updateMasks(realms, values);
    try {
      compiled = compileExpression(source);
    } catch (error) {
      return messageOf(error);
    }
    longest = most;
    for (const realm of realms) {
      if (bounded.has(realm)) continue;
      bounded.add(realm);
      boundBuiltIns(realm);
    }
    return "";
  },

  /** Runs the expression. Called under the check: it must not change anything. */
  run(): string {
    try {
      let value = compiled(given);
      if (given !== undefined && typeof value === "function")
        value = apply(value as () => unknown, given, [given]);
      const whole = stringify(typeof value === "bigint" ? text(value) : value) ?? "null";
      if (whole.length <= longest) return `{"value":${whole}}`;
      const start = apply(slice, whole, [0, longest]) as string;
      return stringify({ start, characters: whole.length });
    } catch (error) {
      return stringify({ error: messageOf(error) });
    }
  },

  /** Forgets the element and the expression. */
  forget(): void {
    given = undefined;
    compiled = () => undefined;
  },
};

declare global {
  var pagesightReading: typeof reading | undefined;
}
if (!Object.hasOwn(globalThis, "pagesightReading")) globalThis.pagesightReading = reading;
// It has the values of secret fields.
delete globalThis.pagesightStart;
