// Measures how elements are drawn, for comparisons of a page with an earlier state: styles, cut
// texts, content that spills out, covers and icons. Boxes come from the capture. Reads only.

import {
  activeElement,
  animationsIn,
  clientWidth,
  flatContains,
  flatParent,
  localName,
  matches,
  queryList,
  rectOf,
  rootElement,
  scrollingElement,
  scrollWidth,
  shadowRoot,
} from "../dom/dom";
import { documentToken, elementOf } from "../dom/identity";
import { truncate } from "../dom/text";
import { hitTest } from "../visibility/hitTest";

/** More elements are not measured. */
const MOST_MEASURED = 4000;
/** How many ancestors are searched for one that clips, fades or fixes an element. */
const REACH = 30;
/** How many elements of a control are searched for icons. */
const MOST_ICON_HOLDERS = 6;
const LONGEST_STYLE = 120;
/** A text with letters of many widths: two fonts hardly ever draw it equally wide. */
const SAMPLE = "Hamburgefonstiv WMil 0123456789";
const SAMPLE_SIZE = 100;
/** How many fonts are measured. */
const MOST_FONTS = 20;

/** How an element is drawn, as bits. */
enum Drawn {
  Fixed = 1,
  Moving = 2,
  Under = 4,
}

/** The values of the properties of one element, in the order in which Rust reads them. */
type Style = string[];

export function measureLayout(ids: number[]): object {
  const reader = new LayoutReader();
  const items = ids.slice(0, MOST_MEASURED).map((id) => {
    const el = elementOf(id);
    return el ? reader.read(el) : null;
  });
  const root = scrollingElement() ?? rootElement();
  return {
    doc: documentToken,
    overflow: root ? Math.max(0, scrollWidth(root) - clientWidth(root)) : 0,
    items,
    styles: reader.styles,
    fonts: reader.fonts(),
  };
}

class LayoutReader {
  readonly styles: Style[] = [];
  private readonly known = new Map<string, number>();
  private readonly stacks = new Set<string>();
  /** The parts that ancestors add, by element. */
  private readonly inherited = new Map<Element, Inherited>();
  private readonly clips = new Map<Element, Clip>();
  private readonly moving = movingElements();

  /** Returns the measures of an element, in the order in which Rust reads them. */
  read(el: Element): number[] {
    const style = getComputedStyle(el);
    const around = this.inheritedBy(el, style);
    const ink = inkOf(el);
    const flags =
      (around.fixed ? Drawn.Fixed : 0) |
      (around.moving ? Drawn.Moving : 0) |
      (isUnder(el, ink) ? Drawn.Under : 0);
    return [
      isInUse(el) ? -1 : this.styleOf(style, around),
      flags,
      this.cutOf(el, ink),
      style.overflowX === "visible" && clientWidth(el) > 0
        ? Math.max(0, scrollWidth(el) - clientWidth(el))
        : 0,
      Math.round(ink.x),
      Math.round(ink.y),
      Math.round(ink.width),
      Math.round(ink.height),
      iconsIn(el, style),
    ];
  }

  private styleOf(style: CSSStyleDeclaration, around: Inherited): number {
    const stack = truncate(style.fontFamily, 200);
    if (this.stacks.size < MOST_FONTS) this.stacks.add(stack);
    const values: Style = [
      colorText(style.color),
      around.background,
      firstFamily(stack),
      `${Math.round(Number.parseFloat(style.fontSize) * 10) / 10}px`,
      style.fontWeight,
      decorationOf(style),
      borderOf(style),
      style.borderTopLeftRadius === "0px" ? "" : style.borderTopLeftRadius,
      String(Math.round(around.opacity * 100) / 100),
      style.boxShadow === "none" ? "" : truncate(style.boxShadow, LONGEST_STYLE),
    ];
    const key = values.join("\n");
    let at = this.known.get(key);
    if (at === undefined) {
      at = this.styles.length;
      this.known.set(key, at);
      this.styles.push(values);
    }
    return at;
  }

