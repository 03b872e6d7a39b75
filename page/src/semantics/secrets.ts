// Values that must not leave the page: of password, one-time-code and card fields (by autocomplete,
// or by their names), and of any field that was ever a password field. Keeps one observer of `type`
// attributes for the life of the document, so that a "show password" switch reveals nothing.

import { attr, isElement, localName, queryAll, rootElement } from "../dom/dom";

export const MASK = "•••";

const passwordFields = new WeakSet<Element>();
const passwordNames = new Set<string>();
const guardedRoots = new WeakSet<Node>();

/** Returns how many names of password fields are known. The number only grows. */
export const knownSecretNames = (): number => passwordNames.size;

function rememberPassword(el: Element): void {
  passwordFields.add(el);
  // Frameworks replace the node when the type is switched, so its id and name are remembered.
  for (const key of ["id", "name"]) {
    const value = attr(el, key);
    if (value) passwordNames.add(`${key}=${value}`);
  }
}

const observer = new MutationObserver((records) => {
  for (const { target, oldValue } of records) {
    if (isElement(target) && localName(target) === "input") {
      if (
        oldValue?.toLowerCase() === "password" ||
        attr(target, "type")?.toLowerCase() === "password"
      )
        rememberPassword(target);
    }
  }
});

/** Remembers the fields of this root that are or become password fields. */
export function watchPasswords(root: Node): void {
  if (guardedRoots.has(root)) return;
  guardedRoots.add(root);
  observer.observe(root, {
    subtree: true,
    attributes: true,
    attributeOldValue: true,
    attributeFilter: ["type"],
  });
  for (const el of queryAll(root, 'input[type="password" i]')) rememberPassword(el);
}

export function isSecret(el: Element): boolean {
  const tag = localName(el);
  if (tag !== "input" && tag !== "textarea" && tag !== "select") return false;
  const type = tag === "input" ? (el as HTMLInputElement).type : "text";
  if (type === "password") {
    rememberPassword(el);
    return true;
  }
  if (passwordFields.has(el)) return true;
  const autocomplete = attr(el, "autocomplete")?.toLowerCase() ?? "";
  if (/(^|\s)(cc-|one-time-code|current-password|new-password)/.test(autocomplete)) return true;
  if (
    tag === "input" &&
    CARD_TYPES.test(type) &&
    NAMING_ATTRIBUTES.some((name) => isCardWord(attr(el, name)))
  )
    return true;
  if (
    tag !== "input" ||
    passwordNames.size === 0 ||
    /^(button|checkbox|color|file|hidden|image|radio|range|reset|submit)$/.test(type)
  )
    return false;
  return passwordNames.has(`id=${attr(el, "id")}`) || passwordNames.has(`name=${attr(el, "name")}`);
}

/** Fields without autocomplete are recognised by the words in these attributes. */
const NAMING_ATTRIBUTES = ["name", "id", "autocomplete", "aria-label", "placeholder"];
const CARD_TYPES = /^(text|tel|number|search|hidden)$/;
// Whole words, followed only by words without a meaning here: "card number", "cvv", "security
// code"; not "card title", "cc", "csc region".
const CARD = new RegExp(
  "(^| )((credit|debit)? ?card ?(number|num|no|nr)|(credit|debit) ?card|" +
    "cc ?(number|num|no|nr|cvv|cvc|csc)|card ?(cvv|cvc|csc)|cvv|cvc|^csc|" +
    "security ?code|card (security|verification|validation) ?(code|number|value))" +
    "( (code|number|input|field|value|text|box|element|required|optional|digits?|[0-9]+|" +
    "cvv|cvc|csc|on|of|the|your|back|front|card))*$",
);

/** `cardNumber`, `card-number`, `payment[card_number]` and `Card number *` are the same words. */
function isCardWord(called: string | null): boolean {
  if (!called) return false;
  const words = called
    .slice(-100)
    .replace(/([a-z])([A-Z0-9])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z]|[0-9])/g, "$1 $2")
    .replace(/[^A-Za-z0-9]+/g, " ");
  return CARD.test(words.trim().toLowerCase());
}

const REVEALING = new Set(["value", "aria-valuetext", "aria-valuenow", "data-value"]);
/** Returns whether an attribute may reveal a secret. */
export const mayRevealSecret = (name: string): boolean => REVEALING.has(name);
/** Masks such attributes, and any other attribute that holds the same value. */
export const safeAttribute = (el: Element, name: string, value: string, secret: boolean): string =>
  secret && (mayRevealSecret(name) || (value !== "" && value === (el as HTMLInputElement).value))
    ? MASK
    : value;

/**
 * Handles mutation records that are not delivered yet: they would come too late for the next
 * capture.
 */
export function readPendingPasswords(): void {
  const root = rootElement();
  if (root) watchPasswords(document);
  for (const { target, oldValue } of observer.takeRecords()) {
    if (isElement(target) && oldValue?.toLowerCase() === "password") rememberPassword(target);
  }
}
