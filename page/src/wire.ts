// The wire form, version 1 (see README.md): columns over one string table, as one JSON string. Pure: it is given what the walk found.

import type { Walked } from "./walk";
import { documentTitle, flatContains, flatParent, rootElement, scrollHeight, scrollingElement, scrollWidth } from "./dom";
import { viewOf } from "./frames";
import { documentToken, idOf } from "./identity";
import { WHY_HIDDEN } from "./states";
import { bound } from "./text";
import { REASONS } from "./visibility";

const LABEL_TAGS = new Set(["label", "legend", "caption", "figcaption", "span", "div"]);

class Strings {
  readonly list: string[] = [""];
  private readonly index = new Map<string, number>([["", 0]]);

  of(text: string): number {
    let at = this.index.get(text);
    if (at === undefined) {
      at = this.list.length;
      this.list.push(text);
      this.index.set(text, at);
    }
    return at;
  }
}

/** Whole pixels, within what any reader can hold: a transform may make a box as large as it likes. */
const pixels = (n: number): number => (Number.isNaN(n) ? 0 : Math.round(Math.min(1e9, Math.max(-1e9, n))));

export function encode(walked: Walked, scope: string | undefined, matchesScope: (el: Element) => boolean): string {
  const { nodes } = walked;
  const strings = new Strings();
  // Position of each node among those that are sent; a node's descendants end where it ended.
  const position = new Int32Array(nodes.length + 1);
  let count = 0;
  for (let i = 0; i < nodes.length; i++) {
    position[i] = count;
    if (!(nodes[i] as Walked["nodes"][0]).drop) count++;
  }
  position[nodes.length] = count;

  const size: number[] = [], id: number[] = [], tag: number[] = [], role: number[] = [], name: number[] = [], box: number[] = [], flags: number[] = [];
  const value: number[] = [], level: number[] = [], scrolls: number[] = [], options: number[] = [], attrs: number[] = [], rooted: number[] = [];
  const frames: number[] = [], views: number[] = [], labels: number[] = [], covered: number[] = [];
  const sent = new Map<Element, number>();
  let found = -1;
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i] as Walked["nodes"][0];
    if (node.drop) continue;
    const at = id.length;
    size.push((position[node.end] as number) - (position[i] as number) - 1);
    id.push(node.el ? idOf(node.el) : 0);
    tag.push(strings.of(node.tag));
    role.push(strings.of(node.role));
    name.push(strings.of(node.name));
    box.push(pixels(node.x), pixels(node.y), pixels(node.w), pixels(node.h));
    flags.push(node.flags | (node.why << WHY_HIDDEN));
    if (node.el) sent.set(node.el, at);
    if (node.value !== null) value.push(at, strings.of(bound(node.value)));
    if (node.level) level.push(at, node.level);
    if (node.scrolls) scrolls.push(at, ...node.scrolls);
    if (node.options) for (const option of node.options) options.push(at, strings.of(option));
    if (node.attrs) for (const [key, text] of node.attrs) attrs.push(at, strings.of(key), strings.of(text));
    if (node.rooted) rooted.push(at);
    if (node.frame) {
      frames.push(at);
      if (node.el && !node.why && node.w >= 1 && node.h >= 1) views.push(at, ...viewOf(node.el).map(pixels));
    }
    if (scope !== undefined && found < 0 && node.el && matchesScope(node.el)) found = at;
  }
  for (const [label, named] of walked.labels) {
    const from = sent.get(label);
    const to = sent.get(named);
    // A heading that names a dialog is a heading all the same.
    if (from !== undefined && to !== undefined && LABEL_TAGS.has(strings.list[tag[from] as number] as string)) labels.push(from, to);
  }
  for (const [el, cover] of walked.covers) {
    const from = sent.get(el);
    let over: Element | null = cover;
    while (over && !sent.has(over)) over = flatParent(over);
    if (from !== undefined && over && !flatContains(over, el)) covered.push(from, sent.get(over) as number);
  }
  const hidden: Record<string, number> = {};
  walked.hidden.forEach((n, why) => {
    if (n > 0) hidden[REASONS[why] as string] = n;
  });
  const root = scrollingElement() ?? rootElement();
  return JSON.stringify({
    v: 1,
    doc: documentToken,
    url: location.href,
    title: bound(documentTitle(document) ?? "", 1000),
    viewport: [innerWidth, innerHeight, devicePixelRatio],
    scroll: [Math.round(scrollX), Math.round(scrollY)],
    size: root ? [scrollWidth(root), scrollHeight(root)] : [0, 0],
    ...(scope === undefined ? {} : { scope: found }),
    strings: strings.list,
    nodes: { size, id, tag, role, name, box, flags },
    value, level, scrolls, options, covered, attrs, rooted, frames, views, labels, hidden,
    withheld: walked.withheld,
    elements: walked.elements,
    roots: walked.roots,
    truncated: walked.truncated,
  });
}
