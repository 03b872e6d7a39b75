// The values of secret fields, so that they can be hidden wherever else the page repeats them: in
// titles, test ids, mirrors of a field, texts. They never leave this world. Reads values only.

import { startState } from "../dom/startState";

export const MASK = "•••";

const MOST_VALUES = 100;
const LONGEST_VALUE = 1000;
/** Shorter values are too common: hiding them would blank the page. */
const SHORTEST = 4;
/** From this length on, a value is hidden also inside of words, and where it is spread. */
const LONG = 8;
/** Longer values are found only as they are. */
const LONGEST_SPREAD = 200;
/** Characters that cannot be seen; texts are compared without them. */
const UNSEEN =
  "\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e" +
  "\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0";

interface Pattern {
  value: string;
  /** Where it is hidden; null if only where it is the whole text. */
  found: RegExp | null;
  long: boolean;
}

const state = startState("secretValues", () => ({
  /** The last value of each field that was not empty. Old fields are forgotten first. */
  values: new Map<object, string>(),
  patterns: [] as Pattern[],
  /** Whether any pattern is in a text; most texts have none. */
  any: null as RegExp | null,
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
  state.patterns = [...known].map((one) => ({
    value: plain(one),
    found: patternOf(plain(one)),
    long: isLong(one),
  }));
  const sources = state.patterns.flatMap(({ found }) => (found ? [found.source] : []));
  state.any = sources.length > 0 ? new RegExp(sources.join("|"), "u") : null;
  state.version++;
}

/** Returns the values of secret fields that are known. */
export const secretValues = (): string[] => [...new Set(state.values.values())];

/** Returns whether a value is that of a secret field. */
export const isSecretValue = (value: string): boolean =>
  state.patterns.some((pattern) => pattern.value === plain(value));

/** Returns a text with the plain form of each character: letters and accents apart, no full width. */
const plain = (text: string): string =>
  /[^ -~\s]/.test(text) ? text.replace(/[^…]+/g, (part) => part.normalize("NFKD")) : text;

const isLong = (value: string): boolean => value.replace(/\s+/g, "").length >= LONG;

/**
 * Returns where a value is hidden; null if only where it is the whole text. Short words and short
 * numbers are found in many texts that have nothing to do with the field.
 */
function patternOf(value: string): RegExp | null {
  const long = isLong(value);
  if (!long && /^([a-z]+|[A-Z]?[a-z]+|\d{1,4})$/.test(value)) return null;
  const between = value.length > LONGEST_SPREAD ? "" : long ? `[\\s${UNSEEN}]*` : `[${UNSEEN}]*`;
  const characters = long ? value.replace(/\s+/g, "") : value;
  const source = Array.from(characters, (one) => one.replace(/[\\^$.*+?()[\]{}|/]/u, "\\$&")).join(
    between,
  );
  return new RegExp(long ? source : `(?<![A-Za-z0-9])${source}(?![A-Za-z0-9])`, "gu");
}

/** Hides the values of secret fields in a text. */
export function hideSecretValues(text: string): string {
  const { patterns, any } = state;
  if (patterns.length === 0 || text.length < SHORTEST) return text;
  const given = plain(text);
  let hidden = given;
  if (any?.test(given))
    for (const { found } of patterns) if (found) hidden = hidden.replace(found, MASK);
  for (const { value, found } of patterns) {
    if (!found && hidden.trim() === value) hidden = MASK;
    else if (hidden.endsWith("…")) hidden = hideCutValue(hidden, value);
  }
  return hidden === given ? text : hidden.normalize("NFC");
}

/** Whether there is a value that may be spread over several texts. */
export const mayBeSpread = (): boolean => state.patterns.some(({ long }) => long);

/**
 * Returns the texts, by their place, that have a part of a value which begins in one and ends in a
 * later one, with what replaces them.
 */
export function hideSpreadValues(texts: readonly string[]): Map<number, string> {
  const plainTexts = texts.map(plain);
  const joined = plainTexts.join("\n");
  const hidden = new Map<number, string>();
  if (!state.any?.test(joined)) return hidden;
  const begins: number[] = [];
  let length = 0;
  for (const text of plainTexts) {
    begins.push(length);
    length += text.length + 1;
  }
  /** The parts to hide, as ranges of the joined text. */
  const ranges: [number, number][] = [];
  for (const { found, long } of state.patterns)
    if (found && long)
      for (const match of joined.matchAll(found))
        ranges.push([match.index, match.index + match[0].length]);
  ranges.sort(([a], [b]) => a - b);
  let at = 0;
  let copied = 0;
  for (const [from, to] of ranges) {
    const start = Math.max(from, copied);
    while (at + 1 < begins.length && (begins[at + 1] as number) <= start) at++;
    // A value in one text is hidden when that text is sent.
    const isSpread = to > (begins[at] as number) + (plainTexts[at] as string).length;
    for (let i = at; isSpread && i < begins.length && (begins[i] as number) < to; i++) {
      const begin = begins[i] as number;
      const text = hidden.get(i) ?? (plainTexts[i] as string);
      // What is hidden before in the same text changed its length.
      const cut = text.length - (plainTexts[i] as string).length;
      const [first, last] = [Math.max(start - begin, 0) + cut, to - begin + cut];
      if ((plainTexts[i] as string) !== "")
        hidden.set(i, text.slice(0, first) + MASK + text.slice(last));
    }
    if (isSpread) copied = to;
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
