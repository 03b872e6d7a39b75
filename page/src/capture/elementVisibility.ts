// Finds where the current element is, what clips it, and whether it is visible. Applies to every
// element that is not hidden together with an ancestor. Reads its style and its box.

import { attr, rectOf } from "../dom/dom";
import { hasListener } from "../dom/engineSupplied";
import { editorDrawing } from "../semantics/codeEditor";
import { isItemOfListener, markupUse, Use } from "../semantics/interactivity";
import { LIVE_ROLES } from "../semantics/roles";
import { StyleEffect } from "../semantics/stylesheetEffects";
import { areaBox } from "../visibility/imageMaps";
import {
  clipsOfContent,
  EMPTY_AREA,
  focusScrollsTo,
  HiddenReason,
  hasChildWithExtent,
  inTopLayer,
  isClippedAway,
  isFixedToAncestor,
  isOutside,
  isSkipLink,
  scrollRoom,
  visibleLabel,
} from "../visibility/visibility";
import type { CurrentElement } from "./currentElement";
import type { WalkState } from "./walkState";

/** Controls that a label may be drawn for. */
export const LABELLED = /^(input|select|button|textarea)$/;
/** A skip link is one of the first usable elements. */
const FIRST_USES = 10;

/** Finds the box of the element, what clips it and what clips its content. */
export function measure({ cache, output, rootClips }: WalkState, e: CurrentElement): void {
  const { el, tag, style, effects, above } = e;
  const position = effects & StyleEffect.Position ? style.position : "static";
  const topLayer = !e.plain && inTopLayer(el, tag);
  const clips = topLayer || !above ? rootClips : above.clips;
  const { view } = output;
  const ownClips =
    topLayer || position === "fixed"
      ? { flow: view, view }
      : position === "absolute"
        ? { flow: clips.abs, view: clips.absView }
        : clips;
  const contents = e.display === "contents";
  const bare = output.measure(contents ? null : tag === "area" ? areaBox(el, cache) : rectOf(el));
  // Monaco in Firefox has such a field.
  const editorField =
    tag === "textarea" &&
    (bare.x0 === bare.x1 || bare.y0 === bare.y1) &&
    editorDrawing(el) !== null;
  const box = editorField
    ? { ...bare, x1: Math.max(bare.x1, bare.x0 + 1), y1: Math.max(bare.y1, bare.y0 + 1) }
    : bare;
  const hasExtent = box.x1 - box.x0 >= 1 && box.y1 - box.y0 >= 1;
  const clippedAway =
    !contents && (effects & StyleEffect.ClipPath) !== 0 && isClippedAway(style, position);
  e.position = position;
  e.topLayer = topLayer;
  e.clips = clips;
  e.ownClips = ownClips;
  e.contents = contents;
  e.box = box;
  e.hasExtent = hasExtent;
  e.editorField = editorField;
  e.clippedAway = clippedAway;
  e.clipped =
    !contents && (tag === "area" ? !hasExtent : clippedAway || isOutside(box, ownClips.flow));
  measureContent(e);
}

/** Finds what clips the content of the element, and how far it can be scrolled. */
function measureContent(e: CurrentElement): void {
  const { el, tag, style, clips, ownClips } = e;
  const positioned = e.position !== "static";
  const overflow =
    (e.effects & StyleEffect.Overflow) !== 0 &&
    e.display !== "inline" &&
    !e.contents &&
    tag !== "html" &&
    tag !== "body" &&
    style.overflow !== "visible";
  let contentClips =
    ownClips === clips
      ? clips
      : { flow: ownClips.flow, view: ownClips.view, abs: clips.abs, absView: clips.absView };
  e.overflow = overflow;
  e.scrollRoom = null;
  if (e.clippedAway)
    contentClips = { flow: EMPTY_AREA, view: EMPTY_AREA, abs: EMPTY_AREA, absView: EMPTY_AREA };
  else if (overflow) {
    // The content of a leaf is not walked.
    if (!e.traits.leaf)
      contentClips = clipsOfContent(
        el,
        style,
        e.box,
        ownClips,
        clips,
        positioned || style.transform !== "none",
      );
    if (tag !== "textarea" && tag !== "select") e.scrollRoom = scrollRoom(el, style);
  } else if (positioned)
    contentClips = {
      flow: contentClips.flow,
      view: contentClips.view,
      abs: contentClips.flow,
      absView: contentClips.view,
    };
  e.contentClips = contentClips;
}

