// The fast path of the walk: an element without anything special, so that few properties need to be
// read. Most elements of a page are like that. Makes the same record as shownElement.ts. Reads
// only.

import { rectOf, shadowRoot } from "../dom/dom";
import { Use } from "../semantics/interactivity";
import { roleOf } from "../semantics/roles";
import { Flag } from "../semantics/stateFlags";
import { StyleEffect } from "../semantics/stylesheetEffects";
import type { TagTraits } from "../semantics/tagTraits";
import { HiddenReason, isOutside } from "../visibility/visibility";
import { FLOAT_FREE_DISPLAYS, ISOLATING_DISPLAYS, NodeRecord } from "./nodeRecord";
import type { StackEntry } from "./stackEntry";
import type { WalkState } from "./walkState";

/** Records a plain element, and opens it. Returns false, and does nothing, if it is not plain. */
export function recordPlain(
  walk: WalkState,
  el: Element,
  traits: TagTraits,
  pairs: NodeRecord["attrs"],
  style: CSSStyleDeclaration,
  display: string,
  above: StackEntry,
): boolean {
  const { cache, output, stack, reuse } = walk;
  const { may: effects } = cache.effects;
  const { clips } = above;
  if (
    above.fadedLevels ||
    display === "contents" ||
    el === walk.focused ||
    shadowRoot(el) ||
    style.visibility !== "visible"
  )
    return false;
  if (effects & StyleEffect.Position && style.position !== "static") return false;
  if (effects & StyleEffect.Opacity && Number(style.opacity) < 0.02) return false;
  if (effects & StyleEffect.ClipPath && style.clipPath !== "none") return false;
  if (effects & StyleEffect.Overflow && display !== "inline" && style.overflow !== "visible")
    return false;
  if (
    !above.cursorTaken &&
    (effects & StyleEffect.Cursor ? style.cursor === "pointer" : above.pointer)
  )
    return false;
  if (effects & StyleEffect.ContentVisibility && style.contentVisibility === "hidden") return false;
  const box = output.measure(rectOf(el));
  if (isOutside(box, clips.flow)) return false;
  const node = output.push(new NodeRecord(el, traits.tag, traits.role ?? roleOf(cache, el), ""));
  const inline =
    display !== "block" &&
    traits.tag !== "text" &&
    (display.startsWith("inline") || display === "ruby");
  node.flags =
    (inline ? 0 : Flag.Block) |
    (above.ariaHidden ? Flag.AriaHidden : 0) |
    (above.disabled ? Flag.Disabled : 0) |
    (above.inert ? Flag.Inert : 0);
  reuse.noteRecord(node, above);
  node.attrs = pairs;
  node.inShadowRoot = above.isHost;
  node.flow = clips.flow;
  node.mayMove = true;
  node.isolatesLayout = ISOLATING_DISPLAYS.has(display);
  node.keepsFloatsOut = FLOAT_FREE_DISPLAYS.has(display);
  output.place(node, box, clips.view, HiddenReason.Shown);
  output.separate(above, inline, node);
  const entry = stack.acquire(el, traits.tag, node, Use.No, clips, above);
  stack.setChildren(entry, null);
  entry.style = style;
  entry.effects = effects;
  entry.inherit(above);
  entry.inline = inline;
  reuse.noteEntry(entry, above);
  stack.top = entry;
  return true;
}
