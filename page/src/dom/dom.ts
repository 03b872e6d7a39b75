// DOM access through getters captured from the prototypes. A form with an input called "attributes"
// or "parentNode", or an image called "body", shadows the property of that name in every world;
// captured getters cannot be shadowed. Reads only, but for scrolling.

import { wordSet } from "./text";

type Getter<T> = (o: Node) => T;

function getter<T>(proto: object, name: string): Getter<T> {
  const get = Object.getOwnPropertyDescriptor(proto, name)?.get;
  if (!get) return () => undefined as T;
  return (o) => get.call(o) as T;
}

const E = Element.prototype;
const N = Node.prototype;
const D = Document.prototype;

export const nodeType = getter<number>(N, "nodeType");
export const parentNode = getter<Node | null>(N, "parentNode");
export const firstChild = getter<Node | null>(N, "firstChild");
export const nextSibling = getter<Node | null>(N, "nextSibling");
export const previousSibling = getter<Node | null>(N, "previousSibling");
export const ownerDocument = getter<Document | null>(N, "ownerDocument");
export const isConnected = getter<boolean>(N, "isConnected");
export const textContent = getter<string | null>(N, "textContent");
export const rawLocalName = getter<string>(E, "localName");
export const namespaceOf = getter<string | null>(E, "namespaceURI");
const openRoot = getter<ShadowRoot | null>(E, "shadowRoot");
// Closed roots cannot be seen from this world; the engine supplies them (engineSupplied.ts).
const closedRoots = new WeakMap<Node, ShadowRoot>();
let closedCount = 0;

/** Returns the shadow root of an element: an open one, or a closed one that the engine supplied. */
export const shadowRoot = (el: Node): ShadowRoot | null =>
  openRoot(el) ?? (closedCount > 0 ? (closedRoots.get(el) ?? null) : null);
export const closedRootCount = (): number => closedCount;
/** Returns the host of a shadow root; null for any other node. */
export const hostOf = (node: Node): Element | null =>
  nodeType(node) === 11 && node instanceof ShadowRoot ? rootHost(node) : null;
const rootHost = getter<Element>(ShadowRoot.prototype, "host");
export function addClosedRoot(root: ShadowRoot): void {
  const host = rootHost(root);
  if (!closedRoots.has(host)) closedCount++;
  closedRoots.set(host, root);
}
export const classList = getter<DOMTokenList>(E, "classList");
export const scrollHeight = getter<number>(E, "scrollHeight");
export const scrollWidth = getter<number>(E, "scrollWidth");
export const clientHeight = getter<number>(E, "clientHeight");
export const clientWidth = getter<number>(E, "clientWidth");
export const clientTop = getter<number>(E, "clientTop");
export const clientLeft = getter<number>(E, "clientLeft");
export const scrollTop = getter<number>(E, "scrollTop");
export const scrollLeft = getter<number>(E, "scrollLeft");
export const firstElementChild = getter<Element | null>(E, "firstElementChild");
export const nextElementSibling = getter<Element | null>(E, "nextElementSibling");
export const previousElementSibling = getter<Element | null>(E, "previousElementSibling");

export const XHTML = "http://www.w3.org/1999/xhtml";
export const HTML_ONLY = wordSet(
  "area audio button details dialog fieldset form img input label meter optgroup option " +
    "output progress select slot summary table tbody td textarea " +
    "tfoot th thead tr video",
);
/**
 * Returns the tag. An XML element that only shares its name with an HTML element has none of its
 * properties; its tag gets the prefix `xml:`.
 */
export function localName(el: Node): string {
  const name = rawLocalName(el);
  return HTML_ONLY.has(name) && namespaceOf(el) !== XHTML ? `xml:${name}` : name;
}
const slotOfElement = getter<HTMLSlotElement | null>(E, "assignedSlot");
const slotOfText = getter<HTMLSlotElement | null>(Text.prototype, "assignedSlot");

