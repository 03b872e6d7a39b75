// What a page can change without any mutation that an observer would see: values and choices set by script, rules of style sheets, adopted sheets,
// scroll positions, focus and hover, pictures that finish loading, open dialogs and popovers, media queries, roots attached to standing elements. Read as one
// flat list of facts: two equal lists, and no mutation between them, mean that the page is the same. Reads only; where it cannot be sure it says so.

import { activeElement, documentTitle, has, localName, matches, query, queryAll, rootElement, scrollHeight, scrollingElement, scrollWidth, shadowRoot } from "./dom";
import { drawnOn } from "./canvas";
import { reachVersion } from "./reach";

type Root = Document | ShadowRoot;

/** What has a state of its own. */
const STATEFUL = "input,textarea,select,option,img,audio,video,canvas,dialog,[popover]";
/** States that fields are in without an attribute. */
const JUDGED = [":user-invalid", ":user-valid", ":invalid", ":autofill"].filter(known);
const OPEN = [":modal", ":popover-open"].filter(known).join(",");
const MEDIA = ["(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)", "(prefers-contrast: more)", "(forced-colors: active)", "(hover: hover)", "(pointer: coarse)", "print"];
/** More rules than this cost more to compare than the page to walk. */
const MOST_RULES = 5000;
/** States of custom elements, set by script, raise nothing and cannot be read; only sheets that ask for them make them matter. */
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
export const placed = (): string => `${scrollX},${scrollY},${innerWidth},${innerHeight},${devicePixelRatio}`;

/** The facts about the document, and about each shadow root from when it is entered. */
export class Facts {
  readonly list: unknown[] = [];
  /** False: the page may change by itself, or by something that cannot be read. */
  sure = true;
  private readonly sheets = new Sheets(this.list);

  constructor() {
    const { list } = this;
    const focused = activeElement();
    list.push(location.href, documentTitle(document), placed(), reachVersion(), focused, focused && matches(focused, ":focus-visible"), document.fullscreenElement);
    const scrolling = scrollingElement() ?? rootElement();
    if (scrolling) list.push(scrollWidth(scrolling), scrollHeight(scrolling));
    for (const media of MEDIA) list.push(matchMedia(media).matches);
    list.push(document.fonts?.status, document.fonts?.size);
    for (const state of [":hover", ":active"]) pointedAt(state, list);
    this.enter(document);
  }

  enter(root: Root): void {
    if (!this.sure) return;
    this.list.push(root);
    for (const el of queryAll(root, STATEFUL)) stateOf(el, this.list);
    this.sure = !isManual(root) && (root.getAnimations?.().length ?? 0) === 0 && this.sheets.of(root);
  }

  /** What they are now; `roots` in the order in which they were entered. */
  static now(roots: readonly ShadowRoot[]): Facts {
    const facts = new Facts();
    for (const root of roots) facts.enter(root);
    return facts;
  }

  equals(other: Facts): boolean {
    const { list } = this;
    if (!this.sure || !other.sure || list.length !== other.list.length) return false;
    for (let i = 0; i < list.length; i++) if (list[i] !== other.list[i]) return false;
    return true;
  }
}

/** What the pointer is over, or presses, from the root down. */
function pointedAt(state: string, facts: unknown[]): void {
  let at: Element | null = rootElement();
  if (at && !matches(at, state)) at = null;
  while (at) {
    facts.push(at);
    const shadow: ShadowRoot | null = shadowRoot(at);
    at = (shadow && query(shadow, state)) ?? query(at, `:scope > ${state}`);
  }
  facts.push(state);
}

/** Slots that are filled by script raise nothing. */
const isManual = (root: Root): boolean => root instanceof ShadowRoot && root.slotAssignment === "manual";

function stateOf(el: Element, facts: unknown[]): void {
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
  if (OPEN !== "" && (localName(el) === "dialog" || has(el, "popover"))) facts.push(matches(el, OPEN));
}

function judgedOf(el: Element, facts: unknown[]): void {
  for (const state of JUDGED) facts.push(matches(el, state));
}

/** The texts of all rules. */
class Sheets {
  private left = MOST_RULES;
  private readonly seen = new Set<CSSStyleSheet>();
  constructor(private readonly facts: unknown[]) {}

  /** False: too many, or they ask for what cannot be read. */
  of(root: Root): boolean {
    const { styleSheets, adoptedStyleSheets } = root;
    for (let i = 0; i < styleSheets.length; i++) if (!this.sheet(styleSheets[i] as CSSStyleSheet)) return false;
    for (let i = 0; i < (adoptedStyleSheets?.length ?? 0); i++) if (!this.sheet(adoptedStyleSheets[i] as CSSStyleSheet)) return false;
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
