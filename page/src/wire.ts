// The wire form, version 1 (see README.md): columns over one string table, as one JSON string. Pure: it is given what the walk found.

import { documentTitle, flatContains, flatParent, matches, rootElement, scrollHeight, scrollingElement, scrollWidth } from "./dom";
import { viewOf } from "./frames";
import { documentToken, idOf } from "./identity";
import { WHY_HIDDEN } from "./states";
import type { Record } from "./record";
import { bound } from "./text";
import { REASONS } from "./visibility";
import type { Walked } from "./walk";

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
function pixels(n: number): number {
  if (n > -1e9 && n < 1e9) return Math.round(n);
  return Number.isNaN(n) ? 0 : n > 0 ? 1e9 : -1e9;
}

/** How many nodes are put into columns between two looks at the clock. */
const STRIDE = 64;

/** Makes the string, piece by piece, so that it can stop and go on. */
export class Encoding {
  private readonly strings = new Strings();
  /** Position of each node among those that are sent; a node's descendants end where it ended. */
  private readonly position: Int32Array;
  private at = 0;
  private pieces: string[] = [];
  private parts: [string, () => unknown][] | null = null;
  /** Where each element that is sent stands. */
  readonly sent = new Map<Element, number>();
  private found = -1;
  private readonly columns = { size: [] as number[], id: [] as number[], tag: [] as number[], role: [] as number[], name: [] as number[], box: [] as number[], flags: [] as number[] };
  private readonly value: number[] = [];
  private readonly level: number[] = [];
  private readonly scrolls: number[] = [];
  private readonly options: number[] = [];
  private readonly attrs: number[] = [];
  private readonly rooted: number[] = [];
  private readonly frames: number[] = [];
  private readonly views: number[] = [];

  /** `more`: further members of the answer, known only when everything else is done. */
  constructor(private readonly walked: Walked, private readonly covers: Map<Element, Element>, private readonly scope: string | undefined, private readonly more: (sent: Map<Element, number>) => object) {
    const { nodes } = walked;
    this.position = new Int32Array(nodes.length + 1);
    let count = 0;
    for (let i = 0; i < nodes.length; i++) {
      this.position[i] = count;
      if (!(nodes[i] as Record).drop) count++;
    }
    this.position[nodes.length] = count;
  }

  go(until: number): boolean {
    const { nodes } = this.walked;
    while (this.at < nodes.length) {
      this.node(nodes[this.at] as Record, this.at);
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
    const more = JSON.stringify(this.more(this.sent));
    return this.pieces.join("") + (more === "{}" ? "}" : `,${more.slice(1)}`);
  }

  private node(node: Record, index: number): void {
    if (node.drop) return;
    const { columns, strings } = this;
    const at = columns.id.length;
    columns.size.push((this.position[node.end] as number) - (this.position[index] as number) - 1);
    columns.id.push(node.el ? idOf(node.el) : 0);
    columns.tag.push(strings.of(node.tag));
    columns.role.push(strings.of(node.role));
    columns.name.push(strings.of(node.name));
    columns.box.push(pixels(node.x), pixels(node.y), pixels(node.w), pixels(node.h));
    columns.flags.push(node.flags | (node.why << WHY_HIDDEN));
    if (node.rooted) this.rooted.push(at);
    if (!node.el) return;
    this.sent.set(node.el, at);
    const { rest } = node;
    if (rest) {
      if (rest.value !== null) this.value.push(at, strings.of(bound(rest.value)));
      if (rest.level) this.level.push(at, rest.level);
      if (rest.scrolls) this.scrolls.push(at, ...rest.scrolls);
      if (rest.options) for (const option of rest.options) this.options.push(at, strings.of(option));
      if (rest.frame) {
        this.frames.push(at);
        if (!node.why && node.w >= 1 && node.h >= 1) this.views.push(at, ...viewOf(node.el).map(pixels));
      }
    }
    if (node.attrs) for (const [key, text] of node.attrs) this.attrs.push(at, strings.of(key), strings.of(text));
    if (this.scope !== undefined && this.found < 0 && matches(node.el, this.scope)) this.found = at;
  }

  private labels(): number[] {
    const { sent, columns, strings } = this;
    const labels: [number, number][] = [];
    for (const [label, named] of this.walked.labels) {
      const from = sent.get(label);
      const to = sent.get(named);
      // A heading that names a dialog is a heading all the same.
      if (from !== undefined && to !== undefined && LABEL_TAGS.has(strings.list[columns.tag[from] as number] as string)) labels.push([from, to]);
    }
    return labels.sort(([a], [b]) => a - b).flat();
  }

  private covered(): number[] {
    const { sent } = this;
    const covered: number[] = [];
    for (const [el, cover] of this.covers) {
      const from = sent.get(el);
      let over: Element | null = cover;
      while (over && !sent.has(over)) over = flatParent(over);
      if (from !== undefined && over && !flatContains(over, el)) covered.push(from, sent.get(over) as number);
    }
    return covered;
  }

  private hidden(): object {
    const hidden: { [reason: string]: number } = {};
    this.walked.hidden.forEach((n, why) => {
      if (n > 0) hidden[REASONS[why] as string] = n;
    });
    return hidden;
  }

  /** The answer's members in order, each with what stands before it. */
  private members(): [string, () => unknown][] {
    const { walked, strings, columns } = this;
    const root = scrollingElement() ?? rootElement();
    return [
      ['{"v":', () => 1],
      [',"doc":', () => documentToken],
      [',"url":', () => location.href],
      [',"title":', () => bound(documentTitle(document) ?? "", 1000)],
      [',"viewport":', () => [innerWidth, innerHeight, devicePixelRatio]],
      [',"scroll":', () => [Math.round(scrollX), Math.round(scrollY)]],
      [',"size":', () => (root ? [scrollWidth(root), scrollHeight(root)] : [0, 0])],
      ...(this.scope === undefined ? [] : ([[',"scope":', () => this.found]] as [string, () => unknown][])),
      [',"strings":', () => strings.list],
      [',"nodes":{"size":', () => columns.size],
      [',"id":', () => columns.id],
      [',"tag":', () => columns.tag],
      [',"role":', () => columns.role],
      [',"name":', () => columns.name],
      [',"box":', () => columns.box],
      [',"flags":', () => columns.flags],
      ['},"value":', () => this.value],
      [',"level":', () => this.level],
      [',"scrolls":', () => this.scrolls],
      [',"options":', () => this.options],
      [',"covered":', () => this.covered()],
      [',"attrs":', () => this.attrs],
      [',"rooted":', () => this.rooted],
      [',"frames":', () => this.frames],
      [',"views":', () => this.views],
      [',"labels":', () => this.labels()],
      [',"hidden":', () => this.hidden()],
      [',"withheld":', () => walked.withheld],
      [',"elements":', () => walked.elements],
      [',"roots":', () => walked.roots.length],
      [',"truncated":', () => walked.truncated],
    ];
  }
}
