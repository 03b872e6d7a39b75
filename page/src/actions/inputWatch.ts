// Watches whether real input reached the element that it was meant for, and whether the page
// changed. The listeners are on the window, in the capture phase and from document start, so that
// they run before the page can stop an event. The page cannot see them.
// of this world on the window, in the capture phase and from document start: they hear an event
// before the page can stop it, and the page cannot see them.

import { activeElement, localName, nodeType, rootOf } from "../dom/dom";
import { idOf } from "../dom/identity";
import { FRAMES } from "../semantics/tagTraits";
import { actionBegins } from "../waiting/activity";
import { observeChanges } from "../waiting/waitFor";

const EVENTS = ["pointerdown", "mousedown", "click", "dblclick", "contextmenu", "auxclick"];
/** Whoever never asks does not make the page pay for ever. */
const MAX_WATCH = 30_000;

interface InputWatch {
  /** The element, what is hit in its place (its label), and what lies at the point. */
  intended: Set<EventTarget>;
  el: Element;
  /** Events that are the click of this action. */
  clicks: string[];
  /** Events in another document are not heard here, nor all of those in a player's own controls. */
  cannotHear: boolean;
  pressed: boolean;
  clicked: boolean;
  elsewhere: Element | null;
  mutations: number;
  /** How far the page was scrolled when the watch began. */
  scrollBefore: string;
  stop: () => void;
}
let watch: InputWatch | null = null;

const scrollPosition = (): string => `${Math.round(scrollX)},${Math.round(scrollY)}`;

/** Watches for changes only, for input that is meant for no element: a key, a point. */
export function watchPage(): object {
  beginWatch(document.documentElement, new Set(), [], true);
  return { ok: true };
}

export function watchElement(el: Element, target: Element, hit: Element, action: string): void {
  const clicks =
    action === "right_click"
      ? ["contextmenu", "auxclick"]
      : action === "double_click"
        ? ["dblclick"]
        : ["click"];
  beginWatch(
    el,
    new Set([el, target, hit]),
    clicks,
    FRAMES.has(localName(hit)) || /^(audio|video)$/.test(localName(hit)),
  );
}

function beginWatch(
  el: Element,
  intended: Set<EventTarget>,
  clicks: string[],
  deaf: boolean,
): void {
  stopWatching();
  actionBegins();
  // Again, because document.open() takes all listeners away; those that are still there stay as
  // they are.
  listenForInput();
  const made: InputWatch = {
    intended,
    el,
    clicks,
    cannotHear: deaf,
    pressed: false,
    clicked: false,
    elsewhere: null,
    mutations: 0,
    scrollBefore: scrollPosition(),
    stop: () => {},
  };
  const end = observeChanges((count) => (made.mutations += count), true);
  const timer = setTimeout(stopWatching, MAX_WATCH);
  const roots = rootsAround(intended);
  addEventListener("contextmenu", preventContextMenu);
  for (const root of roots)
    for (const event of EVENTS)
      root.addEventListener(event, onInput, { capture: true, passive: true });
  made.stop = () => {
    clearTimeout(timer);
    end();
    removeEventListener("contextmenu", preventContextMenu);
    for (const root of roots)
      for (const event of EVENTS) root.removeEventListener(event, onInput, true);
  };
  watch = made;
}

/**
 * The closed shadow roots around what is meant: from outside of them an event does not tell what in
 * them was hit.
 */
function rootsAround(intended: Set<EventTarget>): Set<ShadowRoot> {
  const roots = new Set<ShadowRoot>();
  for (const target of intended) {
    for (
      let root = rootOf(target as Node);
      nodeType(root) === 11;
      root = rootOf((root as ShadowRoot).host)
    ) {
      if ((root as ShadowRoot).mode === "closed") roots.add(root as ShadowRoot);
    }
  }
  return roots;
}

export function stopWatching(): void {
  watch?.stop();
  watch = null;
}

/** What came of the action since `prepare`. */
export function inputResult(): object {
  const {
    cannotHear: deaf = true,
    pressed = false,
    clicked = false,
    elsewhere = null,
    mutations = 0,
    scrollBefore: from = scrollPosition(),
    el = null,
  } = watch ?? {};
  stopWatching();
  // The press is what opens it; the click comes when the list is gone.
  const opened = closeSelectList(pressed ? el : elsewhere);
  return {
    watched: !deaf || pressed || clicked,
    pressed,
    clicked: clicked || (pressed && opened),
    elsewhere: elsewhere ? idOf(elsewhere) : 0,
    mutations,
    scrolled: scrollPosition() !== from,
  };
}

/**
 * The native list of a select that was pressed: Firefox draws it behind the page's back, and it
 * would swallow all clicks from then on.
 */
function closeSelectList(el: Element | null): boolean {
  if (
    !globalThis.pagesightWord ||
    !el ||
    el !== activeElement() ||
    localName(el) !== "select" ||
    (el as HTMLSelectElement).multiple ||
    (el as HTMLSelectElement).size > 1
  )
    return false;
  (el as HTMLElement).blur();
  (el as HTMLElement).focus({ preventScroll: true });
  return true;
}

/**
 * The browser's own menu opens behind the page's back, and would swallow the next click. Last of
 * all, so that the page hears what it always does.
 */
const preventContextMenu = (event: Event): void => {
  if (
    watch &&
    event.isTrusted &&
    (watch.clicks.length === 0 || watch.clicks.includes("contextmenu"))
  )
    event.preventDefault();
};

export function listenForInput(): void {
  for (const event of EVENTS) addEventListener(event, onInput, { capture: true, passive: true });
}

function onInput(event: Event): void {
  // What the page dispatches itself is no proof.
  if (!watch || !event.isTrusted) return;
  const press = event.type === "pointerdown" || event.type === "mousedown";
  if (!press && !watch.clicks.includes(event.type)) return;
  const path = event.composedPath();
  if (!reachedIntended(watch, path)) {
    if (path[0] instanceof Element) watch.elsewhere = path[0];
    return;
  }
  watch.elsewhere = null;
  if (press) watch.pressed = true;
  else watch.clicked = true;
}

/** A click on a label is a click on its control. */
function reachedIntended({ intended, el }: InputWatch, path: EventTarget[]): boolean {
  return path.some(
    (at) => intended.has(at) || (at instanceof HTMLLabelElement && at.control === el),
  );
}
