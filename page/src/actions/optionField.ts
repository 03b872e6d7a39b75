// The field that an option belongs to, and whether a click on the option left something else in it.
// Only what is certain is reported: a page may show a choice in many ways. Secrets are never read.

import {
  activeElement,
  attr,
  attributeNames,
  closest,
  contains,
  flatParent,
  isConnected,
  isRendered,
  localName,
  matches,
  queryAll,
  rectOf,
  rootOf,
  textContent,
} from "../dom/dom";
import { collapseAndTrim, stripNoise, truncate } from "../dom/text";
import { fieldOfCombobox } from "../semantics/combobox";
import { isSecret } from "../semantics/secrets";
import { maySuggest } from "../semantics/suggestions";

const OPTION =
  '[role="option" i],[role="menuitem" i],[role="menuitemradio" i],[role="listitem" i],li';
const LIST = '[role="listbox" i],[role="menu" i],[role="list" i],ul,ol';
/** Lists that offer something for the field in focus, even if no attribute says so. */
const SUGGESTIONS = '[role="listbox" i],.ui-autocomplete';
/** Elements that show which option of their list is chosen. */
const CHOOSERS = 'input,textarea,[role="combobox" i],button[aria-haspopup="listbox" i]';
/** How many elements around a list or a field are looked at. */
const MAX_AROUND = 3;
const LONGEST_AROUND = 2000;
const LONGEST_VALUE = 300;
/** Texts for screen readers are drawn smaller than this, in pixels. */
const SMALLEST = 3;
const MAX_OPTIONS = 500;

/** An option that is about to be clicked. */
export interface ClickedOption {
  option: Element;
  text: string;
  list: Element;
  field: Element;
  /** The value of the field before the click. */
  before: string;
  /** The texts of the other options. */
  others: Set<string>;
  /** The list belongs to the field only because the field has the focus. */
  isGuessed: boolean;
}

/** Returns the option that an element is or is in; null if it is not one of a field. */
export function optionOfField(el: Element): ClickedOption | null {
  const option = closest(el, OPTION);
  const list = option && closest(option, LIST);
  if (!option || !list || attr(list, "aria-multiselectable") === "true") return null;
  const named = chooserOf(list);
  const focused = activeElement();
  const guessed =
    !named && focused && maySuggest(focused) && matches(list, SUGGESTIONS) ? focused : null;
  const field = named ?? guessed;
  if (!field || contains(list, field) || contains(field, list) || isSecret(field)) return null;
  const text = shownText(option);
  const others = new Set<string>();
  for (const other of [...queryAll(list, OPTION)].slice(0, MAX_OPTIONS))
    if (other !== option) others.add(plain(shownText(other)));
  return { option, text, list, field, before: shownValue(field), others, isGuessed: !named };
}

/** Returns the field that refers to a list or to what the list is in. */
function chooserOf(list: Element): Element | null {
  let at: Element | null = list;
  for (let i = 0; at && i <= MAX_AROUND; i++, at = flatParent(at)) {
    const id = attr(at, "id");
    if (!id) continue;
    const name = CSS.escape(id);
    const refers = queryAll(rootOf(at), `[aria-controls~="${name}"],[aria-owns~="${name}"]`);
    for (const el of refers) {
      const field = fieldOfCombobox(el) ?? el;
      if (matches(field, CHOOSERS)) return field;
    }
  }
  return null;
}

/**
 * Returns the value that a click on an option left in the field, if it is certainly not the
 * option's.
 */
export function heldInstead(clicked: ClickedOption): object | null {
  const { option, text, list, field, before, others, isGuessed } = clicked;
  if (!isConnected(field) || !isRendered(field) || isSecret(field)) return null;
  const value = shownValue(field);
  const changed = value !== before;
  if (value === "" || (isGuessed && !changed) || agrees(text, value)) return null;
  // A field that shows a choice in its own way is believed, unless it shows a different option.
  if (localName(field) !== "input" && !others.has(plain(value))) return null;
  if (isConnected(option) && attr(option, "aria-selected") === "true") return null;
  // The value of an option need not be its text.
  if (attributeNames(option).some((name) => plain(attr(option, name) ?? "") === plain(value)))
    return null;
  if (isShownBeside(text, field, list)) return null;
  return { value: truncate(value, LONGEST_VALUE), changed };
}

/** Returns whether an option was chosen: its field has changed and has exactly its text now. */
export function isChosen({ text, field, before }: ClickedOption): boolean {
  const value = shownValue(field);
  return isConnected(field) && value !== before && plain(value) === plain(text);
}

/** Returns whether the text of an option is drawn beside the field, as in fields with tags. */
function isShownBeside(text: string, field: Element, list: Element): boolean {
  const wanted = plain(text);
  let around = flatParent(field);
  for (let i = 1; around && i < MAX_AROUND && !/^(body|html|form)$/.test(localName(around)); i++)
    around = flatParent(around) ?? around;
  if (!around || (textContent(around) ?? "").length > LONGEST_AROUND) return false;
  // A text for screen readers is not a choice that is shown.
  return [...queryAll(around, "*")].some(
    (el) =>
      !contains(list, el) &&
      !contains(el, list) &&
      plain(textContent(el) ?? "") === wanted &&
      Math.min(rectOf(el).width, rectOf(el).height) >= SMALLEST &&
      isRendered(el),
  );
}

const shownText = (el: Element): string => collapseAndTrim(stripNoise(textContent(el) ?? ""));

const shownValue = (field: Element): string =>
  /^(input|textarea)$/.test(localName(field))
    ? collapseAndTrim(stripNoise((field as HTMLInputElement).value))
    : shownText(field);

/** Returns the letters and digits of a text, without case and accents. */
const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");

const wordsOf = (text: string): string[] =>
  text
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .map(plain)
    .filter((word) => word !== "");

/** Returns whether one of two texts may stand for the other. */
function agrees(text: string, value: string): boolean {
  const within = (a: string, b: string): boolean => a.includes(b) || b.includes(a);
  if (within(plain(text), plain(value))) return true;
  // "Doe, John" is "John Doe".
  const [a, b] = [wordsOf(text), wordsOf(value)];
  if (a.every((word) => b.includes(word)) || b.every((word) => a.includes(word))) return true;
  // "9:00 AM" is "09:00".
  const digits = (s: string): string => s.replace(/\D+/g, "");
  return digits(text) !== "" && digits(value) !== "" && within(digits(text), digits(value));
}
