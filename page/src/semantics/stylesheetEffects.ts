// What the page's own style sheets can do at all: which properties any of their rules sets to
// something that matters here. Where none does, an element that the browser's sheet leaves alone
// has the initial value, or its parent's, and need not be asked: each read of a live style costs as
// much as a tenth of the rest. When in doubt (a sheet of another origin, too many rules, unknown
// tags) the answer is "may". Reads only.

/** Properties that the walk asks for, as bits. */
export const enum May {
  Position = 1 << 0,
  Cursor = 1 << 1,
  Overflow = 1 << 2,
  ClipPath = 1 << 3,
  ContentVisibility = 1 << 4,
  WhiteSpace = 1 << 5,
  TextTransform = 1 << 6,
  FontSize = 1 << 7,
  TextIndent = 1 << 8,
  Fill = 1 << 9,
  Ground = 1 << 10,
  Content = 1 << 11,
  Opacity = 1 << 12,
  /** Every one of them. */
  Any = (1 << 13) - 1,
}

const KEYWORD = /^(inherit|initial|unset|revert|revert-layer)$/;

/** By property: its bit, and the values that cannot matter. An empty value hides a variable. */
const PROPERTIES = new Map<string, [May, RegExp | null]>([
  ["position", [May.Position, /^static$/]],
  ["cursor", [May.Cursor, null]],
  ["overflow", [May.Overflow, /^visible$/]],
  ["overflow-x", [May.Overflow, /^visible$/]],
  ["overflow-y", [May.Overflow, /^visible$/]],
  ["overflow-inline", [May.Overflow, null]],
  ["overflow-block", [May.Overflow, null]],
  ["clip", [May.ClipPath, /^auto$/]],
  ["clip-path", [May.ClipPath, /^none$/]],
  ["-webkit-clip-path", [May.ClipPath, /^none$/]],
  ["content-visibility", [May.ContentVisibility, /^(visible|auto)$/]],
  ["white-space", [May.WhiteSpace, null]],
  ["white-space-collapse", [May.WhiteSpace, null]],
  ["text-wrap", [May.WhiteSpace, null]],
  ["text-wrap-mode", [May.WhiteSpace, null]],
  ["text-transform", [May.TextTransform, null]],
  ["font", [May.FontSize, null]],
  [
    "font-size",
    [
      May.FontSize,
      /^(\d*[1-9]\d*(\.\d+)?|\d*\.\d*[1-9]\d*)(px|em|rem|%|pt|vw|vh|ex|ch)$|^(xx?-|xxx-)?(small|large)$|^(medium|smaller|larger)$/,
    ],
  ],
  ["text-indent", [May.TextIndent, /^[\d.]+[a-z%]*$/]],
  ["color", [May.Fill, null]],
  ["-webkit-text-fill-color", [May.Fill, null]],
  ["background", [May.Ground, null]],
  ["background-color", [May.Ground, /^(transparent|rgba\(0, 0, 0, 0\))$/]],
  ["content", [May.Content, /^(none|normal|""|'')$/]],
  ["opacity", [May.Opacity, /^(0?\.(0[2-9]|[1-9])\d*|1)$/]],
  ["all", [May.Any, null]],
]);

/** Beyond this, or beyond one for each element, reading the rules costs more than it saves. */
const FEWEST_RULES = 500;
const MOST_ANIMATIONS = 50;

/**
 * Tags that the browser's own sheet gives none of these properties (but a font size in proportion
 * to the parent's).
 */
const TAME = new Set(
  (
    "abbr address article aside b bdi bdo blockquote center cite code dd del dfn div dl dt " +
    "em figcaption figure footer form h1 h2 h3 h4 h5 h6 header " +
    "hgroup i ins kbd li main menu nav ol p s samp search section small span strong sub sup " +
    "tbody td tfoot th thead time tr u ul var"
  ).split(" "),
);
const ODD = May.Position | May.ClipPath | May.ContentVisibility | May.Opacity;
/**
 * Tags to which it gives some: these are always read. Sizes of nothing and texts thrown off the
 * page it gives to none.
 */
