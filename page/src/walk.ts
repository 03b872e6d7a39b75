// The walk: the tree that is drawn, in one go, in order, into records. It judges visibility and use on the way down, and on the way up what
// can only be known then (a wrapper without extent, a clickable that contains something usable). An explicit stack, because pages may be
// 100,000 levels deep. Reads each element's style and box once; writes nothing.

import { coversOf } from "./covers";
import { activeElement, attr, flatChildren, has, isElement, isText, localName, rectOf, rootElement, shadowRoot } from "./dom";
import type { Frame } from "./frame";
import { Look } from "./look";
import { FIELDS, nameOf } from "./names";
import { areaBox, attributesOf, FRAMES, LEAVES, levelOf, NEVER, record, type Record, summaryOf, svgHasUse } from "./record";
import { isEditingHost, LANDMARKS, LIVE, roleOf } from "./roles";
import { catchUp, guard, isSecret } from "./secrets";
import { Flag, statesOf } from "./states";
import { drawnText, isBlank } from "./text";
import { handsDown, isSoft, markupUse, proxied, Use } from "./usable";
import { editedText, optionLabels, valueOf } from "./values";
import { type Area, areaOf, type Clips, clipsWithin, cutAway, fixedToAncestor, focusScrollsTo, inTopLayer, isClosed, isSkipLink, NOWHERE, outside, reach, scrollRoom,
  overflows, shownLabel, viewport, Why } from "./visibility";
import { imperceptible, isReferenced, withoutExtent } from "./withheld";

const MOST_NODES = 200_000;
const MOST_OPTIONS = 1000;

export interface Walked {
  nodes: Record[];
  labels: Map<Element, Element>;
  covers: Map<Element, Element>;
  hidden: number[];
  withheld: number;
  elements: number;
  roots: number;
  truncated: boolean;
}

export function walkPage(look: Look, full: boolean): Walked {
  catchUp();
  return new Walk(look, full).run();
}

class Walk {
  private readonly nodes: Record[] = [];
  private readonly hidden = new Array<number>(8).fill(0);
  private readonly stack: Frame[] = [];
  private readonly view = viewport();
  private readonly reach = reach();
  private readonly focused = activeElement();
  private withheld = 0;
  private elements = 0;
  private roots = 0;
  private uses = 0;
  private truncated = false;
  /** What is positioned, in order: it may lie over something. */
  private readonly layers: Record[] = [];

  constructor(private readonly look: Look, private readonly full: boolean) {}

  run(): Walked {
    const root = rootElement();
    if (root) this.enter(root, null);
    for (let frame = this.stack[this.stack.length - 1]; frame; frame = this.stack[this.stack.length - 1]) {
      if (frame.at >= frame.kids.length || this.truncated) {
        this.stack.pop();
        this.leave(frame, this.stack[this.stack.length - 1] ?? null);
        continue;
      }
      const child = frame.kids[frame.at++] as Node;
      if (this.nodes.length >= MOST_NODES) this.truncated = true;
      else if (isElement(child)) this.enter(child, frame);
      else if (isText(child)) this.text(child, frame);
    }
    if (this.look.steps <= 0) this.truncated = true;
    const { nodes, hidden, withheld, elements, roots, truncated } = this;
    const tried = nodes.filter((node) => node.el && !node.drop && !node.why && (node.flags & Flag.Usable || node.frame));
    return { nodes, labels: this.look.labels, covers: coversOf(this.look, tried, this.layers), hidden, withheld, elements, roots, truncated };
  }

  private enter(el: Element, above: Frame | null): void {
    this.elements++;
    const tag = localName(el);
    if (NEVER.has(tag)) {
      if (this.full && above) this.open(el, tag, above, Why.Display);
      return;
    }
    if (above?.why) return this.open(el, tag, above, above.why);
    if (above && above.only !== undefined && above.only !== el) return this.open(el, tag, above, Why.Skipped);
    const style = this.look.style(el);
    const display = style.display;
    if (display === "none" && tag !== "area") return this.open(el, tag, above, isClosed(el, tag) ? Why.Closed : Why.Display);
    this.draw(el, tag, style, display, above);
  }

