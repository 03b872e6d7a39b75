// The output of a walk: records in document order, texts as they are drawn, the white space between
// inline neighbours, boxes and counts. The walker decides what is recorded; this file decides in
// which form. Reads styles and boxes of texts; writes nothing into the page.

import { nodeType } from "../dom/dom";
import { collapse, drawnText, isBlank, isCollapsed, truncate } from "../dom/text";
import type { ReadCache } from "../semantics/readCache";
import { Flag } from "../semantics/stateFlags";
import { textTransformOf, whiteSpaceOf } from "../visibility/inheritedStyle";
import { hasNoExtent, isImperceptible, isReferenced } from "../visibility/invisibleText";
import { type Area, EMPTY_AREA, HiddenReason, isOutside, viewport } from "../visibility/visibility";
import { type Counts, NodeRecord } from "./nodeRecord";
import type { StackEntry } from "./stackEntry";

/** The result of a walk. */
export interface WalkResult
  extends Pick<
    WalkOutput,
    "nodes" | "layers" | "hidden" | "withheld" | "elements" | "roots" | "faults"
  > {
  labels: Map<Element, Element>;
  /** The number of shadow roots that were not entered. */
  unentered: number;
  truncated: boolean;
  /** A lower bound for the number of elements that were not walked because of a limit. */
  left: number;
}

export class WalkOutput {
  readonly nodes: NodeRecord[] = [];
  readonly view = viewport();
  /** Positioned elements, in document order: they may cover others. */
  readonly layers: NodeRecord[] = [];
  /** The shadow roots that were entered, in that order. */
  readonly roots: ShadowRoot[] = [];
  /** The number of elements without a record, by the reason why they are hidden. */
  readonly hidden = new Array<number>(8).fill(0);
  elements = 0;
  /** The number of elements inside of leaves: they are not walked, but not left out either. */
  insideLeaves = 0;
  /** The number of elements that could not be read. */
  faults = 0;
  /** The number of usable elements so far. */
  uses = 0;
  withheld = 0;
  /** The length of all texts and names together. */
  characters = 0;
  /** The box of the element at hand. All elements share it, to save an allocation for each. */
  private readonly box: Area = { x0: 0.5, y0: 0.5, x1: 0.5, y1: 0.5 };

  constructor(
    private readonly cache: ReadCache,
    private readonly full: boolean,
  ) {}

  /** Counts an element that is hidden and has no record. */
  countHidden(why: HiddenReason): void {
    this.hidden[why] = (this.hidden[why] as number) + 1;
  }

  /** Records a text, unless it cannot be seen. */
  addText(text: Text, entry: StackEntry): void {
    const data = text.data;
    if (entry.dropsTexts) return;
    // A closed `details` shows nothing but its summary.
    const isFolded = entry.onlyChild !== undefined;
    if (
      entry.reason ||
      isFolded ||
      (entry.ownReason &&
        entry.ownReason !== HiddenReason.Clipped &&
        entry.ownReason !== HiddenReason.Unreachable)
    ) {
      if (this.full && !isBlank(data))
        this.push(new NodeRecord(null, "", "", drawnText(data, "normal", "none"))).why =
          entry.reason || (isFolded ? HiddenReason.Skipped : entry.ownReason);
      return;
    }
    const blank = isBlank(data);
    // Between blocks, where nothing inline came before, blank text is never drawn.
    if (blank && !entry.afterInline && !entry.inline) return;
    const whiteSpace = !blank && isCollapsed(data) ? "normal" : whiteSpaceOf(entry);
    if (blank && !whiteSpace.startsWith("pre")) {
      if (entry.inline) this.separate(entry, true, null, " ");
      else entry.pendingSpace = entry.afterInline;
      return;
    }
    if (blank && data.trim() === "" && !entry.afterInline) return;
    const lost =
      (entry.ownReason !== HiddenReason.Shown || entry.clips.flow === EMPTY_AREA) &&
      !entry.keepsTexts;
    if (
      lost ||
      isImperceptible(this.cache, entry, text) ||
      ((entry.node as NodeRecord).w < 1 && hasNoExtent(text))
    ) {
      if (entry.insideName || entry.keepsTexts || isReferenced(this.cache, entry.el)) return;
      this.withheld++;
      this.countsOf(entry).withheld++;
      if (this.full)
        this.push(
          new NodeRecord(null, "", "", drawnText(data, whiteSpace, textTransformOf(entry))),
        ).flags = Flag.Withheld;
      return;
    }
    const drawn = drawnText(data, whiteSpace, textTransformOf(entry));
    if (isBlank(drawn) && !blank) return;
    this.separate(entry, true, null, drawn);
    entry.shown = true;
  }

