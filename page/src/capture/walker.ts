// The walk: turns the tree that is drawn into records, in document order. It judges visibility and
// use on the way down, and on the way up what can only be known then. It can stop at any element and
// go on later. Reads each element's style and box once; writes nothing into the page.

import { connected, isElement, isText, rootElement, showsFailure } from "../dom/dom";
import { hasListener } from "../dom/engineSupplied";
import type { Look } from "../semantics/readCache";
import { catchUp } from "../semantics/secrets";
import { kindOf } from "../semantics/tagTraits";
import { isClosed, Why } from "../visibility/visibility";
import { CurrentElement } from "./currentElement";
import { recordHidden } from "./hiddenElement";
import { leave } from "./leaveElement";
import { attributesOf } from "./nodeRecord";
import { recordPlain } from "./plainElement";
import type { Kept } from "./reusePlan";
import { recordShown } from "./shownElement";
import { count } from "./viewportFirst";
import type { Frame } from "./walkContext";
import type { Walked } from "./walkOutput";
import { WalkState } from "./walkState";

const MOST_NODES = 200_000;
/** After this many nodes only nodes in or near the viewport are still walked. */
const MANY_NODES = 160_000;
/** The time that nodes near the viewport always get, in milliseconds. */
const NEAR = 300;
/** The limit for all texts, names and attributes together. */
const MOST_CHARACTERS = 20_000_000;
/** The number of steps between two looks at the clock. */
const STRIDE = 64;

/** Walks the whole page at once. */
export function walkPage(look: Look, full: boolean): Walked {
  const walk = new Walk(look, full);
  walk.go(Number.POSITIVE_INFINITY);
  return walk.walked();
}

export class Walk {
  private readonly state: WalkState;
  private readonly current = new CurrentElement();
  private truncated = false;
  private ended = false;
  /**
   * The elements that were walked already, once the page changed during the walk: elements to come
   * may be gone, and elements that were walked may come again.
   */
  private shaken: Set<Element> | null = null;

  /**
   * `short`: when only what is near the viewport is still walked; `end`: when nothing is; `kept`:
   * what need not be walked.
   */
  constructor(
    private readonly look: Look,
    full: boolean,
    private readonly short = Number.POSITIVE_INFINITY,
    private end = Number.POSITIVE_INFINITY,
    kept: Kept | null = null,
  ) {
    this.state = new WalkState(look, full, kept);
    catchUp();
    // A document may be empty (`document.open()`): then an empty root stands for it. What a browser
    // writes into a frame that did not load is not a part of the page.
    this.enter((showsFailure() ? null : rootElement()) ?? document.createElement("html"), null);
  }

  get canvases(): WalkState["canvases"] {
    return this.state.canvases;
  }

  /** Shadow roots are entered; otherwise they are only counted. */
  set pierce(pierce: boolean) {
    this.state.pierce = pierce;
  }

  /** Called with each shadow root before it is entered. */
  set met(met: (root: ShadowRoot) => void) {
    this.state.met = met;
  }

  /** Goes on until that time. Returns true when the walk is done. */
  go(until: number): boolean {
    const { stack } = this.state;
    for (let steps = 1; stack.top; steps++) {
      if (steps % STRIDE === 0) {
        const now = performance.now();
        if (now >= this.short) this.hurry();
        if (now >= this.end) this.ended = this.truncated = true;
        if (now >= until) return false;
      }
      this.step(stack.top);
    }
    return true;
  }

  private step(frame: Frame): void {
    const { state } = this;
    const { stack, output } = state;
    const child = this.ended ? null : stack.nextChild(frame);
    if (!child) {
      stack.top = frame.up;
      leave(state, frame, frame.up);
      stack.release(frame);
      return;
    }
    if (output.nodes.length >= MANY_NODES) {
      this.hurry();
      if (output.nodes.length >= MOST_NODES) this.ended = true;
    }
    if (output.characters > MOST_CHARACTERS) this.ended = this.truncated = true;
    if (this.ended || stack.isLeftOut(child)) return;
    if (isText(child)) output.text(child, frame);
    else if (isElement(child)) {
      if (!state.reuse.takeOver(child, frame)) this.enter(child, frame);
    } else if (state.full) output.comment(child);
  }

  /** Restricts the walk to what is near the viewport: there is too much, or too little time. */
  private hurry(): void {
    if (!this.state.stack.restrict()) return;
    this.truncated = true;
    this.end = Math.max(this.end, performance.now() + NEAR);
  }

  /** To be called when the page changed since the walk began. */
  shake(): void {
    if (this.shaken) return;
    this.shaken = new Set();
    this.state.stack.unstable = true;
    for (const { el } of this.state.output.nodes) if (el) this.shaken.add(el);
  }

  /** Ends the walk with what was walked already. */
  finish(): void {
    this.ended = this.truncated = true;
    this.go(Number.POSITIVE_INFINITY);
  }

  /** Returns what was found; for a walk that is done. */
  walked(): Walked {
    const { output, unentered } = this.state;
    const { nodes, layers, hidden, withheld, elements, roots } = output;
    const { labels, steps } = this.look;
    if (steps <= 0) this.truncated = true;
    let left = 0;
    if (this.truncated) {
      left = count(document) - elements - output.passed;
      for (const root of roots) left += count(root);
    }
    return {
      nodes,
      layers,
      labels,
      hidden,
      withheld,
      elements,
      roots,
      unentered,
      truncated: this.truncated,
      left: Math.max(0, left),
    };
  }

  /** Records an element, by the way in which it is seen, and opens it. */
  private enter(el: Element, above: Frame | null): void {
    const { state, look, shaken } = this;
    if (shaken) {
      if (shaken.has(el) || !connected(el)) return;
      shaken.add(el);
    }
    state.output.elements++;
    if (state.kept) state.reuse.undo(el);
    const kind = kindOf(el);
    const { tag } = kind;
    if (kind.never) {
      if (state.full && above) return recordHidden(state, el, kind, above, Why.Display);
      state.output.tally(above).elements++;
      state.output.passed += count(el);
      return;
    }
    if (above?.why) return recordHidden(state, el, kind, above, above.why);
    if (above && above.only !== undefined && above.only !== el)
      return recordHidden(state, el, kind, above, Why.Skipped);
    // Names may have read its style already.
    const seen = look.known(el);
    const style = seen ? seen.style : getComputedStyle(el);
    const display = seen ? seen.display : style.display;
    if (display === "none" && tag !== "area")
      return recordHidden(state, el, kind, above, isClosed(el, tag) ? Why.Closed : Why.Display);
    const attributes = attributesOf(el, state.full);
    if (
      kind.quiet &&
      attributes.plain &&
      !attributes.styled &&
      above &&
      !hasListener(el) &&
      recordPlain(state, el, kind, attributes.pairs, style, display, above)
    )
      return;
    this.current.begin(el, kind, attributes, seen, style, display, above);
    recordShown(state, this.current);
  }
}