  private inheritedBy(el: Element, style: CSSStyleDeclaration): Inherited {
    const known = this.inherited.get(el);
    if (known) return known;
    const path: [Element, CSSStyleDeclaration][] = [[el, style]];
    let from: Inherited | undefined;
    for (let at = flatParent(el); at && path.length < REACH; at = flatParent(at)) {
      from = this.inherited.get(at);
      if (from) break;
      path.push([at, getComputedStyle(at)]);
    }
    let last = from ?? { background: "", opacity: 1, fixed: false, moving: false };
    for (const [at, own] of path.reverse()) {
      const { position } = own;
      last = {
        background: backgroundOf(own) || last.background,
        opacity: last.opacity * Number.parseFloat(own.opacity),
        fixed: last.fixed || position === "fixed" || position === "sticky",
        moving: last.moving || this.moving.has(at),
      };
      this.inherited.set(at, last);
    }
    return last;
  }

  /** Returns how many pixels of what an element draws its ancestors cut off. */
  private cutOf(el: Element, ink: DOMRect): number {
    if (ink.width < 1 || ink.height < 1) return 0;
    let cut = 0;
    let steps = 0;
    for (let at: Element | null = el; at && steps < REACH; at = flatParent(at), steps++) {
      const { box, cutsX, cutsY, ends } = this.clipOf(at);
      if (cutsX) cut = Math.max(cut, ink.right - box.right, box.left - ink.left);
      if (cutsY) cut = Math.max(cut, ink.bottom - box.bottom, box.top - ink.top);
      if (ends) break;
    }
    return Math.round(cut);
  }

  private clipOf(el: Element): Clip {
    let clip = this.clips.get(el);
    if (!clip) {
      const { overflowX, overflowY, position } = getComputedStyle(el);
      const cuts = (overflow: string): boolean => overflow === "hidden" || overflow === "clip";
      // What scrolls can be reached.
      const scrolls = /auto|scroll/.test(`${overflowX} ${overflowY}`);
      const [cutsX, cutsY] = [cuts(overflowX), cuts(overflowY)];
      const ends = scrolls || position === "fixed" || localName(el) === "body";
      clip = { box: cutsX || cutsY ? rectOf(el) : NO_BOX, cutsX, cutsY, ends };
      this.clips.set(el, clip);
    }
    return clip;
  }

  /** Returns how wide a sample is in each font, in tenths of a pixel. */
  fonts(): [string, number][] {
    const paper =
      typeof OffscreenCanvas === "function" ? new OffscreenCanvas(1, 1).getContext("2d") : null;
    if (!paper) return [];
    return [...this.stacks].map((stack) => {
      paper.font = `${SAMPLE_SIZE}px ${stack}`;
      return [firstFamily(stack), Math.round(paper.measureText(SAMPLE).width * 10)];
    });
  }
}

/** Whether an element cuts off what is in it, and whether what is around it still counts. */
interface Clip {
  box: DOMRectReadOnly;
  cutsX: boolean;
  cutsY: boolean;
  ends: boolean;
}
const NO_BOX = new DOMRectReadOnly();

/** The parts that the ancestors of an element add to how it is drawn. */
interface Inherited {
  background: string;
  opacity: number;
  fixed: boolean;
  moving: boolean;
}

/** Returns the elements whose animations run. */
function movingElements(): Set<Element> {
  const found = new Set<Element>();
  for (const animation of animationsIn(document)) {
    const { effect, playState } = animation;
    const target = effect instanceof KeyframeEffect ? effect.target : null;
    if (target && playState === "running") found.add(target);
  }
  return found;
}

/** Returns the box of what an element draws: of its text and what is in it. */
function inkOf(el: Element): DOMRect {
  const range = document.createRange();
  range.selectNodeContents(el);
  const ink = range.getBoundingClientRect();
  return ink.width >= 1 && ink.height >= 1 ? ink : rectOf(el);
}

/** Returns whether a different element is drawn over the middle of an element. */
function isUnder(el: Element, ink: DOMRect): boolean {
  const x = ink.x + ink.width / 2;
  const y = ink.y + Math.min(ink.height / 2, 40);
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
  const hit = hitTest(x, y);
  return hit !== null && !flatContains(el, hit) && !flatContains(hit, el);
}

