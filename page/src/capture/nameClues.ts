// Clues to the name of a usable element without one: its icon, its tooltip, its class. Only facts,
// in the words of the page; core guesses the name. Read for few elements, so the others cost
// nothing. Every text and every search is bounded, because a page may be built to make this slow.
// Reads attributes, styles and texts; writes nothing.

import {
  attr,
  byIdIn,
  firstChild,
  firstElementChild,
  flatChildren,
  flatParent,
  hasAttributes,
  isElement,
  isRendered,
  isText,
  isVisible,
  localName,
  nextElementSibling,
  nextSibling,
  previousElementSibling,
  rootOf,
  textContent,
} from "../dom/dom";
import { collapseAndTrim, isBlank, stripNoise, truncate, words } from "../dom/text";
import type { ReadCache } from "../semantics/readCache";
import { drawingHash } from "./drawing";
import { glyphClue, imageClue, isIconFont, ligatureClue, mayBeGlyph } from "./iconStyles";
import { combine, type Turn, turnClue, turnOf, UNTURNED } from "./turnedIcon";

/** A kind of clue and its text. README.md lists the kinds. */
export type Clue = [kind: string, text: string];

/** How many elements inside of a control are visited, and how many clues it may have. */
const MAX_INSIDE = 40;
const MAX_CLUES = 12;
/** How many styles are read for one control, and for all controls of a page together. */
const MAX_STYLES = 6;
const MAX_STYLES_OF_PAGE = 3000;
/** How many characters of drawings are read on a page: several may use the same large symbol. */
const MAX_DRAWN = 2_000_000;
/** How many controls of a page have clues. */
const MAX_CONTROLS = 5000;
const MAX_CLASS = 200;
const MAX_WORDS = 80;
/** How many characters of an attribute are looked at. */
const MAX_ATTRIBUTE = 2000;

/** Class names that may name an icon: a known prefix, or the word itself. */
const ICON_CLASS =
  /icon|ico-|glyph|symbol|(^|[\s_-])(fa[a-z]?|bi|mdi|zmdi|lucide|ti|ri|pi|ph|la[a-z]?|bx[sl]?|uil|gg|k-i|ion|cil|oi|eva|md|mi|wi|dashicons|feather|typcn|entypo|linearicons|lnr|simple-line|fi|svg)-/i;
/** The position of a background that shows a part of its image. */
const SHEET = /-[\d.]+px/;
const HAS_WORDS = /[\p{L}\p{N}]/u;
/** Attributes that name an icon, whatever the tag is. */
const ICON_ATTRIBUTES = ["data-icon", "data-lucide", "data-feather", "data-icon-name", "icon-name"];
/** Attributes that name the icon of an icon's custom element. */
const NAMING_ATTRIBUTES = ["icon", "name", "type", "kind", "glyph", "svg-icon", "symbol"];
const TOOLTIP_ATTRIBUTES = words(
  "data-tooltip data-original-title data-bs-original-title data-tooltip-content " +
    "data-tippy-content data-title data-tip data-tips tooltip-content data-balloon aria-description " +
    "mattooltip ng-reflect-message uk-tooltip tooltip",
);
/** Drawings and images have a clue of their own kind. */
const DRAWN = /^(svg|img|image|canvas|picture|video|object)$/;

/**
 * Returns whether a name says what an element does: not if it is only symbols, or its value. One
 * character may be an icon; core decides by the font.
 */
export const isUsableName = (name: string, value: string | null): boolean =>
  HAS_WORDS.test(name) && name !== value && !mayBeGlyph(name);

/** How much may still be read for the clues of a page. */
export class ClueBudget {
  controls = MAX_CONTROLS;
  styles = MAX_STYLES_OF_PAGE;
  drawn = MAX_DRAWN;
}

/**
 * Returns the clues of an element. `inside`: everything in it belongs to it, because nothing in it
 * is usable on its own. `pierce`: shadow roots are entered.
 */
export function cluesOf(
  cache: ReadCache,
  el: Element,
  inside: boolean,
  pierce: boolean,
  budget: ClueBudget,
): Clue[] | null {
  if (budget.controls-- <= 0) return null;
  return new ClueSearch(cache, el, pierce, budget).find(inside);
}

