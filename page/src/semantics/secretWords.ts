// The words by which fields without a telling `autocomplete` are recognised as secret: card fields
// and one-time codes. The phrases are those that core masks in logs. Does not touch the page.

import { card, code, codeNames } from "../../../crates/pagesight-core/src/text/secret_names.json";

/** Returns a pattern for phrases; the words of a phrase may be written without a space. */
const pattern = (phrases: readonly string[]): string =>
  phrases.map((phrase) => phrase.replace(/[^ ]+/g, "($&)").replace(/ /g, " ?")).join("|");

// Whole words, followed only by words without a meaning here: "card number", "cvv", "security
// code"; not "card title", "cc", "csc region".
const CARD = new RegExp(
  `(^| )(${pattern(card)}|^csc)` +
    "( (code|number|input|field|value|text|box|element|required|optional|digits?|[0-9]+|" +
    "cvv|cvc|csc|on|of|the|your|back|front|card))*$",
);

/** Names of a one-time code. "Pin code" is not one: it is an address in India. */
const CODE = pattern(code);
/** As a name or id: nothing else that has a meaning comes after it. */
const CODE_NAME = new RegExp(
  `(^| )(${CODE}|${pattern(codeNames)}|^pin)` +
    "( (code|input|field|value|text|box|digits?|character|[0-9]+))*$",
);
/** As a label: it may be part of a sentence. */
const CODE_LABEL = new RegExp(`(^| )(${CODE}|^pin)( |$)`);
/** Words that make a short number field a code, and words that make it something else. */
const MAYBE_CODE = /(^| )(code|token|pin|digits?|verify|verification|confirm|confirmation)( |$)/;
const OTHER_CODE =
  /(^| )(zip|post|postal|postcode|area|country|dial|phone|product|item|promo|coupon|discount|voucher|gift|referral|invite|bar|qr|sort|bank|branch|tax|color|colour|language|status|error|source|state|city|flight|booking|order|tracking)/;

/** A label that is longer is a text. */
const LONGEST_LABEL = 120;

/** `cardNumber`, `card-number`, `payment[card_number]` and `Card number *` are the same words. */
const wordsOf = (called: string): string =>
  called
    .replace(/([a-z])([A-Z0-9])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z]|[0-9])/g, "$1 $2")
    .replace(/[^A-Za-z0-9]+/g, " ")
    .trim()
    .toLowerCase();

export const isCardWord = (called: string): boolean => CARD.test(wordsOf(called.slice(-100)));
export const isCodeName = (called: string): boolean => {
  const words = wordsOf(called.slice(-100));
  return CODE_NAME.test(words) && !OTHER_CODE.test(words);
};
export const isCodeLabel = (label: string): boolean => {
  const words = wordsOf(label.slice(0, LONGEST_LABEL));
  return label.length <= LONGEST_LABEL && CODE_LABEL.test(words) && !OTHER_CODE.test(words);
};
/** Returns whether a short number field with these names and labels may be a code. */
export const mayBeCode = (called: string): boolean => {
  const words = wordsOf(called.slice(0, 1000));
  return words === "" || (MAYBE_CODE.test(words) && !OTHER_CODE.test(words));
};
