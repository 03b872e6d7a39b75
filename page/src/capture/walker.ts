// The walk: the tree that is drawn, in order, into records. It judges visibility and use on the way
// down, and on the way up what can only be known then (a wrapper without extent, a clickable that
// contains something usable). An explicit stack, because pages may be 100,000 levels deep, and so
// that it can stop at any element and go on later. Reads each element's style and box once; writes
// nothing.

import {
  activeElement,
  assigned,
  attr,
  connected,
  firstChild,
  has,
  isElement,
  isText,
  localName,
  nextSibling,
  parentNode,
  rectOf,
  rootElement,
  shadowRoot,
  showsFailure,
} from "../dom/dom";
import { hasListener } from "../dom/engineSupplied";
import { idOf } from "../dom/identity";
import { drawnByEditor } from "../semantics/codeEditor";
import { isEditingHost, summaryOf } from "../semantics/elementTraits";
import { editedText, optionLabels, valueOf } from "../semantics/fieldValue";
import { handsDown, isSoft, markupUse, proxied, Use } from "../semantics/interactivity";
import { FIELDS, nameOf } from "../semantics/names";
import type { Look, Seen } from "../semantics/readCache";
import { LANDMARKS, LIVE, roleOf } from "../semantics/roles";
import { catchUp, guard, isSecret } from "../semantics/secrets";
import { Flag, statesOf } from "../semantics/stateFlags";
import { May } from "../semantics/stylesheetEffects";
import { type Kind, kindOf } from "../semantics/tagTraits";
import { areaBox } from "../visibility/imageMaps";
import {
  type Area,
  areaOf,
  type Clips,
  clipsWithin,
  cutAway,
  fixedToAncestor,
  focusScrollsTo,
  inTopLayer,
  isClosed,
  isSkipLink,
  NOWHERE,
  outside,
  overflows,
  reach,
  scrollRoom,
  shownLabel,
  Why,
} from "../visibility/visibility";
import { Canvases } from "./canvasDigest";
import {
  type Attributes,
  attributesOf,
  levelOf,
  pictureFault,
  Record,
  type Rest,
  svgHolds,
} from "./nodeRecord";
import type { Kept } from "./reusePlan";
import { Taking } from "./subtreeReuse";
import { count, Nearby } from "./viewportFirst";
import { Frame } from "./walkContext";

const MOST_NODES = 200_000;
/** Behind this many nodes only what is in or near the viewport is still walked. */
const MANY_NODES = 160_000;
/** For what is near the viewport there is always so much time, in milliseconds. */
const NEAR = 300;
/** Of all texts, names and attributes together. */
const MOST_CHARACTERS = 20_000_000;
const MOST_OPTIONS = 1000;
/** How many steps go between two looks at the clock. */
const STRIDE = 64;

export interface Walked {
  nodes: Record[];
  /** What is positioned, in document order. */
  layers: Record[];
  labels: Map<Element, Element>;
  hidden: number[];
  withheld: number;
  elements: number;
  /** Shadow roots, in the order in which they were entered. */
  roots: ShadowRoot[];
  /** How many were left alone. */
  unentered: number;
  truncated: boolean;
  /** Elements that were not looked at because of a bound; at least so many. */
  left: number;
}

/** The whole walk in one go. */
export function walkPage(look: Look, full: boolean): Walked {
  const walk = new Walk(look, full);
  walk.go(Number.POSITIVE_INFINITY);
  return walk.walked();
}

export class Walk extends Taking {
  private top: Frame | null = null;
  private readonly spare: Frame[] = [];
  private readonly reach = reach();
  private readonly start: Clips = {
    flow: this.reach,
    view: this.view,
    abs: this.reach,
    absView: this.view,
  };
  private readonly focused = activeElement();
  private near: Nearby | null = null;
  /** Elements inside of leaves: part of what was looked at. */
  private passed = 0;
  private truncated = false;
  private ended = false;
  readonly canvases = new Canvases();
  /** Shadow roots are entered; else they are counted. */
  pierce = true;
  private unentered = 0;
  /** Told of each shadow root before it is entered. */
  met: ((root: ShadowRoot) => void) | null = null;
  /**
   * What was walked already, once the page changed under the walk: what was to come may be gone,
   * and what was there may come again.
   */
  private shaken: Set<Element> | null = null;

