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
  hostOf,
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
import type { SlicedTask } from "../dom/timeSlices";
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
/** Only about so many texts of rules are read again each time. */
const TEXTS_AT_A_TIME = 400;
/** The number of roots that are read between two checks of the clock. */
const STRIDE = 16;
/** The number of elements that animations may change. */
const MAX_ANIMATED = 200;
/**
 * States of custom elements cause no event. They matter only if a sheet of the same root uses them,
 * and can be read, except for those of slotted elements.
 */
const CUSTOM_STATE = /:state\([^()]*\)|:--[\w-]+/g;
const SLOTTED_STATE = /::slotted\([^{]*:(state\(|--)/;

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
  /** The states of custom elements that style sheets use. */
  private readonly customStates = new Map<Element, string>();
  /** Elements that animations change, which causes no mutation. */
  readonly animated = new Set<Element>();
  /** False if the page may change in a way that cannot be read. */
  isComplete = true;
  private readonly sheets: RuleTexts;

  /**
   * `before`: an earlier state, whose texts of rules are taken over where sheets have the same rules
   * as then: reading them all is slow.
   */
  constructor(before: UnobservedState | null = null) {
    this.sheets = new RuleTexts(this.styles, before?.sheets ?? null);
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
    // In a small tree one query is faster than one for each tag.
    for (const kind of root === document ? STATEFUL : [STATEFUL.join(",")])
      for (const el of queryList(root, kind)) pushState(el, this.states);
    for (const { effect } of animationsIn(root)) {
      const target = (effect as KeyframeEffect | null)?.target;
      if (target) this.animated.add(target);
    }
    this.isComplete =
      !hasManualSlots(root) &&
      this.animated.size <= MAX_ANIMATED &&
      this.sheets.addRoot(root) &&
      this.addCustomStates(root);
  }

  private addCustomStates(root: Root): boolean {
    const selectors = this.sheets.customStates;
    if (selectors === null) return false;
    for (const selector of selectors) {
      const host = hostOf(root);
      const found = queryList(root, selector);
      if (host && matches(host, selector)) found.push(host);
      for (const el of found)
        this.customStates.set(el, (this.customStates.get(el) ?? "") + selector);
    }
    return true;
  }

  /**
   * Returns a task that reads the state of roots, in the order in which they were entered, into
   * `state`.
   */
  static reader(
    roots: readonly ShadowRoot[],
    before: UnobservedState | null,
  ): SlicedTask & { state: UnobservedState } {
    let at = 0;
    const state = new UnobservedState(before);
    return {
      state,
      go(until) {
        while (at < roots.length) {
          state.addRoot(roots[at++] as ShadowRoot);
          if (at % STRIDE === 0 && performance.now() >= until) return false;
        }
        return true;
      },
    };
  }

  /** Reads the current state; `roots` in the order in which they were entered. */
  static read(
    roots: readonly ShadowRoot[],
    before: UnobservedState | null = null,
  ): UnobservedState {
    const { state, go } = UnobservedState.reader(roots, before);
    go(Number.POSITIVE_INFINITY);
    return state;
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
      sameLists(this.states, other.states) &&
      sameLists([...this.customStates].flat(), [...other.customStates].flat()) &&
      sameLists([...this.animated], [...other.animated])
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
    for (const [a, b] of [
      [this.customStates, now.customStates],
      [now.customStates, this.customStates],
    ] as const)
      for (const [el, states] of a) if (b.get(el) !== states) found.push({ el, validity: false });
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
  readonly seen = new Map<CSSStyleSheet, RuleText>();
  /** Those of the root that was added last; null if they cannot be read. */
  customStates: Set<string> | null = new Set();
  /** Every one could be read. */
  allReadable = true;

  constructor(
    private readonly facts: unknown[],
    private readonly before: RuleTexts | null,
  ) {
    turn++;
  }

  /**
   * Adds the sheets of a root. Returns false if there are too many rules, or if they use states
   * that cannot be read.
   */
  addRoot(root: Root): boolean {
    const { styleSheets, adoptedStyleSheets } = root;
    this.customStates &&= new Set();
    for (let i = 0; i < styleSheets.length; i++)
      if (!this.addSheet(styleSheets[i] as CSSStyleSheet)) return false;
    for (let i = 0; i < (adoptedStyleSheets?.length ?? 0); i++)
      if (!this.addSheet(adoptedStyleSheets[i] as CSSStyleSheet)) return false;
    return true;
  }

  private addSheet(sheet: CSSStyleSheet): boolean {
    this.facts.push(sheet, sheet.disabled, sheet.media.mediaText);
    const known = this.seen.get(sheet);
    if (known) {
      this.addStates(known);
      return true;
    }
    let rules: CSSRuleList;
    try {
      rules = sheet.cssRules;
    } catch {
      // A cross-origin sheet: the page's scripts cannot change its rules either.
      this.allReadable = false;
      this.seen.set(sheet, NO_RULES);
      return true;
    }
    const count = rules.length;
    this.rulesLeft -= count;
    if (this.rulesLeft < 0) return false;
    const before = this.before?.seen.get(sheet);
    const made = before && this.isSame(before, rules) ? before : read(rules);
    this.seen.set(sheet, made);
    this.facts.push(made.text);
    this.addStates(made);
    return made.imports.every(({ styleSheet }) => !styleSheet || this.addSheet(styleSheet));
  }

  /**
   * Returns whether a sheet has the same rules as before. A script may also change a rule in its
   * place; where there are many, that is noticed when it is the turn of that rule.
   */
  private isSame({ rules: known, texts }: RuleText, rules: CSSRuleList): boolean {
    if (rules.length !== known.length) return false;
    for (let i = 0; i < known.length; i++) if (rules[i] !== known[i]) return false;
    const count = MAX_RULES - (this.before?.rulesLeft ?? 0);
    const step = Math.max(1, Math.ceil(count / TEXTS_AT_A_TIME));
    for (let i = turn % step; i < known.length; i += step)
      if ((known[i] as CSSRule).cssText !== texts[i]) return false;
    return true;
  }

  private addStates({ states }: RuleText): void {
    if (!states) this.customStates = null;
    else for (const selector of states) this.customStates?.add(selector);
  }
}

/** The rules of one sheet. */
interface RuleText {
  /** Each rule, so that a different one in its place is noticed without reading texts. */
  rules: readonly CSSRule[];
  texts: readonly string[];
  text: string;
  imports: readonly CSSImportRule[];
  /** The selectors of custom states; null if their elements cannot be found. */
  states: ReadonlySet<string> | null;
}
/** How often texts were compared. */
let turn = 0;
const NO_RULES: RuleText = {
  rules: [],
  texts: [],
  text: "",
  imports: [],
  states: new Set(),
};

/** Reads the rules of a sheet. */
function read(rules: CSSRuleList): RuleText {
  const all = Array.from(rules);
  const texts = all.map(({ cssText }) => cssText);
  const text = texts.join("\n");
  const states = (text.match(CUSTOM_STATE) ?? []).filter(isSupported);
  const isHidden = states.length > 0 && SLOTTED_STATE.test(text);
  return {
    rules: all,
    texts,
    text,
    imports: all.filter((rule): rule is CSSImportRule => "styleSheet" in rule),
    states: isHidden ? null : new Set(states),
  };
}
