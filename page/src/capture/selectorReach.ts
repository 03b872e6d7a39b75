// How far a change of one element reaches through the page's style sheets: to its descendants, to
// its siblings, or anywhere. Derived from the texts of the rules, once per set of rules. In doubt,
// the larger reach is assumed. Reads only whether elements match selectors.

import { matches, query } from "../dom/dom";

/** The part of a rule before its declarations: selectors, and conditions of groups. */
const PRELUDE = /([^{};]+)\{/g;
const STRING = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
const NTH = /:nth-[a-z-]+\([^()]*\)/g;
const BRACKETS = /\[[^\]]*\]/g;

const STATE_SELECTORS =
  /:(disabled|enabled|required|optional|read-|checked|default|indeterminate|open|placeholder|lang|dir|link|any-link|visited|in-range|out-of-range|valid|invalid|user-|popover|modal|muted|playing|paused|target|-moz-|-webkit-any-link)/;

export class SelectorReach {
  private readonly selectors: string;
  /** The arguments of `:has()`: a change of what they match may restyle anything. */
  private readonly insideHas: string;
  /** The selector of elements that matter to `:has()` when added or removed; null if any may. */
  private readonly lastInHas: string | null;
  /** `+` and `~`: a change may restyle the siblings after it. */
  readonly sibling: boolean;
  /** Styles may depend on the position among siblings. */
  readonly byPosition: boolean;
  readonly empty: boolean;
  /** Styles may depend on validity, which also applies to the form. */
  readonly validity: boolean;
  /** Selectors use states that come from attributes. */
  readonly states: boolean;
  /** Layouts of boxes may depend on each other: floats, columns, containers, skipped content. */
  readonly entangled: boolean;
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
    this.sibling = !allReadable || /[+~]/.test(selectors.replace(NTH, "").replace(BRACKETS, ""));
    this.byPosition = !allReadable || /:(nth-|(first|last|only)-(child|of-type))/.test(selectors);
    this.empty = !allReadable || selectors.includes(":empty");
    this.validity = !allReadable || /:(user-)?(in)?valid|:-moz-ui-/.test(selectors);
    this.states = !allReadable || STATE_SELECTORS.test(selectors);
    this.container = !allReadable || bare.includes("@container");
    this.entangled =
      !allReadable ||
      /float:|column-count|column-width|columns:|subgrid|content-visibility|@container|position-anchor|anchor\(/.test(
        bare,
      );
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
      (STATE_ATTRIBUTES.test(name) && this.usesStateInHas(":"))
    );
  }

  /** Returns whether `:has()` may use a pseudo-class. */
  usesStateInHas(state: string): boolean {
    return !this.allReadable || this.insideHas.includes(state);
  }

  /** Returns whether `:has()` may match an added or removed element, or a descendant of it. */
  mayMatchInHas(el: Element): boolean {
    return (
      this.lastInHas === null ||
      (this.lastInHas !== "" && (matches(el, this.lastInHas) || query(el, this.lastInHas) !== null))
    );
  }
}

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

/**
 * Returns the last part of each selector; null if more matters: positions among siblings,
 * negations, nested selectors.
 */
function lastParts(inside: string): string | null {
  if (inside.trim() === "") return "";
  if (/[+~&"']|:(nth|first|last|only|empty|not|is|where|has|root|scope)/.test(inside)) return null;
  const parts = inside
    .split(/[\n,]/)
    .map(
      (one) =>
        one
          .trim()
          .split(/[\s>]+/)
          .pop() ?? "",
    )
    .filter((part) => part !== "");
  const selector = parts.join(",");
  try {
    query(document.createDocumentFragment(), selector);
    return selector;
  } catch {
    return null;
  }
}

const words = (text: string | null): string[] =>
  (text ?? "").split(/[ \t\n\r\f]+/).filter((word) => word !== "");
