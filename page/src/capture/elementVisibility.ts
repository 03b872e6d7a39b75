// Where the element at hand is, what clips it, and whether it is seen. The walk asks this of each
// element that is not hidden with everything around it. Reads its style and its box.

import { attr, rectOf } from "../dom/dom";
import { hasListener } from "../dom/engineSupplied";
import { drawnByEditor } from "../semantics/codeEditor";
import { markupUse, Use } from "../semantics/interactivity";
import { LIVE } from "../semantics/roles";
import { May } from "../semantics/stylesheetEffects";
import { areaBox } from "../visibility/imageMaps";
import {
  clipsWithin,
  cutAway,
  fixedToAncestor,
  focusScrollsTo,
  inTopLayer,
  isSkipLink,
  NOWHERE,
  outside,
  overflows,
  scrollRoom,
  shownLabel,
  Why,
} from "../visibility/visibility";
import type { CurrentElement } from "./currentElement";
import type { WalkState } from "./walkState";

/** Controls that a label may be drawn for. */
export const LABELLED = /^(input|select|button|textarea)$/;
/** A skip link is one of the first usable elements. */
const FIRST_USES = 10;

/** Finds the box of the element, what clips it and what clips its content. */
export function measure({ output, start }: WalkState, e: CurrentElement): void {
  const { el, tag, style, asks, above } = e;
  const position = asks & May.Position ? style.position : "static";
  const topLayer = !e.plain && inTopLayer(el, tag);
  const clips = topLayer || !above ? start : above.clips;
  const { view } = output;
  const own =
    topLayer || position === "fixed"
      ? { flow: view, view }
      : position === "absolute"
        ? { flow: clips.abs, view: clips.absView }
        : clips;
  const contents = e.display === "contents";
  const bare = output.measure(contents ? null : tag === "area" ? areaBox(el) : rectOf(el));
  // Monaco in Firefox has such a field.
  const editorField =
    tag === "textarea" &&
    (bare.x0 === bare.x1 || bare.y0 === bare.y1) &&
    drawnByEditor(el) !== null;
  const box = editorField
    ? { ...bare, x1: Math.max(bare.x1, bare.x0 + 1), y1: Math.max(bare.y1, bare.y0 + 1) }
    : bare;
  const hasExtent = box.x1 - box.x0 >= 1 && box.y1 - box.y0 >= 1;
  const cutOff = !contents && (asks & May.ClipPath) !== 0 && cutAway(style, position);
  e.position = position;
  e.topLayer = topLayer;
  e.clips = clips;
  e.own = own;
  e.contents = contents;
  e.box = box;
  e.hasExtent = hasExtent;
  e.editorField = editorField;
  e.cutOff = cutOff;
  e.clipped = !contents && (tag === "area" ? !hasExtent : cutOff || outside(box, own.flow));
  measureContent(e);
}

/** Finds what clips the content of the element, and how far it can be scrolled. */
function measureContent(e: CurrentElement): void {
  const { el, tag, style, clips, own } = e;
  const positioned = e.position !== "static";
  const overflow =
    (e.asks & May.Overflow) !== 0 &&
    e.display !== "inline" &&
    !e.contents &&
    tag !== "html" &&
    tag !== "body" &&
    style.overflow !== "visible";
  let within =
    own === clips
      ? clips
      : { flow: own.flow, view: own.view, abs: clips.abs, absView: clips.absView };
  e.overflow = overflow;
  e.room = null;
  if (e.cutOff) within = { flow: NOWHERE, view: NOWHERE, abs: NOWHERE, absView: NOWHERE };
  else if (overflow) {
    // The content of a leaf is not walked.
    if (!e.kind.leaf)
      within = clipsWithin(el, style, e.box, own, clips, positioned || style.transform !== "none");
    if (tag !== "textarea" && tag !== "select") e.room = scrollRoom(el, style);
  } else if (positioned)
    within = { flow: within.flow, view: within.view, abs: within.flow, absView: within.view };
  e.within = within;
}

/** Finds whether the element is seen. Needs its box; finds its use as far as markup tells. */
export function judgeVisibility(walk: WalkState, e: CurrentElement): void {
  const { el, tag, style, above, role, plain } = e;
  const transparent = (e.asks & May.Opacity) !== 0 && Number(style.opacity) < 0.02;
  const fadedAbove = e.topLayer ? 0 : (above?.faded ?? 0);
  e.faded = fadedAbove > 0 ? fadedAbove + 1 : transparent ? 1 : 0;
  e.use = plain && !e.kind.control && !hasListener(el) ? Use.No : markupUse(el, tag, role);
  e.visible = e.seen ? e.seen.visible : style.visibility === "visible";
  e.self = !e.visible ? Why.Visibility : e.faded ? Why.Opacity : Why.Shown;
  if (!e.self && e.clipped) e.self = whyClipped(walk, e);
  e.live = LIVE.has(role) || (!plain && /polite|assertive/.test(attr(el, "aria-live") ?? ""));
  e.keeps = above?.keeps ?? false;
  e.lost = false;
  e.drawnBy = null;
  e.sticksOut = false;
  if (e.self) seenAllTheSame(walk, e);
  else if (e.live || role === "heading") e.keeps = true;
}

function whyClipped({ look, output, reach }: WalkState, e: CurrentElement): Why {
  const fixed = e.position === "fixed";
  const reachable = fixed && !fixedToAncestor(look, e.el) ? output.view : reach;
  if (e.hasExtent && outside(e.box, reachable)) return Why.Unreachable;
  return fixed && reachable === reach ? Why.Shown : Why.Clipped;
}

/** Finds the hidden elements that count as shown, because a person can reach or use them. */
function seenAllTheSame({ look, output }: WalkState, e: CurrentElement): void {
  const { el, tag, use } = e;
  if (e.self === Why.Clipped || e.self === Why.Unreachable) {
    e.lost = e.self === Why.Unreachable;
    if (e.live || e.role === "heading" || (output.uses < FIRST_USES && isSkipLink(el, tag)))
      e.keeps = true;
    const tabbedTo =
      e.self === Why.Clipped &&
      use === Use.Firm &&
      e.hasExtent &&
      !e.cutOff &&
      focusScrollsTo(look, el, e.box);
    if (e.keeps || tabbedTo) e.self = Why.Shown;
    e.lost ||= tabbedTo;
  }
  // Transparent, but a click reaches it.
  if (
    e.self === Why.Opacity &&
    use !== Use.No &&
    !e.clipped &&
    e.style.pointerEvents !== "none" &&
    (e.hasExtent || (e.sticksOut = overflows(el)))
  )
    e.self = Why.Shown;
  else if (
    e.self &&
    use === Use.Firm &&
    e.self !== Why.Visibility &&
    LABELLED.test(tag) &&
    (e.drawnBy = shownLabel(look, el)) !== null
  )
    e.self = Why.Shown;
}
