// Elements of a hidden subtree. Only those that a reader would miss get a record, and only a light
// one: role, name and the reason why it is hidden. The others are counted. Reads no styles.

import { attr } from "../dom/dom";
import { hasListener } from "../dom/engineSupplied";
import { idOf } from "../dom/identity";
import { valueOfField } from "../semantics/fieldValue";
import { isTentative, markupUse, Use } from "../semantics/interactivity";
import { FIELD_ROLES, nameOf } from "../semantics/names";
import { LANDMARKS, LIVE_ROLES, roleOf } from "../semantics/roles";
import { isSecret } from "../semantics/secrets";
import { Flag, statesOf } from "../semantics/stateFlags";
import type { TagTraits } from "../semantics/tagTraits";
import type { HiddenReason } from "../visibility/visibility";
import { type Attributes, attributesOf, hasContentInSvg, NodeRecord } from "./nodeRecord";
import type { StackEntry } from "./stackEntry";
import { countDescendants } from "./viewportFirst";
import type { WalkState } from "./walkState";

/** Tags that are never drawn and hold more than code: a full walk enters them. */
const ENTERED_BY_FULL_WALK = new Set(["colgroup", "datalist", "head", "title"]);

/** Roles that are reported as hidden, or as empty, rather than left out. */
export const REPORTED_IF_HIDDEN = new Set(["grid", "image", "list", "table", "treegrid"]);

/** Returns whether an element with this role is reported even where it is hidden. */
export const isStructural = (role: string): boolean =>
  LANDMARKS.has(role) || role === "heading" || role === "dialog" || role === "alertdialog";

/** Records or counts an element that is hidden with everything in it, and opens it. */
export function recordHidden(
  walk: WalkState,
  el: Element,
  traits: TagTraits,
  above: StackEntry | null,
  why: HiddenReason,
): void {
  const { cache, full, output, stack } = walk;
  const { tag, neverDrawn } = traits;
  const attributes = attributesOf(el, full);
  const { plain } = attributes;
  const role = neverDrawn ? "" : plain && traits.role !== null ? traits.role : roleOf(cache, el);
  const marked =
    neverDrawn || (plain && !traits.isControl && !hasListener(el))
      ? Use.No
      : markupUse(el, tag, role);
  const use = marked === Use.Focusable ? Use.No : marked;
  const live =
    LIVE_ROLES.has(role) || (!plain && /polite|assertive/.test(attr(el, "aria-live") ?? ""));
  const matters =
    use !== Use.No ||
    live ||
    isStructural(role) ||
    (!above?.reason && REPORTED_IF_HIDDEN.has(role));
  let node: NodeRecord | null = null;
  if (matters || full || !above)
    node = lightRecord(walk, el, tag, attributes, role, use, matters, above, why);
  else {
    const counts = output.countsOf(above);
    counts.elements++;
    counts.hidden ??= new Array<number>(8).fill(0);
    counts.hidden[why] = (counts.hidden[why] as number) + 1;
    output.countHidden(why);
    // It gets an id, so that it does not count as new when it is shown.
    if (!above?.reason) idOf(el);
  }
  const shadow = walk.shadowRootToEnter(el);
  if (shadow) walk.enterShadowRoot(shadow, node, above);
  if (
    traits.leaf ||
    (neverDrawn && !(full && ENTERED_BY_FULL_WALK.has(tag))) ||
    (tag === "svg" && !hasContentInSvg(el))
  ) {
    output.insideLeaves += countDescendants(el);
    return;
  }
  const entry = stack.acquire(el, tag, node, use, above?.clips ?? walk.rootClips, above);
  stack.setChildren(entry, shadow);
  if (entry.isEmpty) return stack.release(entry);
  entry.reason = why;
  entry.ownReason = why;
  entry.ariaHidden = (above?.ariaHidden ?? false) || (!plain && attr(el, "aria-hidden") === "true");
  entry.disabled = above?.disabled ?? false;
  entry.inert = above?.inert ?? false;
  entry.cursorTaken = true;
  entry.isHost = shadow !== null;
  walk.reuse.noteEntry(entry, above);
  stack.top = entry;
}

function lightRecord(
  walk: WalkState,
  el: Element,
  tag: string,
  { plain, pairs }: Attributes,
  role: string,
  use: Use,
  matters: boolean,
  above: StackEntry | null,
  why: HiddenReason,
): NodeRecord {
  const name =
    matters || !plain
      ? nameOf(walk.cache, el, use !== Use.No && !FIELD_ROLES.has(role), true)
      : { text: "", fromContent: false };
  const node = walk.output.push(
    new NodeRecord(el, tag, role || (isTentative(use) ? "clickable" : ""), name.text),
  );
  walk.reuse.noteRecord(node, above);
  node.isLight = true;
  node.why = why;
  node.attrs = pairs;
  walk.setLevel(node, role);
  node.flags =
    statesOf(el, tag, role, above?.disabled ?? false, plain) |
    (use === Use.No ? 0 : Flag.Usable) |
    (name.fromContent ? Flag.FromContent : 0) |
    (above?.inert ? Flag.Inert : 0) |
    (above?.ariaHidden || attr(el, "aria-hidden") === "true" ? Flag.AriaHidden : 0) |
    (isSecret(el) ? Flag.Secret : 0);
  const value = use === Use.No ? null : valueOfField(el, role);
  if (value !== null) node.rareFields().value = value;
  node.inShadowRoot = above?.isHost ?? false;
  return node;
}
