// The walk: turns the tree that is drawn into records, in document order. It judges visibility and
// use on the way down, and everything that depends on descendants on the way up. It can stop at any
// element and continue later. Reads each element's style and box once; writes nothing into the
// page.

import { firstChild, isConnected, isElement, isErrorPage, isText, rootElement } from "../dom/dom";
import { hasListener } from "../dom/engineSupplied";
import type { WorkLimit } from "../dom/timeSlices";
import { hearsThroughParent } from "../semantics/interactivity";
import type { ReadCache } from "../semantics/readCache";
import { readPendingPasswords } from "../semantics/secrets";
import { tagTraits } from "../semantics/tagTraits";
import { HiddenReason, isClosed } from "../visibility/visibility";
import { CurrentElement } from "./currentElement";
import { recordFaulty } from "./faultyElement";
import { recordHidden } from "./hiddenElement";
import { leave } from "./leaveElement";
import { attributesOf, type NodeRecord } from "./nodeRecord";
import { recordPlain } from "./plainElement";
import type { ReusePlan } from "./reusePlan";
import { recordShown } from "./shownElement";
import type { StackEntry } from "./stackEntry";
import { countDescendants } from "./viewportFirst";
import type { WalkResult } from "./walkOutput";
import { WalkState } from "./walkState";

const MAX_NODES = 200_000;
/** After this many nodes only nodes in or near the viewport are still walked. */
const MANY_NODES = 160_000;
/** The time that nodes near the viewport always get, in milliseconds. */
const NEAR = 300;
/** The limit for all texts, names and attributes together. */
const MAX_CHARACTERS = 20_000_000;
/** The number of steps between two checks of the clock. */
const STRIDE = 64;

/** Walks the whole page at once. */
export function walkPage(cache: ReadCache, full: boolean): WalkResult {
  const walk = new Walker(cache, full);
  walk.go(Number.POSITIVE_INFINITY);
  return walk.result();
}

/** A page of which fewer nodes were walked is walked almost until the end of the limit. */
const SMALL_PAGE = 20_000;
const LATE_SHARES = [0.9, 1] as const;

export class Walker {
  readonly state: WalkState;
  private readonly current = new CurrentElement();
  private truncated = false;
  private ended = false;
  /** Until then elements near the viewport are walked in any case. */
  private nearUntil = 0;
  /**
   * The elements that were walked already, once the page changed during the walk: elements to come
   * may be gone, and elements that were walked may come again.
   */
  private walkedAlready: Set<Element> | null = null;

  /**
   * `restrictAt`: the share of the limit after which only elements near the viewport are walked;
   * `endAt`: the share after which none are; `plan`: the records that need not be walked.
   */
  constructor(
    private readonly cache: ReadCache,
    full: boolean,
    private readonly limit: WorkLimit | null = null,
    private readonly restrictAt = 1,
    private readonly endAt = 1,
    plan: ReusePlan | null = null,
  ) {
    this.state = new WalkState(cache, full, plan);
    readPendingPasswords();
    // A document may be empty (`document.open()`): then an empty root stands for it. The browser's
    // error page in a frame that did not load is not part of the page.
    this.enter((isErrorPage() ? null : rootElement()) ?? document.createElement("html"), null);
  }

  /** Continues until that time. Returns true when the walk is done. */
  go(until: number): boolean {
    const { stack } = this.state;
    for (let steps = 1; stack.top; steps++) {
      if (steps % STRIDE === 0) {
        const now = performance.now();
        // A small page takes long only where the machine is busy: it is soon done.
        const isSmall = this.state.output.nodes.length < SMALL_PAGE;
        const [restrictAt, endAt] = isSmall ? LATE_SHARES : [this.restrictAt, this.endAt];
        if (this.limit?.isPast(restrictAt, now)) this.restrictToViewport();
        if (now >= this.nearUntil && this.limit?.isPast(endAt, now))
          this.ended = this.truncated = true;
        if (now >= until) return false;
      }
      this.step(stack.top);
    }
    return true;
  }

