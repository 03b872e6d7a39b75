// What a page can change without any mutation that an observer would see: values and choices set by
// script, rules of style sheets, adopted sheets, scroll positions, focus and hover, pictures that
// finish loading, open dialogs and popovers, media queries, roots attached to standing elements.
// Read as lists of facts: equal lists, and no mutation between them, mean that the page is the
// same. Reads only; where it cannot be sure it says so.

import {
  activeElement,
  documentTitle,
  everyOne,
  has,
  localName,
  matches,
  query,
  queryAll,
  rootElement,
  scrollHeight,
  scrollingElement,
  scrollWidth,
  shadowRoot,
} from "../dom/dom";
import { reachVersion } from "../dom/engineSupplied";
import { drawnOn } from "./canvasDigest";

type Root = Document | ShadowRoot;

/**
 * What has a state of its own. One by one: to look for a single tag is several times as fast as to
 * look for any of a list.
 */
const STATEFUL = [
  "input",
  "textarea",
  "select",
  "option",
  "img",
  "audio",
  "video",
  "canvas",
  "dialog",
  "[popover]",
];
/** States that fields are in without an attribute. */
const JUDGED = [":user-invalid", ":user-valid", ":invalid", ":autofill"].filter(known);
const OPEN = [":modal", ":popover-open"].filter(known).join(",");
const MEDIA = [
  "(prefers-color-scheme: dark)",
  "(prefers-reduced-motion: reduce)",
  "(prefers-contrast: more)",
  "(forced-colors: active)",
  "(hover: hover)",
  "(pointer: coarse)",
  "print",
];
/** More rules than this cost more to compare than the page to walk. */
const MOST_RULES = 5000;
/**
 * States of custom elements, set by script, raise nothing and cannot be read; only sheets that ask
 * for them make them matter.
 */
