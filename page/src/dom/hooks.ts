// Gets to know the hooks of a document (../schedule), which run in the page's own world.

import { dispatch, listen, unlisten } from "./dom";
import { traits } from "./engineTraits";
import { startState } from "./startState";

const state = startState("hooks", () => ({ channels: new WeakMap<Document, EventTarget>() }));

/** Returns the target on which the hooks of a document answer; none if it has no hooks. */
export function channelOf(inside: Document): EventTarget | null {
  const word = traits.scheduleWord;
  // `document.open()` removes the listeners of a window, and not these.
  const meeting = inside.defaultView?.visualViewport;
  if (!word || !meeting) return null;
  const known = state.channels.get(inside);
  if (known) return known;
  let found: EventTarget | null = null;
  const here = `${word}-here`;
  const take = (event: Event): void => {
    found = (event as MouseEvent).relatedTarget;
  };
  listen(meeting, here, take);
  dispatch(meeting, new Event(word));
  unlisten(meeting, here, take);
  if (found) state.channels.set(inside, found);
  return found;
}

/** Gets to know the hooks of this document before a script of the page can remove their listener. */
export const meetHooks = (): void => void channelOf(document);
