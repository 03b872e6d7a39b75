// Cheap counts about the page. Uses selectors, and reads styles only of elements that may be
// usable. Reads only.

import {
  clientWidth,
  documentTitle,
  isVisible,
  queryAll,
  readyState,
  rootElement,
  scrollHeight,
  scrollingElement,
  scrollWidth,
  shadowRoots,
} from "../dom/dom";
import { documentToken } from "../dom/identity";
import { truncate } from "../dom/text";
import { USABLE } from "../visibility/classify";

const MAX_TRIED = 20_000;
const MAX_ADDRESS = 2000;
const MAX_TITLE = 500;

export function pageInfo(): object {
  const roots: Node[] = [document, ...shadowRoots(document)];
  const count = (selector: string): number =>
    roots.reduce((n, root) => n + queryAll(root, selector).length, 0);
  let usable = 0;
  let tried = 0;
  for (const root of roots) {
    for (const el of queryAll(root, `${USABLE},[onclick],[tabindex="0"]`)) {
      if (tried++ >= MAX_TRIED) break;
      if (isVisible(el)) usable++;
    }
  }
  return {
    doc: documentToken,
    url: truncate(location.href, MAX_ADDRESS),
    title: truncate(documentTitle(document) ?? "", MAX_TITLE),
    ready: readyState(document),
    elements: count("*"),
    usable,
    forms: count("form"),
    frames: count("iframe,frame,object,embed"),
    roots: roots.length - 1,
    scroll: [Math.round(scrollX), Math.round(scrollY)],
    ...pageExtent(),
  };
}

/** Returns the size of the viewport, with the pixel ratio, and of the document, with its left edge. */
export function pageExtent(): object {
  const root = scrollingElement() ?? rootElement();
  return {
    viewport: [innerWidth, innerHeight, devicePixelRatio],
    size: root ? [scrollWidth(root), scrollHeight(root)] : [0, 0],
    left:
      root && getComputedStyle(root).direction === "rtl"
        ? clientWidth(root) - scrollWidth(root)
        : 0,
  };
}
