// The wire format, version 1 (see README.md): columns over one string table, as one JSON string.
// Reads only the positions of frames, and the size and scroll position of the page.

import {
  documentTitle,
  flatContains,
  flatParent,
  matches,
  rootElement,
  scrollHeight,
  scrollingElement,
  scrollWidth,
} from "../dom/dom";
import { documentToken, idOf, newestId } from "../dom/identity";
import { truncate, words } from "../dom/text";
import { hideSecretValues } from "../semantics/secretValues";
import { Flag, WHY_SHIFT } from "../semantics/stateFlags";
import { frameView } from "../visibility/iframes";
import { HIDDEN_REASONS } from "../visibility/visibility";
import type { NodeRecord } from "./nodeRecord";
import type { WalkResult } from "./walkOutput";

const LABEL_TAGS = new Set(["label", "legend", "caption", "figcaption", "span", "div"]);

/** A table of strings, each once. */
export class StringTable {
  readonly list: string[] = [""];
  private readonly index = new Map<string, number>([["", 0]]);

  indexOf(text: string): number {
    let at = this.index.get(text);
    if (at === undefined) {
      at = this.list.length;
      this.list.push(hideSecretValues(text));
      this.index.set(text, at);
    }
    return at;
  }
}

/** Rounds to pixels, within 32 bits: a transform may make a box arbitrarily large. */
export function pixels(n: number): number {
  if (n > -1e9 && n < 1e9) return Math.round(n);
  return Number.isNaN(n) ? 0 : n > 0 ? 1e9 : -1e9;
}

/** Nodes, column by column. */
export class Columns {
  readonly size: number[] = [];
  readonly id: number[] = [];
  readonly tag: number[] = [];
  readonly role: number[] = [];
  readonly name: number[] = [];
  readonly box: number[] = [];
  readonly flags: number[] = [];
  readonly value: number[] = [];
  readonly level: number[] = [];
  readonly scrolls: number[] = [];
  readonly options: number[] = [];
  readonly attrs: number[] = [];
  readonly clues: number[] = [];
  readonly rooted: number[] = [];
  readonly frames: number[] = [];
  readonly views: number[] = [];

  constructor(readonly strings: StringTable) {}

  /** Adds a node, with its index among the sent nodes and the number of its descendants. */
  put(node: NodeRecord, at: number, size: number): void {
    const { strings } = this;
    this.size.push(size);
    this.id.push(node.el ? idOf(node.el) : 0);
    this.tag.push(strings.indexOf(node.tag));
    this.role.push(strings.indexOf(node.role));
    this.name.push(strings.indexOf(node.name));
    this.box.push(pixels(node.x), pixels(node.y), pixels(node.w), pixels(node.h));
    this.flags.push(node.flags | (node.why << WHY_SHIFT));
    if (node.inShadowRoot) this.rooted.push(at);
    const { rare } = node;
    if (rare) {
      if (rare.value !== null) this.value.push(at, strings.indexOf(truncate(rare.value)));
      if (rare.level) this.level.push(at, rare.level);
      if (rare.scrolls) {
        this.scrolls.push(at);
        for (const room of rare.scrolls) this.scrolls.push(room);
      }
      if (rare.options)
        for (const option of rare.options) this.options.push(at, strings.indexOf(option));
      if (rare.clues && node.flags & Flag.Usable)
        for (const [kind, text] of rare.clues)
          this.clues.push(at, strings.indexOf(kind), strings.indexOf(text));
      if (rare.frame) this.frame(node, at);
    }
    if (node.attrs)
      for (const [key, text] of node.attrs)
        this.attrs.push(at, strings.indexOf(key), strings.indexOf(text));
  }

  frame(node: NodeRecord, at: number): void {
    this.frames.push(at);
    if (node.why || node.w < 1 || node.h < 1) return;
    this.views.push(at);
    for (const edge of frameView(node.el as Element)) this.views.push(pixels(edge));
  }
}

/** Returns for each record how many before it are sent. */
export function sentPositions(nodes: readonly NodeRecord[]): Int32Array {
  const position = new Int32Array(nodes.length + 1);
  let count = 0;
  for (let i = 0; i < nodes.length; i++) {
    position[i] = count;
    if (!(nodes[i] as NodeRecord).isDropped) count++;
  }
  position[nodes.length] = count;
  return position;
}

/**
 * Returns pairs of nodes of which the first names the second. `at`: the index of an element; -1 if
 * it is not sent.
 */
export function labelPairs(
  { labels }: WalkResult,
  at: (el: Element) => number,
  tag: (at: number, el: Element) => string,
): number[] {
  const pairs: [number, number][] = [];
  for (const [label, named] of labels) {
    const from = at(label);
    const to = at(named);
    // A heading that names a dialog is still a heading.
    if (from >= 0 && to >= 0 && LABEL_TAGS.has(tag(from, label))) pairs.push([from, to]);
  }
  return flattenPairs(pairs);
}

