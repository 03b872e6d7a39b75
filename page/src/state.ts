// What a page can change without any mutation that an observer would see: values and choices set by script, rules of style sheets, adopted sheets,
// scroll positions, focus and hover, pictures that finish loading, open dialogs and popovers, media queries, roots attached to standing elements. Read as one
// flat list of facts: two equal lists, and no mutation between them, mean that the page is the same. Reads only; where it cannot be sure it says so.

import { documentTitle, has, localName, matches, queryAll, rootElement, scrollHeight, scrollingElement, scrollWidth } from "./dom";
import { reachVersion } from "./reach";

type Root = Document | ShadowRoot;

/** What has a state of its own. Asked for by tag: a list of pseudo-classes tried on every element costs as much as half a walk. */
const STATEFUL = "input,textarea,select,option,button,img,audio,video,dialog,details,[popover]";
/** States that any element may be in without an attribute. */
const TOUCHED = ":hover,:active";
/** States of fields that only a selector tells; those that the engine does not know are left out. */
const FIELD_STATES = [":autofill", ":user-invalid", ":user-valid", ":open"].filter(known).join(",");
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

/** The facts; null where the page may change by itself, or by something that cannot be read. `roots`: all shadow roots that are known. */
export function factsOf(roots: readonly ShadowRoot[]): unknown[] | null {
  const facts: unknown[] = [location.href, documentTitle(document), placed(), reachVersion()];
  const scrolling = scrollingElement() ?? rootElement();
  if (scrolling) facts.push(scrollWidth(scrolling), scrollHeight(scrolling));
  for (const query of MEDIA) facts.push(matchMedia(query).matches);
  facts.push(document.fonts?.status, document.fonts?.size);
  const sheets = new Sheets(facts);
  for (const root of [document, ...roots]) {
    if (isManual(root) || (root.getAnimations?.().length ?? 0) > 0) return null;
    facts.push(root);
    for (const el of queryAll(root, STATEFUL)) stateOf(el, facts);
    for (const el of queryAll(root, TOUCHED)) facts.push(el);
    const focused = root.activeElement;
    facts.push(focused, focused !== null && matches(focused, ":focus-visible"), root.fullscreenElement, root.pictureInPictureElement);
    if (!sheets.of(root)) return null;
  }
  return facts;
}

/** Slots that are filled by script raise nothing. */
const isManual = (root: Root): boolean => root instanceof ShadowRoot && root.slotAssignment === "manual";

function stateOf(el: Element, facts: unknown[]): void {
  facts.push(el);
  switch (localName(el)) {
    case "input": {
      const { value, checked, indeterminate } = el as HTMLInputElement;
      facts.push(value, checked, indeterminate, fieldState(el as HTMLInputElement));
      break;
    }
    case "textarea":
      facts.push((el as HTMLTextAreaElement).value, fieldState(el as HTMLTextAreaElement));
      break;
    case "select":
      facts.push((el as HTMLSelectElement).selectedIndex, fieldState(el as HTMLSelectElement));
      break;
    case "button":
      facts.push((el as HTMLButtonElement).validity.valid);
      break;
    case "option":
      facts.push((el as HTMLOptionElement).selected);
      break;
    case "img": {
      const { complete, naturalWidth, naturalHeight, currentSrc } = el as HTMLImageElement;
      facts.push(complete, naturalWidth, naturalHeight, currentSrc);
      break;
    }
    case "audio":
    case "video": {
      const { paused, muted, readyState, videoWidth, videoHeight } = el as HTMLVideoElement;
      facts.push(paused, muted, readyState, videoWidth, videoHeight);
    }
  }
  // A dialog, a popover, or any element that was made one.
  if (localName(el) === "dialog" || has(el, "popover")) facts.push(matches(el, ":modal,:popover-open"));
}

/** Whether it is valid, and what else only a selector tells. */
const fieldState = (el: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement): string =>
  `${el.validity.valid} ${FIELD_STATES !== "" && matches(el, FIELD_STATES)}`;

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

export function sameFacts(a: unknown[] | null, b: unknown[] | null): boolean {
  if (!a || !b || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
