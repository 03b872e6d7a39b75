// Which fields are secret: password, one-time-code and card fields, fields that are drawn as dots,
// and any field that was ever one of them, also if the page replaced its node. Keeps one observer
// of `type` attributes for the life of the document, so that a "show password" switch reveals
// nothing. Reads only.

import {
  attr,
  byIdIn,
  closest,
  contains,
  isConnected,
  isElement,
  localName,
  parentNode,
  queryAll,
  queryList,
  rootOf,
  textContent,
} from "../dom/dom";
import { handOver } from "../dom/handover";
import { startState } from "../dom/startState";
import { collapseAndTrim } from "../dom/text";
import { isEditingHost } from "./elementTraits";
import { isSecretValue, MASK, noteSecretValue, valuesVersion } from "./secretValues";
import { isCardWord, isCodeLabel, isCodeName, mayBeCode } from "./secretWords";

export { MASK };

/** A known secret field, and the elements around it in which it is the only field. */
interface Known {
  field: WeakRef<Element>;
  around: WeakRef<Element>[];
}
const MOST_KNOWN = 200;

const state = startState("secrets", () => ({
  fields: new WeakSet<Element>(),
  /** The ids, names and labels of secret fields. */
  names: new Set<string>(),
  known: [] as Known[],
  guardedRoots: new WeakSet<Node>(),
  observer: new MutationObserver(readRecords),
  version: 0,
  handedOver: false,
  /** Grows with every call of the script: what was judged during a call holds for that call. */
  call: 0,
  judged: new WeakMap<Element, boolean>(),
  labelsByRoot: new Map<Node, Map<string, string>>(),
}));

/** Returns a number that grows whenever more has to be hidden. */
export const secretsVersion = (): number => state.version + valuesVersion();

function beginCall(): void {
  state.call++;
  state.judged = new WeakMap();
  state.labelsByRoot = new Map();
}

/** Frameworks replace the node when a password is shown, so its names and place are remembered. */
function remember(el: Element): void {
  if (state.fields.has(el)) return;
  state.fields.add(el);
  state.judged.delete(el);
  state.version++;
  if (localName(el) === "input") {
    for (const key of ["id", "name", "aria-label", "placeholder"]) {
      const value = attr(el, key);
      if (value) state.names.add(`${key}=${value}`);
    }
    const label = labelOf(el);
    if (label) state.names.add(`label=${label}`);
  }
  state.known.push({ field: new WeakRef(el), around: placesOf(el) });
  if (state.known.length > MOST_KNOWN) state.known.shift();
  noteSecretValue(el, valueIn(el));
}

/** Makes the value of a field secret, because the caller types a secret into it. */
export function rememberSecret(el: Element): void {
  if (/^(input|textarea)$/.test(localName(el)) || isEditingHost(el)) remember(el);
}

/** Returns the value of a field, or the text of an element that is edited in place. */
export const valueIn = (el: Element): string =>
  /^(input|textarea|select)$/.test(localName(el))
    ? (el as HTMLInputElement).value
    : (textContent(el) ?? "");

const FIELDS = 'input:not([type="hidden" i],[type="checkbox" i],[type="radio" i]),textarea,select';
const MAX_PLACES = 3;
/** Returns the elements around a field in which it is the only field. */
function placesOf(el: Element): WeakRef<Element>[] {
  const found: WeakRef<Element>[] = [];
  for (let at = parentNode(el); isElement(at) && found.length < MAX_PLACES; at = parentNode(at)) {
    if (queryAll(at, FIELDS).length > 1 || /^(body|html)$/.test(localName(at))) break;
    found.push(new WeakRef(at));
  }
  return found;
}

/** Returns whether a field stands where a secret field was that is gone. */
const isInPlaceOfSecret = (el: Element): boolean =>
  state.known.some(({ field, around }) => {
    const old = field.deref();
    if (old && isConnected(old)) return false;
    return around.some((ref) => {
      const place = ref.deref();
      return place !== undefined && contains(place, el) && queryAll(place, FIELDS).length === 1;
    });
  });

/** Returns whether a field holds the value of a secret field that is gone. */
function holdsSecretValue(el: Element): boolean {
  const { value } = el as HTMLInputElement;
  return (
    isSecretValue(value) &&
    !state.known.some(({ field }) => {
      const old = field.deref();
      return old !== undefined && isConnected(old) && valueIn(old) === value;
    })
  );
}

const isPassword = (type: string | null | undefined): boolean => type?.toLowerCase() === "password";

function readRecords(records: MutationRecord[]): void {
  for (const { target, oldValue } of records)
    if (
      isElement(target) &&
      localName(target) === "input" &&
      (isPassword(oldValue) || isPassword(attr(target, "type")))
    )
      remember(target);
}

/** Remembers the fields of this root that are or become password fields. */
export function watchPasswords(root: Node): void {
  if (state.guardedRoots.has(root)) return;
  state.guardedRoots.add(root);
  state.observer.observe(root, {
    subtree: true,
    attributes: true,
    attributeOldValue: true,
    attributeFilter: ["type"],
  });
  for (const el of queryAll(root, 'input[type="password" i]')) remember(el);
}

export function isSecret(el: Element): boolean {
  const tag = localName(el);
  if (tag !== "input" && tag !== "textarea" && tag !== "select" && !isEditingHost(el)) return false;
  const before = state.judged.get(el);
  if (before !== undefined) return before;
  const secret = state.fields.has(el) || judge(el, tag);
  if (secret) remember(el);
  state.judged.set(el, secret);
  return secret;
}