  /** Records a comment; other nodes that are neither text nor element are left out. */
  addComment(node: Node): void {
    if (nodeType(node) === 8)
      this.push(
        new NodeRecord(null, "#comment", "", truncate(collapse((node as Comment).data), 300)),
      ).why = HiddenReason.Display;
  }

  /**
   * Records the space between inline neighbours. Whether it matters is known only when the second
   * neighbour comes. `text` is recorded after it.
   */
  separate(entry: StackEntry, inline: boolean, before: NodeRecord | null, text?: string): void {
    if (entry.pendingSpace && inline && entry.afterInline && text !== " ") {
      const gap = new NodeRecord(null, "", "", " ");
      if (before) {
        const at = this.nodes.length - 1;
        this.nodes[at] = gap;
        gap.end = at + 1;
        this.nodes.push(before);
      } else this.push(gap).end = this.nodes.length;
    }
    entry.pendingSpace = false;
    entry.afterInline = inline;
    if (text === undefined) return;
    const node = this.push(new NodeRecord(null, "", "", text));
    node.end = this.nodes.length;
    node.inShadowRoot = entry.isHost;
    if (entry.ariaHidden) node.flags = Flag.AriaHidden;
  }

  /** Appends a record. */
  push(node: NodeRecord): NodeRecord {
    this.nodes.push(node);
    node.end = this.nodes.length;
    this.characters += node.name.length;
    return node;
  }

  /** Returns how much was recorded so far, for `backTo`. */
  mark(): number {
    return this.nodes.length;
  }

  /** Removes what was recorded since a mark: it is not complete. Counts a fault. */
  backTo(mark: number): void {
    this.faults++;
    const dropped = new Set(this.nodes.splice(mark));
    while (this.layers.length > 0 && dropped.has(this.layers[this.layers.length - 1] as NodeRecord))
      this.layers.pop();
  }

  /** Returns the counts of the innermost element with a record. */
  countsOf(entry: StackEntry | null): Counts {
    let at = entry;
    while (at && !at.node) at = at.up;
    const none: Counts = { elements: 0, withheld: 0, hidden: null, roots: null };
    const node = at?.node;
    return node ? (node.counts ??= none) : none;
  }

  /** Returns a rectangle as an area. The next call reuses the object. */
  measure(rect: { x: number; y: number; width: number; height: number } | null): Area {
    const { box } = this;
    const x = rect ? rect.x : 0;
    const y = rect ? rect.y : 0;
    box.x0 = x;
    box.y0 = y;
    box.x1 = rect ? x + rect.width : 0;
    box.y1 = rect ? y + rect.height : 0;
    return box;
  }

  /** Sets the box of a record, and whether it is in the viewport. */
  place(node: NodeRecord, box: Area, view: Area, why: HiddenReason): void {
    node.x = box.x0;
    node.y = box.y0;
    node.w = box.x1 - box.x0;
    node.h = box.y1 - box.y0;
    node.view = view;
    if (
      !why &&
      node.w >= 1 &&
      node.h >= 1 &&
      !isOutside(box, view) &&
      (view === this.view || !isOutside(box, this.view))
    )
      node.flags |= Flag.InViewport;
    else node.flags &= ~Flag.InViewport;
  }

  /**
   * Gives a usable element without a box of its own (display: contents, floats inside) the box of
   * its contents.
   */
  placeAroundContent(node: NodeRecord): void {
    let box: Area | null = null;
    for (let i = this.nodes.lastIndexOf(node) + 1; i < node.end; i++) {
      const inner = this.nodes[i] as NodeRecord;
      if (!inner.el || inner.why || inner.w < 1 || inner.h < 1) continue;
      const area = { x0: inner.x, y0: inner.y, x1: inner.x + inner.w, y1: inner.y + inner.h };
      box = box
        ? {
            x0: Math.min(box.x0, area.x0),
            y0: Math.min(box.y0, area.y0),
            x1: Math.max(box.x1, area.x1),
            y1: Math.max(box.y1, area.y1),
          }
        : area;
    }
    if (!box) return;
    node.boxIsBorrowed = true;
    this.place(node, box, this.view, HiddenReason.Shown);
  }
}
