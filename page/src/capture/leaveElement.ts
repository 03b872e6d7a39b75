// Completes an element after everything in it was walked: whether it shows anything, whether it is
// usable or merely contains usable elements, and what its parent has to know. Reads names.

import { idOf } from "../dom/identity";
import { isEditingHost } from "../semantics/elementTraits";
import { isDragItem, isTentative, Use } from "../semantics/interactivity";
import { nameOf } from "../semantics/names";
import { isSecret } from "../semantics/secrets";
import { Flag } from "../semantics/stateFlags";
import { HiddenReason, visibleLabel } from "../visibility/visibility";
import { LABELLED } from "./elementVisibility";
import { isStructural, REPORTED_IF_HIDDEN } from "./hiddenElement";
import { cluesOf, isUsableName } from "./nameClues";
import type { NodeRecord } from "./nodeRecord";
import type { StackEntry } from "./stackEntry";
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

/** Roles of items, and how many controls an item has at most. */
const RECORDS = /^(row|listitem|article|option|treeitem)$/;
const MOST_CONTROLS = 8;

/** Completes the record of an element, and updates its parent. */
export function leave(walk: WalkState, entry: StackEntry, above: StackEntry | null): void {
  const { node } = entry;
  if (node) {
    node.end = walk.output.nodes.length;
    if (!entry.reason || !entry.ownReason) complete(walk, entry, node, above);
  }
  if (above) passOn(entry, above);
}

function complete(
  walk: WalkState,
  entry: StackEntry,
  node: NodeRecord,
  above: StackEntry | null,
): void {
  const { output } = walk;
  const { el, tag } = entry;
  const hasExtent = node.w >= 1 && node.h >= 1;
  judgeContainer(walk, entry, node, hasExtent);
  if (!hasExtent && entry.shown && node.flags & Flag.Usable) output.placeAroundContent(node);
  const nothing =
    !hasExtent &&
    !entry.shown &&
    entry.ownReason === HiddenReason.Shown &&
    tag !== "br" &&
    tag !== "html" &&
    !entry.keepsTexts &&
    !(node.w >= 1 && entry.isHost);
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
    if (!node.why) noteClues(walk, entry, node);
    entry.uses++;
    if (!isMinor(node)) entry.mainUses++;
    entry.lastUse = node;
    if (!node.why) {
      node.countsAsUse = true;
      output.uses++;
    }
  }
  if (!node.why && hasExtent) entry.shown = true;
}

/** Notes the clues to the name of an element without a usable one. */
function noteClues(walk: WalkState, { el, uses }: StackEntry, node: NodeRecord): void {
  if (isUsableName(node.name, node.rare?.value ?? null)) return;
  try {
    const clues = cluesOf(walk.cache, el, uses === 0, walk.pierce, walk.clueBudget);
    if (clues) node.rareFields().clues = clues;
  } catch {
    // An element that cannot be read has no clues.
  }
}

/** Decides whether the element is usable, given what is usable in it. */
function judgeContainer(
  { cache }: WalkState,
  entry: StackEntry,
  node: NodeRecord,
  hasExtent: boolean,
): void {
  const { el } = entry;
  if (isTentative(entry.use) && (entry.uses === 0 || isItem(entry, node))) {
    const name = nameOf(cache, el, true, entry.ownReason === HiddenReason.Visibility);
    // An empty spot that catches the focus is not usable.
    if (
      name.text !== "" ||
      entry.shown ||
      node.role !== "" ||
      (hasExtent && node.w * node.h >= 64)
    ) {
      node.flags |= Flag.Usable | (name.fromContent ? Flag.FromContent : 0);
      node.name = name.text;
      if (node.role === "") node.role = "clickable";
      if (isSecret(el)) node.flags |= Flag.Secret;
    }
  } else if (entry.use === Use.Focusable && entry.uses === 0 && entry.shown) {
    node.flags |= Flag.Usable;
  } else if (entry.uses === 1 && entry.lastUse && node.flags & Flag.Usable)
    merge(entry, node, entry.lastUse);
}

/**
 * Returns whether a usable element in an item does something else than the item: a check box, or a
 * control that shows no text.
 */
const isMinor = (node: NodeRecord): boolean =>
  /^(checkbox|radio|switch)$/.test(node.role) ||
  (/^(button|clickable)$/.test(node.role) &&
    !(node.flags & Flag.FromContent && isUsableName(node.name, null)));

/**
 * Returns whether a container of usable elements can be used as a whole as well: an item that can
 * be dragged, or a row that is clicked and has no control with the same effect.
 */
function isItem({ el, uses, mainUses, pointer, shown }: StackEntry, node: NodeRecord): boolean {
  if (!shown || uses > MOST_CONTROLS) return false;
  if (isDragItem(el)) return true;
  return mainUses === 0 && (pointer || RECORDS.test(node.role));
}

/** Merges a widget and the only usable element in it, if both have the same name. */
function merge(entry: StackEntry, node: NodeRecord, inner: NodeRecord): void {
  node.merged = { node: inner, flags: inner.flags, role: inner.role, name: inner.name };
  if (inner.role === "clickable" && inner.name === node.name) {
    inner.sentIndex = -1;
    inner.flags &= ~Flag.Usable;
    inner.role = inner.name = "";
    entry.uses = 0;
  } else if (wraps(entry) && (inner.name === node.name || node.role === "combobox")) {
    node.flags &= ~Flag.Usable;
    inner.sentIndex = -1;
    if (node.role !== "combobox") inner.flags |= node.flags & LENT;
  } else node.merged = null;
}

/** Returns whether an element is a widget by its role only: then its content is used instead. */
const wraps = ({ use, tag, el }: StackEntry): boolean =>
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

function passOn(entry: StackEntry, above: StackEntry): void {
  const { node } = entry;
  if (node) {
    node.uses = entry.uses;
    node.mainUses = entry.mainUses;
    node.lastUse = entry.lastUse;
    node.shown = entry.shown;
  }
  // A usable element that is hidden for now does not make its parent a mere container.
  if (entry.uses > 0 && !node?.why) {
    above.uses += entry.uses;
    above.mainUses += entry.mainUses;
    above.lastUse = entry.lastUse;
  }
  if (entry.shown) above.shown = true;
}