const CUSTOM_STATE = /:state\(|:--/;

function known(selector: string): boolean {
  try {
    queryAll(document.createDocumentFragment(), selector);
    return true;
  } catch {
    return false;
  }
}

/** Where the page is scrolled to, and how large its window is. */
export const placed = (): string =>
  `${scrollX},${scrollY},${innerWidth},${innerHeight},${devicePixelRatio}`;

/** The facts about the document, and about each shadow root from when it is entered. */
export class Facts {
  /** What changes everything, or nothing that could be told. */
  private readonly page: unknown[] = [];
  readonly address = location.href;
  private readonly title = documentTitle(document);
  private readonly size: unknown[] = [];
  readonly reach = reachVersion();
  readonly focus = activeElement();
  private readonly ring = this.focus !== null && matches(this.focus, ":focus-visible");
  readonly hovered: Element[] = [];
  readonly pressed: Element[] = [];
  /** Sheets, their rules, and the roots that they belong to. */
  private readonly styles: unknown[] = [];
  /** For each element with a state of its own: the element, then what it is. */
  private readonly states: unknown[] = [];
  /** False: the page may change by itself, or by something that cannot be read. */
  sure = true;
  private readonly sheets = new Sheets(this.styles);

  constructor() {
    const { page } = this;
    page.push(placed(), document.fullscreenElement);
    const scrolling = scrollingElement() ?? rootElement();
    if (scrolling) this.size.push(scrollWidth(scrolling), scrollHeight(scrolling));
    for (const media of MEDIA) page.push(matchMedia(media).matches);
    page.push(document.fonts?.status, document.fonts?.size);
    pointedAt(":hover", this.hovered);
    pointedAt(":active", this.pressed);
    this.enter(document);
  }

  enter(root: Root): void {
    if (!this.sure) return;
    this.styles.push(root);
    for (const kind of STATEFUL) for (const el of everyOne(root, kind)) stateOf(el, this.states);
    this.sure =
      !isManual(root) && (root.getAnimations?.().length ?? 0) === 0 && this.sheets.of(root);
  }

  /** What they are now; `roots` in the order in which they were entered. */
  static now(roots: readonly ShadowRoot[]): Facts {
    const facts = new Facts();
    for (const root of roots) facts.enter(root);
    return facts;
  }

  equals(other: Facts): boolean {
    return (
      this.alike(other) &&
      this.address === other.address &&
      this.title === other.title &&
      this.reach === other.reach &&
      this.focus === other.focus &&
      this.ring === other.ring &&
      same(this.size, other.size) &&
      same(this.hovered, other.hovered) &&
      same(this.pressed, other.pressed) &&
      same(this.states, other.states)
    );
  }

  /** The same styles, viewport and media: what is different can be told, element by element. */
  alike(other: Facts): boolean {
    return (
      this.sure && other.sure && same(this.page, other.page) && same(this.styles, other.styles)
    );
  }

  /**
   * Elements whose own state is another one; of those that were there before. `validity`: what
   * forms think of them changed too.
   */
  changed(now: Facts): { el: Element; validity: boolean }[] {
    const before = segments(this.states);
    const found: { el: Element; validity: boolean }[] = [];
    for (const [el, [from, to]] of segments(now.states)) {
      const known = before.get(el);
      if (
        !known ||
        (to - from === known[1] - known[0] &&
          same(now.states.slice(from, to), this.states.slice(...known)))
      )
        continue;
      const tail = (list: unknown[], end: number): unknown[] =>
        list.slice(end - JUDGED.length, end);
      found.push({ el, validity: !same(tail(now.states, to), tail(this.states, known[1])) });
    }
    for (const el of [this.focus, now.focus])
      if (el && (this.focus !== now.focus || this.ring !== now.ring))
        found.push({ el, validity: false });
    return found;
  }

  /** The texts of all rules, and whether every sheet could be read. */
  rules(): { text: string; all: boolean } {
    return {
      text: this.styles.filter((fact) => typeof fact === "string").join("\n"),
      all: this.sheets.all,
    };
  }
}

function same(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Where the facts about each element stand. */
function segments(states: readonly unknown[]): Map<Element, [number, number]> {
  const found = new Map<Element, [number, number]>();
  let last: [number, number] = [0, 0];
  for (let i = 0; i < states.length; i++) {
    if (typeof states[i] !== "object") continue;
    last[1] = i;
    found.set(states[i] as Element, (last = [i, states.length]));
  }
  return found;
}

/** What the pointer is over, or presses, from the root down. */
function pointedAt(state: string, facts: Element[]): void {
  let at: Element | null = rootElement();
  if (at && !matches(at, state)) at = null;
  while (at) {
    facts.push(at);
    const shadow: ShadowRoot | null = shadowRoot(at);
    at = (shadow && query(shadow, state)) ?? query(at, `:scope > ${state}`);
  }
}

/** Slots that are filled by script raise nothing. */
const isManual = (root: Root): boolean =>
  root instanceof ShadowRoot && root.slotAssignment === "manual";

function stateOf(el: Element, facts: unknown[]): void {
  facts.push(el);
  switch (localName(el)) {
    case "input": {
      const { value, checked, indeterminate } = el as HTMLInputElement;
      facts.push(value, checked, indeterminate);
      judgedOf(el, facts);
      break;
    }
    case "textarea":
      facts.push((el as HTMLTextAreaElement).value);
      judgedOf(el, facts);
      break;
    case "select":
      facts.push((el as HTMLSelectElement).selectedIndex);
      judgedOf(el, facts);
      break;
    case "option":
      facts.push((el as HTMLOptionElement).selected);
      break;
    case "img": {
      const { complete, naturalWidth, naturalHeight, currentSrc } = el as HTMLImageElement;
      facts.push(complete, naturalWidth, naturalHeight, currentSrc);
      break;
    }
    case "canvas":
      facts.push(drawnOn(el));
      break;
    case "audio":
    case "video": {
      const { paused, muted, readyState, videoWidth, videoHeight } = el as HTMLVideoElement;
      facts.push(paused, muted, readyState, videoWidth, videoHeight);
      break;
    }
  }
  if (OPEN !== "" && (localName(el) === "dialog" || has(el, "popover")))
    facts.push(matches(el, OPEN));
}

function judgedOf(el: Element, facts: unknown[]): void {
  for (const state of JUDGED) facts.push(matches(el, state));
}

/** The texts of all rules. */
class Sheets {
  private left = MOST_RULES;
  private readonly seen = new Set<CSSStyleSheet>();
  /** Every one could be read. */
  all = true;
  constructor(private readonly facts: unknown[]) {}

  /** False: too many, or they ask for what cannot be read. */
  of(root: Root): boolean {
    const { styleSheets, adoptedStyleSheets } = root;
    for (let i = 0; i < styleSheets.length; i++)
      if (!this.sheet(styleSheets[i] as CSSStyleSheet)) return false;
    for (let i = 0; i < (adoptedStyleSheets?.length ?? 0); i++)
      if (!this.sheet(adoptedStyleSheets[i] as CSSStyleSheet)) return false;
    return true;
  }

  private sheet(sheet: CSSStyleSheet): boolean {
    this.facts.push(sheet, sheet.disabled, sheet.media.mediaText);
    if (this.seen.has(sheet)) return true;
    this.seen.add(sheet);
    let rules: CSSRuleList;
    try {
      rules = sheet.cssRules;
    } catch {
      // Of another origin: the page's scripts cannot change its rules either.
      this.all = false;
      return true;
    }
    this.left -= rules.length;
    if (this.left < 0) return false;
    const texts: string[] = [];
    for (let i = 0; i < rules.length; i++) {
      const rule = rules[i] as CSSRule & { styleSheet?: CSSStyleSheet | null };
      texts.push(rule.cssText);
      if (rule.styleSheet && !this.sheet(rule.styleSheet)) return false;
    }
    const text = texts.join("\n");
    this.facts.push(text);
    return !CUSTOM_STATE.test(text);
  }
}