  /**
   * `short`: when only what is near the viewport is still walked; `end`: when nothing is; `kept`:
   * what need not be walked.
   */
  constructor(
    look: Look,
    full: boolean,
    private readonly short = Number.POSITIVE_INFINITY,
    private end = Number.POSITIVE_INFINITY,
    kept: Kept | null = null,
  ) {
    super(look, full, kept);
    catchUp();
    // A document may be empty (`document.open()`): then there is a root all the same, which shows
    // nothing. What a browser writes into a frame that did not load is no part of the page.
    this.enter((showsFailure() ? null : rootElement()) ?? document.createElement("html"), null);
  }

  /** Goes on until that time; true when the walk is done. */
  go(until: number): boolean {
    for (let steps = 1; this.top; steps++) {
      if (steps % STRIDE === 0) {
        const now = performance.now();
        if (now >= this.short) this.hurry();
        if (now >= this.end) this.ended = this.truncated = true;
        if (now >= until) return false;
      }
      this.step(this.top);
    }
    return true;
  }

  private step(frame: Frame): void {
    const child = this.ended ? null : this.following(frame);
    if (!child) {
      this.top = frame.up;
      this.leave(frame, frame.up);
      this.spare.push(frame);
      return;
    }
    if (this.nodes.length >= MANY_NODES) {
      this.hurry();
      if (this.nodes.length >= MOST_NODES) this.ended = true;
    }
    if (this.characters > MOST_CHARACTERS) this.ended = this.truncated = true;
    if (this.ended || (this.near && !this.near.wanted(child))) return;
    if (isText(child)) this.text(child, frame);
    else if (isElement(child)) {
      if (!this.takeOver(child, frame)) this.enter(child, frame);
    } else if (this.full) this.comment(child);
  }

  private following(frame: Frame): Node | null {
    if (frame.kids) return frame.kids[frame.at++] ?? null;
    const child = frame.next;
    if (!child || (this.shaken && parentNode(child) !== frame.home)) return null;
    frame.next = nextSibling(child);
    return child;
  }

  /** From here on only what is in or near the viewport: there is too much, or too little time. */
  private hurry(): void {
    if (this.near) return;
    this.truncated = true;
    const open: (Node | null)[] = [];
    for (let frame: Frame | null = this.top; frame; frame = frame.up) open.push(frame.next);
    this.near = new Nearby(open);
    this.end = Math.max(this.end, performance.now() + NEAR);
    for (let frame: Frame | null = this.top; frame; frame = frame.up)
      if (!frame.kids) frame.kids = this.near.children(frame.home, frame.next);
  }

  /** The page changed since the walk began. */
  shake(): void {
    if (this.shaken) return;
    this.shaken = new Set();
    for (const { el } of this.nodes) if (el) this.shaken.add(el);
  }

  /** Leaves it at what was walked already. */
  finish(): void {
    this.ended = this.truncated = true;
    this.go(Number.POSITIVE_INFINITY);
  }

  /** What was found; for a walk that is done. */
  walked(): Walked {
    const { nodes, hidden, withheld, elements } = this;
    if (this.look.steps <= 0) this.truncated = true;
    let left = 0;
    if (this.truncated) {
      left = count(document) - elements - this.passed;
      for (const root of this.entered) left += count(root);
    }
    return {
      nodes,
      layers: this.layers,
      labels: this.look.labels,
      hidden,
      withheld,
      elements,
      roots: this.entered,
      unentered: this.unentered,
      truncated: this.truncated,
      left: Math.max(0, left),
    };
  }

