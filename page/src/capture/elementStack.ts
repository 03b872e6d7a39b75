// The stack of open elements of a walk, and the child that comes next. An explicit stack, because
// pages may be 100,000 levels deep, and because the walk must be able to stop at any element. Reads
// only.

import { assignedNodes, firstChild, nextSibling, parentNode } from "../dom/dom";
import type { Use } from "../semantics/interactivity";
import type { Clips } from "../visibility/visibility";
import type { NodeRecord } from "./nodeRecord";
import { StackEntry } from "./stackEntry";
import { ViewportFirst } from "./viewportFirst";

export class ElementStack {
  /** The innermost open element. */
  top: StackEntry | null = null;
  /** Entries for reuse: a walk needs as many as the page is deep. */
  private readonly spare: StackEntry[] = [];
  private nearby: ViewportFirst | null = null;
  /** The page changed during the walk: the next sibling may have been moved elsewhere. */
  unstable = false;

  /** Returns an entry for an element. It is not on the stack yet. */
  acquire(
    el: Element,
    tag: string,
    node: NodeRecord | null,
    use: Use,
    clips: Clips,
    above: StackEntry | null,
  ): StackEntry {
    const spare = this.spare.pop();
    if (!spare) return new StackEntry(above, el, tag, node, use, clips);
    spare.begin(above, el, tag, node, use, clips);
    return spare;
  }

  /** Takes back an entry that is no longer needed. */
  release(entry: StackEntry): void {
    this.spare.push(entry);
  }

  /**
   * Sets the children of an entry as they are drawn: those of the shadow root of a host, the
   * assigned nodes of a slot.
   */
  setChildren(entry: StackEntry, shadow: ShadowRoot | null): void {
    const { el } = entry;
    entry.parent = shadow ?? el;
    if (!shadow && entry.tag === "slot") entry.children = assignedNodes(el);
    if (!entry.children) entry.next = firstChild(entry.parent);
    entry.isEmpty = entry.children ? entry.children.length === 0 : entry.next === null;
    if (this.nearby && !entry.children)
      entry.children = this.nearby.children(entry.parent, entry.next);
  }

  /** Returns the next child of an entry; null if there is none. */
  nextChild(entry: StackEntry): Node | null {
    if (entry.children) return entry.children[entry.childIndex++] ?? null;
    const child = entry.next;
    if (!child || (this.unstable && parentNode(child) !== entry.parent)) return null;
    entry.next = nextSibling(child);
    return child;
  }

  /** Returns whether a node is left out, because only nodes near the viewport are walked. */
  isLeftOut(node: Node): boolean {
    return this.nearby !== null && !this.nearby.wanted(node);
  }

  /** Restricts the walk to nodes near the viewport. Returns false if it was restricted already. */
  restrict(): boolean {
    if (this.nearby) return false;
    const open: (Node | null)[] = [];
    for (let entry: StackEntry | null = this.top; entry; entry = entry.up) open.push(entry.next);
    this.nearby = new ViewportFirst(open);
    for (let entry: StackEntry | null = this.top; entry; entry = entry.up)
      if (!entry.children) entry.children = this.nearby.children(entry.parent, entry.next);
    return true;
  }
}