/** Returns the first text of an element. Many controls may have the same long description. */
function beginningOf(el: Element): string {
  const walker = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  let text = "";
  for (let node = walker.nextNode(); node && text.length < MAX_ATTRIBUTE; node = walker.nextNode())
    text += textContent(node) ?? "";
  return text.slice(0, MAX_ATTRIBUTE);
}

class ClueSearch {
  private readonly clues: Clue[] = [];
  /** Whether the markup names or draws an icon, so that styles need not be read. */
  private certain = false;
  private styles = MAX_STYLES;
  /** The first part that names or draws an icon, and how CSS turns what it draws itself. */
  private iconPart: Element | null = null;
  private turn: Turn = UNTURNED;
  /** Returns whether a part is drawn. In a control that is invisible itself, less is asked. */
  private readonly isSeen: (part: Element) => boolean;

  constructor(
    private readonly cache: ReadCache,
    private readonly el: Element,
    private readonly pierce: boolean,
    private readonly budget: ClueBudget,
  ) {
    this.isSeen = isVisible(el) ? isVisible : isRendered;
  }

  find(inside: boolean): Clue[] | null {
    const parts = inside ? this.parts() : [this.el];
    const own = attr(this.el, "class")?.slice(0, MAX_ATTRIBUTE);
    if (own && !isBlank(own)) this.add("class", truncate(collapseAndTrim(own), MAX_CLASS));
    for (const part of parts) this.readMarkup(part);
    if (!this.certain) for (const part of parts) this.readStyle(part);
    // What has no icon in it may be one itself.
    if (this.iconPart || ICON_CLASS.test(own ?? "")) this.readTurn(this.iconPart ?? this.el);
    this.readTooltips();
    return this.clues.length > 0 ? this.clues : null;
  }

  private add(kind: string, text: string): void {
    const known = this.clues.some(([also, same]) => also === kind && same === text);
    if (text !== "" && !known && this.clues.length < MAX_CLUES) this.clues.push([kind, text]);
  }

  /** Returns the element and its visible parts, in document order. */
  private parts(): Element[] {
    const parts: Element[] = [this.el];
    const open: Node[] = this.childrenOf(this.el).reverse();
    for (let left = MAX_INSIDE; left > 0 && open.length > 0; left--) {
      const part = open.pop() as Node;
      if (!isElement(part)) continue;
      if (this.isSeen(part)) parts.push(part);
      else if (!this.hasNoBox(part)) continue;
      if (localName(part) === "svg") continue;
      for (const child of this.childrenOf(part).reverse()) open.push(child);
    }
    return parts;
  }

  /**
   * Returns whether a part is not drawn, but its content is, as that of a slot: an icon may be
   * slotted through several shadow roots.
   */
  private hasNoBox(part: Element): boolean {
    if (localName(part) !== "slot" && !this.mayReadStyle()) return false;
    const { display, visibility } = this.cache.style(part);
    return display === "contents" && visibility === "visible";
  }

  private childrenOf(el: Element): Node[] {
    if (this.pierce) return flatChildren(el).slice(0, MAX_INSIDE);
    const children: Node[] = [];
    for (let at = firstChild(el); at && children.length < MAX_INSIDE; at = nextSibling(at))
      children.push(at);
    return children;
  }

  private readMarkup(part: Element): void {
    const known = this.clues.length;
    this.readParts(part);
    if (this.clues.length > known) this.iconPart ??= part;
  }

  private readParts(part: Element): void {
    const tag = localName(part);
    this.readText(part);
    if (hasAttributes(part)) this.readAttributes(part, tag);
    if (tag === "svg") this.readSvg(part);
    else if (tag === "img") {
      this.name("alt", attr(part, "alt"));
      const image = imageClue(attr(part, "src") ?? attr(part, "data-src"));
      if (image) {
        this.certain = true;
        this.add("image", image);
      }
    } else if (tag === "input" && attr(part, "type")?.toLowerCase() === "image")
      this.add("image", imageClue(attr(part, "src")));
  }