  /** An element of a hidden subtree: only what matters there becomes a (light) record. No styles are read. */
  private open(el: Element, tag: string, above: Frame | null, why: Why): void {
    const role = NEVER.has(tag) ? "" : roleOf(this.look, el);
    const { plain, pairs } = attributesOf(el, this.full);
    const marked = NEVER.has(tag) ? Use.No : markupUse(el, tag, role);
    const use = marked === Use.Quiet ? Use.No : marked;
    const live = LIVE.has(role) || (!plain && /polite|assertive/.test(attr(el, "aria-live") ?? ""));
    const matters = use !== Use.No || live || LANDMARKS.has(role) || role === "heading" || role === "dialog" || role === "alertdialog";
    let node: Record | null = null;
    if (matters || this.full || !above) {
      const name = matters || !plain ? nameOf(this.look, el, use !== Use.No && !FIELDS.has(role), true) : { text: "", content: false };
      node = this.push(record(el, tag, role || (isSoft(use) ? "clickable" : ""), name.text, 0));
      node.why = why;
      node.attrs = pairs;
      node.level = levelOf(el, tag, role);
      node.flags = statesOf(el, tag, role, above?.disabled ?? false, plain) | (use === Use.No ? 0 : Flag.Usable) | (name.content ? Flag.FromContent : 0) |
        (above?.ariaHidden || attr(el, "aria-hidden") === "true" ? Flag.AriaHidden : 0) | (isSecret(el) ? Flag.Secret : 0);
      if (use !== Use.No) node.value = valueOf(el, role);
      node.rooted = above?.host ?? false;
    } else this.hidden[why] = (this.hidden[why] as number) + 1;
    const shadow = shadowRoot(el);
    if (shadow) this.root(shadow, node);
    if (LEAVES.has(tag) || NEVER.has(tag) || (tag === "svg" && !svgHasUse(el))) return;
    const kids = flatChildren(el);
    if (kids.length === 0) return;
    this.stack.push({ el, tag, node, use, kids, at: 0, style: null, why, self: why, clips: (above?.clips ?? this.start()), faded: 0,
      ariaHidden: (above?.ariaHidden ?? false) || attr(el, "aria-hidden") === "true", disabled: above?.disabled ?? false, pointer: false, taken: true,
      named: false, keeps: false, mute: false, inline: false, host: shadow !== null, only: undefined, uses: 0, lastUse: null, shown: false, joined: false, space: false });
  }

  private start(): Clips {
    return { flow: this.reach, view: this.view, abs: this.reach, absView: this.view };
  }

