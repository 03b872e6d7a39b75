// Which properties the page's style sheets may set to a value that matters. Where no rule sets a
// property, an element that the browser's own sheet leaves alone has the initial or inherited
// value, and the property is not read: each read of a computed style costs about a tenth of
// everything else. In doubt (a cross-origin sheet, too many rules, unknown tags) a property may be
// set. Reads only.

import { animationsIn } from "../dom/dom";
import { wordSet } from "../dom/text";

/** The properties that the walk reads, as bits. */
export enum StyleEffect {
  Position = 1 << 0,
  Cursor = 1 << 1,
  Overflow = 1 << 2,
  ClipPath = 1 << 3,
  ContentVisibility = 1 << 4,
  WhiteSpace = 1 << 5,
  TextTransform = 1 << 6,
  FontSize = 1 << 7,
  TextIndent = 1 << 8,
  TextColor = 1 << 9,
  Background = 1 << 10,
  Content = 1 << 11,
  Opacity = 1 << 12,
  /** Every one of them. */
  Any = (1 << 13) - 1,
}

const KEYWORD = /^(inherit|initial|unset|revert|revert-layer)$/;

/**
 * By property: its bit, and the values that cannot matter. An empty value stands for a variable.
 */
const PROPERTIES = new Map<string, [StyleEffect, RegExp | null]>([
  ["position", [StyleEffect.Position, /^static$/]],
  ["cursor", [StyleEffect.Cursor, null]],
  ["overflow", [StyleEffect.Overflow, /^visible$/]],
  ["overflow-x", [StyleEffect.Overflow, /^visible$/]],
  ["overflow-y", [StyleEffect.Overflow, /^visible$/]],
  ["overflow-inline", [StyleEffect.Overflow, null]],
  ["overflow-block", [StyleEffect.Overflow, null]],
  ["clip", [StyleEffect.ClipPath, /^auto$/]],
  ["clip-path", [StyleEffect.ClipPath, /^none$/]],
  ["-webkit-clip-path", [StyleEffect.ClipPath, /^none$/]],
  ["content-visibility", [StyleEffect.ContentVisibility, /^(visible|auto)$/]],
  ["white-space", [StyleEffect.WhiteSpace, null]],
  ["white-space-collapse", [StyleEffect.WhiteSpace, null]],
  ["text-wrap", [StyleEffect.WhiteSpace, null]],
  ["text-wrap-mode", [StyleEffect.WhiteSpace, null]],
  ["text-transform", [StyleEffect.TextTransform, null]],
  ["font", [StyleEffect.FontSize, null]],
  [
    "font-size",
    [
      StyleEffect.FontSize,
      /^(\d*[1-9]\d*(\.\d+)?|\d*\.\d*[1-9]\d*)(px|em|rem|%|pt|vw|vh|ex|ch)$|^(xx?-|xxx-)?(small|large)$|^(medium|smaller|larger)$/,
    ],
  ],
  ["text-indent", [StyleEffect.TextIndent, /^[\d.]+[a-z%]*$/]],
  ["color", [StyleEffect.TextColor, null]],
  ["-webkit-text-fill-color", [StyleEffect.TextColor, null]],
  ["background", [StyleEffect.Background, null]],
  ["background-color", [StyleEffect.Background, /^(transparent|rgba\(0, 0, 0, 0\))$/]],
  ["content", [StyleEffect.Content, /^(none|normal|""|'')$/]],
  ["opacity", [StyleEffect.Opacity, /^(0?\.(0[2-9]|[1-9])\d*|1)$/]],
  ["all", [StyleEffect.Any, null]],
]);

/**
 * With more rules than this, and more than elements, reading the rules costs more than it saves.
 */
const MIN_RULES = 500;
const MAX_ANIMATIONS = 50;

/**
 * Tags that the browser's own sheet gives none of these properties (except a font size in
 * proportion to the parent's).
 */
const UNSTYLED_TAGS = wordSet(
  "abbr address article aside b bdi bdo blockquote center cite code dd del dfn div dl dt " +
    "em figcaption figure footer form h1 h2 h3 h4 h5 h6 header " +
    "hgroup i ins kbd li main menu nav ol p s samp search section small span strong sub sup " +
    "tbody td tfoot th thead time tr u ul var",
);
const RARE_EFFECTS =
  StyleEffect.Position | StyleEffect.ClipPath | StyleEffect.ContentVisibility | StyleEffect.Opacity;
/** Tags that the browser's own sheet gives some of these properties: these are always read. */
const STYLED_TAGS: { [tag: string]: number } = {
  a: StyleEffect.Cursor | StyleEffect.TextColor,
  label: StyleEffect.Cursor,
  table:
    StyleEffect.Cursor | StyleEffect.WhiteSpace | StyleEffect.TextTransform | StyleEffect.TextColor,
  button: StyleEffect.Any & ~(RARE_EFFECTS | StyleEffect.FontSize | StyleEffect.TextIndent),
  input: StyleEffect.Any & ~RARE_EFFECTS,
};
/** Attributes that style an element. */
export const STYLING_ATTRIBUTES = wordSet(
  "style nowrap bgcolor background color hidden popover contenteditable",
);

/** Returns the effects that the browser's own sheet has on an HTML tag. */
export const tagEffects = (tag: string): number =>
  UNSTYLED_TAGS.has(tag) ? 0 : (STYLED_TAGS[tag] ?? StyleEffect.Any);

interface RuleLike {
  cssRules?: CSSRuleList;
  style?: CSSStyleDeclaration;
  styleSheet?: CSSStyleSheet | null;
}

/** The effects of the style sheets of all roots that were added. They only grow. */
export class StylesheetEffects {
  /** All effects, unless the rules are read. */
  may: number = StyleEffect.Any;
  private rulesLeft = 0;
  private readonly known = new Set<Node | CSSStyleSheet>();

  /** Starts to read rules, with those of the document. */
  readRules(): void {
    this.may = 0;
    this.rulesLeft = Math.max(MIN_RULES, document.getElementsByTagName("*").length);
    this.addRoot(document);
  }

  /** Adds the sheets and animations of a root. */
  addRoot(root: Document | ShadowRoot): void {
    if (this.may === StyleEffect.Any || this.known.has(root)) return;
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
      // A cross-origin sheet may set anything.
      this.may = StyleEffect.Any;
      return;
    }
    this.rules(rules);
  }

  private rules(rules: CSSRuleList): void {
    for (let i = 0; i < rules.length && this.may !== StyleEffect.Any; i++) {
      if (this.rulesLeft-- <= 0) {
        this.may = StyleEffect.Any;
        return;
      }
      const rule = rules[i] as CSSRule & RuleLike;
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

  /** Adds the effects of animations that scripts run: they are not in any sheet. */
  animations(root: Document | ShadowRoot): void {
    const running = animationsIn(root);
    if (running.length > MAX_ANIMATIONS) this.may = StyleEffect.Any;
    for (const { effect } of running) {
      if (this.may === StyleEffect.Any) return;
      for (const frame of (effect as KeyframeEffect | null)?.getKeyframes?.() ?? []) {
        for (const key of Object.keys(frame))
          this.may |=
            PROPERTIES.get(key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))?.[0] ?? 0;
      }
    }
  }
}