const {
  getAttribute,
  hasAttribute,
  hasAttributes: hasAny,
  getAttributeNames,
  matches: matchesOf,
  closest: closestOf,
  getBoundingClientRect,
  getClientRects,
} = E;
const {
  querySelector: queryElement,
  querySelectorAll: queryAllElement,
  scrollIntoView,
  scrollBy: scrollElementBy,
  checkVisibility,
  getAnimations: animationsOfElement,
  animate: animateElement,
} = E;
const { getRootNode, contains: containsOf, compareDocumentPosition } = N;
const { addEventListener: listenOn, removeEventListener: unlistenOn, dispatchEvent } = N;
const { querySelector: queryDocument, querySelectorAll: queryAllDocument } = D;
const { querySelector: queryFragment, querySelectorAll: queryAllFragment } =
  DocumentFragment.prototype;
const H = HTMLElement.prototype;

export const attr = (el: Element, name: string): string | null => getAttribute.call(el, name);
export const hasAttr = (el: Element, name: string): boolean => hasAttribute.call(el, name);
export const hasAttributes = (el: Element): boolean => hasAny.call(el);
export const attributeNames = (el: Element): string[] => getAttributeNames.call(el);
export const matches = (el: Element, selector: string): boolean => matchesOf.call(el, selector);
export const closest = (el: Element, selector: string): Element | null =>
  closestOf.call(el, selector);
export const rectOf = (el: Element): DOMRect => getBoundingClientRect.call(el);
export const rectsOf = (el: Element): DOMRectList => getClientRects.call(el);
export const animationsOf = (el: Element, options?: GetAnimationsOptions): Animation[] =>
  animationsOfElement ? animationsOfElement.call(el, options) : [];
/** Animates an element; null if the engine cannot. */
export const animate = (
  el: Element,
  frames: PropertyIndexedKeyframes,
  options: KeyframeAnimationOptions,
): Animation | null => animateElement?.call(el, frames, options) ?? null;
const animationsOfDocument = D.getAnimations;
const animationsOfRoot = ShadowRoot.prototype.getAnimations;
/** Returns the animations of a document or a shadow root. */
export const animationsIn = (root: Node): Animation[] =>
  (nodeType(root) === 9 ? animationsOfDocument : animationsOfRoot)?.call(
    root as Document & ShadowRoot,
  ) ?? [];
/** The elements that a script set as labels; null if there are none, or the engine has no such. */
export const labelledByElements = getter<readonly Element[] | null | undefined>(
  E,
  "ariaLabelledByElements",
);
/** Returns whether an element is edited in place, itself or because of an ancestor. */
export const isEditable = (el: Element): boolean => isHtml(el) && editableOf(el);
const editableOf = getter<boolean>(H, "isContentEditable");
export const isDraggable = (el: Element): boolean => isHtml(el) && draggableOf(el);
const draggableOf = getter<boolean>(H, "draggable");
export const offsetWidth = (el: Element): number => (isHtml(el) ? offsetWidthOf(el) : 0);
const offsetWidthOf = getter<number>(H, "offsetWidth");
export const offsetHeight = (el: Element): number => (isHtml(el) ? offsetHeightOf(el) : 0);
const offsetHeightOf = getter<number>(H, "offsetHeight");
const isHtml = (el: Element): boolean => el instanceof HTMLElement;
export const enclosingSvg = (el: Element): Element | null =>
  el instanceof SVGElement ? svgOf(el) : null;
const svgOf = getter<Element | null>(SVGElement.prototype, "ownerSVGElement");

