// Listeners that hear an event before the page does. Listeners of the window call them, which were
// added when the document began: a page may stop an event in its own.

import { startState } from "./startState";

type Hearer = (event: Event) => void;

/** The event type, and whether a listener may prevent the default action. */
const TYPES: Record<string, boolean> = {
  pointerdown: false,
  mousedown: false,
  click: false,
  dblclick: false,
  contextmenu: false,
  auxclick: false,
  mousemove: false,
  mouseover: false,
  dragstart: true,
};

const state = startState("listeners", () => {
  const hearers = new Map<string, Set<Hearer>>();
  const hear = (event: Event): void => {
    for (const hearer of hearers.get(event.type) ?? []) hearer(event);
  };
  return { hearers, hear };
});

/** Begins to listen. Again after `document.open()`, which removes all listeners. */
export function listenFirst(): void {
  for (const type in TYPES)
    addEventListener(type, state.hear, { capture: true, passive: !TYPES[type] });
}

/** Calls a function with every event of that type, before the page. */
export function hearFirst(type: string, hearer: Hearer): void {
  let all = state.hearers.get(type);
  if (!all) state.hearers.set(type, (all = new Set()));
  all.add(hearer);
}