  private draw(el: Element, tag: string, style: CSSStyleDeclaration, display: string, above: Frame | null): void {
    const { plain, pairs } = attributesOf(el, this.full);
    const role = roleOf(this.look, el);
    const position = style.position;
    const top = !plain && inTopLayer(el, tag);
    const clips = top || !above ? this.start() : above.clips;
    const own: { flow: Area; view: Area } = top || position === "fixed" ? { flow: this.view, view: this.view } :
      position === "absolute" ? { flow: clips.abs, view: clips.absView } : clips;

    // Where it is.
    const contents = display === "contents";
    const rect = contents ? null : tag === "area" ? areaBox(el) : rectOf(el);
    const box: Area = rect instanceof DOMRect ? areaOf(rect) : rect ? { x0: rect.x, y0: rect.y, x1: rect.x + rect.w, y1: rect.y + rect.h } : NOWHERE;
    const extent = box.x1 - box.x0 >= 1 && box.y1 - box.y0 >= 1;
    const cutOff = !contents && cutAway(style, position);
    const clipped = !contents && (tag === "area" ? !extent : cutOff || outside(box, own.flow));
    const positioned = position !== "static";
    let within: Clips = own === clips ? clips : { flow: own.flow, view: own.view, abs: clips.abs, absView: clips.absView };
    const overflow = display !== "inline" && !contents && tag !== "html" && tag !== "body" && style.overflow !== "visible";
    let room: Record["scrolls"] = null;
    if (cutOff) within = { flow: NOWHERE, view: NOWHERE, abs: NOWHERE, absView: NOWHERE };
    else if (overflow) {
      within = clipsWithin(el, style, box, own, clips, positioned || style.transform !== "none");
      room = tag === "textarea" || tag === "select" ? null : scrollRoom(el, style);
    } else if (positioned) within = { flow: within.flow, view: within.view, abs: within.flow, absView: within.view };

    // Whether it is seen.
    const transparent = Number(style.opacity) < 0.02;
    const faded = top ? (transparent ? 1 : 0) : above?.faded ? above.faded + 1 : transparent ? 1 : 0;
    let use = markupUse(el, tag, role);
    let self: Why = style.visibility !== "visible" ? Why.Visibility : faded ? Why.Opacity : Why.Shown;
    if (!self && clipped) {
      const lost = position === "fixed" && fixedToAncestor(this.look, el) ? this.reach : position === "fixed" ? this.view : this.reach;
      const away = extent && outside(box, lost);
      self = away ? Why.Unreachable : position === "fixed" && lost === this.reach ? Why.Shown : Why.Clipped;
    }
    const live = LIVE.has(role) || (!plain && /polite|assertive/.test(attr(el, "aria-live") ?? ""));
    let keeps = above?.keeps ?? false;
    let lost = false;
    let drawnBy: Element | null = null;
    let sticksOut = false;
    if (self) {
      if (self === Why.Clipped || self === Why.Unreachable) {
        lost = self === Why.Unreachable;
        if (live || role === "heading" || (this.uses < 10 && isSkipLink(el, tag))) keeps = true;
        const tabbedTo = self === Why.Clipped && use === Use.Firm && extent && !cutOff && focusScrollsTo(this.look, el, box);
        if (keeps || tabbedTo) self = Why.Shown;
        lost ||= tabbedTo;
      }
      // Transparent, but a click reaches it all the same.
      if (self === Why.Opacity && use !== Use.No && !clipped && style.pointerEvents !== "none" && (extent || (sticksOut = overflows(el)))) self = Why.Shown;
      else if (self && use === Use.Firm && self !== Why.Visibility && (tag === "input" || tag === "select") && (drawnBy = shownLabel(this.look, el)) !== null) self = Why.Shown;
    } else if (live || role === "heading") keeps = true;

    // What a person could do with it.
    const pointer = style.cursor === "pointer";
    let taken = above?.taken ?? false;
    const stands = tag === "label" ? proxied(el) : null;
    if (stands) use = Use.Firm;
    else if (tag === "label" && (el as HTMLLabelElement).control) {
      if (isSoft(use)) use = Use.No;
      taken = true;
    } else if ((use === Use.No || use === Use.Heard || use === Use.Quiet) && pointer && !taken && !handsDown(role, tag) && (!above?.pointer || handsDownFrame(above))) use = Use.Soft;
    if ((isSoft(use) || use === Use.Quiet) && room && !pointer) use = Use.No;
    const standsRole = stands ? roleOf(this.look, stands) || "clickable" : "";

    const firm = use === Use.Firm || use === Use.Role;
    // Nobody can press what lets clicks through, unless its label takes them.
    const deaf = firm && style.pointerEvents === "none" && !stands && (tag !== "input" || shownLabel(this.look, el) === null);
    const name = stands ? nameOf(this.look, el, true) : plain && role === "" ? { text: "", content: false } : nameOf(this.look, el, firm && !FIELDS.has(role), self === Why.Visibility);
    const node = this.push(record(el, tag, standsRole || role || (firm ? "clickable" : ""), name.text, 0));
    const ariaHidden = (above?.ariaHidden ?? false) || (!plain && attr(el, "aria-hidden") === "true");
    const inert = !plain && has(el, "inert");
    const states = statesOf(stands ?? el, stands ? "input" : tag, standsRole || role, above?.disabled ?? false, plain && !stands);
    const inline = display.startsWith("inline") || contents || display === "ruby";
    node.flags = states | (firm ? Flag.Usable : 0) | (inline ? 0 : Flag.Block) | (name.content ? Flag.FromContent : 0) | (ariaHidden ? Flag.AriaHidden : 0) |
      (live ? Flag.Live : 0) | (room ? Flag.Scrolls : 0) | (lost ? Flag.Unreachable : 0) | (el === this.focused ? Flag.Focused : 0) | (inert || deaf ? Flag.Disabled : 0);
    node.attrs = pairs;
    node.level = levelOf(el, tag, role);
    node.scrolls = room;
    node.rooted = above?.host ?? false;
    node.frame = FRAMES.has(tag);
    node.why = self;
    this.place(node, box, own.view, self);
    if (drawnBy && (clipped || !extent)) this.place(node, areaOf(rectOf(drawnBy)), this.view, self);
    if (positioned && extent && !self) this.layers.push(node);
    const shadow = shadowRoot(el);
    if (shadow) this.root(shadow, node);
    if (firm || VALUED.has(role)) {
      node.value = stands ? null : valueOf(el, role);
      if (isSecret(el)) node.flags |= Flag.Secret;
      if (tag === "select") node.options = optionLabels(el, MOST_OPTIONS);
    }
    if (above) this.joint(above, inline, node);

    const leaf = LEAVES.has(tag) || (tag === "svg" && !svgHasUse(el));
    const editing = isEditingHost(el) && editedText(el).length < 2000;
    const frame: Frame = { el, tag, node, use, kids: leaf ? [] : flatChildren(el), at: 0, style, why: style.contentVisibility === "hidden" ? Why.Skipped : Why.Shown,
      self, clips: within, faded, ariaHidden, disabled: (above?.disabled ?? false) || inert || (!plain && attr(el, "aria-disabled") === "true"),
      pointer, taken: taken || firm || (use === Use.Soft && !(states & Flag.Disabled)) || (pointer && !handsDown(role, tag)), named: (above?.named ?? false) || name.content,
      keeps, mute: (above?.mute ?? false) || editing, inline, host: shadow !== null, only: tag === "details" && !has(el, "open") ? summaryOf(el) : undefined,
      uses: 0, lastUse: null, shown: sticksOut || (leaf && extent && !self && tag !== "br"), joined: false, space: false };
    this.stack.push(frame);
  }

