// State that a page can change without a mutation that an observer would see: values and choices
// set by script, rules and adopted sheets, scroll positions, focus and hover, loaded images, open
// dialogs and popovers, media queries, shadow roots attached later. Two equal states with no
// mutation between them mean that the page is the same. Reads only; reports where it cannot be
// certain.

import {
  activeElement,
  animationsIn,
  documentTitle,
  hasAttr,
  localName,
  matches,
  query,
  queryAll,
  queryList,
  rootElement,
  scrollHeight,
  scrollingElement,
  scrollWidth,
  shadowRoot,
} from "../dom/dom";
import { suppliedVersion } from "../dom/engineSupplied";
import { words } from "../dom/text";
import { digestOf } from "./canvasDigest";

type Root = Document | ShadowRoot;

/**
 * Elements with their own state. A query for a single tag is several times as fast as one for a
 * list.
 */
const STATEFUL = words("input textarea select option img audio video canvas dialog [popover]");
/** States of fields that have no attribute. */
const VALIDITY = [":user-invalid", ":user-valid", ":invalid", ":autofill"].filter(isSupported);
const OPEN = [":modal", ":popover-open"].filter(isSupported).join(",");
const MEDIA = [
  "(prefers-color-scheme: dark)",
  "(prefers-reduced-motion: reduce)",
  "(prefers-contrast: more)",
  "(forced-colors: active)",
  "(hover: hover)",
  "(pointer: coarse)",
  "print",
];
/** Comparing more rules than this costs more than walking the page. */
const MAX_RULES = 5000;
/**
 * States of custom elements cause no event and cannot be read; they matter only if a sheet uses
 * them.
 */
