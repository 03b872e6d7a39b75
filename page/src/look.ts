// One look at the page: what was read once and holds until the look ends (styles, names, kinds of tables). Nothing of it is kept
// between looks, so nothing can be stale. Reads styles; touches nothing else.

export interface Name {
  text: string;
  /** It came from what the element contains. */
  content: boolean;
}

interface Flow {
  display: string;
  visible: boolean;
  transform: string;
}

export class Look {
  private readonly styles = new Map<Element, CSSStyleDeclaration>();
  readonly names = new Map<Element, Name>();
  /** Names taken from the content even though the role does not say so. */
  readonly spoken = new Map<Element, Name>();
  readonly roles = new Map<Element, string>();
  readonly tables = new Map<Element, boolean>();
  /** Elements whose text names another element: label → control, legend → fieldset. */
  readonly labels = new Map<Element, Element>();
  /** The labels of each control, for each root; made when first asked. */
  readonly labelled = new Map<Node, Map<Element, HTMLLabelElement[]>>();
  /** aria-owns, owner → owned and back; made when a name first asks. */
  owned: { by: Map<Element, Element>; of: Map<Element, Element[]> } | null = null;
  /** Ids that aria-labelledby or aria-describedby refer to, for each root; made when first asked. */
  readonly referenced = new Map<Node, Set<string>>();
  /** Counter values at pseudo-elements; made when a name first asks. */
  counters: Map<Element, Map<string, string>> | null = null;
  /** How many elements names may still look at: bounds a page made to cost. */
  steps = 2_000_000;

  private readonly flows = new Map<Element, Flow>();
  readonly generated = new Map<Element, { "::before"?: string; "::after"?: string }>();

  /** What names need of a style, read once: each read from a live style makes the browser look up the whole tree above. */
  flow(el: Element): Flow {
    let flow = this.flows.get(el);
    if (!flow) {
      const { display, visibility, textTransform } = this.style(el);
      flow = { display, visible: visibility === "visible", transform: textTransform };
      this.flows.set(el, flow);
    }
    return flow;
  }

  style(el: Element): CSSStyleDeclaration {
    let style = this.styles.get(el);
    if (!style) {
      style = getComputedStyle(el);
      this.styles.set(el, style);
    }
    return style;
  }
}