  private readAttributes(part: Element, tag: string): void {
    const classes = part === this.el ? null : attr(part, "class");
    if (classes) {
      const bounded = truncate(collapseAndTrim(classes.slice(0, MAX_ATTRIBUTE)), MAX_CLASS);
      if (ICON_CLASS.test(bounded) || tag === "i") this.add("icon class", bounded);
    }
    for (const name of ICON_ATTRIBUTES) this.name("icon", attr(part, name));
    // An icon's custom element: `ion-icon`, `iconify-icon`, `sl-icon`, `ha-icon`, `md-icon`.
    if (tag.includes("-") && /icon|glyph|svg/.test(tag)) {
      for (const name of NAMING_ATTRIBUTES) this.name("icon", attr(part, name));
      const source = imageClue(attr(part, "src"));
      if (source) this.add("image", source);
    } else if (part === this.el && tag.includes("-")) this.name("icon", attr(part, "icon"));
  }

  /** Adds the name of an icon as an attribute gives it. Glyphs are no words. */
  private name(kind: string, given: string | null): void {
    const text = given === null ? "" : collapseAndTrim(stripNoise(given.slice(0, MAX_ATTRIBUTE)));
    // The attribute may hold the icon itself: a path, an address, an object.
    if (text === "" || text.length > MAX_WORDS || /[{}<>]|^data:/.test(text)) return;
    this.add(kind, text);
    if (kind === "icon") this.certain = true;
  }

  private readSvg(svg: Element): void {
    for (let at = firstElementChild(svg), left = 8; at && left > 0; left--) {
      const tag = localName(at);
      if (tag === "title") this.name("svg title", textContent(at));
      else if (tag === "use") this.use(at);
      else if (tag === "g") {
        const inner = firstElementChild(at);
        if (inner && localName(inner) === "use") this.use(inner);
      }
      at = nextElementSibling(at);
    }
    const hash = drawingHash(svg, this.budget);
    if (hash === undefined) return;
    this.certain = true;
    this.add("drawing", hash);
  }

  private use(use: Element): void {
    const target = (attr(use, "href") ?? attr(use, "xlink:href") ?? "").slice(0, MAX_ATTRIBUTE);
    const hash = target.indexOf("#");
    const id = hash < 0 ? imageClue(target) : target.slice(hash + 1);
    if (id === "" || id.length > MAX_WORDS) return;
    this.certain = true;
    this.add("sprite", id);
  }

  /** Reads a glyph, or the ligature of an icon font. */
  private readText(part: Element): void {
    for (let at = firstChild(part), left = 8; at && left > 0; at = nextSibling(at), left--) {
      if (!isText(at)) continue;
      const text = at.data.slice(0, MAX_ATTRIBUTE).trim();
      if (text === "" || text.length > 60) continue;
      const glyph = glyphClue(text);
      const ligature = glyph === null ? ligatureClue(text) : "";
      if ((glyph === null && ligature === "") || !this.mayReadStyle()) continue;
      const family = this.cache.style(part).fontFamily;
      if (glyph !== null) this.glyph(family, glyph, text);
      else if (isIconFont(family)) {
        this.certain = true;
        this.add("ligature", ligature);
      }
    }
  }

  private glyph(family: string, glyph: string, text: string): void {
    const first = fontName(family);
    if (first === "" || (mayBeGlyph(text) && !isIconFont(family))) return;
    this.certain = true;
    this.add("glyph", `${glyph} ${first}`);
  }

  private mayReadStyle(): boolean {
    return this.styles-- > 0 && this.budget.styles-- > 0;
  }

  /** Reads what CSS draws: glyphs and images of pseudo-elements, backgrounds and masks. */
  private readStyle(part: Element): void {
    const tag = localName(part);
    if (DRAWN.test(tag) || !this.mayReadStyle()) return;
    const known = this.clues.length;
    const style = this.cache.style(part);
    this.images(style, style.backgroundImage);
    if (this.cache.mayGenerate(part)) this.readGenerated(part);
    if (this.clues.length > known) this.iconPart ??= part;
  }

  private images(style: CSSStyleDeclaration, ...drawn: string[]): void {
    // One file with many icons names none of them.
    const sheet = SHEET.test(style.backgroundPosition);
    for (const image of [...drawn, style.maskImage, style.webkitMaskImage])
      if (!sheet || image !== style.backgroundImage) this.add("image", imageClue(urlOf(image)));
  }

