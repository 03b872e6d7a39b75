// The record of an element that is drawn, or could be, and the entry for its children. The general
// case: plainElement.ts handles most elements faster, with the same result. Reads only.

import { attr, hasAttr, localName, matches, rectOf } from "../dom/dom";
import { wordSet } from "../dom/text";
import { codeEditorOf } from "../semantics/codeEditor";
import { isEditingHost, summaryOf } from "../semantics/elementTraits";
import { editedText, optionLabels, valueOfField } from "../semantics/fieldValue";
import { delegatesCursor, isTentative, Use } from "../semantics/interactivity";
import { FIELD_ROLES, nameOf } from "../semantics/names";
import type { AccessibleName } from "../semantics/readCache";
import { roleOf } from "../semantics/roles";
import { isSecret } from "../semantics/secrets";
import { Flag, statesOf } from "../semantics/stateFlags";
import { StyleEffect } from "../semantics/stylesheetEffects";
import { isDrawnInPlace } from "../visibility/drawnInPlace";
import { areaOf, HiddenReason } from "../visibility/visibility";
import type { CurrentElement } from "./currentElement";
import { judgeUse } from "./elementUse";
import { judgeVisibility, measure } from "./elementVisibility";
import {
  FLOAT_FREE_DISPLAYS,
  hasContentInSvg,
  ISOLATING_DISPLAYS,
  imageFault,
  NodeRecord,
} from "./nodeRecord";
import { countDescendants } from "./viewportFirst";
import type { WalkState } from "./walkState";

const MOST_OPTIONS = 1000;

const VALUED = wordSet(
  "progressbar meter scrollbar slider spinbutton combobox textbox searchbox listbox",
);

/** Roles of cells and rows: without an attribute they have no name, unless they are usable. */
const UNNAMED = new Set(["cell", "gridcell", "row", "rowgroup", "listitem"]);
const NO_NAME: AccessibleName = { text: "", fromContent: false };

/** Records the current element, and opens it. */
export function recordShown(walk: WalkState, e: CurrentElement): void {
  const { effects } = walk.cache;
  e.shadow = walk.shadowRootToEnter(e.el);
  if (e.shadow) effects.addRoot(e.shadow);
  e.effects = e.styled ? StyleEffect.Any : effects.may | e.traits.effects;
  e.role = e.plain && e.traits.role !== null ? e.traits.role : roleOf(walk.cache, e.el);
  measure(walk, e);
  judgeVisibility(walk, e);
  judgeUse(walk, e);
  const node = record(walk, e);
  place(walk, e, node);
  if (e.shadow) walk.enterShadowRoot(e.shadow, node, e.above);
  setValue(e, node);
  if (e.above) walk.output.separate(e.above, e.inline, node);
  open(walk, e, node);
}

function nameFor({ cache }: WalkState, e: CurrentElement): AccessibleName {
  const { el, traits, role, certain, plain } = e;
  if (e.hiddenControl) return nameOf(cache, el, true);
  const unnamed =
    plain &&
    (role === "" ||
      (!certain && traits.role !== null && traits.nameless) ||
      (!certain && UNNAMED.has(role) && e.tag !== "table"));
  return unnamed
    ? NO_NAME
    : nameOf(cache, el, certain && !FIELD_ROLES.has(role), e.reason === HiddenReason.Visibility);
}

/** Makes the record: role, name and states. */
function record(walk: WalkState, e: CurrentElement): NodeRecord {
  const { el, traits, tag, plain, role, certain, hiddenControl, above, display } = e;
  if (!e.cachedStyle && (certain || !plain || !traits.nameless))
    walk.cache.storeStyle(el, e.style, display, e.visible);
  const name = nameFor(walk, e);
  const node = walk.output.push(
    new NodeRecord(el, tag, e.hiddenControlRole || role || (certain ? "clickable" : ""), name.text),
  );
  e.named = name.fromContent;
  e.ariaHidden = (above?.ariaHidden ?? false) || (!plain && attr(el, "aria-hidden") === "true");
  e.states =
    plain && !hiddenControl && !traits.hasStates && traits.role !== null
      ? above?.disabled
        ? Flag.Disabled
        : 0
      : statesOf(
          hiddenControl ?? el,
          hiddenControl ? localName(hiddenControl) : tag,
          e.hiddenControlRole || role,
          above?.disabled ?? false,
          plain && !hiddenControl,
        );
  e.opensModally = tag === "dialog" && (e.states & Flag.Modal) !== 0 && matches(el, "dialog:modal");
  // A modal dialog is not inert because of what is around it.
  e.inert = (!plain && hasAttr(el, "inert")) || ((above?.inert ?? false) && !e.opensModally);
  // A label in a drawing is a separate text, whatever `display` the engine reports.
  e.inline =
    display !== "block" &&
    tag !== "text" &&
    (display.startsWith("inline") || e.contents || display === "ruby");
  node.flags =
    e.states |
    (certain ? Flag.Usable : 0) |
    (e.inline ? 0 : Flag.Block) |
    (name.fromContent ? Flag.FromContent : 0) |
    (e.ariaHidden ? Flag.AriaHidden : 0) |
    (e.gutter ? Flag.Gutter : 0) |
    (e.live ? Flag.Live : 0) |
    (e.scrollRoom ? Flag.Scrolls : 0) |
    (e.unreachable ? Flag.Unreachable : 0) |
    (el === walk.focused ? Flag.Focused : 0) |
    (e.inert ? Flag.Inert : 0) |
    // Beside a modal dialog the rest of the page is often hidden from assistive technology and lets
    // clicks through.
    (e.unclickable ? (e.ariaHidden ? Flag.Inert : Flag.Disabled) : 0);
  walk.reuse.noteRecord(node, above);
  setAttributes(walk, e, node);
  walk.setLevel(node, role);
  node.inShadowRoot = above?.isHost ?? false;
  if (traits.frame) node.rareFields().frame = true;
  return node;
}