  private enter(el: Element, above: Frame | null): void {
    if (this.shaken) {
      if (this.shaken.has(el) || !connected(el)) return;
      this.shaken.add(el);
    }
    this.elements++;
    if (this.kept) this.again(el);
    const kind = kindOf(el);
    const { tag } = kind;
    if (kind.never) {
      if (this.full && above) return this.open(el, kind, above, Why.Display);
      this.tally(above).elements++;
      this.passed += count(el);
      return;
    }
    if (above?.why) return this.open(el, kind, above, above.why);
    if (above && above.only !== undefined && above.only !== el)
      return this.open(el, kind, above, Why.Skipped);
    // Names may have looked at it already.
    const seen = this.look.known(el);
    const style = seen ? seen.style : getComputedStyle(el);
    const display = seen ? seen.display : style.display;
    if (display === "none" && tag !== "area")
      return this.open(el, kind, above, isClosed(el, tag) ? Why.Closed : Why.Display);
    const attributes = attributesOf(el, this.full);
    if (
      kind.quiet &&
      attributes.plain &&
      !attributes.styled &&
      above &&
      !hasListener(el) &&
      this.simple(el, kind, attributes.pairs, style, display, above)
    )
      return;
    this.draw(el, kind, attributes, seen, style, display, above);
  }

  /**
   * An element of a hidden subtree: only what matters there becomes a (light) record. No styles are
   * read.
   */
  private open(el: Element, kind: Kind, above: Frame | null, why: Why): void {
    const { tag, never } = kind;
    const { plain, pairs } = attributesOf(el, this.full);
    const role = never ? "" : plain && kind.role !== null ? kind.role : roleOf(this.look, el);
    const marked =
      never || (plain && !kind.control && !hasListener(el)) ? Use.No : markupUse(el, tag, role);
    const use = marked === Use.Quiet ? Use.No : marked;
    const live = LIVE.has(role) || (!plain && /polite|assertive/.test(attr(el, "aria-live") ?? ""));
    const matters =
      use !== Use.No ||
      live ||
      LANDMARKS.has(role) ||
      role === "heading" ||
      role === "dialog" ||
      role === "alertdialog" ||
      (!above?.why && MISSED.has(role));
    let node: Record | null = null;
    if (matters || this.full || !above) {
      const name =
        matters || !plain
          ? nameOf(this.look, el, use !== Use.No && !FIELDS.has(role), true)
          : { text: "", content: false };
      node = this.push(new Record(el, tag, role || (isSoft(use) ? "clickable" : ""), name.text));
      this.began(node, above);
      node.light = true;
      node.why = why;
      node.attrs = pairs;
      this.level(node, role);
      node.flags =
        statesOf(el, tag, role, above?.disabled ?? false, plain) |
        (use === Use.No ? 0 : Flag.Usable) |
        (name.content ? Flag.FromContent : 0) |
        (above?.ariaHidden || attr(el, "aria-hidden") === "true" ? Flag.AriaHidden : 0) |
        (isSecret(el) ? Flag.Secret : 0);
      const value = use === Use.No ? null : valueOf(el, role);
      if (value !== null) node.more().value = value;
      node.rooted = above?.host ?? false;
    } else {
      const tally = this.tally(above);
      tally.elements++;
      tally.hidden ??= new Array<number>(8).fill(0);
      tally.hidden[why] = (tally.hidden[why] as number) + 1;
      this.hidden[why] = (this.hidden[why] as number) + 1;
      // Met, so that it is known to be no newcomer when it is shown.
      if (!above?.why) idOf(el);
    }
    const shadow = this.rootIn(el);
    if (shadow) this.root(shadow, node, above);
    if (
      kind.leaf ||
      (never && !(this.full && TELLING.has(tag))) ||
      (tag === "svg" && !svgHolds(el))
    ) {
      this.passed += count(el);
      return;
    }
    const frame = this.frame(above, el, tag, node, use, above?.clips ?? this.start);
    this.children(frame, shadow);
    if (frame.empty) return void this.spare.push(frame);
    frame.why = why;
    frame.self = why;
    frame.ariaHidden =
      (above?.ariaHidden ?? false) || (!plain && attr(el, "aria-hidden") === "true");
    frame.disabled = above?.disabled ?? false;
    frame.taken = true;
    frame.host = shadow !== null;
    this.opened(frame, above);
    this.top = frame;
  }