  private leave(frame: Frame, above: Frame | null): void {
    const { node, el, tag } = frame;
    if (!node) {
      if (above) this.passOn(frame, above);
      return;
    }
    node.end = this.nodes.length;
    if (frame.why && frame.self) {
      if (above) this.passOn(frame, above);
      return;
    }
    const extent = node.w >= 1 && node.h >= 1;
    if (isSoft(frame.use) && frame.uses === 0) {
      const name = nameOf(this.look, el, true, frame.self === Why.Visibility);
      // An empty spot to catch the focus is nothing to use.
      if (name.text !== "" || frame.shown || node.role !== "" || (extent && node.w * node.h >= 64)) {
        node.flags |= Flag.Usable | (name.content ? Flag.FromContent : 0);
        node.name = name.text;
        if (node.role === "") node.role = "clickable";
        if (isSecret(el)) node.flags |= Flag.Secret;
      }
    } else if (frame.use === Use.Quiet && frame.uses === 0 && frame.shown) {
      node.flags |= Flag.Usable;
    } else if (frame.uses === 1 && frame.lastUse && node.flags & Flag.Usable) this.oneThing(frame, node, frame.lastUse);
    if (!extent && frame.shown && node.flags & Flag.Usable) this.around(node);
    const nothing = !extent && !frame.shown && frame.self === Why.Shown && tag !== "br" && frame.tag !== "html" && !frame.keeps && !(node.w >= 1 && frame.host);
    if (nothing && !this.hasLabelDrawn(node)) node.why = Why.Clipped;
    const worth = node.flags & (Flag.Usable | Flag.Live) || LANDMARKS.has(node.role) || node.role === "heading" || node.role === "dialog" || node.role === "alertdialog";
    if (node.why && !worth && !this.full && above) {
      node.drop = true;
      this.hidden[node.why] = (this.hidden[node.why] as number) + 1;
    }
    if (node.why) node.flags &= ~Flag.InViewport;
    if (node.flags & Flag.Usable) {
      frame.uses++;
      frame.lastUse = node;
      if (!node.why) this.uses++;
    }
    if (!node.why && extent) frame.shown = true;
    if (above) this.passOn(frame, above);
  }

  /** A widget and the one thing in it that is used, under the same name, are one thing to a person. */
  private oneThing(frame: Frame, node: Record, inner: Record): void {
    if (inner.role === "clickable" && inner.name === node.name) {
      inner.flags &= ~Flag.Usable;
      inner.role = inner.name = "";
      frame.uses = 0;
    } else if (wraps(frame) && (inner.name === node.name || node.role === "combobox")) {
      node.flags &= ~Flag.Usable;
      if (node.role !== "combobox") inner.flags |= node.flags & LENT;
    }
  }

  private passOn(frame: Frame, above: Frame): void {
    // What is hidden for now does not make its container a mere container.
    if (frame.uses > 0 && !(frame.node?.why)) {
      above.uses += frame.uses;
      above.lastUse = frame.lastUse;
    }
    if (frame.shown) above.shown = true;
  }

  private hasLabelDrawn(node: Record): boolean {
    return node.tag === "area" || (node.tag === "input" && node.flags & Flag.Usable ? shownLabel(this.look, node.el as Element) !== null : false);
  }