/** Returns pairs of nodes of which the second covers the first. */
export function coverPairs(covers: Map<Element, Element>, at: (el: Element) => number): number[] {
  const pairs: [number, number][] = [];
  for (const [el, cover] of covers) {
    const from = at(el);
    let over: Element | null = cover;
    while (over && at(over) < 0) over = flatParent(over);
    if (from >= 0 && over && !flatContains(over, el)) pairs.push([from, at(over)]);
  }
  return flattenPairs(pairs);
}

const flattenPairs = (pairs: [number, number][]): number[] =>
  pairs.sort(([a], [b]) => a - b).flat();

/** Returns the number of pruned elements by reason. */
export function hiddenCounts({ hidden }: WalkResult): object {
  const counts: { [reason: string]: number } = {};
  hidden.forEach((n, why) => {
    if (n > 0) counts[HIDDEN_REASONS[why] as string] = n;
  });
  return counts;
}

/** Returns the address, the title, the viewport and the size of the page. */
export function viewportMembers(): {
  url: string;
  title: string;
  viewport: number[];
  scroll: number[];
  size: number[];
} {
  const root = scrollingElement() ?? rootElement();
  return {
    url: location.href,
    title: hideSecretValues(truncate(documentTitle(document) ?? "", 1000)),
    viewport: [innerWidth, innerHeight, devicePixelRatio],
    scroll: [Math.round(scrollX), Math.round(scrollY)],
    size: root ? [scrollWidth(root), scrollHeight(root)] : [0, 0],
  };
}

/** The number of nodes that are encoded between two checks of the clock. */
const STRIDE = 64;

/** Encodes an answer piece by piece, so that it can stop and continue. */
export class WireEncoder {
  readonly columns = new Columns(new StringTable());
  private readonly position: Int32Array;
  private at = 0;
  private pieces: string[] = [];
  private parts: [string, () => unknown][] | null = null;
  /** The index of each element that is sent. */
  private readonly sent = new Map<Element, number>();
  private scopeIndex = -1;
  private hiddenMatch = false;
  covered: number[] = [];
  labels: number[] = [];

  /** `lateMembers`: further members of the answer, known only when everything else is done. */
  constructor(
    private readonly result: WalkResult,
    private readonly occlusion: Map<Element, Element>,
    private readonly scope: string | undefined,
    private readonly lateMembers: (sent: Map<Element, number>) => object,
  ) {
    this.position = sentPositions(result.nodes);
  }

  go(until: number): boolean {
    const { nodes } = this.result;
    while (this.at < nodes.length) {
      this.node(nodes[this.at] as NodeRecord, this.at);
      if (++this.at % STRIDE === 0 && performance.now() >= until) return false;
    }
    this.parts ??= this.members().reverse();
    for (let part = this.parts.pop(); part; part = this.parts.pop()) {
      this.pieces.push(part[0], JSON.stringify(part[1]()));
      if (performance.now() >= until) return false;
    }
    return true;
  }

  text(): string {
    const more = JSON.stringify(this.lateMembers(this.sent));
    return this.pieces.join("") + (more === "{}" ? "}" : `,${more.slice(1)}`);
  }

  private node(node: NodeRecord, index: number): void {
    if (node.isDropped) return;
    const at = this.position[index] as number;
    this.columns.put(node, at, (this.position[node.end] as number) - at - 1);
    if (!node.el) return;
    this.sent.set(node.el, at);
    // A full walk also sends hidden elements; the first match that is shown is preferred.
    if (
      this.scope !== undefined &&
      (this.scopeIndex < 0 || (this.hiddenMatch && !node.why)) &&
      matches(node.el, this.scope)
    ) {
      this.scopeIndex = at;
      this.hiddenMatch = node.why !== 0;
    }
  }

  /** Returns the members of the answer in order, each with the text before it. */
  private members(): [string, () => unknown][] {
    const { result, columns } = this;
    const { strings } = columns;
    const at = (el: Element): number => this.sent.get(el) ?? -1;
    const tag = (from: number): string => strings.list[columns.tag[from] as number] as string;
    const place = viewportMembers();
    const member = (name: string, read: () => unknown): [string, () => unknown] => [
      `,"${name}":`,
      read,
    ];
    const named = (values: object, names: string[]): [string, () => unknown][] =>
      names.map((name) => member(name, () => values[name as keyof typeof values]));
    return [
      ['{"v":', () => 1],
      member("doc", () => documentToken),
      ...named(place, Object.keys(place)),
      ...(this.scope === undefined ? [] : [member("scope", () => this.scopeIndex)]),
      member("strings", () => strings.list),
      [',"nodes":{"size":', () => columns.size],
      ...named(columns, words("id tag role name box flags")),
      ['},"value":', () => columns.value],
      ...named(columns, ["level", "scrolls", "options"]),
      member("covered", () => (this.covered = coverPairs(this.occlusion, at))),
      ...named(columns, columns.clues.length > 0 ? ["attrs", "clues"] : ["attrs"]),
      ...named(columns, ["rooted", "frames", "views"]),
      member("labels", () => (this.labels = labelPairs(result, at, tag))),
      member("hidden", () => hiddenCounts(result)),
      ...named(result, ["withheld", "elements"]),
      member("roots", () => result.roots.length),
      ...named(result, ["unentered"]),
      member("newest", newestId),
      ...named(result, ["truncated"]),
    ];
  }
}