  private frame(
    up: Frame | null,
    el: Element,
    tag: string,
    node: Record | null,
    use: Use,
    clips: Clips,
  ): Frame {
    const spare = this.spare.pop();
    if (!spare) return new Frame(up, el, tag, node, use, clips);
    spare.begin(up, el, tag, node, use, clips);
    return spare;
  }

  /**
   * What is drawn in it: of a host its shadow root's children, of a slot what is assigned to it.
   */
  private children(frame: Frame, shadow: ShadowRoot | null): void {
    const { el } = frame;
    frame.home = shadow ?? el;
    if (!shadow && frame.tag === "slot") frame.kids = assigned(el);
    if (!frame.kids) frame.next = firstChild(frame.home);
    frame.empty = frame.kids ? frame.kids.length === 0 : frame.next === null;
    if (this.near && !frame.kids) frame.kids = this.near.children(frame.home, frame.next);
  }

  /**
   * The commonest case by far: an element about which nothing is special, so that little needs to
   * be asked. False: it is not one. Says what `draw` says.
   */
  private simple(
    el: Element,
    kind: Kind,
    pairs: Record["attrs"],
    style: CSSStyleDeclaration,
    display: string,
    above: Frame,
  ): boolean {
    const { may } = this.look.sheets;
    const { clips } = above;
    if (
      above.faded ||
      display === "contents" ||
      el === this.focused ||
      shadowRoot(el) ||
      style.visibility !== "visible"
    )
      return false;
    if (may & May.Position && style.position !== "static") return false;
    if (may & May.Opacity && Number(style.opacity) < 0.02) return false;
    if (may & May.ClipPath && style.clipPath !== "none") return false;
    if (may & May.Overflow && display !== "inline" && style.overflow !== "visible") return false;
    if (!above.taken && (may & May.Cursor ? style.cursor === "pointer" : above.pointer))
      return false;
    if (may & May.ContentVisibility && style.contentVisibility === "hidden") return false;
    const box = this.measure(rectOf(el));
    if (outside(box, clips.flow)) return false;
    const node = this.push(new Record(el, kind.tag, kind.role ?? roleOf(this.look, el), ""));
    const inline =
      display !== "block" &&
      kind.tag !== "text" &&
      (display.startsWith("inline") || display === "ruby");
    node.flags =
      (inline ? 0 : Flag.Block) |
      (above.ariaHidden ? Flag.AriaHidden : 0) |
      (above.disabled ? Flag.Disabled : 0);
    this.began(node, above);
    node.attrs = pairs;
    node.rooted = above.host;
    node.flow = clips.flow;
    node.free = true;
    node.closed = CLOSED.has(display);
    this.place(node, box, clips.view, Why.Shown);
    this.joint(above, inline, node);
    const frame = this.frame(above, el, kind.tag, node, Use.No, clips);
    this.children(frame, null);
    frame.style = style;
    frame.asks = may;
    frame.ariaHidden = above.ariaHidden;
    frame.disabled = above.disabled;
    frame.taken = above.taken;
    frame.named = above.named;
    frame.keeps = above.keeps;
    frame.mute = above.mute;
    frame.inline = inline;
    this.opened(frame, above);
    this.top = frame;
    return true;
  }

