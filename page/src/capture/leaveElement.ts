// Completes an element after everything in it was walked: whether it shows anything, whether it is
// usable or merely contains usable elements, and what its parent has to know. Reads names.

import { idOf } from "../dom/identity";
import { isEditingHost } from "../semantics/elementTraits";
import { isTentative, Use } from "../semantics/interactivity";
import { nameOf } from "../semantics/names";
import { isSecret } from "../semantics/secrets";
import { Flag } from "../semantics/stateFlags";
import { HiddenReason, visibleLabel } from "../visibility/visibility";
import { LABELLED } from "./elementVisibility";
import { isStructural, REPORTED_IF_HIDDEN } from "./hiddenElement";
import { cluesOf, isUsableName } from "./hintClues";
import type { NodeRecord } from "./nodeRecord";
import type { WalkFrame } from "./walkContext";
import type { WalkState } from "./walkState";

/** States of a wrapper that belong to the only usable element in it. */
const LENT =
  Flag.Checked |
  Flag.Mixed |
  Flag.Disabled |
  Flag.Expanded |
  Flag.Collapsed |
  Flag.Selected |
  Flag.Pressed;

/** Completes the record of an element, and updates its parent. */
export function leave(walk: WalkState, frame: WalkFrame, above: WalkFrame | null): void {
  const { node } = frame;
  if (node) {
    node.end = walk.output.nodes.length;
    if (!frame.reason || !frame.ownReason) complete(walk, frame, node, above);
  }
  if (above) passOn(frame, above);
}

function complete(
  walk: WalkState,
  frame: WalkFrame,
  node: NodeRecord,
  above: WalkFrame | null,
): void {
  const { output } = walk;
  const { el, tag } = frame;
  const hasExtent = node.w >= 1 && node.h >= 1;
  judgeContainer(walk, frame, node, hasExtent);
  if (!hasExtent && frame.shown && node.flags & Flag.Usable) output.placeAroundContent(node);
  const nothing =
    !hasExtent &&
    !frame.shown &&
    frame.ownReason === HiddenReason.Shown &&
    tag !== "br" &&
    tag !== "html" &&
    !frame.keepsTexts &&
    !(node.w >= 1 && frame.isHost);
  if (nothing && !hasLabelDrawn(walk, node)) node.why = HiddenReason.Clipped;
  // An image without a size counts the same whether or not it is loaded yet.
  const image =
    tag === "img" && (node.why === HiddenReason.Clipped || node.why === HiddenReason.Unreachable);
  const worth =
    image ||
    node.flags & (Flag.Usable | Flag.Live) ||
    isStructural(node.role) ||
    REPORTED_IF_HIDDEN.has(node.role);
  if (node.why && !worth && !walk.full && above) {
    node.isDropped = true;
    output.countHidden(node.why);
    // It gets an id, unless it is empty: content that it shows later is new.
    if (!nothing) idOf(el);
  }
  if (node.why) node.flags &= ~Flag.InViewport;
  if (node.flags & Flag.Usable) {
    if (!node.why) hintAt(walk, frame, node);
    frame.uses++;
    frame.lastUse = node;
    if (!node.why) {
      node.countsAsUse = true;
      output.uses++;
    }
  }
  if (!node.why && hasExtent) frame.shown = true;
}

/** Notes what hints at the use of an element without a usable name. */
function hintAt(walk: WalkState, { el, uses }: WalkFrame, node: NodeRecord): void {
  if (isUsableName(node.name, node.rare?.value ?? null)) return;
  try {
    const clues = cluesOf(walk.cache, el, uses === 0, walk.pierce, walk.clueBudget);
    if (clues) node.rareFields().clues = clues;
  } catch {
    // An element that cannot be read has no hint.
  }
}

/** Decides whether the element is usable, given what is usable in it. */
function judgeContainer(
  { cache }: WalkState,
  frame: WalkFrame,
  node: NodeRecord,
  hasExtent: boolean,
): void {
  const { el } = frame;
  if (isTentative(frame.use) && frame.uses === 0) {
    const name = nameOf(cache, el, true, frame.ownReason === HiddenReason.Visibility);
    // An empty spot that catches the focus is not usable.
    if (
      name.text !== "" ||
      frame.shown ||
      node.role !== "" ||
      (hasExtent && node.w * node.h >= 64)
    ) {
      node.flags |= Flag.Usable | (name.fromContent ? Flag.FromContent : 0);
      node.name = name.text;
      if (node.role === "") node.role = "clickable";
      if (isSecret(el)) node.flags |= Flag.Secret;
    }
  } else if (frame.use === Use.Focusable && frame.uses === 0 && frame.shown) {
    node.flags |= Flag.Usable;
  } else if (frame.uses === 1 && frame.lastUse && node.flags & Flag.Usable)
    merge(frame, node, frame.lastUse);
}

/** Merges a widget and the only usable element in it, if both have the same name. */
function merge(frame: WalkFrame, node: NodeRecord, inner: NodeRecord): void {
  node.merged = { node: inner, flags: inner.flags, role: inner.role, name: inner.name };
  if (inner.role === "clickable" && inner.name === node.name) {
    inner.sentIndex = -1;
    inner.flags &= ~Flag.Usable;
    inner.role = inner.name = "";
    frame.uses = 0;
  } else if (wraps(frame) && (inner.name === node.name || node.role === "combobox")) {
    node.flags &= ~Flag.Usable;
    inner.sentIndex = -1;
    if (node.role !== "combobox") inner.flags |= node.flags & LENT;
  } else node.merged = null;
}

/** Returns whether an element is a widget by its role only: then its content is used instead. */
const wraps = ({ use, tag, el }: WalkFrame): boolean =>
  use === Use.ByRole ||
  (use === Use.Certain &&
    !/^(a|area|button|input|select|summary|textarea)$/.test(tag) &&
    !isEditingHost(el));

function hasLabelDrawn({ cache }: WalkState, node: NodeRecord): boolean {
  return (
    node.tag === "area" ||
    (LABELLED.test(node.tag) && node.flags & Flag.Usable
      ? visibleLabel(cache, node.el as Element) !== null
      : false)
  );
}

function passOn(frame: WalkFrame, above: WalkFrame): void {
  const { node } = frame;
  if (node) {
    node.uses = frame.uses;
    node.lastUse = frame.lastUse;
    node.shown = frame.shown;
  }
  // A usable element that is hidden for now does not make its parent a mere container.
  if (frame.uses > 0 && !node?.why) {
    above.uses += frame.uses;
    above.lastUse = frame.lastUse;
  }
  if (frame.shown) above.shown = true;
}
