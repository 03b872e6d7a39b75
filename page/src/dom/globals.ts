// The globals that are read most, read once: the build replaces the free names by these
// (bundleText.mjs, `inject`). In Firefox's sandbox every lookup of a global goes through the page's
// window, which costs ten times as much as its use. Does not touch the DOM.

const world = globalThis;
const styleOf = world.getComputedStyle;
const clock = world.performance;
const { now } = Performance.prototype;

const view = world.window;
let page = world.document;
const style = (el: Element, pseudo?: string | null): CSSStyleDeclaration =>
  styleOf.call(view, el, pseudo);
const time = { now: (): number => now.call(clock) };
const innerRoot = world.ShadowRoot;

/**
 * Reads the document again, at the beginning of each call: the window of an empty first document
 * may get a new one.
 */
export function readDocument(): void {
  page = world.document;
}

export {
  innerRoot as ShadowRoot,
  page as document,
  style as getComputedStyle,
  time as performance,
  view as window,
};
