// Elements of a hidden subtree. Only those that a reader would miss become a record, and only a light
// one: role, name and why it is hidden. The others are counted. Reads no styles.

import { attr } from "../dom/dom";
import { hasListener } from "../dom/engineSupplied";
import { idOf } from "../dom/identity";
import { valueOf } from "../semantics/fieldValue";
import { isSoft, markupUse, Use } from "../semantics/interactivity";
import { FIELDS, nameOf } from "../semantics/names";
import { LANDMARKS, LIVE, roleOf } from "../semantics/roles";
import { isSecret } from "../semantics/secrets";
import { Flag, statesOf } from "../semantics/stateFlags";
import type { Kind } from "../semantics/tagTraits";
import type { Why } from "../visibility/visibility";
import { type Attributes, attributesOf, Record, svgHolds } from "./nodeRecord";
import { count } from "./viewportFirst";
import type { Frame } from "./walkContext";
import type { WalkState } from "./walkState";

/** Tags that are never drawn and hold more than code: a full walk enters them. */
const TELLING = new Set(["colgroup", "datalist", "head", "title"]);

/** Roles that are reported as hidden, or as empty, rather than left out. */
export const MISSED = new Set(["grid", "image", "list", "table", "treegrid"]);

/** Returns whether an element with this role is reported even where it is hidden. */
export const isStructural = (role: string): boolean =>
  LANDMARKS.has(role) || role === "heading" || role === "dialog" || role === "alertdialog";

/** Records or counts an element that is hidden with everything in it, and opens it. */
export function recordHidden(
  walk: WalkState,
  el: Element,
  kind: Kind,
  above: Frame | null,
  why: Why,
): void {
  const { look, full, output, stack } = walk;
  const { tag, never } = kind;
  const attributes = attributesOf(el, full);
  const { plain } = attributes;
  const role = never ? "" : plain && kind.role !== null ? kind.role : roleOf(look, el);
  const marked =
    never || (plain && !kind.control && !hasListener(el)) ? Use.No : markupUse(el, tag, role);
  const use = marked === Use.Quiet ? Use.No : marked;
  const live = LIVE.has(role) || (!plain && /polite|assertive/.test(attr(el, "aria-live") ?? ""));
  const matters = use !== Use.No || live || isStructural(role) || (!above?.why && MISSED.has(role));
  let node: Record | null = null;
  if (matters || full || !above)
    node = lightRecord(walk, el, tag, attributes, role, use, matters, above, why);
  else {
    const tally = output.tally(above);
    tally.elements++;
    tally.hidden ??= new Array<number>(8).fill(0);
    tally.hidden[why] = (tally.hidden[why] as number) + 1;
    output.countHidden(why);
    // It gets an id, so that it does not count as new when it is shown.
    if (!above?.why) idOf(el);
  }
  const shadow = walk.rootOf(el);
  if (shadow) walk.enterRoot(shadow, node, above);
  if (kind.leaf || (never && !(full && TELLING.has(tag))) || (tag === "svg" && !svgHolds(el))) {
    output.passed += count(el);
    return;
  }
  const frame = stack.acquire(el, tag, node, use, above?.clips ?? walk.start, above);
  stack.setChildren(frame, shadow);
  if (frame.empty) return stack.release(frame);
  frame.why = why;
  frame.self = why;
  frame.ariaHidden = (above?.ariaHidden ?? false) || (!plain && attr(el, "aria-hidden") === "true");
  frame.disabled = above?.disabled ?? false;
  frame.taken = true;
  frame.host = shadow !== null;
  walk.reuse.opened(frame, above);
  stack.top = frame;
}

function lightRecord(
  walk: WalkState,
  el: Element,
  tag: string,
  { plain, pairs }: Attributes,
  role: string,
  use: Use,
  matters: boolean,
  above: Frame | null,
  why: Why,
): Record {
  const name =
    matters || !plain
      ? nameOf(walk.look, el, use !== Use.No && !FIELDS.has(role), true)
      : { text: "", content: false };
  const node = walk.output.push(
    new Record(el, tag, role || (isSoft(use) ? "clickable" : ""), name.text),
  );
  walk.reuse.began(node, above);
  node.light = true;
  node.why = why;
  node.attrs = pairs;
  walk.setLevel(node, role);
  node.flags =
    statesOf(el, tag, role, above?.disabled ?? false, plain) |
    (use === Use.No ? 0 : Flag.Usable) |
    (name.content ? Flag.FromContent : 0) |
    (above?.ariaHidden || attr(el, "aria-hidden") === "true" ? Flag.AriaHidden : 0) |
    (isSecret(el) ? Flag.Secret : 0);
  const value = use === Use.No ? null : valueOf(el, role);
  if (value !== null) node.more().value = value;
  node.rooted = above?.host ?? false;
  return node;
}