  private draw(
    el: Element,
    kind: Kind,
    { plain, styled, pairs }: Attributes,
    seen: Seen | undefined,
    style: CSSStyleDeclaration,
    display: string,
    above: Frame | null,
  ): void {
    const { tag } = kind;
    const shadow = this.rootIn(el);
    const { sheets } = this.look;
    if (shadow) sheets.enter(shadow);
    const asks = styled ? May.Any : sheets.may | kind.own;
    const role = plain && kind.role !== null ? kind.role : roleOf(this.look, el);
    const position = asks & May.Position ? style.position : "static";
    const top = !plain && inTopLayer(el, tag);
    const clips = top || !above ? this.start : above.clips;
    const own: { flow: Area; view: Area } =
      top || position === "fixed"
        ? { flow: this.view, view: this.view }
        : position === "absolute"
          ? { flow: clips.abs, view: clips.absView }
          : clips;

    // Where it is.
    const contents = display === "contents";
    const bare = this.measure(contents ? null : tag === "area" ? areaBox(el) : rectOf(el));
    // The field of a code editor takes the keys without any size (Monaco in Firefox).
    const unseen =
      tag === "textarea" &&
      (bare.x0 === bare.x1 || bare.y0 === bare.y1) &&
      drawnByEditor(el) !== null;
    const box = unseen
      ? { ...bare, x1: Math.max(bare.x1, bare.x0 + 1), y1: Math.max(bare.y1, bare.y0 + 1) }
      : bare;
    const extent = box.x1 - box.x0 >= 1 && box.y1 - box.y0 >= 1;
    const cutOff = !contents && (asks & May.ClipPath) !== 0 && cutAway(style, position);
    const clipped = !contents && (tag === "area" ? !extent : cutOff || outside(box, own.flow));
    const positioned = position !== "static";
    let within: Clips =
      own === clips
        ? clips
        : { flow: own.flow, view: own.view, abs: clips.abs, absView: clips.absView };
    const overflow =
      (asks & May.Overflow) !== 0 &&
      display !== "inline" &&
      !contents &&
      tag !== "html" &&
      tag !== "body" &&
      style.overflow !== "visible";
    let room: Rest["scrolls"] = null;
    if (cutOff) within = { flow: NOWHERE, view: NOWHERE, abs: NOWHERE, absView: NOWHERE };
    else if (overflow) {
      // Into a leaf nobody goes.
      if (!kind.leaf)
        within = clipsWithin(el, style, box, own, clips, positioned || style.transform !== "none");
      room = tag === "textarea" || tag === "select" ? null : scrollRoom(el, style);
    } else if (positioned)
      within = { flow: within.flow, view: within.view, abs: within.flow, absView: within.view };

    // Whether it is seen.
    const transparent = (asks & May.Opacity) !== 0 && Number(style.opacity) < 0.02;
    const faded = top
      ? transparent
        ? 1
        : 0
      : above?.faded
        ? above.faded + 1
        : transparent
          ? 1
          : 0;
    let use = plain && !kind.control && !hasListener(el) ? Use.No : markupUse(el, tag, role);
    const visible = seen ? seen.visible : style.visibility === "visible";
    let self: Why = !visible ? Why.Visibility : faded ? Why.Opacity : Why.Shown;
    if (!self && clipped) {
      const lost =
        position === "fixed" && fixedToAncestor(this.look, el)
          ? this.reach
          : position === "fixed"
            ? this.view
            : this.reach;
      const away = extent && outside(box, lost);
      self = away
        ? Why.Unreachable
        : position === "fixed" && lost === this.reach
          ? Why.Shown
          : Why.Clipped;
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
        const tabbedTo =
          self === Why.Clipped &&
          use === Use.Firm &&
          extent &&
          !cutOff &&
          focusScrollsTo(this.look, el, box);
        if (keeps || tabbedTo) self = Why.Shown;
        lost ||= tabbedTo;
      }
      // Transparent, but a click reaches it all the same.
      if (
        self === Why.Opacity &&
        use !== Use.No &&
        !clipped &&
        style.pointerEvents !== "none" &&
        (extent || (sticksOut = overflows(el)))
      )
        self = Why.Shown;
      else if (
        self &&
        use === Use.Firm &&
        self !== Why.Visibility &&
        LABELLED.test(tag) &&
        (drawnBy = shownLabel(this.look, el)) !== null
      )
        self = Why.Shown;
    } else if (live || role === "heading") keeps = true;

    // What a person could do with it.
    let taken = above?.taken ?? false;
    const control = tag === "label" ? (el as HTMLLabelElement).control : null;
    const stands = control ? proxied(el) : null;
    if (control) this.look.rely(el, control);
    // The cursor counts only where nothing above has taken it, and where nothing else decides.
    const free = !taken && !control && use !== Use.Firm && use !== Use.Role;
    let pointer =
      free && (asks & May.Cursor || !above ? style.cursor === "pointer" : above.pointer);
    if (stands) use = Use.Firm;
    else if (control) {
      if (isSoft(use)) use = Use.No;
      taken = true;
    } else if (
      (use === Use.No || use === Use.Heard || use === Use.Quiet) &&
      pointer &&
      !taken &&
      !handsDown(role, tag) &&
      (!above?.pointer || handsDownFrame(above))
    )
      use = Use.Soft;
    if ((isSoft(use) || use === Use.Quiet) && room) {
      pointer = style.cursor === "pointer";
      if (!pointer) use = Use.No;
    }
    const standsRole = stands ? roleOf(this.look, stands) || "clickable" : "";

