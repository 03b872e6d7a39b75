// Watches whether real input reached the element that it was meant for, and whether the page
// changed. The listeners run before the page can stop an event. The page cannot see them.

import {
  activeElement,
  attr,
  blur,
  flatParent,
  focusOn,
  hostOf,
  isConnected,
  listen,
  localName,
  nextElementSibling,
  previousElementSibling,
  queryAll,
  rectOf,
  rootElement,
  rootOf,
  textContent,
  unlisten,
} from "../dom/dom";
import { traits } from "../dom/engineTraits";
import { hearFirst, listenFirst } from "../dom/firstListeners";
import { idOf } from "../dom/identity";
import { FRAMES } from "../semantics/tagTraits";
import { actionBegins } from "../waiting/activity";
import { observeChanges } from "../waiting/waitFor";
import { type ClickedOption, heldInstead, isChosen, optionOfField } from "./optionField";

const EVENTS = ["pointerdown", "mousedown", "click", "dblclick", "contextmenu", "auxclick"];
/** After this time the watch ends, even if nobody asks for its result. */
const MAX_WATCH = 30_000;

interface InputWatch {
  /** The element, what is hit in its place (its label), and what lies at the point. */
  intended: Set<EventTarget>;
  el: Element;
  /** Events that are the click of this action. */
  clicks: string[];
  /** Events in other documents, and some in a player's own controls, do not arrive here. */
  cannotHear: boolean;
  pressed: boolean;
  clicked: boolean;
  /** The page removed the element while it handled the press, and put no equal one in its place. */
  removed: boolean;
  elsewhere: Element | null;
  /** The dialogs that were open when the watch began. */
  dialogs: Set<Element>;
  /** Whether the element had the focus. */
  wasFocused: boolean;
  mutations: number;
  /** Whether what the element opens was open. */
  wasExpanded: string | null;
  /** The option that is clicked, if the element is one of a field. */
  option: ClickedOption | null;
  /** The scroll position when the watch began. */
  scrollBefore: string;
  stop: () => void;
}
let watch: InputWatch | null = null;

const scrollPosition = (): string => `${Math.round(scrollX)},${Math.round(scrollY)}`;

/** Watches for changes only, for input that is not meant for an element: a key, a point. */
export function watchPage(): object {
  // A document may be empty (`document.open()`).
  beginWatch(rootElement() ?? document.createElement("html"), new Set(), [], true);
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
  if (watch && action === "click") watch.option = optionOfField(el);
}

function beginWatch(
  el: Element,
  intended: Set<EventTarget>,
  clicks: string[],
  deaf: boolean,
): void {
  stopWatching();
  actionBegins();
  listenFirst();
  const made: InputWatch = {
    intended,
    el,
    clicks,
    cannotHear: deaf,
    pressed: false,
    clicked: false,
    removed: false,
    elsewhere: null,
    dialogs: new Set(openDialogs()),
    wasFocused: activeElement() === el,
    mutations: 0,
    wasExpanded: attr(el, "aria-expanded"),
    option: null,
    scrollBefore: scrollPosition(),
    stop: () => {},
  };
  const end = observeChanges((count) => (made.mutations += count), true);
  const timer = setTimeout(stopWatching, MAX_WATCH);
  const roots = rootsAround(intended);
  addEventListener("contextmenu", preventContextMenu);
  for (const root of roots)
    for (const event of EVENTS) listen(root, event, onInput, { capture: true, passive: true });
  made.stop = () => {
    clearTimeout(timer);
    end();
    removeEventListener("contextmenu", preventContextMenu);
    for (const root of roots) for (const event of EVENTS) unlisten(root, event, onInput, true);
  };
  watch = made;
}

/**
 * Returns the closed shadow roots around the intended targets: outside of them an event does not
 * report what was hit.
 */
function rootsAround(intended: Set<EventTarget>): Set<ShadowRoot> {
  const roots = new Set<ShadowRoot>();
  for (const target of intended) {
    for (let root = rootOf(target as Node); hostOf(root); root = rootOf(hostOf(root) ?? root)) {
      if ((root as ShadowRoot).mode === "closed") roots.add(root as ShadowRoot);
    }
  }
  return roots;
}

export function stopWatching(): void {
  watch?.stop();
  watch = null;
}