/** Sets the attributes that are sent, and those that pagesight adds. */
function setAttributes(walk: WalkState, e: CurrentElement, node: NodeRecord): void {
  const { el, tag, reason } = e;
  node.attrs = e.pairs;
  // Two captures can compare the digest of a canvas; nothing else needs it.
  const drawn = tag === "canvas" && !reason ? walk.canvases.read(el) : "";
  if (drawn !== "") node.attrs = [...(node.attrs ?? []), ["pagesight:drawn", drawn]];
  if (e.opensModally) node.attrs = [...(node.attrs ?? []), ["pagesight:modal", "true"]];
  const fault =
    e.unclickable && !(e.states & Flag.Disabled) && !e.inert
      ? "unclickable"
      : e.certain && e.fadedLevels && !reason && e.drawnLabel === null
        ? transparent(walk, e, node)
        : tag === "img"
          ? imageFault(el)
          : "";
  if (fault !== "") node.attrs = [...(node.attrs ?? []), ["pagesight:fault", fault]];
}

/** Marks a transparent element that nothing is drawn in the place of. */
function transparent({ cache }: WalkState, e: CurrentElement, node: NodeRecord): string {
  const drawn =
    e.editorField || codeEditorOf(e.el) !== null
      ? true
      : isDrawnInPlace(cache, e.el, e.box, e.fadedLevels);
  if (!drawn) node.flags |= Flag.Invisible;
  return "transparent";
}

/** Sets the box of the record, and what a later walk needs to know to move it. */
function place({ output }: WalkState, e: CurrentElement, node: NodeRecord): void {
  const { traits, tag, reason, position, scrollRoom, drawnLabel } = e;
  const positioned = position !== "static";
  node.flow = e.ownClips.flow;
  node.isolatesLayout = ISOLATING_DISPLAYS.has(e.display);
  node.keepsFloatsOut = FLOAT_FREE_DISPLAYS.has(e.display);
  node.outOfFlow = positioned && position !== "relative";
  node.clipsContent = e.overflow && !traits.leaf;
  node.mayMove =
    !reason &&
    !e.unreachable &&
    !node.clipsContent &&
    !scrollRoom &&
    !e.clippedAway &&
    !e.topLayer &&
    !e.contents &&
    !traits.frame &&
    tag !== "area" &&
    !isTentative(e.use) &&
    e.use !== Use.Focusable &&
    !drawnLabel;
  if (scrollRoom) node.rareFields().scrolls = scrollRoom;
  node.why = reason;
  output.place(node, e.box, e.ownClips.view, reason);
  if (tag === "area" || e.editorField) node.boxIsBorrowed = true;
  if (drawnLabel && (e.clipped || !e.hasExtent)) {
    node.boxIsBorrowed = true;
    output.place(node, areaOf(rectOf(drawnLabel)), output.view, reason);
  }
  if (positioned && e.hasExtent && !reason) {
    node.isLayer = true;
    output.layers.push(node);
  }
}

/** Sets the value and the options of a field. */
function setValue(e: CurrentElement, node: NodeRecord): void {
  const { el, role } = e;
  if (!e.certain && !VALUED.has(role)) return;
  const value = e.hiddenControl ? null : valueOfField(el, role);
  if (value !== null) node.rareFields().value = value;
  if (isSecret(el)) node.flags |= Flag.Secret;
  if (e.tag === "select") node.rareFields().options = optionLabels(el, MOST_OPTIONS);
}

/** Opens the element: its content comes next. */
function open({ output, stack, reuse }: WalkState, e: CurrentElement, node: NodeRecord): void {
  const { el, tag, plain, above, reason, use, pointer, style } = e;
  const leaf = e.traits.leaf || (tag === "svg" && !hasContentInSvg(el));
  const entry = stack.acquire(el, tag, node, use, e.contentClips, above);
  if (leaf) output.insideLeaves += countDescendants(el);
  else stack.setChildren(entry, e.shadow);
  entry.style = style;
  entry.effects = e.effects;
  entry.ownReason = reason;
  if (
    (!entry.isEmpty || reason) &&
    e.effects & StyleEffect.ContentVisibility &&
    style.contentVisibility === "hidden"
  )
    entry.reason = HiddenReason.Skipped;
  entry.fadedLevels = e.fadedLevels;
  entry.ariaHidden = e.ariaHidden;
  entry.disabled = (above?.disabled ?? false) || (!plain && attr(el, "aria-disabled") === "true");
  entry.inert = e.inert;
  entry.pointer = pointer;
  entry.cursorTaken =
    e.cursorTaken ||
    e.certain ||
    (use === Use.Likely && !(e.states & Flag.Disabled) && !e.inert) ||
    (pointer && !delegatesCursor(e.role, tag));
  entry.insideName = (above?.insideName ?? false) || e.named;
  entry.keepsTexts = e.keepsTexts;
  entry.dropsTexts =
    (above?.dropsTexts ?? false) ||
    (!plain && isEditingHost(el) && (isSecret(el) || editedText(el).length < 2000));
  entry.inline = e.inline;
  entry.isHost = e.shadow !== null;
  if (tag === "details" && !hasAttr(el, "open")) entry.onlyChild = summaryOf(el);
  entry.shown = e.contentShows || (leaf && e.hasExtent && !reason && tag !== "br");
  reuse.noteEntry(entry, above);
  stack.top = entry;
}