    const firm = use === Use.Firm || use === Use.Role;
    // Nobody can press what lets clicks through, unless its label takes them.
    const deaf =
      firm &&
      style.pointerEvents === "none" &&
      !stands &&
      (tag !== "input" || shownLabel(this.look, el) === null);
    if (!seen && (firm || !plain || !kind.nameless)) this.look.keep(el, style, display, visible);
    const name = stands
      ? nameOf(this.look, el, true)
      : plain &&
          (role === "" ||
            (!firm && kind.role !== null && kind.nameless) ||
            (!firm && UNNAMED.has(role) && tag !== "table"))
        ? NO_NAME
        : nameOf(this.look, el, firm && !FIELDS.has(role), self === Why.Visibility);
    const node = this.push(
      new Record(el, tag, standsRole || role || (firm ? "clickable" : ""), name.text),
    );
    const ariaHidden =
      (above?.ariaHidden ?? false) || (!plain && attr(el, "aria-hidden") === "true");
    const inert = !plain && has(el, "inert");
    const states =
      plain && !stands && !kind.states && kind.role !== null
        ? above?.disabled
          ? Flag.Disabled
          : 0
        : statesOf(
            stands ?? el,
            stands ? localName(stands) : tag,
            standsRole || role,
            above?.disabled ?? false,
            plain && !stands,
          );
    // A label of a drawing stands by itself, whatever the engine calls it.
    const inline =
      display !== "block" &&
      tag !== "text" &&
      (display.startsWith("inline") || contents || display === "ruby");
    node.flags =
      states |
      (firm ? Flag.Usable : 0) |
      (inline ? 0 : Flag.Block) |
      (name.content ? Flag.FromContent : 0) |
      (ariaHidden ? Flag.AriaHidden : 0) |
      (live ? Flag.Live : 0) |
      (room ? Flag.Scrolls : 0) |
      (lost ? Flag.Unreachable : 0) |
      (el === this.focused ? Flag.Focused : 0) |
      (inert || deaf ? Flag.Disabled : 0);
    this.began(node, above);
    node.attrs = pairs;
    if (tag === "canvas" && !self) this.canvas(node, el);
    const fault =
      deaf && !(states & Flag.Disabled) && !inert
        ? "unclickable"
        : firm && faded && !self && drawnBy === null
          ? "transparent"
          : tag === "img"
            ? pictureFault(el)
            : "";
    if (fault !== "") node.attrs = [...(node.attrs ?? []), ["pagesight:fault", fault]];
    node.flow = own.flow;
    node.closed = CLOSED.has(display);
    node.apart = positioned && position !== "relative";
    node.clips = overflow && !kind.leaf;
    node.free =
      !self &&
      !lost &&
      !node.clips &&
      !room &&
      !cutOff &&
      !top &&
      !contents &&
      !kind.frame &&
      tag !== "area" &&
      !isSoft(use) &&
      use !== Use.Quiet &&
      !drawnBy;
    this.level(node, role);
    if (room) node.more().scrolls = room;
    node.rooted = above?.host ?? false;
    if (kind.frame) node.more().frame = true;
    node.why = self;
    this.place(node, box, own.view, self);
    if (tag === "area" || unseen) node.lent = true;
    if (drawnBy && (clipped || !extent)) {
      node.lent = true;
      this.place(node, areaOf(rectOf(drawnBy)), this.view, self);
    }
    if (positioned && extent && !self) {
      node.layer = true;
      this.layers.push(node);
    }
    if (shadow) this.root(shadow, node, above);
    if (firm || VALUED.has(role)) {
      const value = stands ? null : valueOf(el, role);
      if (value !== null) node.more().value = value;
      if (isSecret(el)) node.flags |= Flag.Secret;
      if (tag === "select") node.more().options = optionLabels(el, MOST_OPTIONS);
    }
    if (above) this.joint(above, inline, node);