/** Returns whether a person is using an element: its style says that, and nothing else. */
const isInUse = (el: Element): boolean => activeElement() === el || matches(el, ":hover");

const WITH_ICON = "svg,img,canvas,picture";

/** Returns how many icons an element has. */
function iconsIn(el: Element, style: CSSStyleDeclaration): number {
  const root = shadowRoot(el) ?? el;
  const holders = [el, ...queryList(root, "i,span").slice(0, MOST_ICON_HOLDERS)];
  const isDrawn = (inner: Element): boolean => {
    const { width, height } = rectOf(inner);
    return width >= 4 && height >= 4;
  };
  const drawn = queryList(root, WITH_ICON).filter(isDrawn).length;
  const own = holders.filter((holder) => {
    const at = holder === el ? style : getComputedStyle(holder);
    return (
      at.backgroundImage.includes("url(") ||
      (at.maskImage ?? "").includes("url(") ||
      hasGlyph(holder, "::before") ||
      hasGlyph(holder, "::after")
    );
  });
  return drawn + own.length;
}

/** Returns whether a generated box shows an image or a glyph of an icon font. */
function hasGlyph(el: Element, pseudo: string): boolean {
  const { content, backgroundImage, maskImage } = getComputedStyle(el, pseudo);
  if (content === "none" || content === "normal" || content === "") return false;
  return (
    /[\uE000-\uF8FF]|url\(/.test(content) ||
    backgroundImage.includes("url(") ||
    (maskImage ?? "").includes("url(")
  );
}

const firstFamily = (stack: string): string =>
  truncate((stack.split(",")[0] ?? "").trim().replace(/^["']|["']$/g, ""), 60);

/** Returns a colour as `#rrggbb`, with two more digits if it is not opaque; empty for none. */
function colorText(color: string): string {
  const parts = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(color);
  if (!parts) return truncate(color, LONGEST_STYLE);
  const [red, green, blue] = parts.slice(1, 4).map(Number) as [number, number, number];
  const alpha = parts[4] === undefined ? 1 : Number(parts[4]);
  if (alpha === 0) return "";
  const digits = [red, green, blue, ...(alpha < 1 ? [alpha * 255] : [])];
  return `#${digits.map((digit) => Math.round(digit).toString(16).padStart(2, "0")).join("")}`;
}

function backgroundOf(style: CSSStyleDeclaration): string {
  const { backgroundImage } = style;
  const color = colorText(style.backgroundColor);
  if (backgroundImage === "none") return color;
  // Only the name of a file: its address may hold a secret, or a host.
  const image = backgroundImage.replace(
    /url\("?([^")]*)"?\)/g,
    (_, url: string) =>
      `url(${url.startsWith("data:") ? `data ${url.length}` : (url.split(/[?#]/)[0]?.split("/").pop() ?? "")})`,
  );
  return truncate(`${color} ${image}`.trim(), LONGEST_STYLE);
}

function decorationOf(style: CSSStyleDeclaration): string {
  const line = style.textDecorationLine;
  return [
    style.fontStyle === "normal" ? "" : style.fontStyle,
    line === "none" ? "" : line,
    style.textTransform === "none" ? "" : style.textTransform,
  ]
    .filter(Boolean)
    .join(" ");
}

function borderOf(style: CSSStyleDeclaration): string {
  const sides = [
    [style.borderTopWidth, style.borderTopStyle, style.borderTopColor],
    [style.borderRightWidth, style.borderRightStyle, style.borderRightColor],
    [style.borderBottomWidth, style.borderBottomStyle, style.borderBottomColor],
    [style.borderLeftWidth, style.borderLeftStyle, style.borderLeftColor],
  ] as [string, string, string][];
  const words = sides.map(([width, kind, color]) =>
    width === "0px" || kind === "none" ? "" : `${width} ${kind} ${colorText(color)}`,
  );
  return words.every((word) => word === words[0]) ? (words[0] as string) : words.join(" / ");
}
