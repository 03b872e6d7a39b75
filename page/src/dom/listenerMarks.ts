// Who listens, in an engine that tells nobody (Firefox): handlers that are properties of an
// element, and what common libraries write on the elements that they listen on. Looks at elements
// as the page's own scripts have them, and reads data properties only: no getter or method of the
// page's is called. A page may put a Proxy there and notice; it knows anyway that this Firefox is
// driven.

import { has, hasAttributes, namespace, XHTML } from "./dom";

declare const XPCNativeWrapper: ((o: object) => object) & { unwrap(o: object): object };

/**
 * The element as the page's scripts have it; an engine without this tells of listeners by itself.
 */
const unwrap = typeof XPCNativeWrapper === "function" ? XPCNativeWrapper.unwrap : null;
const { ownKeys, getOwnPropertyDescriptor } = Reflect;

const PRESSES = [
  "click",
  "mousedown",
  "mouseup",
  "pointerdown",
  "pointerup",
  "touchstart",
  "touchend",
  "dblclick",
];
const PRESS = new Set(PRESSES);
const capital = (word: string): string => word[0]?.toUpperCase() + word.slice(1);
const each = (...write: ((event: string) => string)[]): string[] =>
  PRESSES.flatMap((event) => write.map((one) => one(event)));
/** Vue says how it listens behind the event. */
const VUE_EVENTS = each(
  ...["", "Once", "Passive", "Capture"].map(
    (how) => (event: string) => `on${capital(event)}${how}`,
  ),
);
/** Under one of these Preact 8 to 11 keeps its handlers, by one of these names. */
const PREACT = new Set(["_listeners", "l", "__e", "__a"]);
const handler = (event: string): string =>
  `on${capital(event).replace(/(?<=^Mouse|^Pointer|^Touch|^Dbl)./, (first) => first.toUpperCase())}`;
const PREACT_EVENTS = each(
  (event) => event,
  (event) => `${event}false`,
  (event) => `${event}true`,
  handler,
  (event) => `${handler(event)}Capture`,
  (event) => `on${event}`,
);
const ZONE = new Set(
  each(
    (event) => `__zone_symbol__${event}false`,
    (event) => `__zone_symbol__${event}true`,
  ),
);
/** Alpine listens there unless it says where else. */
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
const own = (o: unknown, key: PropertyKey): unknown =>
  isObject(o) ? getOwnPropertyDescriptor(o, key)?.value : undefined;
const hasAny = (o: unknown, keys: string[], holds: (value: unknown) => boolean): boolean =>
  isObject(o) && keys.some((key) => holds(own(o, key)));
/** Of a list; what only says that it has a length is not asked for it. */
function lengthOf(list: unknown): number {
  const length = own(list, "length");
  return typeof length === "number" ? length : 0;
}
const isFilled = (list: unknown): boolean => lengthOf(list) > 0;

/**
 * jQuery 3 keeps handlers in an object on the element, jQuery 1 in a list of its own by the number
 * on the element.
 */
function jQueryEvents(value: unknown): unknown {
  if (typeof value !== "number") return own(value, "events");
  return own(own(own(own(unwrap?.(window), "jQuery"), "cache"), `${value}`), "events");
}

/** D3 since its fourth version keeps a list of what is listened for. */
function d3Listens(list: unknown): boolean {
  for (let i = 0; i < Math.min(lengthOf(list), MOST_HANDLERS); i++) {
    const type = own(own(list, `${i}`), "type");
    if (typeof type === "string" && PRESS.has(type)) return true;
  }
  return false;
}

/** What stands under this key on an element says that a script listens there for presses. */
function tells(el: object, key: PropertyKey): boolean {
  const name = typeof key === "symbol" ? (key.description ?? "") : String(key);
  if (name === "_vei") return hasAny(own(el, key), VUE_EVENTS, isObject);
  if (name === "__on") return d3Listens(own(el, key));
  if (D3.test(name)) return isObject(own(el, key));
  if (PREACT.has(name)) return hasAny(own(el, key), PREACT_EVENTS, isObject);
  if (JQUERY.test(name)) return hasAny(jQueryEvents(own(el, key)), PRESSES, isFilled);
  if (name === "_x_attributeCleanups") {
    const cleanups = own(el, key);
    return (
      isObject(cleanups) &&
      ownKeys(cleanups).some((attribute) => typeof attribute === "string" && ALPINE.test(attribute))
    );
  }
  return ZONE.has(name) && isFilled(own(el, key));
}

/**
 * Something on the element says that a script listens there for presses; null where the engine
 * tells by itself.
 */
export const isMarked: ((el: Element) => boolean) | null =
  unwrap &&
  ((el) => {
    try {
      const of = namespace(el);
      const handlers = of === XHTML ? htmlHandlers : of === SVG ? svgHandlers : [];
      // What stands in an attribute is compiled when it is asked for, and its faults would be told
      // to the page; it is read as an attribute.
      const bareOfAll = !hasAttributes(el);
      for (const [name, get] of handlers)
        if ((bareOfAll || !has(el, name)) && get.call(el)) return true;
      const bare = unwrap(el);
      for (const key of ownKeys(bare)) if (tells(bare, key)) return true;
    } catch {
      // A page may put things there that do not want to be read.
    }
    return false;
  });
