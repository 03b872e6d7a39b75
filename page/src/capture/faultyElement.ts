// An element that could not be read: a page may be built to make reading fail, and no such element
// may cost the page. It gets an empty record, so that its content is walked as usual. Reads only
// what every element has.

import { shadowRoot } from "../dom/dom";
import { Use } from "../semantics/interactivity";
import { Flag } from "../semantics/stateFlags";
import { tagTraits } from "../semantics/tagTraits";
import { NodeRecord } from "./nodeRecord";
import type { StackEntry } from "./stackEntry";
import type { WalkState } from "./walkState";

/** Records an element without role, name, box and attributes, and opens it. */
export function recordFaulty(walk: WalkState, el: Element, above: StackEntry): void {
  const { output, stack, reuse, pierce } = walk;
  const { tag, leaf, neverDrawn } = tagTraits(el);
  const node = output.push(new NodeRecord(el, tag, "", ""));
  node.flags = Flag.Block;
  node.why = above.reason;
  reuse.noteRecord(node, above);
  node.inShadowRoot = above.isHost;
  const entry = stack.acquire(el, tag, node, Use.No, above.clips, above);
  const shadow = pierce ? shadowRoot(el) : null;
  if (shadow && output.roots.at(-1) !== shadow) walk.enterShadowRoot(shadow, node, above);
  // The content of a leaf is not shown as text: it may be the value of a secret field.
  if (!leaf && !neverDrawn) stack.setChildren(entry, shadow);
  entry.style = above.style;
  entry.effects = above.effects;
  entry.reason = above.reason;
  entry.inherit(above);
  entry.isHost = shadow !== null;
  stack.top = entry;
}
