// What the walk knows of an element while it is inside it: handed down from above (hidden, clipped, faded, named) and gathered from below
// (uses, shown). Only a shape: walk.ts fills it.

import type { Record } from "./record";
import type { Use } from "./usable";
import type { Clips, Why } from "./visibility";

export interface Frame {
  el: Element;
  tag: string;
  node: Record | null;
  use: Use;
  kids: Node[];
  at: number;
  style: CSSStyleDeclaration | null;
  /** Why everything in here is hidden, whatever it says of itself. */
  why: Why;
  /** Why the element itself is not seen, though what is in it may be. */
  self: Why;
  clips: Clips;
  /** Levels since an ancestor became transparent; 0: none did. */
  faded: number;
  ariaHidden: boolean;
  disabled: boolean;
  pointer: boolean;
  /** The hand-shaped cursor belongs to something above. */
  taken: boolean;
  /** Inside something that is named by its content, so that its texts are in a name. */
  named: boolean;
  /** Inside a heading, a live region or a skip link: texts stay, even those for screen readers only. */
  keeps: boolean;
  mute: boolean;
  inline: boolean;
  host: boolean;
  /** Children but this one are hidden: closed details. */
  only: Element | null | undefined;
  uses: number;
  lastUse: Record | null;
  shown: boolean;
  joined: boolean;
  space: boolean;
}