  private readGenerated(part: Element): void {
    for (const pseudo of ["::before", "::after"]) {
      const drawn = getComputedStyle(part, pseudo);
      const { content } = drawn;
      if (content === "none" || content === "normal" || content === "") continue;
      if (drawn.display === "none" || drawn.visibility !== "visible") continue;
      const known = this.clues.length;
      const text = firstString(content);
      const glyph = glyphClue(text);
      if (glyph !== null) this.glyph(drawn.fontFamily, glyph, text);
      else if (ligatureClue(text) !== "" && isIconFont(drawn.fontFamily))
        this.add("ligature", ligatureClue(text));
      this.images(drawn, content, drawn.backgroundImage);
      if (this.clues.length > known && (this.iconPart ?? part) === part) this.turn = turnOf(drawn);
    }
  }

  /** Notes how CSS turns an icon, its own turn and that of what is around it in the control. */
  private readTurn(icon: Element): void {
    for (let at: Element | null = icon; at && this.mayReadStyle(); at = flatParent(at)) {
      const style = this.cache.style(at);
      // An inline box cannot be turned.
      if (style.display !== "inline" || DRAWN.test(localName(at)))
        this.turn = combine(turnOf(style), this.turn);
      if (at === this.el) return this.add("turned", turnClue(this.turn));
    }
  }

  /** Reads the texts that describe the element: tooltips, and titles of elements around it. */
  private readTooltips(): void {
    const { el } = this;
    this.tooltipsOf(el);
    const described = attr(el, "aria-describedby")?.slice(0, MAX_ATTRIBUTE);
    for (const id of described ? described.split(/\s+/, 3) : []) {
      const by = id === "" ? null : byIdIn(rootOf(el), id);
      if (by) this.tooltip("description", by);
    }
    let at = el;
    for (let left = 4; left > 0; left--) {
      for (const near of [nextElementSibling(at), previousElementSibling(at)])
        if (near && isTooltip(near)) this.tooltip("tooltip", near);
      const above = flatParent(at);
      if (!above || !holdsOnly(above, at)) break;
      this.cache.addDependency(el, above);
      this.words("title", attr(above, "title") ?? attr(above, "aria-label"));
      this.tooltipsOf(above);
      at = above;
    }
  }

  private tooltipsOf(el: Element): void {
    if (!hasAttributes(el)) return;
    for (const name of TOOLTIP_ATTRIBUTES) this.words("tooltip", attr(el, name));
  }

  private tooltip(kind: string, by: Element): void {
    this.cache.addDependency(this.el, by);
    this.words(kind, beginningOf(by));
  }

  private words(kind: string, given: string | null): void {
    if (given === null || given.length > MAX_ATTRIBUTE) return;
    const text = collapseAndTrim(stripNoise(given));
    if (text !== "" && text.length <= MAX_WORDS && HAS_WORDS.test(text)) this.add(kind, text);
  }
}

/** Returns whether an element is a tooltip, by its role or class. */
const isTooltip = (el: Element): boolean =>
  attr(el, "role") === "tooltip" ||
  /(^|[\s_-])tooltip/i.test(attr(el, "class")?.slice(0, 200) ?? "");

/** Returns whether an element holds nothing but one element, and tooltips. */
function holdsOnly(above: Element, inner: Element): boolean {
  let left = 8;
  for (let at = firstChild(above); at; at = nextSibling(at)) {
    if (left-- <= 0) return false;
    if (at === inner) continue;
    if (isText(at) && !isBlank(at.data)) return false;
    if (isElement(at) && !isTooltip(at)) return false;
  }
  return true;
}

/** Returns the first font of a list, without quotes, in lower case. */
function fontName(family: string): string {
  const first = family.slice(0, 200).split(",")[0] as string;
  return first.replace(/["']/g, "").trim().toLowerCase().slice(0, 60);
}

/** Returns the first string of a `content` value. */
function firstString(content: string): string {
  const string = /"((?:[^"\\]|\\.){0,200})"/.exec(content.slice(0, MAX_ATTRIBUTE))?.[1] ?? "";
  return string.replace(/\\([0-9a-f]{1,6})\s?|\\(.)/gi, (_, hex?: string, other?: string) =>
    hex ? fromCodePoint(Number.parseInt(hex, 16)) : (other ?? ""),
  );
}
const fromCodePoint = (code: number): string =>
  code <= 0x10ffff ? String.fromCodePoint(code) : "";

/** Returns the first address of a value that may have one. */
const urlOf = (value: string | undefined): string | null =>
  value?.includes("url(")
    ? (/url\(\s*["']?([^"')]{1,1000})/.exec(value.slice(0, MAX_ATTRIBUTE))?.[1] ?? null)
    : null;
