// One look at the page: what was read once and holds until the look ends (styles, names, kinds of
// tables). Nothing of it is kept between looks, so nothing can be stale. Reads styles; touches
// nothing else.

import { nodeType, rootOf, shadowRoot } from "../dom/dom";
import { May, Sheets } from "./stylesheetEffects";

export interface Name {
  text: string;
  /** It came from what the element contains. */
  content: boolean;
}

/** What was read of an element's style; each property once, and only when it is asked for. */
export class Seen {
  private turns = "";
  constructor(
    readonly style: CSSStyleDeclaration,
    readonly display: string,
    private shows: boolean | null,
  ) {}
  get visible(): boolean {
    return (this.shows ??= this.style.visibility === "visible");
  }
  get transform(): string {
    return (this.turns ||= this.style.textTransform);
  }
}

export class Look {
  private readonly seen = new Map<Element, Seen>();
  readonly names = new Map<Element, Name>();
  /** Names taken from the content even though the role does not say so. */
  readonly spoken = new Map<Element, Name>();
  readonly roles = new Map<Element, string>();
  readonly tables = new Map<Element, boolean>();
  /** Elements whose text names another element: label → control, legend → fieldset. */
  readonly labels = new Map<Element, Element>();
  /** Who was said to be named by what, and in whose name that came up: label, named, asked. */
  readonly named: Element[] = [];
  /** What was read of one element for the sake of another: who asked, who was read. */
  readonly relied: Element[] = [];
  /** Something was decided by what lies at a point, which anything may change. */
  doubtful = false;
  /** The labels of each control, for each root; made when first asked. */
  readonly labelled = new Map<Node, Map<Element, HTMLLabelElement[]>>();
  /** aria-owns, owner → owned and back; made when a name first asks. */
  owned: { by: Map<Element, Element>; of: Map<Element, Element[]> } | null = null;
  /**
   * Ids that aria-labelledby or aria-describedby refer to, for each root; made when first asked.
   */
  readonly referenced = new Map<Node, Set<string>>();
  /** Counter values at pseudo-elements; made when a name first asks. */
  counters: Map<Element, Map<string, string>> | null = null;
  /** How many elements names may still look at: bounds a page made to cost. */
  steps = 2_000_000;
  readonly generated = new Map<Element, { "::before"?: string; "::after"?: string }>();

  /**
   * The text of `label` names an element; the first one that is said stays, unless it is `certain`.
   */
  label(label: Element, named: Element, asked: Element, certain = false): void {
    this.named.push(label, named, asked);
    if (certain || !this.labels.has(label)) this.labels.set(label, named);
  }

  rely(asked: Element, read: Element): void {
    if (asked !== read) this.relied.push(asked, read);
  }

  /** `sheets`: what style sheets may do; everything, unless the walk trusts them. */
  constructor(readonly sheets = new Sheets()) {}

  /** Whether an element can have generated content; the sheets that style it count first. */
  mayGenerate(el: Element): boolean {
    const { sheets } = this;
    if (sheets.may & May.Content) return true;
    const root = rootOf(el);
    if (nodeType(root) === 11) sheets.enter(root as ShadowRoot);
    const own = shadowRoot(el);
    if (own) sheets.enter(own);
    return (sheets.may & May.Content) !== 0;
  }

  /** What is known of an element's style. */
  see(el: Element): Seen {
    let seen = this.seen.get(el);
    if (!seen) {
      const style = getComputedStyle(el);
      seen = new Seen(style, style.display, null);
      this.seen.set(el, seen);
    }
    return seen;
  }

  known(el: Element): Seen | undefined {
    return this.seen.get(el);
  }

  /** What the walk has read, for names to come. */
  keep(el: Element, style: CSSStyleDeclaration, display: string, visible: boolean): void {
    this.seen.set(el, new Seen(style, display, visible));
  }

  style(el: Element): CSSStyleDeclaration {
    return this.see(el).style;
  }
}