/** Returns what the input since `prepare` reached, and ends the watch. */
export function inputResult(): object {
  const {
    cannotHear: deaf = true,
    pressed = false,
    clicked = false,
    removed = false,
    elsewhere = null,
    mutations = 0,
    scrollBefore: from = scrollPosition(),
    option = null,
    wasExpanded = null,
    dialogs = null,
    wasFocused = false,
    el = null,
  } = watch ?? {};
  stopWatching();
  // The press opens the list; the click comes when it is closed.
  const opened = closeSelectList(pressed ? el : elsewhere);
  // A menu may open, and a list may choose, on the press; then the click goes elsewhere.
  const isExpanded = el && attr(el, "aria-expanded");
  const acted =
    removed ||
    (isExpanded !== null && isExpanded !== wasExpanded) ||
    (option !== null && isChosen(option));
  return {
    watched: !deaf || pressed || clicked,
    pressed,
    clicked: clicked || (pressed && (opened || acted)),
    elsewhere: elsewhere ? idOf(elsewhere) : 0,
    mutations,
    scrolled: scrollPosition() !== from,
    held: option && heldInstead(option),
    // A dialog that opens on the press takes the rest of the click.
    dialogOpened:
      pressed && dialogs !== null && openDialogs().some((dialog) => !dialogs.has(dialog)),
    // What a field opens on the press may take the click. The field has what it is clicked for.
    focusTaken: pressed && !wasFocused && isTextField(el) && activeElement() === el,
  };
}

/** Returns the dialogs that are drawn. */
function openDialogs(): Element[] {
  const drawn: Element[] = [];
  const all = queryAll(document, DIALOGS);
  for (let i = 0; i < all.length && i < MOST_DIALOGS; i++) {
    const { width, height } = rectOf(all[i] as Element);
    if (width > 0 && height > 0) drawn.push(all[i] as Element);
  }
  return drawn;
}
const DIALOGS = 'dialog[open],[role="dialog"],[role="alertdialog"],[aria-modal="true"]';
const MOST_DIALOGS = 50;

/**
 * Closes the native list of a select that was pressed: Firefox draws it outside of the page, and it
 * would take all further clicks.
 */
function closeSelectList(el: Element | null): boolean {
  if (
    !traits.selectListTakesClicks ||
    !el ||
    el !== activeElement() ||
    localName(el) !== "select" ||
    (el as HTMLSelectElement).multiple ||
    (el as HTMLSelectElement).size > 1
  )
    return false;
  blur(el as HTMLSelectElement);
  focusOn(el, { preventScroll: true });
  return true;
}

/**
 * Prevents the browser's context menu, which would take the next click. Runs last, so that the page
 * gets its events as usual.
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
  for (const event of EVENTS) hearFirst(event, onInput);
}

function onInput(event: Event): void {
  // Events that the page dispatches prove nothing.
  if (!watch || !event.isTrusted) return;
  const press = event.type === "pointerdown" || event.type === "mousedown";
  const path = event.composedPath();
  // A click at a point: what it is meant for is known only now.
  if (press && watch.intended.size === 0 && path[0] instanceof Element)
    watch.option ??= optionOfField(path[0]);
  if (!press && !watch.clicks.includes(event.type)) return;
  if (!reachedIntended(watch, path)) {
    if (path[0] instanceof Element) watch.elsewhere = path[0];
    return;
  }
  watch.elsewhere = null;
  if (!press) watch.clicked = true;
  else if (!watch.pressed) {
    watch.pressed = true;
    noteRemoval(watch);
  }
}

/**
 * Notes whether the page removes the element while it handles the press: a list of suggestions is
 * closed so. One that is only rendered again has not done what its click does.
 */
function noteRemoval(made: InputWatch): void {
  const { el } = made;
  const text = textContent(el);
  const beside = nextElementSibling(el) ?? previousElementSibling(el);
  const around: Element[] = [];
  for (let at = flatParent(el); at && around.length < DEEPEST; at = flatParent(at)) around.push(at);
  const later = (): void => {
    // A list goes with all its items, or belongs to the field that has the focus.
    const isList = beside ? !isConnected(beside) : isTextField(activeElement());
    if (isConnected(el) || !isList) return;
    const left = around.find((at) => isConnected(at));
    made.removed = left !== undefined && !hasEqual(left, localName(el), text);
  };
  // After both events of the press, and before the page does anything else.
  setTimeout(later);
}
/** How far around a removed element an equal one is looked for, and among how many elements. */
const DEEPEST = 8;
const MOST_EQUAL = 1000;

const isTextField = (el: Element | null): boolean =>
  el !== null && /^(input|textarea)$/.test(localName(el));

function hasEqual(holder: Element, tag: string, text: string | null): boolean {
  const all = queryAll(holder, tag);
  for (let i = 0; i < all.length; i++)
    if (i === MOST_EQUAL || textContent(all[i] as Element) === text) return true;
  return false;
}

/**
 * Returns whether an event reached an intended target. A click on a label is a click on its
 * control.
 */
function reachedIntended({ intended, el }: InputWatch, path: EventTarget[]): boolean {
  return path.some(
    (at) => intended.has(at) || (at instanceof HTMLLabelElement && at.control === el),
  );
}