  private step(entry: StackEntry): void {
    const { state } = this;
    const { stack, output } = state;
    const child = this.ended ? null : stack.nextChild(entry);
    if (!child) {
      stack.top = entry.up;
      try {
        leave(state, entry, entry.up);
      } catch {
        output.faults++;
      }
      stack.release(entry);
      return;
    }
    if (output.nodes.length >= MANY_NODES) {
      this.restrictToViewport();
      if (output.nodes.length >= MAX_NODES) this.ended = true;
    }
    if (output.characters > MAX_CHARACTERS) this.ended = this.truncated = true;
    if (this.ended || stack.isLeftOut(child)) return;
    const before = output.mark();
    try {
      if (isText(child)) output.addText(child, entry);
      else if (isElement(child)) {
        const from = output.nodes.length;
        if (!state.reuse.reuse(child, entry)) this.enter(child, entry);
        else if (this.walkedAlready) this.noteWalked(from);
      } else if (state.full) output.addComment(child);
    } catch {
      // One hostile element must not cost the page.
      stack.top = entry;
      output.backTo(before);
      if (isElement(child)) recordFaulty(state, child, entry);
    }
  }

  /**
   * Restricts the walk to nodes near the viewport: there are too many, or too little time is left.
   */
  private restrictToViewport(): void {
    if (!this.state.stack.restrict()) return;
    this.truncated = true;
    this.nearUntil = performance.now() + NEAR;
  }

  /**
   * To be called when the page changed since the walk began. `targets`: what changed, as far as it
   * is known.
   */
  pageChanged(targets?: ReadonlySet<Node>): void {
    this.state.reuse.pageChanged(targets);
    if (this.walkedAlready) return;
    this.walkedAlready = new Set();
    this.state.stack.unstable = true;
    this.noteWalked(0);
  }

  /** Notes the elements of all records from an index on. */
  private noteWalked(from: number): void {
    const { nodes } = this.state.output;
    for (let i = from; i < nodes.length; i++) {
      const { el } = nodes[i] as NodeRecord;
      if (el) this.walkedAlready?.add(el);
    }
  }

  /** Ends the walk with what was walked already. */
  finish(): void {
    this.ended = this.truncated = true;
    this.go(Number.POSITIVE_INFINITY);
  }

  /** Returns what was found; for a walk that is done. */
  result(): WalkResult {
    const { output, unentered } = this.state;
    const { nodes, layers, hidden, withheld, elements, roots, faults } = output;
    const { labels, nameSteps } = this.cache;
    if (nameSteps <= 0) this.truncated = true;
    let left = 0;
    if (this.truncated) {
      left = countDescendants(document) - elements - output.insideLeaves;
      for (const root of roots) left += countDescendants(root);
    }
    const found = { nodes, layers, labels, hidden, withheld, elements, roots, faults, unentered };
    return { ...found, truncated: this.truncated, left: Math.max(0, left) };
  }

  /** Records an element as hidden, plain or shown, and opens it. */
  private enter(el: Element, above: StackEntry | null): void {
    const { state, cache, walkedAlready } = this;
    if (walkedAlready) {
      if (walkedAlready.has(el) || !isConnected(el)) return;
      walkedAlready.add(el);
    }
    state.output.elements++;
    if (state.plan) state.reuse.undoMerge(el);
    const traits = tagTraits(el);
    const { tag } = traits;
    if (traits.neverDrawn) {
      if (state.full && above) return recordHidden(state, el, traits, above, HiddenReason.Display);
      state.output.countsOf(above).elements++;
      state.output.insideLeaves += countDescendants(el);
      return;
    }
    if (above?.reason) return recordHidden(state, el, traits, above, above.reason);
    if (above && above.onlyChild !== undefined && above.onlyChild !== el)
      return recordHidden(state, el, traits, above, HiddenReason.Skipped);
    // Names may have read its style already.
    const cachedStyle = cache.cachedStyle(el);
    const style = cachedStyle ? cachedStyle.style : getComputedStyle(el);
    const display = cachedStyle ? cachedStyle.display : style.display;
    if (display === "none" && tag !== "area")
      return recordHidden(
        state,
        el,
        traits,
        above,
        isClosed(el, tag) ? HiddenReason.Closed : HiddenReason.Display,
      );
    const attributes = attributesOf(el, state.full);
    if (
      traits.featureless &&
      attributes.plain &&
      !attributes.styled &&
      !attributes.gutter &&
      above &&
      !hasListener(el) &&
      !hearsThroughParent(el) &&
      !(above.cursorTaken && firstChild(el) === null) &&
      recordPlain(state, el, traits, attributes.pairs, style, display, above)
    )
      return;
    this.current.begin(el, traits, attributes, cachedStyle, style, display, above);
    recordShown(state, this.current);
  }
}