  private text(text: Text, frame: Frame): void {
    const data = text.data;
    if (frame.mute || (frame.only !== undefined && !this.full)) return;
    if (frame.why || (frame.self && frame.self !== Why.Clipped && frame.self !== Why.Unreachable)) {
      if (this.full && !isBlank(data)) this.push(record(null, "", "", drawnText(data, "normal", "none"), this.nodes.length + 1)).why = frame.why || frame.self;
      return;
    }
    const style = frame.style as CSSStyleDeclaration;
    const blank = isBlank(data);
    const whiteSpace = style.whiteSpace;
    if (blank && !whiteSpace.startsWith("pre")) {
      if (frame.inline) this.joint(frame, true, null, " ");
      else frame.space = frame.joined;
      return;
    }
    if (blank && data.trim() === "" && !frame.joined) return;
    const lost = (frame.self !== Why.Shown || frame.clips.flow === NOWHERE) && !frame.keeps;
    if (lost || imperceptible(this.look, frame.el, text, style) || ((frame.node as Record).w < 1 && withoutExtent(text))) {
      if (frame.named || frame.keeps || isReferenced(this.look, frame.el)) return;
      this.withheld++;
      if (this.full) this.push(record(null, "", "", drawnText(data, whiteSpace, style.textTransform), this.nodes.length + 1)).flags = Flag.Withheld;
      return;
    }
    const drawn = drawnText(data, whiteSpace, style.textTransform);
    if (isBlank(drawn) && !blank) return;
    this.joint(frame, true, null, drawn);
    frame.shown = true;
  }

  /** Keeps the space between inline neighbours: it is only known to matter when the second one comes. */
  private joint(frame: Frame, inline: boolean, before: Record | null, text?: string): void {
    if (frame.space && inline && frame.joined && text !== " ") {
      const gap = record(null, "", "", " ", 0);
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
    const node = this.push(record(null, "", "", text, 0));
    node.end = this.nodes.length;
    node.rooted = frame.host;
    if (frame.ariaHidden) node.flags = Flag.AriaHidden;
  }

  private push(node: Record): Record {
    this.nodes.push(node);
    node.end = this.nodes.length;
    return node;
  }

  private root(shadow: ShadowRoot, node: Record | null): void {
    this.roots++;
    guard(shadow);
    if (node) node.flags |= Flag.Host;
  }

  private place(node: Record, box: Area, view: Area, why: Why): void {
    node.x = box.x0;
    node.y = box.y0;
    node.w = box.x1 - box.x0;
    node.h = box.y1 - box.y0;
    if (!why && node.w >= 1 && node.h >= 1 && !outside(box, view) && !outside(box, this.view)) node.flags |= Flag.InViewport;
    else node.flags &= ~Flag.InViewport;
  }

  /** Something usable without a box of its own (display: contents, floats inside) is where its contents are. */
  private around(node: Record): void {
    let box: Area | null = null;
    for (let i = this.nodes.lastIndexOf(node) + 1; i < node.end; i++) {
      const inner = this.nodes[i] as Record;
      if (!inner.el || inner.why || inner.w < 1 || inner.h < 1) continue;
      const area = { x0: inner.x, y0: inner.y, x1: inner.x + inner.w, y1: inner.y + inner.h };
      box = box ? { x0: Math.min(box.x0, area.x0), y0: Math.min(box.y0, area.y0), x1: Math.max(box.x1, area.x1), y1: Math.max(box.y1, area.y1) } : area;
    }
    if (box) this.place(node, box, this.view, Why.Shown);
  }
}

const VALUED = new Set(["progressbar", "meter", "scrollbar", "slider", "spinbutton", "combobox", "textbox", "searchbox", "listbox"]);

/** States of a wrapper that are those of the one thing in it. */
const LENT = Flag.Checked | Flag.Mixed | Flag.Disabled | Flag.Expanded | Flag.Collapsed | Flag.Selected | Flag.Pressed;

/** A widget by its role, not by its tag: what is in it is what is used. */
const wraps = ({ use, tag, el }: Frame): boolean =>
  use === Use.Role || (use === Use.Firm && !/^(a|area|button|input|select|summary|textarea)$/.test(tag) && !isEditingHost(el));

const handsDownFrame = (frame: Frame): boolean => handsDown(frame.node?.role ?? "", frame.tag);
