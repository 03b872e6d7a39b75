// Drag and drop for Firefox under remote control, which starts a drag of the operating system and
// then sends the page no more events. This file cancels that drag and dispatches the events that
// the page would have received, in their order, with readable data; they are not `isTrusted`. Inert
// unless the engine arms it. Drags that a page builds from mouse events need none of this.

import { nextAnimationFrame } from "../dom/animationFrame";
import { dispatch, flatParent, isDraggable, isElement, shadowRoot } from "../dom/dom";
import { hearFirst, listenFirst } from "../dom/firstListeners";
import { words } from "../dom/text";
import { hitTest } from "../visibility/hitTest";

/** Events that a page does not receive during a drag. */
const SILENCED = words(
  "mousemove pointermove mouseup pointerup click mouseover mouseout pointerover pointerout",
);
/** After this time the page receives its events again, even if nobody disarms. */
const MAX_ARMED = 30_000;

interface Drag {
  source: EventTarget;
  data: DataTransfer;
}
let armed = false;
let drag: Drag | null = null;
/** Where the mouse was last. */
let lastPoint: [number, number] = [0, 0];
let timer: ReturnType<typeof setTimeout> | undefined;

const silence = (event: Event): void => {
  if (!event.isTrusted) return;
  event.stopImmediatePropagation();
  event.preventDefault();
};

export function listenForDrags(): void {
  hearFirst("dragstart", (event) => onDragStart(event as DragEvent));
}

/** Takes over the next drag. */
export function armDrag(): object {
  disarmDrag();
  listenFirst();
  armed = true;
  timer = setTimeout(disarmDrag, MAX_ARMED);
  return {};
}

export function disarmDrag(): object {
  clearTimeout(timer);
  armed = false;
  drag = null;
  for (const type of SILENCED) removeEventListener(type, silence, true);
  removeEventListener("pointerdown", onPressDuringDrag, true);
  return {};
}

function onDragStart(event: DragEvent): void {
  if (!armed || !event.isTrusted || drag) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  const data = new DataTransfer();
  // The browser adds data on its own: the address of a link or an image, the selected text.
  for (const type of event.dataTransfer?.types ?? [])
    data.setData(type, event.dataTransfer?.getData(type) ?? "");
  data.effectAllowed = "uninitialized";
  const source = dragSource(event);
  const went = send("dragstart", source, [event.clientX, event.clientY], data, null);
  // The page may implement the drag with mouse events.
  if (!went) {
    armed = false;
    return;
  }
  dispatch(
    source,
    new PointerEvent("pointercancel", {
      bubbles: true,
      composed: true,
      pointerType: "mouse",
      isPrimary: true,
    }),
  );
  drag = { source, data };
  for (const type of SILENCED) addEventListener(type, silence, true);
  addEventListener("pointerdown", onPressDuringDrag, true);
}

/** A new press means that the drag is over, even if nobody ended it. */
function onPressDuringDrag(event: Event): void {
  if (event.isTrusted) disarmDrag();
}

/** Returns the dragged element. An event from a closed root reports only its host. */
function dragSource(event: DragEvent): EventTarget {
  const reported = event.composedPath()[0] as EventTarget;
  if (!isElement(reported as Node) || !shadowRoot(reported as Element)) return reported;
  for (let at = hitTest(event.clientX, event.clientY); at && at !== reported; at = flatParent(at)) {
    if (isDraggable(at)) return at;
  }
  return reported;
}

/** Dispatches one event. Returns false if the page cancelled it. */
function send(
  type: string,
  target: EventTarget,
  [x, y]: [number, number],
  data: DataTransfer,
  related: EventTarget | null,
): boolean {
  const cancelable = type !== "dragleave" && type !== "dragend";
  const init = {
    bubbles: true,
    composed: true,
    cancelable,
    clientX: x,
    clientY: y,
    screenX: x + screenX,
    screenY: y + screenY,
    buttons: type === "dragend" ? 0 : 1,
    relatedTarget: related,
    dataTransfer: data,
  };
  return dispatch(target, new DragEvent(type, init));
}

interface CarriedData {
  items: [string, string][];
  allowed: string;
}

/**
 * Returns whether something is being dragged, and its data: for the frame that it may be dropped
 * in.
 */
export function dragState(): object {
  if (!drag) return { began: false };
  const { data } = drag;
  const items = [...data.types].map((type): [string, string] => [type, data.getData(type)]);
  return { began: true, carried: { items, allowed: data.effectAllowed } };
}

/** How often, and how long each time, the drag waits over its target, in milliseconds. */
const WAITS = 4;
const WAIT = 80;

/**
 * Drags over points of this viewport, given as shares of it, and drops at the last one if the
 * target accepts. `carried` comes from another frame; without it, the drag began here. Resolves to
 * the effect; `none` if no target accepted.
 */
export async function dragOver(
  points: [number, number][],
  carried: CarriedData | null,
): Promise<object> {
  const data = carried ? unpacked(carried) : drag?.data;
  if (!data) return { effect: "none" };
  let over: EventTarget | null = null;
  let taken = false;
  const moveTo = ([fx, fy]: [number, number]): void => {
    lastPoint = [fx * innerWidth, fy * innerHeight];
    const target: EventTarget | null = hitTest(lastPoint[0], lastPoint[1]);
    if (!carried && drag) send("drag", drag.source, lastPoint, data, null);
    if (target !== over) {
      if (target) send("dragenter", target, lastPoint, data, over);
      if (over) send("dragleave", over, lastPoint, data, target);
      over = target;
    }
    // A target that does not accept leaves the event alone, or sets `none`.
    data.dropEffect = effectOf(data.effectAllowed);
    taken =
      over !== null &&
      !send("dragover", over, lastPoint, data, null) &&
      isAllowed(data.effectAllowed, data.dropEffect);
  };
  for (const point of points) {
    moveTo(point);
    // Pages redraw one frame after an event.
    await nextAnimationFrame();
  }
  // A list that moves its items slowly makes room only when they rest.
  const last = points[points.length - 1];
  for (let waits = 0; last && waits < WAITS; waits++) {
    await new Promise((done) => setTimeout(done, WAIT));
    moveTo(last);
  }
  if (!over) return { effect: "none" };
  send(taken ? "drop" : "dragleave", over, lastPoint, data, null);
  return { effect: taken ? data.dropEffect : "none" };
}

/** Returns the effect that a browser offers without a modifier key. */
function effectOf(allowed: string): DataTransfer["dropEffect"] {
  if (allowed === "copy" || allowed === "copyLink") return "copy";
  return allowed === "link" || allowed === "none" ? allowed : "move";
}

const isAllowed = (allowed: string, effect: string): boolean =>
  effect !== "none" &&
  (allowed === "all" || allowed === "uninitialized" || allowed.toLowerCase().includes(effect));

function unpacked({ items, allowed }: CarriedData): DataTransfer {
  const data = new DataTransfer();
  for (const [type, value] of items) data.setData(type, value);
  data.effectAllowed = allowed as DataTransfer["effectAllowed"];
  return data;
}

/** Ends the drag, and reports its effect to the source. */
export function dragEnd(effect: string): object {
  if (!drag) return {};
  drag.data.dropEffect = effect as DataTransfer["dropEffect"];
  send("dragend", drag.source, lastPoint, drag.data, null);
  return {};
}