/** Gives an element the focus, if it can have it. */
export function focusOn(el: Element, options?: FocusOptions): void {
  const focus = isHtml(el)
    ? H.focus
    : el instanceof SVGElement
      ? SVGElement.prototype.focus
      : undefined;
  focus?.call(el as HTMLElement & SVGElement, options);
}
export const blur = (el: HTMLElement): void => blurOf.call(el);
const { blur: blurOf } = H;
export const listen = (
  on: EventTarget,
  type: string,
  listener: EventListener,
  options?: AddEventListenerOptions,
): void => listenOn.call(on, type, listener, options);
export const unlisten = (
  on: EventTarget,
  type: string,
  listener: EventListener,
  options?: boolean,
): void => unlistenOn.call(on, type, listener, options);
/** Dispatches an event. Returns false if the page cancelled it. */
export const dispatch = (to: EventTarget, event: Event): boolean => dispatchEvent.call(to, event);
export const rootOf = (node: Node): Node => getRootNode.call(node);
export const contains = (outer: Node, inner: Node | null): boolean => containsOf.call(outer, inner);
/** Returns whether `second` comes after `first` in the document. */
export const follows = (first: Node, second: Node): boolean =>
  (compareDocumentPosition.call(first, second) & N.DOCUMENT_POSITION_FOLLOWING) !== 0;
export const scrollIntoCenter = (el: Element, block: ScrollLogicalPosition = "center"): void =>
  scrollIntoView.call(el, { block, inline: "center", behavior: "instant" as ScrollBehavior });
/** Scrolls an element's content, at once; null is the page. */
export function scrollBoxBy(el: Element | null, left: number, top: number): void {
  const options = { left, top, behavior: "instant" as ScrollBehavior };
  if (el) (scrollElementBy as (given: ScrollToOptions) => void).call(el, options);
  else scrollBy(options);
}
/**
 * Returns whether an element is rendered, not `visibility: hidden` and not in an `opacity: 0`
 * group.
 */
export const isVisible = (el: Element): boolean =>
  checkVisibility
    ? checkVisibility.call(el, { opacityProperty: true, visibilityProperty: true })
    : getClientRects.call(el).length > 0;
export const isRendered = (el: Element): boolean =>
  checkVisibility ? checkVisibility.call(el) : getClientRects.call(el).length > 0;

/** Returns the first match. Throws if the selector does not parse, as in the DOM. */
export function query(root: Node, selector: string): Element | null {
  const type = nodeType(root);
  if (type === 1) return queryElement.call(root as Element, selector);
  return (type === 9 ? queryDocument : queryFragment).call(root as Document, selector);
}

export function queryAll(root: Node, selector: string): NodeListOf<Element> {
  const type = nodeType(root);
  if (type === 1) return queryAllElement.call(root as Element, selector);
  return (type === 9 ? queryAllDocument : queryAllFragment).call(root as Document, selector);
}

const { item } = NodeList.prototype;
const lengthOf = Object.getOwnPropertyDescriptor(NodeList.prototype, "length")?.get as (
  this: NodeList,
) => number;
/**
 * Returns all matches as an array. In Firefox's sandbox, iterating over a NodeList costs more than
 * the query.
 */
export function queryList(root: Node, selector: string): Element[] {
  const nodes = queryAll(root, selector);
  return Array.from({ length: lengthOf.call(nodes) }, (_, at) => item.call(nodes, at) as Element);
}

export function byIdIn(root: Node, id: string): Element | null {
  const type = nodeType(root);
  if (type === 9) return D.getElementById.call(root as Document, id);
  if (type === 11)
    return DocumentFragment.prototype.getElementById.call(root as DocumentFragment, id);
  return null;
}

const documentElement = getter<Element | null>(D, "documentElement");
const body = getter<HTMLElement | null>(D, "body");
const scrollingElementOf = getter<Element | null>(D, "scrollingElement");
export const rootElement = (): Element | null => documentElement(document);
const documentURI = getter<string>(D, "documentURI");
/**
 * Returns whether this frame did not load and shows an error page of the browser (Firefox; in
 * Chromium such a frame cannot be read).
 */
export const isErrorPage = (): boolean =>
  window !== top &&
  /^about:(neterror|certerror|httpsonlyerror|blocked)/.test(documentURI(document));
export const bodyElement = (): HTMLElement | null => body(document);
export const scrollingElement = (): Element | null =>
  scrollingElementOf(document) ?? documentElement(document);
