// The words by which fields without a telling `autocomplete` are recognised as secret: card fields
// and one-time codes. Does not touch the page.

// Whole words, followed only by words without a meaning here: "card number", "cvv", "security
// code"; not "card title", "cc", "csc region".
const CARD = new RegExp(
  "(^| )((credit|debit)? ?card ?(number|num|no|nr)|(credit|debit) ?card|" +
    "cc ?(number|num|no|nr|cvv|cvc|csc)|card ?(cvv|cvc|csc)|cvv|cvc|^csc|" +
    "security ?code|card (security|verification|validation) ?(code|number|value))" +
    "( (code|number|input|field|value|text|box|element|required|optional|digits?|[0-9]+|" +
    "cvv|cvc|csc|on|of|the|your|back|front|card))*$",
);

/** Names of a one-time code. "Pin code" is not one: it is an address in India. */
const CODE =
  "otp|totp|one ?time ?(code|pass ?word|pass ?code|pin|token)|pass ?code|" +
  "(verification|verify|authentication|authenticator|auth|security|sms|text message|email|login|" +
  "log in|sign ?in|mfa|2 ?fa|two factor|two step|backup|recovery|temporary) ?(code|pin|token)|" +
  "([4-8]|four|five|six|seven|eight) ?digit (code|pin|number)";
/** As a name or id: nothing else that has a meaning comes after it. */
const CODE_NAME = new RegExp(
  `(^| )(${CODE}|mfa|2 ?fa|^pin)( (code|input|field|value|text|box|digits?|character|[0-9]+))*$`,
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
