// The fast path of the walk: an element about which nothing is special, so that few questions need
// to be asked. Most elements of a page are like that. Records the same as shownElement.ts. Reads only.

import { rectOf, shadowRoot } from "../dom/dom";
import { Use } from "../semantics/interactivity";
import { roleOf } from "../semantics/roles";
import { Flag } from "../semantics/stateFlags";
import { May } from "../semantics/stylesheetEffects";
import type { Kind } from "../semantics/tagTraits";
import { outside, Why } from "../visibility/visibility";
import { CLOSED, Record } from "./nodeRecord";
import type { Frame } from "./walkContext";
import type { WalkState } from "./walkState";

/** Records a plain element, and opens it. Returns false, and does nothing, if it is not plain. */
export function recordPlain(
  walk: WalkState,
  el: Element,
  kind: Kind,
  pairs: Record["attrs"],
  style: CSSStyleDeclaration,
  display: string,
  above: Frame,
): boolean {
  const { look, output, stack, reuse } = walk;
  const { may } = look.sheets;
  const { clips } = above;
  if (
    above.faded ||
    display === "contents" ||
    el === walk.focused ||
    shadowRoot(el) ||
    style.visibility !== "visible"
  )
    return false;
  if (may & May.Position && style.position !== "static") return false;
  if (may & May.Opacity && Number(style.opacity) < 0.02) return false;
  if (may & May.ClipPath && style.clipPath !== "none") return false;
  if (may & May.Overflow && display !== "inline" && style.overflow !== "visible") return false;
  if (!above.taken && (may & May.Cursor ? style.cursor === "pointer" : above.pointer)) return false;
  if (may & May.ContentVisibility && style.contentVisibility === "hidden") return false;
  const box = output.measure(rectOf(el));
  if (outside(box, clips.flow)) return false;
  const node = output.push(new Record(el, kind.tag, kind.role ?? roleOf(look, el), ""));
  const inline =
    display !== "block" &&
    kind.tag !== "text" &&
    (display.startsWith("inline") || display === "ruby");
  node.flags =
    (inline ? 0 : Flag.Block) |
    (above.ariaHidden ? Flag.AriaHidden : 0) |
    (above.disabled ? Flag.Disabled : 0);
  reuse.began(node, above);
  node.attrs = pairs;
  node.rooted = above.host;
  node.flow = clips.flow;
  node.free = true;
  node.closed = CLOSED.has(display);
  output.place(node, box, clips.view, Why.Shown);
  output.joint(above, inline, node);
  const frame = stack.acquire(el, kind.tag, node, Use.No, clips, above);
  stack.setChildren(frame, null);
  frame.style = style;
  frame.asks = may;
  frame.ariaHidden = above.ariaHidden;
  frame.disabled = above.disabled;
  frame.taken = above.taken;
  frame.named = above.named;
  frame.keeps = above.keeps;
  frame.mute = above.mute;
  frame.inline = inline;
  reuse.opened(frame, above);
  stack.top = frame;
  return true;
}
