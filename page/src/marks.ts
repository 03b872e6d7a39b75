// Who listens, in an engine that tells nobody (Firefox): handlers that are properties of an element, and what common libraries write on the elements
// that they listen on. Looks at elements as the page's own scripts have them, reads data properties only and calls nothing of the page's.

import { namespace, XHTML } from "./dom";

declare const XPCNativeWrapper: ((o: object) => object) & { unwrap(o: object): object };

/** The element as the page's scripts have it; an engine without this tells of listeners by itself. */
const unwrap = typeof XPCNativeWrapper === "function" ? XPCNativeWrapper.unwrap : null;
const { ownKeys, getOwnPropertyDescriptor } = Reflect;

const PRESSES = "click|mousedown|mouseup|pointerdown|pointerup|touchstart|touchend|dblclick";
const PRESS = new RegExp(`^(?:${PRESSES})$`);
/** Vue says how it listens behind the event. */
const VUE = new RegExp(`^on:?(?:${PRESSES})(?:Once|Passive|Capture)*$`, "i");
const ZONE = new RegExp(`^__zone_symbol__(?:${PRESSES})(?:true|false)$`);
/** Under one of these Preact 8 to 11 keeps its handlers. */
const PREACT = new Set(["_listeners", "l", "__e", "__a"]);
const PREACT_EVENT = new RegExp(`^(?:on)?(?:${PRESSES})(?:true|false|Capture)?$`, "i");
/** Alpine listens there unless it says where else. */
const ALPINE = new RegExp(`^(?:@|x-on:)(?:${PRESSES})(?:\\.(?!outside\\b|away\\b|window\\b|document\\b)[^.]*)*$`);
const JQUERY = /^jQuery\d+$/;
/** D3 up to its third version. */
const D3 = new RegExp(`^__on(?:${PRESSES})(?:\\.|$)`);
/** The longest list of one element's handlers that is read. */
const MOST_HANDLERS = 100;

/** Handlers that are common as properties. */
const PROPERTIES = ["onclick", "onmousedown", "onpointerdown"] as const;
const handlersOf = (proto: object): (() => unknown)[] => PROPERTIES.map((name) => getOwnPropertyDescriptor(proto, name)?.get).filter((get) => get !== undefined);
const htmlHandlers = handlersOf(HTMLElement.prototype);
const svgHandlers = handlersOf(SVGElement.prototype);
const SVG = "http://www.w3.org/2000/svg";

const isObject = (o: unknown): o is object => (typeof o === "object" && o !== null) || typeof o === "function";
const own = (o: unknown, key: PropertyKey): unknown => (isObject(o) ? getOwnPropertyDescriptor(o, key)?.value : undefined);
const some = (o: unknown, holds: (key: string) => boolean): boolean => isObject(o) && ownKeys(o).some((key) => typeof key === "string" && holds(key));
/** Of a list; what only says that it has a length is not asked for it. */
function lengthOf(list: unknown): number {
  const length = own(list, "length");
  return typeof length === "number" ? length : 0;
}
const isFilled = (list: unknown): boolean => lengthOf(list) > 0;

/** jQuery 3 keeps handlers in an object on the element, jQuery 1 in a list of its own by the number on the element. */
function jQueryEvents(value: unknown): unknown {
  if (typeof value !== "number") return own(value, "events");
  return own(own(own(own(unwrap?.(window), "jQuery"), "cache"), `${value}`), "events");
}

/** D3 since its fourth version keeps a list of what is listened for. */
function d3Listens(list: unknown): boolean {
  for (let i = 0; i < Math.min(lengthOf(list), MOST_HANDLERS); i++) {
    const type = own(own(list, `${i}`), "type");
    if (typeof type === "string" && PRESS.test(type)) return true;
  }
  return false;
}

/** What stands under this key on an element says that a script listens there for presses. */
function tells(el: object, key: PropertyKey): boolean {
  const name = typeof key === "symbol" ? (key.description ?? "") : String(key);
  if (name === "_vei") {
    const invokers = own(el, key);
    return some(invokers, (event) => VUE.test(event) && isObject(own(invokers, event)));
  }
  if (name === "__on") return d3Listens(own(el, key));
  if (D3.test(name)) return isObject(own(el, key));
  if (PREACT.has(name)) {
    const listeners = own(el, key);
    return some(listeners, (event) => PREACT_EVENT.test(event) && isObject(own(listeners, event)));
  }
  if (name === "_x_attributeCleanups") return some(own(el, key), (attribute) => ALPINE.test(attribute));
  if (JQUERY.test(name)) {
    const events = jQueryEvents(own(el, key));
    return some(events, (event) => PRESS.test(event) && isFilled(own(events, event)));
  }
  return ZONE.test(name) && isFilled(own(el, key));
}

/** Something on the element says that a script listens there for presses; null where the engine tells by itself. */
export const isMarked: ((el: Element) => boolean) | null = unwrap && ((el) => {
  try {
    const of = namespace(el);
    const handlers = of === XHTML ? htmlHandlers : of === SVG ? svgHandlers : [];
    for (const get of handlers) if (get.call(el)) return true;
    const bare = unwrap(el);
    for (const key of ownKeys(bare)) if (tells(bare, key)) return true;
  } catch {
    // A page may put things there that do not want to be read.
  }
  return false;
});
