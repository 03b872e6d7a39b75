// The values of secret fields, so that they can be hidden wherever else the page repeats them: in
// titles, test ids, mirrors of a field, texts. They never leave this world. Reads values only.

import { startState } from "../dom/startState";

export const MASK = "•••";

const MOST_VALUES = 100;
const LONGEST_VALUE = 1000;
/** Shorter values are too common: hiding them would blank the page. */
const SHORTEST = 4;
/** From this length on, a value is hidden also inside of words. */
const LONG = 8;

const state = startState("secretValues", () => ({
  /** The last value of each field that was not empty. Old fields are forgotten first. */
  values: new Map<object, string>(),
  patterns: [] as { value: string; found: RegExp | null }[],
  version: 0,
}));

/** Returns a number that grows whenever a different value has to be hidden. */
export const valuesVersion = (): number => state.version;

/** Remembers the value of a secret field, or of a group of them. */
export function noteSecretValue(field: object, value: string): void {
  if (value.trim().length < SHORTEST || value.length > LONGEST_VALUE) return;
  const { values } = state;
  if (values.get(field) === value) return;
  values.delete(field);
  values.set(field, value);
  for (const oldest of values.keys()) {
    if (values.size <= MOST_VALUES) break;
    values.delete(oldest);
  }
  const known = new Set(values.values());
  state.patterns = [...known].map((one) => ({ value: one, found: patternOf(one) }));
  state.version++;
}

/** Returns whether a value is that of a secret field. */
export const isSecretValue = (value: string): boolean =>
  state.patterns.some((pattern) => pattern.value === value);

/**
 * Returns where a value is hidden; null if only where it is the whole text. Short words and short
 * numbers are found in many texts that have nothing to do with the field.
 */
function patternOf(value: string): RegExp | null {
  const escaped = value.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  if (value.length >= LONG) return new RegExp(escaped, "g");
  if (/^([a-z]+|[A-Z]?[a-z]+|\d{1,4})$/.test(value)) return null;
  return new RegExp(`(?<![A-Za-z0-9])${escaped}(?![A-Za-z0-9])`, "g");
}

/** Hides the values of secret fields in a text. */
export function hideSecretValues(text: string): string {
  const { patterns } = state;
  if (patterns.length === 0 || text.length < SHORTEST) return text;
  let hidden = text;
  for (const { value, found } of patterns) {
    if (found ? hidden.includes(value) : hidden.trim() === value)
      hidden = found ? hidden.replace(found, MASK) : MASK;
    else if (hidden.endsWith("…")) hidden = hideCutValue(hidden, value);
  }
  return hidden;
}

/** Hides the beginning of a value at the end of a text that was cut. */
function hideCutValue(text: string, value: string): string {
  for (let length = Math.min(value.length, text.length) - 1; length >= SHORTEST; length--)
    if (text.endsWith(`${value.slice(0, length)}…`))
      return `${text.slice(0, text.length - length - 1)}${MASK}…`;
  return text;
}

/** For `JSON.stringify`: undefined if nothing has to be hidden. */
export const hidingReplacer = (): ((key: string, value: unknown) => unknown) | undefined =>
  state.patterns.length === 0
    ? undefined
    : (_, value) => (typeof value === "string" ? hideSecretValues(value) : value);
