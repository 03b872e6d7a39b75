// An element that could not be read: a page may be built to make reading fail, and no such element
// may cost the page. It gets an empty record, so that its content is walked as usual. Reads only
// what every element has.

import { shadowRoot } from "../dom/dom";
import { Use } from "../semantics/interactivity";
import { Flag } from "../semantics/stateFlags";
import { tagTraits } from "../semantics/tagTraits";
import { NodeRecord } from "./nodeRecord";
import type { WalkFrame } from "./walkContext";
import type { WalkState } from "./walkState";

/** Records an element without role, name, box and attributes, and opens it. */
export function recordFaulty(walk: WalkState, el: Element, above: WalkFrame): void {
  const { output, stack, reuse, pierce } = walk;
  const { tag, leaf, neverDrawn } = tagTraits(el);
  const node = output.push(new NodeRecord(el, tag, "", ""));
  node.flags = Flag.Block;
  node.why = above.reason;
  reuse.noteRecord(node, above);
  node.inShadowRoot = above.isHost;
  const frame = stack.acquire(el, tag, node, Use.No, above.clips, above);
  const shadow = pierce ? shadowRoot(el) : null;
  if (shadow && output.roots.at(-1) !== shadow) walk.enterShadowRoot(shadow, node, above);
  // The content of a leaf is not shown as text: it may be the value of a secret field.
  if (!leaf && !neverDrawn) stack.setChildren(frame, shadow);
  frame.style = above.style;
  frame.effects = above.effects;
  frame.reason = above.reason;
  frame.ariaHidden = above.ariaHidden;
  frame.disabled = above.disabled;
  frame.cursorTaken = above.cursorTaken;
  frame.insideName = above.insideName;
  frame.keepsTexts = above.keepsTexts;
  frame.dropsTexts = above.dropsTexts;
  frame.isHost = shadow !== null;
  stack.top = frame;
}
