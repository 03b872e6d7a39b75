// How far a change of one element can reach through the page's style sheets: to what is in it, to its siblings, to anything. Read off the texts of the
// rules, once for each set of them; when in doubt further. Pure.

/** A part of a rule that stands before its declarations: selectors, and conditions of groups. */
const PRELUDE = /([^{};]+)\{/g;
const STRING = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
const NTH = /:nth-[a-z-]+\([^()]*\)/g;
const BRACKETS = /\[[^\]]*\]/g;

const STATES = /:(disabled|enabled|required|optional|read-|checked|default|indeterminate|open|placeholder|lang|dir|link|any-link|visited|in-range|out-of-range|valid|invalid|user-|popover|modal|muted|playing|paused|target|-moz-|-webkit-any-link)/;

export class Rules {
  private readonly selectors: string;
  /** `:has()`: a change may restyle anything. */
  readonly has: boolean;
  /** `+` and `~`: a change may restyle the siblings behind it. */
  readonly sibling: boolean;
  /** What an element is counts by its place among its siblings. */
  readonly placed: boolean;
  readonly empty: boolean;
  /** What a form thinks of its fields shows in the form too. */
  readonly validity: boolean;
  /** Some states of elements are asked for that come from attributes. */
  readonly states: boolean;
  /** Boxes may know of more than their own size: floats, columns, containers, what is skipped. */
  readonly entangled: boolean;
  /** What is in a container depends on its size. */
  readonly container: boolean;

  /** `all`: every sheet could be read. */
  constructor(text: string, private readonly all: boolean) {
    const bare = text.replace(STRING, '""');
    let selectors = "";
    for (const [, prelude] of bare.matchAll(PRELUDE)) selectors += `${(prelude as string).toLowerCase()}\n`;
    this.selectors = selectors;
    this.has = !all || selectors.includes(":has(");
    this.sibling = !all || /[+~]/.test(selectors.replace(NTH, "").replace(BRACKETS, ""));
    this.placed = !all || /:(nth-|(first|last|only)-(child|of-type))/.test(selectors);
    this.empty = !all || selectors.includes(":empty");
    this.validity = !all || /:(user-)?(in)?valid|:-moz-ui-/.test(selectors);
    this.states = !all || STATES.test(selectors);
    this.container = !all || bare.includes("@container");
    this.entangled = !all || /float:|column-count|column-width|columns:|subgrid|content-visibility|@container|position-anchor|anchor\(/.test(bare);
  }

  /** Whether a selector may ask for a pseudo-class. */
  asks(state: string): boolean {
    return !this.all || this.selectors.includes(state);
  }

  /** Whether a selector may tell two values of an attribute apart. */
  tells(name: string, before: string | null, now: string | null): boolean {
    if (!this.all || this.selectors.includes(`[${name}`) || this.selectors.includes("|")) return true;
    if (name === "class") {
      const old = new Set(words(before));
      const young = new Set(words(now));
      return [...old, ...young].some((word) => old.has(word) !== young.has(word) && this.selectors.includes(`.${CSS.escape(word).toLowerCase()}`));
    }
    return name === "id" && [before, now].some((id) => id && this.selectors.includes(`#${CSS.escape(id).toLowerCase()}`));
  }
}

const words = (text: string | null): string[] => (text ?? "").split(/[ \t\n\r\f]+/).filter((word) => word !== "");
