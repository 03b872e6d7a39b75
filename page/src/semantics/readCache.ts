// Caches what was read from the page during one capture: styles, names, roles, kinds of tables.
// Nothing is kept between captures, so nothing can be stale. Reads styles; touches nothing else.
// tables). Nothing of it is kept between looks, so nothing can be stale. Reads styles; touches
// nothing else.

import { nodeType, rootOf, shadowRoot } from "../dom/dom";
import { StyleEffect, StylesheetEffects } from "./stylesheetEffects";

export interface AccessibleName {
  text: string;
  /** It came from what the element contains. */
  fromContent: boolean;
}

/** What was read of an element's style; each property once, and only when it is asked for. */
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
  /** Names taken from the content even though the role does not say so. */
  readonly namesFromContent = new Map<Element, AccessibleName>();
  readonly roles = new Map<Element, string>();
  readonly dataTables = new Map<Element, boolean>();
  /** Elements whose text names another element: label → control, legend → fieldset. */
  readonly labels = new Map<Element, Element>();
  /** Who was said to be named by what, and in whose name that came up: label, named, asked. */
  readonly labelLog: Element[] = [];
  /** What was read of one element for the sake of another: who asked, who was read. */
  readonly dependencies: Element[] = [];
  /** Something was decided by what lies at a point, which anything may change. */
  usedHitTest = false;
  /** The labels of each control, for each root; made when first asked. */
  readonly labelsByControl = new Map<Node, Map<Element, HTMLLabelElement[]>>();
  /** aria-owns, owner → owned and back; made when a name first asks. */
  owned: { by: Map<Element, Element>; of: Map<Element, Element[]> } | null = null;
  /**
   * Ids that aria-labelledby or aria-describedby refer to, for each root; made when first asked.
   */
  readonly referencedIds = new Map<Node, Set<string>>();
  /** Counter values at pseudo-elements; made when a name first asks. */
  counters: Map<Element, Map<string, string>> | null = null;
  /** How many elements names may still look at: bounds a page made to cost. */
  nameSteps = 2_000_000;
  readonly generated = new Map<Element, { "::before"?: string; "::after"?: string }>();

  /**
   * The text of `label` names an element; the first one that is said stays, unless it is `certain`.
   */
  addLabel(label: Element, named: Element, asked: Element, certain = false): void {
    this.labelLog.push(label, named, asked);
    if (certain || !this.labels.has(label)) this.labels.set(label, named);
  }

  addDependency(asked: Element, read: Element): void {
    if (asked !== read) this.dependencies.push(asked, read);
  }

  /** `sheets`: what style sheets may do; everything, unless the walk trusts them. */
  constructor(readonly effects = new StylesheetEffects()) {}

  /** Whether an element can have generated content; the sheets that style it count first. */
  mayGenerate(el: Element): boolean {
    const { effects } = this;
    if (effects.may & StyleEffect.Content) return true;
    const root = rootOf(el);
    if (nodeType(root) === 11) effects.addRoot(root as ShadowRoot);
    const own = shadowRoot(el);
    if (own) effects.addRoot(own);
    return (effects.may & StyleEffect.Content) !== 0;
  }

  /** What is known of an element's style. */
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

  /** What the walk has read, for names to come. */
  storeStyle(el: Element, style: CSSStyleDeclaration, display: string, visible: boolean): void {
    this.styles.set(el, new CachedStyle(style, display, visible));
  }

  style(el: Element): CSSStyleDeclaration {
    return this.styleEntry(el).style;
  }
}
