// How far a change of one element reaches through the page's style sheets: to its descendants, to
// its siblings, or anywhere. Derived from the texts of the rules, once per set of rules. In doubt,
// the larger reach is assumed. Reads only whether elements match selectors.

import { localName, matches, query } from "../dom/dom";

/** The part of a rule before its declarations: selectors, and conditions of groups. */
const PRELUDE = /([^{};]+)\{/g;
const STRING = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
const NTH = /:nth-[a-z-]+\([^()]*\)/g;
const BRACKETS = /\[[^\]]*\]/g;

const STATE_SELECTORS =
  /:(disabled|enabled|required|optional|read-|checked|default|indeterminate|open|placeholder|lang|dir|link|any-link|visited|in-range|out-of-range|valid|invalid|user-|popover|modal|muted|playing|paused|target|-moz-|-webkit-any-link)/;

/**
 * Declarations and conditions that make the layouts of boxes depend on each other. Only boxes out of
 * the flow have anchors, and those are read anyway. A container that keeps its size restyles nothing.
 */
const ENTANGLING_RULES =
  /(^|[^-\w])(columns|column-count|column-width)\s*:|subgrid|content-visibility:\s*(auto|var)|@container[^{]*scroll-state/;
const FLOATING = /(^|[^-\w])float\s*:\s*(?!none)/;

export class SelectorReach {
  private readonly selectors: string;
  /** The arguments of `:has()`: a change of what they match may restyle anything. */
  private readonly insideHas: string;
  /** The selector of elements that matter to `:has()` when added or removed; null if any may. */
  private readonly lastInHas: string | null;
  /** The selector of elements whose emptiness matters to `:has()`; null if any may. */
  private readonly emptyInHas: string | null;
  /** `:has()` depends on siblings. */
  private readonly siblingInHas: boolean;
  /** `+` and `~`: a change may restyle the siblings after it. */
  readonly sibling: boolean;
  /** Styles may depend on the position among siblings. */
  readonly byPosition: boolean;
  readonly empty: boolean;
  /** Styles may depend on validity, which also applies to the form. */
  readonly validity: boolean;
  /** Selectors use states that come from attributes. */
  readonly states: boolean;
  /** Layouts of boxes may depend on each other: columns, subgrids, skipped content. */
  readonly entangled: boolean;
  /** Boxes may float, and push aside the content of blocks around them. */
  readonly floats: boolean;
  /** Styles may depend on the size of a container. */
  readonly container: boolean;

  /** `allReadable`: every sheet could be read. */
  constructor(
    text: string,
    private readonly allReadable: boolean,
  ) {
    const bare = text.replace(STRING, '""');
    let written = "";
    for (const [, prelude] of bare.matchAll(PRELUDE)) written += `${prelude}\n`;
    const selectors = (this.selectors = written.toLowerCase());
    const within = hasArguments(written);
    this.insideHas = within.toLowerCase();
    this.lastInHas = allReadable ? lastParts(within) : null;
    this.emptyInHas = allReadable ? emptyParts(within) : null;
    this.siblingInHas = /[+~]/.test(within.replace(BRACKETS, ""));
    this.sibling = !allReadable || /[+~]/.test(selectors.replace(NTH, "").replace(BRACKETS, ""));
    this.byPosition = !allReadable || /:(nth-|(first|last|only)-(child|of-type))/.test(selectors);
    this.empty = !allReadable || selectors.includes(":empty");
    this.validity = !allReadable || /:(user-)?(in)?valid|:-moz-ui-/.test(selectors);
    this.states = !allReadable || STATE_SELECTORS.test(selectors);
    this.container = !allReadable || bare.includes("@container");
    this.entangled = !allReadable || ENTANGLING_RULES.test(bare);
    this.floats = !allReadable || FLOATING.test(bare);
  }

  /** Returns whether a selector may use a pseudo-class. */
  usesState(state: string): boolean {
    return !this.allReadable || this.selectors.includes(state);
  }

  /** Returns whether a selector may distinguish two values of an attribute. */
  distinguishes(name: string, before: string | null, now: string | null): boolean {
    return (
      !this.allReadable ||
      selectorsDistinguish(this.selectors, name, before, now) ||
      (this.states && STATE_ATTRIBUTES.test(name))
    );
  }

  /** Like `distinguishes`, but inside `:has()`, where a change may restyle anything. */
  distinguishesInHas(name: string, before: string | null, now: string | null): boolean {
    return (
      !this.allReadable ||
      selectorsDistinguish(this.insideHas, name, before, now) ||
      (STATE_ATTRIBUTES.test(name) && STATE_SELECTORS.test(this.insideHas))
    );
  }

  /** Returns whether `:has()` may use a pseudo-class. */
  usesStateInHas(state: string): boolean {
    return !this.allReadable || this.insideHas.includes(state);
  }

  /** Returns whether `:has()` may depend on the state of an element that no attribute shows. */
  readsStateInHas(el: Element): boolean {
    return !this.allReadable || (OWN_STATES[localName(el)] ?? ANY_STATE).test(this.insideHas);
  }

  /** Returns whether `:has()` may depend on whether an element is empty. */
  readsEmptinessInHas(el: Element): boolean {
    return this.emptyInHas === null || (this.emptyInHas !== "" && matches(el, this.emptyInHas));
  }

  /**
   * Returns whether `:has()` may match an added or removed element, a descendant of it, or one that
   * it was put beside. `home`: where it was added or removed.
   */
  mayMatchInHas(el: Element, home: Node): boolean {
    const { lastInHas } = this;
    if (lastInHas === null) return true;
    if (lastInHas === "") return false;
    return (
      matches(el, lastInHas) ||
      query(el, lastInHas) !== null ||
      (this.siblingInHas && query(home, lastInHas) !== null)
    );
  }
}

/** States that an element may have, by tag, where they are few. */
const OWN_STATES: { [tag: string]: RegExp } = {
  canvas: /(?!)/,
  img: /:-moz-/,
  video: /:(playing|paused|seeking|buffering|stalled|muted|volume-locked|picture-in-picture)/,
  audio: /:(playing|paused|seeking|buffering|stalled|muted|volume-locked)/,
};
const ANY_STATE = /:/;
/** Attributes that give an element a state for selectors. */
const STATE_ATTRIBUTES =
  /^(disabled|required|readonly|checked|selected|open|placeholder|contenteditable|lang|dir|href|type|min|max|step|value|pattern|multiple|minlength|maxlength|controls|popover|muted)$/;

function selectorsDistinguish(
  selectors: string,
  name: string,
  before: string | null,
  now: string | null,
): boolean {
  if (selectors.includes(`[${name}`) || selectors.includes("|")) return true;
  if (name === "class") {
    const old = new Set(words(before));
    const young = new Set(words(now));
    return [...old, ...young].some(
      (word) =>
        old.has(word) !== young.has(word) &&
        selectors.includes(`.${CSS.escape(word).toLowerCase()}`),
    );
  }
  return (
    name === "id" &&
    [before, now].some((id) => id && selectors.includes(`#${CSS.escape(id).toLowerCase()}`))
  );
}

/** Returns the arguments of every `:has()`, one per line. */
function hasArguments(selectors: string): string {
  let inside = "";
  for (let at = selectors.indexOf(":has("); at >= 0; at = selectors.indexOf(":has(", at + 1)) {
    let depth = 1;
    let end = at + 5;
    for (; end < selectors.length && depth > 0; end++)
      depth += selectors[end] === "(" ? 1 : selectors[end] === ")" ? -1 : 0;
    inside += `${selectors.slice(at + 5, end - 1)}\n`;
  }
  return inside;
}

/** Returns the compound selectors of each selector, without values of attributes. */
const compounds = (selectors: string): { text: string; isLast: boolean }[] =>
  selectors
    .split(/[\n,]/)
    .map((one) =>
      one
        .replace(BRACKETS, (part) => `${/^\[\s*[\w-]+/.exec(part)?.[0] ?? "[*"}]`)
        .split(/[\s>+~]+/)
        .filter((part) => part !== ""),
    )
    .flatMap((parts) => parts.map((text, at) => ({ text, isLast: at === parts.length - 1 })));

/**
 * Returns a selector for what the last parts of selectors may match; null if more matters:
 * positions, negations, nested selectors.
 */
function lastParts(inside: string): string | null {
  if (/[&(]|:(nth|first|last|only|root|scope)/.test(inside.replace(BRACKETS, "[]"))) return null;
  return joined(compounds(inside).filter(({ isLast }) => isLast));
}

/** Like `lastParts`, for all parts with `:empty`, whatever other states they have. */
const emptyParts = (inside: string): string | null =>
  joined(
    compounds(inside)
      .filter(({ text }) => text.includes(":empty"))
      .map(({ text }) => ({ text: text.replace(/::?[\w-]+/g, "") || "*" })),
  );

function joined(parts: { text: string }[]): string | null {
  const selector = parts.map(({ text }) => text.replace(/:empty/g, "") || "*").join(",");
  try {
    if (selector !== "") query(document.createDocumentFragment(), selector);
    return selector;
  } catch {
    return null;
  }
}

const words = (text: string | null): string[] =>
  (text ?? "").split(/[ \t\n\r\f]+/).filter((word) => word !== "");
