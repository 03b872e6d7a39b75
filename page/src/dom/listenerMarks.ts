// Finds elements with listeners in an engine that does not report them (Firefox): what the hooks of
// a document noted, handlers that are properties of an element, and, where there are no hooks, the
// marks that common libraries leave on elements. Reads elements as the page's own scripts see them,
// and data properties only: no getter or method of the page is called. A page could notice with a
// Proxy; it knows already that this Firefox is automated.

import { hasAttr, hasAttributes, namespaceOf, XHTML } from "./dom";
import { channelOf } from "./hooks";
import { words } from "./text";

declare const XPCNativeWrapper: ((o: object) => object) & { unwrap(o: object): object };

/**
 * Returns the element as the page's scripts see it. Engines without this function report listeners.
 */
const unwrap = typeof XPCNativeWrapper === "function" ? XPCNativeWrapper.unwrap : null;
const { ownKeys, getOwnPropertyDescriptor } = Reflect;

const PRESSES = words("click mousedown mouseup pointerdown pointerup touchstart touchend dblclick");
const PRESS = new Set(PRESSES);
const capital = (word: string): string => word[0]?.toUpperCase() + word.slice(1);
const forEachPress = (...write: ((event: string) => string)[]): string[] =>
  PRESSES.flatMap((event) => write.map((one) => one(event)));
/** Vue appends the listener options to the event name. */
const VUE_EVENTS = forEachPress(
  // bounded: these four
  ...["", "Once", "Passive", "Capture"].map(
    (how) => (event: string) => `on${capital(event)}${how}`,
  ),
);
/** The properties in which Preact 8 to 11 keeps its handlers. */
const PREACT = new Set(["_listeners", "l", "__e", "__a"]);
const handler = (event: string): string =>
  `on${capital(event).replace(/(?<=^Mouse|^Pointer|^Touch|^Dbl)./, (first) => first.toUpperCase())}`;
const PREACT_EVENTS = forEachPress(
  (event) => event,
  (event) => `${event}false`,
  (event) => `${event}true`,
  handler,
  (event) => `${handler(event)}Capture`,
  (event) => `on${event}`,
);
/** React keeps the properties of an element on it; its listeners are on the root of the app. */
const REACT = /^__react(?:Props|EventHandlers)\$/;
const REACT_EVENTS = [
  "onDoubleClick",
  ...forEachPress(handler, (event) => `${handler(event)}Capture`),
];
const ZONE = new Set(
  forEachPress(
    (event) => `__zone_symbol__${event}false`,
    (event) => `__zone_symbol__${event}true`,
  ),
);
/** Alpine listens on the element unless a modifier says otherwise. */
const ALPINE = new RegExp(
  `^(?:@|x-on:)(?:${PRESSES.join("|")})(?:\\.(?!outside\\b|away\\b|window\\b|document\\b)[^.]*)*$`,
);
const JQUERY = /^jQuery\d+$/;
/** D3 up to its third version. */
const D3 = new RegExp(`^__on(?:${PRESSES.join("|")})(?:\\.|$)`);
/** The longest list of one element's handlers that is read. */
const MOST_HANDLERS = 100;

/** Handlers that are common as properties. */
const PROPERTIES = ["onclick", "onmousedown", "onpointerdown"] as const;
const handlersOf = (proto: object): [string, () => unknown][] =>
  PROPERTIES.flatMap((name) => {
    const get = getOwnPropertyDescriptor(proto, name)?.get;
    return get ? [[name, get]] : [];
  });
const htmlHandlers = handlersOf(HTMLElement.prototype);
const svgHandlers = handlersOf(SVGElement.prototype);
const SVG = "http://www.w3.org/2000/svg";

const isObject = (o: unknown): o is object =>
  (typeof o === "object" && o !== null) || typeof o === "function";
const ownValue = (o: unknown, key: PropertyKey): unknown =>
  isObject(o) ? getOwnPropertyDescriptor(o, key)?.value : undefined;
const hasAnyKey = (o: unknown, keys: string[], holds: (value: unknown) => boolean): boolean =>
  isObject(o) && keys.some((key) => holds(ownValue(o, key)));
/** Returns the length of a list; getters are not called. */
function lengthOf(list: unknown): number {
  const length = ownValue(list, "length");
  return typeof length === "number" ? length : 0;
}
const isFilled = (list: unknown): boolean => lengthOf(list) > 0;

/**
 * jQuery 3 keeps handlers in an object on the element, jQuery 1 in its own list by the number on
 * the element.
 */
