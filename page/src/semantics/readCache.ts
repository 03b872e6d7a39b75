// Caches what was read from the page during one capture: styles, names, roles, kinds of tables.
// Nothing is kept between captures, so nothing can be stale. Reads styles; touches nothing else.

import { nodeType, rootOf, shadowRoot } from "../dom/dom";
import { StyleEffect, StylesheetEffects } from "./stylesheetEffects";

export interface AccessibleName {
  text: string;
  /** The name was taken from the content of the element. */
  fromContent: boolean;
}

/** The style of an element; each property is read once, when it is first needed. */
export class CachedStyle {
  private textTransform = "";
  constructor(
    readonly style: CSSStyleDeclaration,
    readonly display: string,
    private isVisible: boolean | null,
  ) {}
  get visible(): boolean {
    return (this.isVisible ??= this.style.visibility === "visible");
  }
  get transform(): string {
    return (this.textTransform ||= this.style.textTransform);
  }
}

export class ReadCache {
  private readonly styles = new Map<Element, CachedStyle>();
  readonly names = new Map<Element, AccessibleName>();
  /** Names of usable elements, taken from the content even if the role does not say so. */
  readonly namesFromContent = new Map<Element, AccessibleName>();
  readonly roles = new Map<Element, string>();
  readonly dataTables = new Map<Element, boolean>();
  /** Elements whose text names another element: label → control, legend → fieldset. */
  readonly labels = new Map<Element, Element>();
  /** Every call of `addLabel`: label, named element, element whose name was computed. */
  readonly labelLog: Element[] = [];
  /** Dependencies between elements: the element that depends, the element that was read for it. */
  readonly dependencies: Element[] = [];
  /** A hit test decided something: any change may decide it differently. */
  usedHitTest = false;
  /** The labels of each control, for each root; computed on first use. */
  readonly labelsByControl = new Map<Node, Map<Element, HTMLLabelElement[]>>();
  /** aria-owns, owner → owned and back; computed when a name first needs it. */
  owned: { by: Map<Element, Element>; of: Map<Element, Element[]> } | null = null;
  /**
   * Ids that aria-labelledby or aria-describedby refer to, for each root; computed on first use.
   */
  readonly referencedIds = new Map<Node, Set<string>>();
  /** Counter values at pseudo-elements; computed when a name first needs them. */
  counters: Map<Element, Map<string, string>> | null = null;
  /** The number of elements that names may still visit: a page may be built to make names slow. */
  nameSteps = 2_000_000;
  /** The first image that uses each image map, by the name of the map. */
  readonly mapImages = new Map<string, Element | null>();
  readonly generated = new Map<Element, { "::before"?: string; "::after"?: string }>();

  /**
   * Notes that `label` names an element. The first such note stays, unless a later one is
   * `certain`.
   */
  addLabel(label: Element, named: Element, asked: Element, certain = false): void {
    this.labelLog.push(label, named, asked);
    if (certain || !this.labels.has(label)) this.labels.set(label, named);
  }

  addDependency(asked: Element, read: Element): void {
    if (asked !== read) this.dependencies.push(asked, read);
  }

  /** `effects`: what style sheets may set; everything, unless the rules are read. */
  constructor(readonly effects = new StylesheetEffects()) {}

  /** Returns whether an element can have generated content. */
  mayGenerate(el: Element): boolean {
    const { effects } = this;
    if (effects.may & StyleEffect.Content) return true;
    const root = rootOf(el);
    if (nodeType(root) === 11) effects.addRoot(root as ShadowRoot);
    const own = shadowRoot(el);
    if (own) effects.addRoot(own);
    return (effects.may & StyleEffect.Content) !== 0;
  }

  /** Returns the cached style of an element, and reads it if necessary. */
  styleEntry(el: Element): CachedStyle {
    let seen = this.styles.get(el);
    if (!seen) {
      const style = getComputedStyle(el);
      seen = new CachedStyle(style, style.display, null);
      this.styles.set(el, seen);
    }
    return seen;
  }

  cachedStyle(el: Element): CachedStyle | undefined {
    return this.styles.get(el);
  }

  /** Stores the style that the walk has read, for names. */
  storeStyle(el: Element, style: CSSStyleDeclaration, display: string, visible: boolean): void {
    this.styles.set(el, new CachedStyle(style, display, visible));
  }

  style(el: Element): CSSStyleDeclaration {
    return this.styleEntry(el).style;
  }
}