const OWN: { [tag: string]: number } = {
  a: May.Cursor | May.Fill,
  label: May.Cursor,
  table: May.Cursor | May.WhiteSpace | May.TextTransform | May.Fill,
  button: May.Any & ~(ODD | May.FontSize | May.TextIndent),
  input: May.Any & ~ODD,
};
/** Attributes that style an element. */
export const STYLING = new Set([
  "style",
  "nowrap",
  "bgcolor",
  "background",
  "color",
  "hidden",
  "popover",
  "contenteditable",
]);

/** What is read of an HTML element with this tag whatever the page's sheets do. */
export const ownOf = (tag: string): number => (TAME.has(tag) ? 0 : (OWN[tag] ?? May.Any));

interface Ruled {
  cssRules?: CSSRuleList;
  style?: CSSStyleDeclaration;
  styleSheet?: CSSStyleSheet | null;
}

/** What sheets may do, as far as their roots have been entered: it only ever grows. */
export class Sheets {
  /** Everything, unless somebody wants to know better. */
  may: number = May.Any;
  private left = 0;
  private readonly known = new Set<Node | CSSStyleSheet>();

  /** From here on rules are read, beginning with the document's. */
  trust(): void {
    this.may = 0;
    this.left = Math.max(FEWEST_RULES, document.getElementsByTagName("*").length);
    this.enter(document);
  }

  /** The sheets and animations of this root count from now on. */
  enter(root: Document | ShadowRoot): void {
    if (this.may === May.Any || this.known.has(root)) return;
    this.known.add(root);
    const { styleSheets, adoptedStyleSheets } = root;
    for (let i = 0; i < styleSheets.length; i++) this.sheet(styleSheets[i] as CSSStyleSheet);
    for (let i = 0; i < (adoptedStyleSheets?.length ?? 0); i++)
      this.sheet(adoptedStyleSheets[i] as CSSStyleSheet);
    this.animations(root);
  }

  private sheet(sheet: CSSStyleSheet): void {
    if (this.known.has(sheet)) return;
    this.known.add(sheet);
    let rules: CSSRuleList;
    try {
      rules = sheet.cssRules;
    } catch {
      // Of another origin: it may say anything.
      this.may = May.Any;
      return;
    }
    this.rules(rules);
  }

  private rules(rules: CSSRuleList): void {
    for (let i = 0; i < rules.length && this.may !== May.Any; i++) {
      if (this.left-- <= 0) {
        this.may = May.Any;
        return;
      }
      const rule = rules[i] as CSSRule & Ruled;
      const { style, cssRules } = rule;
      if (style) this.declarations(style);
      if (cssRules && cssRules.length > 0) this.rules(cssRules);
      if (rule.styleSheet) this.sheet(rule.styleSheet);
    }
  }

  private declarations(style: CSSStyleDeclaration): void {
    for (let i = 0; i < style.length; i++) {
      const name = style[i] as string;
      const known = PROPERTIES.get(name);
      if (!known || (this.may & known[0]) === known[0]) continue;
      const value = known[1] ? style.getPropertyValue(name) : "";
      if (known[1] && value !== "" && (known[1].test(value) || KEYWORD.test(value))) continue;
      this.may |= known[0];
    }
  }

  /** Animations that scripts run are in no sheet. */
  private animations(root: Document | ShadowRoot): void {
    const running = root.getAnimations?.() ?? [];
    if (running.length > MOST_ANIMATIONS) this.may = May.Any;
    for (const { effect } of running) {
      if (this.may === May.Any) return;
      for (const frame of (effect as KeyframeEffect | null)?.getKeyframes?.() ?? []) {
        for (const key of Object.keys(frame))
          this.may |=
            PROPERTIES.get(key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))?.[0] ?? 0;
      }
    }
  }
}
