// The stack of open elements of a walk, and the child that comes next. An explicit stack, because
// pages may be 100,000 levels deep, and because the walk must be able to stop at any element. Reads
// only.

import { assignedNodes, firstChild, nextSibling, parentNode } from "../dom/dom";
import type { Use } from "../semantics/interactivity";
import type { Clips } from "../visibility/visibility";
import type { NodeRecord } from "./nodeRecord";
import { ViewportFirst } from "./viewportFirst";
import { WalkFrame } from "./walkContext";

export class FrameStack {
  /** The innermost open element. */
  top: WalkFrame | null = null;
  /** Frames for reuse: a walk needs as many as the page is deep. */
  private readonly spare: WalkFrame[] = [];
  private nearby: ViewportFirst | null = null;
  /** The page changed during the walk: the next sibling may have been moved elsewhere. */
  unstable = false;

  /** Returns a frame for an element. It is not on the stack yet. */
  acquire(
    el: Element,
    tag: string,
    node: NodeRecord | null,
    use: Use,
    clips: Clips,
    above: WalkFrame | null,
  ): WalkFrame {
    const spare = this.spare.pop();
    if (!spare) return new WalkFrame(above, el, tag, node, use, clips);
    spare.begin(above, el, tag, node, use, clips);
    return spare;
  }

  /** Takes back a frame that is no longer needed. */
  release(frame: WalkFrame): void {
    this.spare.push(frame);
  }

  /**
   * Sets the children of a frame as they are drawn: those of the shadow root of a host, the
   * assigned nodes of a slot.
   */
  setChildren(frame: WalkFrame, shadow: ShadowRoot | null): void {
    const { el } = frame;
    frame.parent = shadow ?? el;
    if (!shadow && frame.tag === "slot") frame.children = assignedNodes(el);
    if (!frame.children) frame.next = firstChild(frame.parent);
    frame.isEmpty = frame.children ? frame.children.length === 0 : frame.next === null;
    if (this.nearby && !frame.children)
      frame.children = this.nearby.children(frame.parent, frame.next);
  }

  /** Returns the next child of a frame; null if there is none. */
  nextChild(frame: WalkFrame): Node | null {
    if (frame.children) return frame.children[frame.childIndex++] ?? null;
    const child = frame.next;
    if (!child || (this.unstable && parentNode(child) !== frame.parent)) return null;
    frame.next = nextSibling(child);
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
    for (let frame: WalkFrame | null = this.top; frame; frame = frame.up) open.push(frame.next);
    this.nearby = new ViewportFirst(open);
    for (let frame: WalkFrame | null = this.top; frame; frame = frame.up)
      if (!frame.children) frame.children = this.nearby.children(frame.parent, frame.next);
    return true;
  }
}