export const documentTitle = getter<string>(D, "title");
export const pointerLockElement = getter<Element | null>(D, "pointerLockElement");
export const readyState = getter<string>(D, "readyState");
export const fontsOf = getter<FontFaceSet>(D, "fonts");
/** Returns the document in a frame; null if it has a different origin. */
export const contentDocument = getter<Document | null>(
  HTMLIFrameElement.prototype,
  "contentDocument",
);
/** Returns whether the tab is in the background, where nothing is drawn. */
export const isInBackground = (): boolean => documentHidden(document);
const documentHidden = getter<boolean>(D, "hidden");
const activeInDocument = getter<Element | null>(D, "activeElement");
const activeInShadow = getter<Element | null>(ShadowRoot.prototype, "activeElement");

/**
 * Returns the element that has the focus, shadow roots entered; null if the page as a whole has it.
 */
export function activeElement(): Element | null {
  let el = activeInDocument(document);
  if (!el || el === bodyElement() || el === rootElement()) return null;
  for (let shadow = shadowRoot(el); shadow; shadow = shadowRoot(el)) {
    const inner = activeInShadow(shadow);
    if (!inner) break;
    el = inner;
  }
  return el;
}

const pointInDocument = D.elementFromPoint;
const pointInShadow = ShadowRoot.prototype.elementFromPoint;
const stackInDocument = D.elementsFromPoint;
export const elementAt = (x: number, y: number): Element | null =>
  pointInDocument.call(document, x, y);
export const elementAtIn = (root: ShadowRoot, x: number, y: number): Element | null =>
  pointInShadow.call(root, x, y);
export const elementsAt = (x: number, y: number): Element[] => stackInDocument.call(document, x, y);

export const isElement = (node: Node | null): node is Element =>
  node !== null && nodeType(node) === 1;
export const isText = (node: Node): node is Text => nodeType(node) === 3 || nodeType(node) === 4;

/** Returns the parent in the flat tree: through slots and out of shadow roots. */
export function flatParent(node: Node): Element | null {
  const slot = isElement(node) ? slotOfElement(node) : isText(node) ? slotOfText(node) : null;
  if (slot) return slot;
  const parent = parentNode(node);
  if (!parent) return null;
  if (nodeType(parent) === 1) return parent as Element;
  return hostOf(parent);
}

/**
 * Returns the nodes that are assigned to a slot; null if there are none, so that its own children
 * are drawn.
 */
export function assignedNodes(slot: Element): Node[] | null {
  const nodes = (slot as HTMLSlotElement).assignedNodes?.();
  return nodes && nodes.length > 0 ? nodes : null;
}

/**
 * Returns the children in the flat tree: those of the shadow root of a host, the assigned nodes of
 * a slot.
 */
export function flatChildren(el: Element): Node[] {
  const shadow = shadowRoot(el);
  if (!shadow && localName(el) === "slot") {
    const assigned = (el as HTMLSlotElement).assignedNodes?.();
    if (assigned && assigned.length > 0) return assigned;
  }
  const children: Node[] = [];
  for (let child = firstChild(shadow ?? el); child; child = nextSibling(child))
    children.push(child);
  return children;
}

/** Returns whether `inner` is `outer` or a descendant of it in the flat tree. */
export function flatContains(outer: Element, inner: Element | null): boolean {
  for (let el = inner; el; el = flatParent(el)) if (el === outer) return true;
  return false;
}

const { nextNode } = TreeWalker.prototype;
/**
 * Returns all shadow roots below a root, its own included, outermost first. Each element is visited
 * once, and added to `met`.
 */
export function shadowRoots(root: Node, met?: Set<Node>): ShadowRoot[] {
  const found: ShadowRoot[] = [];
  const queue: Node[] = [root];
  for (let at = 0; at < queue.length; at++) {
    const walker = document.createTreeWalker(queue[at] as Node, NodeFilter.SHOW_ELEMENT);
    for (let node: Node | null = walker.currentNode; node; node = nextNode.call(walker)) {
      met?.add(node);
      const shadow = nodeType(node) === 1 ? shadowRoot(node) : null;
      if (shadow) {
        found.push(shadow);
        queue.push(shadow);
      }
    }
  }
  return found;
}
