// What the walk has gathered: records in order, texts as they are drawn, the white space between
// inline neighbours, boxes. The walk decides what there is to gather; this file how it is put down.
// Reads styles and boxes of texts; writes nothing into the page.

import { nodeType } from "../dom/dom";
import { bound, collapse, drawnText, isBlank, isTidy } from "../dom/text";
import type { Look } from "../semantics/readCache";
import { Flag } from "../semantics/stateFlags";
import { transformOf, whiteSpaceOf } from "../visibility/inheritedStyle";
import { imperceptible, isReferenced, withoutExtent } from "../visibility/invisibleText";
import { type Area, NOWHERE, outside, viewport, Why } from "../visibility/visibility";
import { Record, type Tally } from "./nodeRecord";
import type { Frame } from "./walkContext";

export class Gathering {
  protected readonly nodes: Record[] = [];
  protected readonly view = viewport();
  protected withheld = 0;
  /** In all texts and names. */
  protected characters = 0;
  /** The box of the element at hand. */
  private readonly box: Area = { x0: 0.5, y0: 0.5, x1: 0.5, y1: 0.5 };

  constructor(
    protected readonly look: Look,
    protected readonly full: boolean,
  ) {}

  protected text(text: Text, frame: Frame): void {
    const data = text.data;
    if (frame.mute || (frame.only !== undefined && !this.full)) return;
    if (frame.why || (frame.self && frame.self !== Why.Clipped && frame.self !== Why.Unreachable)) {
      if (this.full && !isBlank(data))
        this.push(new Record(null, "", "", drawnText(data, "normal", "none"))).why =
          frame.why || frame.self;
      return;
    }
    const blank = isBlank(data);
    // Between blocks, where nothing inline came before, white space is nothing whatever it is.
    if (blank && !frame.joined && !frame.inline) return;
    const whiteSpace = !blank && isTidy(data) ? "normal" : whiteSpaceOf(frame);
    if (blank && !whiteSpace.startsWith("pre")) {
      if (frame.inline) this.joint(frame, true, null, " ");
      else frame.space = frame.joined;
      return;
    }
    if (blank && data.trim() === "" && !frame.joined) return;
    const lost = (frame.self !== Why.Shown || frame.clips.flow === NOWHERE) && !frame.keeps;
    if (
      lost ||
      imperceptible(this.look, frame, text) ||
      ((frame.node as Record).w < 1 && withoutExtent(text))
    ) {
      if (frame.named || frame.keeps || isReferenced(this.look, frame.el)) return;
      this.withheld++;
      this.tally(frame).withheld++;
      if (this.full)
        this.push(new Record(null, "", "", drawnText(data, whiteSpace, transformOf(frame)))).flags =
          Flag.Withheld;
      return;
    }
    const drawn = drawnText(data, whiteSpace, transformOf(frame));
    if (isBlank(drawn) && !blank) return;
    this.joint(frame, true, null, drawn);
    frame.shown = true;
  }

  /** Neither text nor element; a full walk tells that it is there. */
  protected comment(node: Node): void {
    if (nodeType(node) === 8)
      this.push(
        new Record(null, "#comment", "", bound(collapse((node as Comment).data), 300)),
      ).why = Why.Display;
  }

  /**
   * Keeps the space between inline neighbours: it is only known to matter when the second one
   * comes.
   */
  protected joint(frame: Frame, inline: boolean, before: Record | null, text?: string): void {
    if (frame.space && inline && frame.joined && text !== " ") {
      const gap = new Record(null, "", "", " ");
      if (before) {
        const at = this.nodes.length - 1;
        this.nodes[at] = gap;
        gap.end = at + 1;
        this.nodes.push(before);
      } else this.push(gap).end = this.nodes.length;
    }
    frame.space = false;
    frame.joined = inline;
    if (text === undefined) return;
    const node = this.push(new Record(null, "", "", text));
    node.end = this.nodes.length;
    node.rooted = frame.host;
    if (frame.ariaHidden) node.flags = Flag.AriaHidden;
  }

  protected push(node: Record): Record {
    this.nodes.push(node);
    node.end = this.nodes.length;
    this.characters += node.name.length;
    return node;
  }

  /** What is counted here belongs to the innermost element with a record. */
  protected tally(frame: Frame | null): Tally {
    let at = frame;
    while (at && !at.node) at = at.up;
    const none: Tally = { elements: 0, withheld: 0, hidden: null, roots: null };
    const node = at?.node;
    return node ? (node.tally ??= none) : none;
  }

  protected measure(rect: { x: number; y: number; width: number; height: number } | null): Area {
    const { box } = this;
    const x = rect ? rect.x : 0;
    const y = rect ? rect.y : 0;
    box.x0 = x;
    box.y0 = y;
    box.x1 = rect ? x + rect.width : 0;
    box.y1 = rect ? y + rect.height : 0;
    return box;
  }

  protected place(node: Record, box: Area, view: Area, why: Why): void {
    node.x = box.x0;
    node.y = box.y0;
    node.w = box.x1 - box.x0;
    node.h = box.y1 - box.y0;
    node.view = view;
    if (
      !why &&
      node.w >= 1 &&
      node.h >= 1 &&
      !outside(box, view) &&
      (view === this.view || !outside(box, this.view))
    )
      node.flags |= Flag.InViewport;
    else node.flags &= ~Flag.InViewport;
  }

  /**
   * Something usable without a box of its own (display: contents, floats inside) is where its
   * contents are.
   */
  protected around(node: Record): void {
    let box: Area | null = null;
    for (let i = this.nodes.lastIndexOf(node) + 1; i < node.end; i++) {
      const inner = this.nodes[i] as Record;
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
    node.lent = true;
    this.place(node, box, this.view, Why.Shown);
  }
}