const CUSTOM_STATE = /:state\(|:--/;

function isSupported(selector: string): boolean {
  try {
    queryAll(document.createDocumentFragment(), selector);
    return true;
  } catch {
    return false;
  }
}

/** Returns the scroll position and the size of the viewport. */
export const viewportState = (): string =>
  `${scrollX},${scrollY},${innerWidth},${innerHeight},${devicePixelRatio}`;

/** The state of the document, and of each shadow root that was added. */
export class UnobservedState {
  /** State that changes everything: viewport, media, fonts. */
  private readonly page: unknown[] = [];
  readonly url = location.href;
  private readonly title = documentTitle(document);
  private readonly size: unknown[] = [];
  readonly suppliedVersion = suppliedVersion();
  readonly focus = activeElement();
  private readonly focusVisible = this.focus !== null && matches(this.focus, ":focus-visible");
  readonly hovered: Element[] = [];
  readonly pressed: Element[] = [];
  /** Sheets, their rules, and the roots that they belong to. */
  private readonly styles: unknown[] = [];
  /** For each element with its own state: the element, then its state. */
  private readonly states: unknown[] = [];
  /** False if the page may change in a way that cannot be read. */
  isComplete = true;
  private readonly sheets = new RuleTexts(this.styles);

  constructor() {
    const { page } = this;
    page.push(viewportState(), document.fullscreenElement);
    const scrolling = scrollingElement() ?? rootElement();
    if (scrolling) this.size.push(scrollWidth(scrolling), scrollHeight(scrolling));
    for (const media of MEDIA) page.push(matchMedia(media).matches);
    page.push(document.fonts?.status, document.fonts?.size);
    matchPath(":hover", this.hovered);
    matchPath(":active", this.pressed);
    this.addRoot(document);
  }

  addRoot(root: Root): void {
    if (!this.isComplete) return;
    this.styles.push(root);
    for (const kind of STATEFUL) for (const el of queryList(root, kind)) pushState(el, this.states);
    this.isComplete =
      !hasManualSlots(root) && animationsIn(root).length === 0 && this.sheets.addRoot(root);
  }

  /** Reads the current state; `roots` in the order in which they were entered. */
  static read(roots: readonly ShadowRoot[]): UnobservedState {
    const facts = new UnobservedState();
    for (const root of roots) facts.addRoot(root);
    return facts;
  }

  equals(other: UnobservedState): boolean {
    return (
      this.hasSameStyles(other) &&
      this.url === other.url &&
      this.title === other.title &&
      this.suppliedVersion === other.suppliedVersion &&
      this.focus === other.focus &&
      this.focusVisible === other.focusVisible &&
      sameLists(this.size, other.size) &&
      sameLists(this.hovered, other.hovered) &&
      sameLists(this.pressed, other.pressed) &&
      sameLists(this.states, other.states)
    );
  }

  /**
   * Returns whether styles, viewport and media are the same: then the differences can be found
   * element by element.
   */
  hasSameStyles(other: UnobservedState): boolean {
    return (
      this.isComplete &&
      other.isComplete &&
      sameLists(this.page, other.page) &&
      sameLists(this.styles, other.styles)
    );
  }

  /**
   * Returns the elements whose own state changed, of those that were there before. `validity`:
   * their validity changed too.
   */
  changedElements(now: UnobservedState): { el: Element; validity: boolean }[] {
    const before = segments(this.states);
    const found: { el: Element; validity: boolean }[] = [];
    for (const [el, [from, to]] of segments(now.states)) {
      const known = before.get(el);
      if (
        !known ||
        (to - from === known[1] - known[0] &&
          sameLists(now.states.slice(from, to), this.states.slice(known[0], known[1])))
      )
        continue;
      const tail = (list: unknown[], end: number): unknown[] =>
        list.slice(end - VALIDITY.length, end);
      found.push({ el, validity: !sameLists(tail(now.states, to), tail(this.states, known[1])) });
    }
    for (const el of [this.focus, now.focus])
      if (el && (this.focus !== now.focus || this.focusVisible !== now.focusVisible))
        found.push({ el, validity: false });
    return found;
  }

  /** Returns the texts of all rules, and whether every sheet could be read. */
  rules(): { text: string; all: boolean } {
    return {
      text: this.styles.filter((fact) => typeof fact === "string").join("\n"),
      all: this.sheets.allReadable,
    };
  }
}

function sameLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Returns where the state of each element is in the list. */
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

/** Collects the elements in a state, from the root down. */
function matchPath(state: string, facts: Element[]): void {
  let at: Element | null = rootElement();
  if (at && !matches(at, state)) at = null;
  while (at) {
    facts.push(at);
    const shadow: ShadowRoot | null = shadowRoot(at);
    at = (shadow && query(shadow, state)) ?? query(at, `:scope > ${state}`);
  }
}

/** Returns whether scripts assign the slots of a root, which causes no event. */
const hasManualSlots = (root: Root): boolean =>
  root instanceof ShadowRoot && root.slotAssignment === "manual";

function pushState(el: Element, facts: unknown[]): void {
  facts.push(el);
  switch (localName(el)) {
    case "input": {
      const { value, checked, indeterminate } = el as HTMLInputElement;
      facts.push(value, checked, indeterminate);
      pushValidity(el, facts);
      break;
    }
    case "textarea":
      facts.push((el as HTMLTextAreaElement).value);
      pushValidity(el, facts);
      break;
    case "select":
      facts.push((el as HTMLSelectElement).selectedIndex);
      pushValidity(el, facts);
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
      facts.push(digestOf(el));
      break;
    case "audio":
    case "video": {
      const { paused, muted, readyState, videoWidth, videoHeight } = el as HTMLVideoElement;
      facts.push(paused, muted, readyState, videoWidth, videoHeight);
      break;
    }
  }
  if (OPEN !== "" && (localName(el) === "dialog" || hasAttr(el, "popover")))
    facts.push(matches(el, OPEN));
}

function pushValidity(el: Element, facts: unknown[]): void {
  for (const state of VALIDITY) facts.push(matches(el, state));
}

/** The texts of all rules. */
class RuleTexts {
  private rulesLeft = MAX_RULES;
  private readonly seen = new Set<CSSStyleSheet>();
  /** Every one could be read. */
  allReadable = true;
  constructor(private readonly facts: unknown[]) {}

  /**
   * Adds the sheets of a root. Returns false if there are too many rules, or if they use states
   * that cannot be read.
   */
  addRoot(root: Root): boolean {
    const { styleSheets, adoptedStyleSheets } = root;
    for (let i = 0; i < styleSheets.length; i++)
      if (!this.addSheet(styleSheets[i] as CSSStyleSheet)) return false;
    for (let i = 0; i < (adoptedStyleSheets?.length ?? 0); i++)
      if (!this.addSheet(adoptedStyleSheets[i] as CSSStyleSheet)) return false;
    return true;
  }

  private addSheet(sheet: CSSStyleSheet): boolean {
    this.facts.push(sheet, sheet.disabled, sheet.media.mediaText);
    if (this.seen.has(sheet)) return true;
    this.seen.add(sheet);
    let rules: CSSRuleList;
    try {
      rules = sheet.cssRules;
    } catch {
      // A cross-origin sheet: the page's scripts cannot change its rules either.
      this.allReadable = false;
      return true;
    }
    this.rulesLeft -= rules.length;
    if (this.rulesLeft < 0) return false;
    const texts: string[] = [];
    for (let i = 0; i < rules.length; i++) {
      const rule = rules[i] as CSSRule & { styleSheet?: CSSStyleSheet | null };
      texts.push(rule.cssText);
      if (rule.styleSheet && !this.addSheet(rule.styleSheet)) return false;
    }
    const text = texts.join("\n");
    this.facts.push(text);
    return !CUSTOM_STATE.test(text);
  }
}
