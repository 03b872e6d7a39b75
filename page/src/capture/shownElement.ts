// The record of an element that is drawn, or could be, and the frame for what is in it. The general
// case: plainElement.ts handles most elements faster, with the same result. Reads only.

import { attr, has, localName, rectOf } from "../dom/dom";
import { isEditingHost, summaryOf } from "../semantics/elementTraits";
import { editedText, optionLabels, valueOf } from "../semantics/fieldValue";
import { handsDown, isSoft, Use } from "../semantics/interactivity";
import { FIELDS, nameOf } from "../semantics/names";
import type { Name } from "../semantics/readCache";
import { roleOf } from "../semantics/roles";
import { isSecret } from "../semantics/secrets";
import { Flag, statesOf } from "../semantics/stateFlags";
import { May } from "../semantics/stylesheetEffects";
import { areaOf, Why } from "../visibility/visibility";
import type { CurrentElement } from "./currentElement";
import { judgeUse } from "./elementUse";
import { judgeVisibility, measure } from "./elementVisibility";
import { CLOSED, pictureFault, Record, svgHolds } from "./nodeRecord";
import { count } from "./viewportFirst";
import type { WalkState } from "./walkState";

const MOST_OPTIONS = 1000;

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

/** Roles of cells and rows: without an attribute they have no name, unless they are usable. */
const UNNAMED = new Set(["cell", "gridcell", "row", "rowgroup", "listitem"]);
const NO_NAME: Name = { text: "", content: false };

/** Records the element that `e` begins with, and opens it. */
export function recordShown(walk: WalkState, e: CurrentElement): void {
  const { sheets } = walk.look;
  e.shadow = walk.rootOf(e.el);
  if (e.shadow) sheets.enter(e.shadow);
  e.asks = e.styled ? May.Any : sheets.may | e.kind.own;
  e.role = e.plain && e.kind.role !== null ? e.kind.role : roleOf(walk.look, e.el);
  measure(walk, e);
  judgeVisibility(walk, e);
  judgeUse(walk, e);
  const node = record(walk, e);
  place(walk, e, node);
  if (e.shadow) walk.enterRoot(e.shadow, node, e.above);
  setValue(e, node);
  if (e.above) walk.output.joint(e.above, e.inline, node);
  open(walk, e, node);
}

function nameFor({ look }: WalkState, e: CurrentElement): Name {
  const { el, kind, role, firm, plain } = e;
  if (e.stands) return nameOf(look, el, true);
  const unnamed =
    plain &&
    (role === "" ||
      (!firm && kind.role !== null && kind.nameless) ||
      (!firm && UNNAMED.has(role) && e.tag !== "table"));
  return unnamed ? NO_NAME : nameOf(look, el, firm && !FIELDS.has(role), e.self === Why.Visibility);
}

/** Makes the record: role, name and states. */
function record(walk: WalkState, e: CurrentElement): Record {
  const { el, kind, tag, plain, role, firm, stands, above, display } = e;
  if (!e.seen && (firm || !plain || !kind.nameless))
    walk.look.keep(el, e.style, display, e.visible);
  const name = nameFor(walk, e);
  const node = walk.output.push(
    new Record(el, tag, e.standsRole || role || (firm ? "clickable" : ""), name.text),
  );
  e.named = name.content;
  e.ariaHidden = (above?.ariaHidden ?? false) || (!plain && attr(el, "aria-hidden") === "true");
  e.inert = !plain && has(el, "inert");
  e.states =
    plain && !stands && !kind.states && kind.role !== null
      ? above?.disabled
        ? Flag.Disabled
        : 0
      : statesOf(
          stands ?? el,
          stands ? localName(stands) : tag,
          e.standsRole || role,
          above?.disabled ?? false,
          plain && !stands,
        );
  // A label of a drawing stands on its own, whatever the engine calls it.
  e.inline =
    display !== "block" &&
    tag !== "text" &&
    (display.startsWith("inline") || e.contents || display === "ruby");
  node.flags =
    e.states |
    (firm ? Flag.Usable : 0) |
    (e.inline ? 0 : Flag.Block) |
    (name.content ? Flag.FromContent : 0) |
    (e.ariaHidden ? Flag.AriaHidden : 0) |
    (e.live ? Flag.Live : 0) |
    (e.room ? Flag.Scrolls : 0) |
    (e.lost ? Flag.Unreachable : 0) |
    (el === walk.focused ? Flag.Focused : 0) |
    (e.inert || e.deaf ? Flag.Disabled : 0);
  walk.reuse.began(node, above);
  setAttributes(walk, e, node);
  walk.setLevel(node, role);
  node.rooted = above?.host ?? false;
  if (kind.frame) node.more().frame = true;
  return node;
}

