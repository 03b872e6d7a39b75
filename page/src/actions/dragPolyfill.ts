// Drag and drop for Firefox under remote control, which starts a drag of the operating system and
// then sends the page no more events. This file cancels that drag and dispatches the events that
// the page would have received, in their order, with readable data; they are not `isTrusted`. Inert
// unless the engine arms it. Drags that a page builds from mouse events need none of this.
// (Firefox under remote control). That drag is taken over: the page gets the events of a drag that
// it would have got, in their order, with data that it can read; they are not `isTrusted`. Inert
// unless the engine asks for it. A drag that the page makes of mouse events by itself is none of
// this file's business.

import { flatParent, isElement, shadowRoot } from "../dom/dom";
import { nextFrame } from "../dom/nextFrame";
import { hitTest } from "../visibility/hitTest";

/** What a page does not hear while something is dragged. */
const SILENCED = [
  "mousemove",
  "pointermove",
  "mouseup",
  "pointerup",
  "click",
  "mouseover",
  "mouseout",
  "pointerover",
  "pointerout",
];
/** Whoever arms it and is gone does not leave the page deaf. */
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

/**
 * From document start, to hear it before the page does; again before each drag, because
 * document.open() takes listeners away.
 */
export function listenForDrags(): void {
  addEventListener("dragstart", onDragStart, { capture: true });
}

/** The next drag is ours. */
export function armDrag(): object {
  disarmDrag();
  listenForDrags();
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
  // What the browser puts in by itself: the address of a link or a picture, the selected text.
  for (const type of event.dataTransfer?.types ?? [])
    data.setData(type, event.dataTransfer?.getData(type) ?? "");
  data.effectAllowed = "uninitialized";
  const source = dragSource(event);
  const went = send("dragstart", source, event.clientX, event.clientY, data, null);
  // The page may want to do it by itself, with the mouse.
  if (!went) {
    armed = false;
    return;
  }
  source.dispatchEvent(
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

/** Whoever presses again drags no more: nobody came to end it. */
function onPressDuringDrag(event: Event): void {
  if (event.isTrusted) disarmDrag();
}

/** An event from a closed root does not tell what in it is dragged. */
function dragSource(event: DragEvent): EventTarget {
  const told = event.composedPath()[0] as EventTarget;
  if (!isElement(told as Node) || !shadowRoot(told as Element)) return told;
  for (let at = hitTest(event.clientX, event.clientY); at && at !== told; at = flatParent(at)) {
    if ((at as HTMLElement).draggable) return at;
  }
  return told;
}

/** Sends one event; whether the page let it be. */
function send(
  type: string,
  target: EventTarget,
  x: number,
  y: number,
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
  return target.dispatchEvent(new DragEvent(type, init));
}

interface CarriedData {
  items: [string, string][];
  allowed: string;
}

/** Whether something is being dragged, and what: for the frame that it may be dropped in. */
export function dragState(): object {
  if (!drag) return { began: false };
  const { data } = drag;
  const items = [...data.types].map((type): [string, string] => [type, data.getData(type)]);
  return { began: true, carried: { items, allowed: data.effectAllowed } };
}

/**
 * Drags over points of this viewport, as shares of it, and drops at the last, if what lies there
 * takes it. `carried` comes from another frame; without it, the drag began here. Answers the
 * effect, `none` if nothing took it.
 */
export async function dragOver(
  points: [number, number][],
  carried: CarriedData | null,
): Promise<object> {
  const data = carried ? unpacked(carried) : drag?.data;
  if (!data) return { effect: "none" };
  let over: EventTarget | null = null;
  let taken = false;
  for (const [fx, fy] of points) {
    lastPoint = [fx * innerWidth, fy * innerHeight];
    const target: EventTarget | null = hitTest(...lastPoint);
    if (!carried && drag) send("drag", drag.source, ...lastPoint, data, null);
    if (target !== over) {
      if (target) send("dragenter", target, ...lastPoint, data, over);
      if (over) send("dragleave", over, ...lastPoint, data, target);
      over = target;
    }
    // Whoever does not want it lets the event be, or says `none`.
    data.dropEffect = effectOf(data.effectAllowed);
    taken =
      over !== null &&
      !send("dragover", over, ...lastPoint, data, null) &&
      isAllowed(data.effectAllowed, data.dropEffect);
    // What pages redraw on the way, they redraw a frame later.
    await nextFrame();
  }
  if (!over) return { effect: "none" };
  send(taken ? "drop" : "dragleave", over, ...lastPoint, data, null);
  return { effect: taken ? data.dropEffect : "none" };
}

/** The effect that a browser offers for what is allowed, without any key held. */
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

/** It is over: what was dragged is told what came of it. */
export function dragEnd(effect: string): object {
  if (!drag) return {};
  drag.data.dropEffect = effect as DataTransfer["dropEffect"];
  send("dragend", drag.source, ...lastPoint, drag.data, null);
  return {};
}