function jQueryEvents(value: unknown): unknown {
  if (typeof value !== "number") return ownValue(value, "events");
  return ownValue(
    ownValue(ownValue(ownValue(unwrap?.(window), "jQuery"), "cache"), `${value}`),
    "events",
  );
}

/** D3 since its fourth version keeps a list of what is listened for. */
function d3Listens(list: unknown): boolean {
  for (let i = 0; i < Math.min(lengthOf(list), MOST_HANDLERS); i++) {
    const type = ownValue(ownValue(list, `${i}`), "type");
    if (typeof type === "string" && PRESS.has(type)) return true;
  }
  return false;
}

/** The function of the hooks that says for which events a target is listened. */
interface ListeningHooks {
  kindsHeardOn?(target: object): string;
}

/** Returns the hooks if they note listeners: they know more than marks show. */
function hooksOf(inside: Document): ListeningHooks | null {
  const channel = unwrap && channelOf(inside);
  const hooks = channel && (unwrap(channel) as ListeningHooks);
  return hooks?.kindsHeardOn ? hooks : null;
}

/** Returns whether listeners are noted in this document, or reported by the engine. */
export const knowsListeners = (): boolean => !unwrap || hooksOf(document) !== null;

/** Returns whether the value of this key shows that a script listens for presses on the element. */
function marksListener(el: object, key: PropertyKey, hooked: boolean): boolean {
  const name = typeof key === "symbol" ? (key.description ?? "") : String(key);
  if (REACT.test(name)) return hasAnyKey(ownValue(el, key), REACT_EVENTS, isObject);
  // All others listen on the element itself.
  if (hooked) return false;
  if (name === "_vei") return hasAnyKey(ownValue(el, key), VUE_EVENTS, isObject);
  if (name === "__on") return d3Listens(ownValue(el, key));
  if (D3.test(name)) return isObject(ownValue(el, key));
  if (PREACT.has(name)) return hasAnyKey(ownValue(el, key), PREACT_EVENTS, isObject);
  if (JQUERY.test(name)) return hasAnyKey(jQueryEvents(ownValue(el, key)), PRESSES, isFilled);
  if (name === "_x_attributeCleanups") {
    const cleanups = ownValue(el, key);
    return (
      isObject(cleanups) &&
      ownKeys(cleanups).some((attribute) => typeof attribute === "string" && ALPINE.test(attribute))
    );
  }
  return ZONE.has(name) && isFilled(ownValue(el, key));
}

/** Returns whether a property of the element is a handler of presses. */
function hasHandler(el: Element): boolean {
  const of = namespaceOf(el);
  const handlers = of === XHTML ? htmlHandlers : of === SVG ? svgHandlers : [];
  // A handler in an attribute would be compiled by this read, and its errors reported to the page.
  // Such handlers are found by their attribute.
  const bareOfAll = !hasAttributes(el);
  for (const [name, get] of handlers)
    if ((bareOfAll || !hasAttr(el, name)) && get.call(el)) return true;
  return false;
}

/** Returns the events of presses and keys that hooks have noted. */
const kindsOn = (hooks: ListeningHooks, bare: object): string[] =>
  words(`${hooks.kindsHeardOn?.(bare) ?? ""}`.trimEnd());

/**
 * Returns a function that says whether a script listens on an element for presses, by what hooks
 * noted or by marks on the element; null in engines that report listeners.
 */
export function listenerTest(): ((el: Element) => boolean) | null {
  if (!unwrap) return null;
  const hooks = hooksOf(document);
  return (el) => {
    try {
      if (hasHandler(el)) return true;
      const bare = unwrap(el);
      const kinds = new Set(hooks ? kindsOn(hooks, bare) : []);
      // The root of a React app listens for all of them, whatever its elements do.
      if (PRESSES.some((kind) => kinds.has(kind)) && !PRESSES.every((kind) => kinds.has(kind)))
        return true;
      for (const key of ownKeys(bare)) if (marksListener(bare, key, !!hooks)) return true;
    } catch {
      // A page may put values there that throw when they are read.
    }
    return false;
  };
}

/** Returns the events of presses and keys for which scripts listen on an element, if it is known. */
export function listenersOn(el: Element): string[] | null {
  const hooks = hooksOf(document);
  if (!hooks || !unwrap) return null;
  const found = new Set(kindsOn(hooks, unwrap(el)).filter(Boolean));
  for (const kind of PRESSES) if (hasAttr(el, `on${kind}`)) found.add(kind);
  for (const [name, get] of namespaceOf(el) === XHTML ? htmlHandlers : [])
    if (!hasAttr(el, name) && get.call(el)) found.add(name.slice(2));
  return [...found].sort();
}
