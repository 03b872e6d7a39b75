// The stack of open elements of a walk, and which child comes next. An explicit stack, because pages
// may be 100,000 levels deep, and because the walk must be able to stop at any element. Reads only.

import { assigned, firstChild, nextSibling, parentNode } from "../dom/dom";
import type { Use } from "../semantics/interactivity";
import type { Clips } from "../visibility/visibility";
import type { Record } from "./nodeRecord";
import { Nearby } from "./viewportFirst";
import { Frame } from "./walkContext";

export class FrameStack {
  /** The innermost open element. */
  top: Frame | null = null;
  /** Frames for reuse: a walk needs as many as the page is deep. */
  private readonly spare: Frame[] = [];
  private near: Nearby | null = null;
  /** The page changed during the walk: the next sibling may have been moved elsewhere. */
  unstable = false;

  /** Returns a frame for an element. It is not on the stack yet. */
  acquire(
    el: Element,
    tag: string,
    node: Record | null,
    use: Use,
    clips: Clips,
    above: Frame | null,
  ): Frame {
    const spare = this.spare.pop();
    if (!spare) return new Frame(above, el, tag, node, use, clips);
    spare.begin(above, el, tag, node, use, clips);
    return spare;
  }

  /** Takes back a frame that is no longer needed. */
  release(frame: Frame): void {
    this.spare.push(frame);
  }

  /**
   * Sets the children of a frame as they are drawn: those of the shadow root of a host, the
   * assigned nodes of a slot.
   */
  setChildren(frame: Frame, shadow: ShadowRoot | null): void {
    const { el } = frame;
    frame.home = shadow ?? el;
    if (!shadow && frame.tag === "slot") frame.kids = assigned(el);
    if (!frame.kids) frame.next = firstChild(frame.home);
    frame.empty = frame.kids ? frame.kids.length === 0 : frame.next === null;
    if (this.near && !frame.kids) frame.kids = this.near.children(frame.home, frame.next);
  }

  /** Returns the next child of a frame; null if there is none. */
  nextChild(frame: Frame): Node | null {
    if (frame.kids) return frame.kids[frame.at++] ?? null;
    const child = frame.next;
    if (!child || (this.unstable && parentNode(child) !== frame.home)) return null;
    frame.next = nextSibling(child);
    return child;
  }

  /** Returns whether a node is left out, because only nodes near the viewport are walked. */
  isLeftOut(node: Node): boolean {
    return this.near !== null && !this.near.wanted(node);
  }

  /** Restricts the walk to nodes near the viewport. Returns false if it was restricted already. */
  restrict(): boolean {
    if (this.near) return false;
    const open: (Node | null)[] = [];
    for (let frame: Frame | null = this.top; frame; frame = frame.up) open.push(frame.next);
    this.near = new Nearby(open);
    for (let frame: Frame | null = this.top; frame; frame = frame.up)
      if (!frame.kids) frame.kids = this.near.children(frame.home, frame.next);
    return true;
  }
}
