// Cheap counts for get_page_info: selectors only, no styles but for what may be usable. Reads only.

import {
  documentTitle,
  drawn,
  queryAll,
  readyState,
  rootElement,
  scrollHeight,
  scrollingElement,
  scrollWidth,
  shadowRoots,
} from "../dom/dom";
import { documentToken } from "../dom/identity";
import { FIRM } from "../visibility/classify";

const MOST_TRIED = 20_000;

export function info(): object {
  const roots: Node[] = [document, ...shadowRoots(document)];
  const count = (selector: string): number =>
    roots.reduce((n, root) => n + queryAll(root, selector).length, 0);
  let usable = 0;
  let tried = 0;
  for (const root of roots) {
    for (const el of queryAll(root, `${FIRM},[onclick],[tabindex="0"]`)) {
      if (tried++ >= MOST_TRIED) break;
      if (drawn(el)) usable++;
    }
  }
  const root = scrollingElement() ?? rootElement();
  return {
    doc: documentToken,
    url: location.href,
    title: documentTitle(document) ?? "",
    ready: readyState(document),
    elements: count("*"),
    usable,
    forms: count("form"),
    frames: count("iframe,frame,object,embed"),
    roots: roots.length - 1,
    viewport: [innerWidth, innerHeight, devicePixelRatio],
    scroll: [Math.round(scrollX), Math.round(scrollY)],
    size: root ? [scrollWidth(root), scrollHeight(root)] : [0, 0],
  };
}