    const leaf = kind.leaf || (tag === "svg" && !svgHolds(el));
    const frame = this.frame(above, el, tag, node, use, within);
    if (leaf) this.passed += count(el);
    else this.children(frame, shadow);
    frame.style = style;
    frame.asks = asks;
    frame.self = self;
    if (
      (!frame.empty || self) &&
      asks & May.ContentVisibility &&
      style.contentVisibility === "hidden"
    )
      frame.why = Why.Skipped;
    frame.faded = faded;
    frame.ariaHidden = ariaHidden;
    frame.disabled =
      (above?.disabled ?? false) || inert || (!plain && attr(el, "aria-disabled") === "true");
    frame.pointer = pointer;
    frame.taken =
      taken ||
      firm ||
      (use === Use.Soft && !(states & Flag.Disabled)) ||
      (pointer && !handsDown(role, tag));
    frame.named = (above?.named ?? false) || name.content;
    frame.keeps = keeps;
    frame.mute =
      (above?.mute ?? false) || (!plain && isEditingHost(el) && editedText(el).length < 2000);
    frame.inline = inline;
    frame.host = shadow !== null;
    if (tag === "details" && !has(el, "open")) frame.only = summaryOf(el);
    frame.shown = sticksOut || (leaf && extent && !self && tag !== "br");
    this.opened(frame, above);
    this.top = frame;
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
      if (
        name.text !== "" ||
        frame.shown ||
        node.role !== "" ||
        (extent && node.w * node.h >= 64)
      ) {
        node.flags |= Flag.Usable | (name.content ? Flag.FromContent : 0);
        node.name = name.text;
        if (node.role === "") node.role = "clickable";
        if (isSecret(el)) node.flags |= Flag.Secret;
      }
    } else if (frame.use === Use.Quiet && frame.uses === 0 && frame.shown) {
      node.flags |= Flag.Usable;
    } else if (frame.uses === 1 && frame.lastUse && node.flags & Flag.Usable)
      this.oneThing(frame, node, frame.lastUse);
    if (!extent && frame.shown && node.flags & Flag.Usable) this.around(node);
    const nothing =
      !extent &&
      !frame.shown &&
      frame.self === Why.Shown &&
      tag !== "br" &&
      frame.tag !== "html" &&
      !frame.keeps &&
      !(node.w >= 1 && frame.host);
    if (nothing && !this.hasLabelDrawn(node)) node.why = Why.Clipped;
    // Whether a picture of no size came yet must not decide whether it counts.
    const picture = tag === "img" && (node.why === Why.Clipped || node.why === Why.Unreachable);
    const worth =
      picture ||
      node.flags & (Flag.Usable | Flag.Live) ||
      LANDMARKS.has(node.role) ||
      node.role === "heading" ||
      node.role === "dialog" ||
      node.role === "alertdialog" ||
      MISSED.has(node.role);
    if (node.why && !worth && !this.full && above) {
      node.drop = true;
      this.hidden[node.why] = (this.hidden[node.why] as number) + 1;
      // Met, unless there is nothing in it: what it will show is new then.
      if (!nothing) idOf(el);
    }
    if (node.why) node.flags &= ~Flag.InViewport;
    if (node.flags & Flag.Usable) {
      frame.uses++;
      frame.lastUse = node;
      if (!node.why) {
        node.counted = true;
        this.uses++;
      }
    }
    if (!node.why && extent) frame.shown = true;
    if (above) this.passOn(frame, above);
  }

  /**
   * A widget and the one thing in it that is used, under the same name, are one thing to a person.
   */
  private oneThing(frame: Frame, node: Record, inner: Record): void {
    node.undo = { node: inner, flags: inner.flags, role: inner.role, name: inner.name };
    if (inner.role === "clickable" && inner.name === node.name) {
      inner.at = -1;
      inner.flags &= ~Flag.Usable;
      inner.role = inner.name = "";
      frame.uses = 0;
    } else if (wraps(frame) && (inner.name === node.name || node.role === "combobox")) {
      node.flags &= ~Flag.Usable;
      inner.at = -1;
      if (node.role !== "combobox") inner.flags |= node.flags & LENT;
    } else node.undo = null;
  }

  private passOn(frame: Frame, above: Frame): void {
    if (frame.node) {
      frame.node.uses = frame.uses;
      frame.node.lastUse = frame.lastUse;
      frame.node.shown = frame.shown;
    }
    // What is hidden for now does not make its container a mere container.
    if (frame.uses > 0 && !frame.node?.why) {
      above.uses += frame.uses;
      above.lastUse = frame.lastUse;
    }
    if (frame.shown) above.shown = true;
  }

  private hasLabelDrawn(node: Record): boolean {
    return (
      node.tag === "area" ||
      (LABELLED.test(node.tag) && node.flags & Flag.Usable
        ? shownLabel(this.look, node.el as Element) !== null
        : false)
    );
  }

  /**
   * What it shows is told as if it were an attribute: two looks can compare it, and nobody else
   * needs it.
   */
  private canvas(node: Record, el: Element): void {
    const drawn = this.canvases.read(el);
    if (drawn !== "") node.attrs = [...(node.attrs ?? []), ["pagesight:drawn", drawn]];
  }

  private level(node: Record, role: string): void {
    if (role === "heading" || role === "treeitem")
      node.more().level = levelOf(node.el as Element, node.tag, role);
  }

  /** Its shadow root, if there is one to enter. */
  private rootIn(el: Element): ShadowRoot | null {
    const root = shadowRoot(el);
    if (!root || this.pierce) return root;
    this.unentered++;
    return null;
  }

  private root(shadow: ShadowRoot, node: Record | null, above: Frame | null): void {
    this.entered.push(shadow);
    const tally = node
      ? (node.tally ??= { elements: 0, withheld: 0, hidden: null, roots: null })
      : this.tally(above);
    (tally.roots ??= []).push(shadow);
    this.met?.(shadow);
    guard(shadow);
    if (node) node.flags |= Flag.Host;
  }
}