/** Finds whether the element is visible, and the use that its markup implies. Needs its box. */
export function judgeVisibility(walk: WalkState, e: CurrentElement): void {
  const { el, tag, style, above, role, plain } = e;
  const transparent = (e.effects & StyleEffect.Opacity) !== 0 && Number(style.opacity) < 0.02;
  const fadedAbove = e.topLayer ? 0 : (above?.fadedLevels ?? 0);
  e.fadedLevels = fadedAbove > 0 ? fadedAbove + 1 : transparent ? 1 : 0;
  e.use = plain && !e.traits.isControl && !hasListener(el) ? Use.No : markupUse(el, tag, role);
  if (e.use === Use.No && !above?.pointer && isItemOfListener(el, role)) e.use = Use.ByListener;
  e.visible = e.cachedStyle ? e.cachedStyle.visible : style.visibility === "visible";
  e.reason = !e.visible
    ? HiddenReason.Visibility
    : e.fadedLevels
      ? HiddenReason.Opacity
      : HiddenReason.Shown;
  if (!e.reason && e.clipped) e.reason = whyClipped(walk, e);
  e.live = LIVE_ROLES.has(role) || (!plain && /polite|assertive/.test(attr(el, "aria-live") ?? ""));
  e.keepsTexts = above?.keepsTexts ?? false;
  e.unreachable = false;
  e.drawnLabel = null;
  e.contentShows = false;
  if (e.reason) findExceptions(walk, e);
  else if (e.live || role === "heading") e.keepsTexts = true;
}

function whyClipped({ cache, output, reachable }: WalkState, e: CurrentElement): HiddenReason {
  const fixed = e.position === "fixed";
  const area = fixed && !isFixedToAncestor(cache, e.el) ? output.view : reachable;
  if (e.hasExtent && isOutside(e.box, area)) return HiddenReason.Unreachable;
  return fixed && area === reachable ? HiddenReason.Shown : HiddenReason.Clipped;
}

/** Finds the hidden elements that count as shown, because a person can reach or use them. */
function findExceptions({ cache, output }: WalkState, e: CurrentElement): void {
  const { el, tag, use } = e;
  if (e.reason === HiddenReason.Clipped || e.reason === HiddenReason.Unreachable) {
    e.unreachable = e.reason === HiddenReason.Unreachable;
    if (e.live || e.role === "heading" || (output.uses < FIRST_USES && isSkipLink(el, tag)))
      e.keepsTexts = true;
    const tabbedTo =
      e.reason === HiddenReason.Clipped &&
      use === Use.Certain &&
      e.hasExtent &&
      !e.clippedAway &&
      focusScrollsTo(cache, el, e.box);
    if (e.keepsTexts || tabbedTo) e.reason = HiddenReason.Shown;
    e.unreachable ||= tabbedTo;
  }
  // Transparent, but a click reaches it.
  if (
    e.reason === HiddenReason.Opacity &&
    use !== Use.No &&
    !e.clipped &&
    e.style.pointerEvents !== "none" &&
    (e.hasExtent || (e.contentShows = hasChildWithExtent(el)))
  )
    e.reason = HiddenReason.Shown;
  else if (
    e.reason &&
    use === Use.Certain &&
    e.reason !== HiddenReason.Visibility &&
    LABELLED.test(tag) &&
    (e.drawnLabel = visibleLabel(cache, el)) !== null
  )
    e.reason = HiddenReason.Shown;
}