/** Sets the attributes that are sent, and those that pagesight adds. */
function setAttributes(walk: WalkState, e: CurrentElement, node: Record): void {
  const { el, tag, self } = e;
  node.attrs = e.pairs;
  // Two captures can compare the digest of a canvas; nothing else needs it.
  const drawn = tag === "canvas" && !self ? walk.canvases.read(el) : "";
  if (drawn !== "") node.attrs = [...(node.attrs ?? []), ["pagesight:drawn", drawn]];
  const fault =
    e.deaf && !(e.states & Flag.Disabled) && !e.inert
      ? "unclickable"
      : e.firm && e.faded && !self && e.drawnBy === null
        ? "transparent"
        : tag === "img"
          ? pictureFault(el)
          : "";
  if (fault !== "") node.attrs = [...(node.attrs ?? []), ["pagesight:fault", fault]];
}

/** Sets the box of the record, and what a later walk needs to know to move it. */
function place({ output }: WalkState, e: CurrentElement, node: Record): void {
  const { kind, tag, self, position, room, drawnBy } = e;
  const positioned = position !== "static";
  node.flow = e.own.flow;
  node.closed = CLOSED.has(e.display);
  node.apart = positioned && position !== "relative";
  node.clips = e.overflow && !kind.leaf;
  node.free =
    !self &&
    !e.lost &&
    !node.clips &&
    !room &&
    !e.cutOff &&
    !e.topLayer &&
    !e.contents &&
    !kind.frame &&
    tag !== "area" &&
    !isSoft(e.use) &&
    e.use !== Use.Quiet &&
    !drawnBy;
  if (room) node.more().scrolls = room;
  node.why = self;
  output.place(node, e.box, e.own.view, self);
  if (tag === "area" || e.editorField) node.lent = true;
  if (drawnBy && (e.clipped || !e.hasExtent)) {
    node.lent = true;
    output.place(node, areaOf(rectOf(drawnBy)), output.view, self);
  }
  if (positioned && e.hasExtent && !self) {
    node.layer = true;
    output.layers.push(node);
  }
}

/** Sets the value and the options of a field. */
function setValue(e: CurrentElement, node: Record): void {
  const { el, role } = e;
  if (!e.firm && !VALUED.has(role)) return;
  const value = e.stands ? null : valueOf(el, role);
  if (value !== null) node.more().value = value;
  if (isSecret(el)) node.flags |= Flag.Secret;
  if (e.tag === "select") node.more().options = optionLabels(el, MOST_OPTIONS);
}

/** Opens the element: what is in it comes next. */
function open({ output, stack, reuse }: WalkState, e: CurrentElement, node: Record): void {
  const { el, tag, plain, above, self, use, pointer, style } = e;
  const leaf = e.kind.leaf || (tag === "svg" && !svgHolds(el));
  const frame = stack.acquire(el, tag, node, use, e.within, above);
  if (leaf) output.passed += count(el);
  else stack.setChildren(frame, e.shadow);
  frame.style = style;
  frame.asks = e.asks;
  frame.self = self;
  if (
    (!frame.empty || self) &&
    e.asks & May.ContentVisibility &&
    style.contentVisibility === "hidden"
  )
    frame.why = Why.Skipped;
  frame.faded = e.faded;
  frame.ariaHidden = e.ariaHidden;
  frame.disabled =
    (above?.disabled ?? false) || e.inert || (!plain && attr(el, "aria-disabled") === "true");
  frame.pointer = pointer;
  frame.taken =
    e.taken ||
    e.firm ||
    (use === Use.Soft && !(e.states & Flag.Disabled)) ||
    (pointer && !handsDown(e.role, tag));
  frame.named = (above?.named ?? false) || e.named;
  frame.keeps = e.keeps;
  frame.mute =
    (above?.mute ?? false) || (!plain && isEditingHost(el) && editedText(el).length < 2000);
  frame.inline = e.inline;
  frame.host = e.shadow !== null;
  if (tag === "details" && !has(el, "open")) frame.only = summaryOf(el);
  frame.shown = e.sticksOut || (leaf && e.hasExtent && !self && tag !== "br");
  reuse.opened(frame, above);
  stack.top = frame;
}