/**
 * Boxes whose contents know nothing of what is outside but their size. Parts of tables and lines of
 * text do.
 */
const CLOSED = new Set([
  "block",
  "flow-root",
  "flex",
  "grid",
  "list-item",
  "table",
  "inline-block",
  "inline-flex",
  "inline-grid",
  "inline-table",
]);

/** Of what is never drawn, what holds more than code: a full walk goes in. */
const TELLING = new Set(["colgroup", "datalist", "head", "title"]);

/** What a label may draw. */
const LABELLED = /^(input|select|button|textarea)$/;

const VALUED = new Set([
  "progressbar",
  "meter",
  "scrollbar",
  "slider",
  "spinbutton",
  "combobox",
  "textbox",
  "searchbox",
  "listbox",
]);

/** What would be missed if it went: told as hidden, or as empty, rather than not at all. */
const MISSED = new Set(["grid", "image", "list", "table", "treegrid"]);

/** Roles of cells and rows: without an attribute they have no name, unless they are usable. */
const UNNAMED = new Set(["cell", "gridcell", "row", "rowgroup", "listitem"]);
const NO_NAME = { text: "", content: false };

/** States of a wrapper that are those of the one thing in it. */
const LENT =
  Flag.Checked |
  Flag.Mixed |
  Flag.Disabled |
  Flag.Expanded |
  Flag.Collapsed |
  Flag.Selected |
  Flag.Pressed;

/** A widget by its role, not by its tag: what is in it is what is used. */
const wraps = ({ use, tag, el }: Frame): boolean =>
  use === Use.Role ||
  (use === Use.Firm &&
    !/^(a|area|button|input|select|summary|textarea)$/.test(tag) &&
    !isEditingHost(el));

const handsDownFrame = (frame: Frame): boolean => handsDown(frame.node?.role ?? "", frame.tag);