const CARD_TYPES = /^(text|tel|number|search|hidden)$/;
const TYPED = /^(text|tel|number|search|url|email|password)$/;
/** Fields without autocomplete are recognised by the words in these attributes. */
const NAMING_ATTRIBUTES = ["name", "id", "autocomplete", "aria-label", "placeholder"];

function judge(el: Element, tag: string): boolean {
  const type = tag === "input" ? (el as HTMLInputElement).type : "text";
  if (type === "password") return true;
  if (
    /(^|\s)(cc-|one-time-code|current-password|new-password)/i.test(attr(el, "autocomplete") ?? "")
  )
    return true;
  if (tag === "input" && CARD_TYPES.test(type) && hasName(el, isCardWord)) return true;
  if (tag === "select" || !TYPED.test(type)) return false;
  if (tag === "input" && (isCode(el) || isInGroupOfBoxes(el) || replacesSecret(el))) return true;
  return isDrawnAsDots(el);
}

const hasName = (el: Element, fits: (called: string) => boolean): boolean =>
  NAMING_ATTRIBUTES.some((name) => {
    const called = attr(el, name);
    return called !== null && called !== "" && fits(called);
  });

function replacesSecret(el: Element): boolean {
  if (state.names.size === 0) return false;
  const isNamed = ["id", "name", "aria-label", "placeholder"].some((key) =>
    state.names.has(`${key}=${attr(el, key)}`),
  );
  return (
    isNamed ||
    state.names.has(`label=${labelOf(el)}`) ||
    isInPlaceOfSecret(el) ||
    holdsSecretValue(el)
  );
}

/** Returns whether the text of a field is drawn as dots, by style. */
function isDrawnAsDots(el: Element): boolean {
  const drawn = getComputedStyle(el).getPropertyValue("-webkit-text-security");
  return drawn !== "" && drawn !== "none";
}

const SHORT = /^[4-8]$/;
/** Returns whether a field is for a one-time code, by its names, its label or its shape. */
function isCode(el: Element): boolean {
  if (hasName(el, isCodeName)) return true;
  const label = labelOf(el);
  if (label !== "" && isCodeLabel(label)) return true;
  if (!SHORT.test(attr(el, "maxlength") ?? "") || !takesDigits(el)) return false;
  const names = NAMING_ATTRIBUTES.map((name) => attr(el, name) ?? "").join(" ");
  return mayBeCode(`${names} ${label}`);
}
const takesDigits = (el: Element): boolean =>
  /^numeric$/i.test(attr(el, "inputmode") ?? "") ||
  /^(\\d|\[0-9\])/.test(attr(el, "pattern") ?? "");

const BOXES = 'input[maxlength="1"]';
const [FEWEST_BOXES, MOST_BOXES] = [4, 10];
/** The boxes of each root, if they are the digits of one code. */
let boxesOfCall = { call: 0, byRoot: new Map<Node, Set<Element>>() };
/** The digits of one code, each in a box. A page with more of them is a puzzle. */
function isInGroupOfBoxes(el: Element): boolean {
  if (attr(el, "maxlength") !== "1") return false;
  if (boxesOfCall.call !== state.call) boxesOfCall = { call: state.call, byRoot: new Map() };
  const root = rootOf(el);
  let boxes = boxesOfCall.byRoot.get(root);
  if (!boxes) {
    const all = queryList(root, BOXES);
    const group = all.length >= FEWEST_BOXES && all.length <= MOST_BOXES ? all : [];
    boxesOfCall.byRoot.set(root, (boxes = new Set(group)));
    noteSecretValue(root, group.map((box) => (box as HTMLInputElement).value).join(""));
  }
  return boxes.has(el);
}

/** Returns the text of the labels of a field, as the page has it. */
function labelOf(el: Element): string {
  const text = (node: Element | null): string =>
    node ? collapseAndTrim((textContent(node) ?? "").slice(0, 500)) : "";
  const around = text(closest(el, "label"));
  if (around !== "") return around;
  const root = rootOf(el);
  const by = attr(el, "aria-labelledby");
  if (by) return text(byIdIn(root, by.trim().split(/\s+/, 1)[0] as string));
  const id = attr(el, "id");
  if (!id) return "";
  let labels = state.labelsByRoot.get(root);
  if (!labels) {
    state.labelsByRoot.set(root, (labels = new Map()));
    for (const label of queryAll(root, "label[for]")) {
      const named = attr(label, "for") as string;
      if (!labels.has(named)) labels.set(named, text(label));
    }
  }
  return labels.get(id) ?? "";
}

const REVEALING = new Set(["value", "aria-valuetext", "aria-valuenow", "data-value"]);
/** Returns whether an attribute may reveal a secret. */
export const mayRevealSecret = (name: string): boolean => REVEALING.has(name);
/** Masks such attributes, and any other attribute that holds the same value. */
export const safeAttribute = (el: Element, name: string, value: string, secret: boolean): string =>
  secret && (mayRevealSecret(name) || (value !== "" && value === valueIn(el))) ? MASK : value;

/**
 * Reads what is not known yet: mutation records that are not delivered, which would come too late
 * for the next capture, and the values of secret fields.
 */
export function readPendingPasswords(): void {
  beginCall();
  watchPasswords(document);
  readRecords(state.observer.takeRecords());
  for (const { field } of state.known) {
    const el = field.deref();
    if (el) noteSecretValue(el, valueIn(el));
  }
}

if (!state.handedOver) {
  state.handedOver = true;
  handOver(
    "secrets",
    (el, fact) => {
      if (el) remember(el);
      else for (const name of JSON.parse(fact) as string[]) state.names.add(name);
    },
    (report) => {
      report(null, JSON.stringify([...state.names]));
      for (const { field } of state.known) {
        const el = field.deref();
        if (el) report(el, "");
      }
    },
  );
}
