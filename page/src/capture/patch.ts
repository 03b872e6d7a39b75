// The difference to the last answer, in the wire form of a patch (see README.md): which runs of
// nodes stay, which new nodes are between them, and which of the nodes that stay have a new box or
// new flags. The patch is as long as the change; making it takes one light pass over all records.
// Reads only the positions of frames.

import { newestId } from "../dom/identity";
import { WHY_SHIFT } from "../semantics/stateFlags";
import type { NodeRecord } from "./nodeRecord";
import type { ReusePlan } from "./reusePlan";
import type { WalkResult } from "./walkOutput";
import {
  Columns,
  coverPairs,
  hiddenCounts,
  labelPairs,
  pixels,
  type StringTable,
  sentPositions,
  viewportMembers,
  type WireEncoder,
} from "./wireFormat";

/** How many records are compared between two checks of the clock. */
const STRIDE = 256;
/** If the number of strings grows by more than this factor, the whole page is sent. */
const MAX_STRING_GROWTH = 2;

/** The last answer, as far as the next patch needs it. */
export interface PatchBase {
  key: string;
  strings: StringTable;
  /** The number of strings and the length of the answer when the page was last sent as a whole. */
  stringCount: number;
  length: number;
  box: ArrayLike<number>;
  flags: ArrayLike<number>;
  covered: number[];
  labels: number[];
}

/** Returns the base for patches of a whole answer. */
export function patchBase(
  key: string,
  { columns, covered, labels }: WireEncoder,
  nodes: readonly NodeRecord[],
  length: number,
): PatchBase {
  numberSent(nodes);
  return {
    key,
    strings: columns.strings,
    stringCount: columns.strings.list.length,
    length,
    box: columns.box,
    flags: columns.flags,
    covered,
    labels,
  };
}

/** Numbers the records by their index in the answer. */
function numberSent(nodes: readonly NodeRecord[]): void {
  let at = 0;
  for (const node of nodes) node.sentIndex = node.isDropped ? -1 : at++;
}

export class Patch {
  private readonly columns: Columns;
  private readonly position: Int32Array;
  private readonly box: Int32Array;
  private readonly flags: Int32Array;
  /** The new index of each node of the last answer; -1 if it is gone. */
  private readonly newIndex: Int32Array;
  /** From, to, and the number of new nodes that follow. */
  private readonly slices: number[] = [];
  private readonly shifts: number[] = [];
  private readonly boxes: number[] = [];
  private readonly changed: number[] = [];
  private readonly oldStringCount: number;
  private covered: number[] = [];
  private labels: number[] = [];
  private at = 0;
  /** The order of nodes changed, which a patch cannot express. */
  private reordered = false;

  constructor(
    private readonly result: WalkResult,
    private readonly plan: ReusePlan,
    private readonly occlusion: Map<Element, Element>,
    private readonly base: PatchBase,
  ) {
    this.columns = new Columns(base.strings);
    this.oldStringCount = base.strings.list.length;
    this.position = sentPositions(result.nodes);
    const count = this.position[result.nodes.length] as number;
    this.box = new Int32Array(count * 4);
    this.flags = new Int32Array(count);
    this.newIndex = new Int32Array(base.flags.length).fill(-1);
  }

  go(until: number): boolean {
    const { nodes } = this.result;
    while (this.at < nodes.length) {
      const node = nodes[this.at] as NodeRecord;
      if (!node.isDropped) this.node(node, this.position[this.at] as number);
      if (++this.at % STRIDE === 0 && performance.now() >= until) return false;
    }
    return true;
  }

  private node(node: NodeRecord, at: number): void {
    const { slices, columns, box } = this;
    const flags = node.flags | (node.why << WHY_SHIFT);
    this.flags[at] = flags;
    if (node.el) {
      box[at * 4] = pixels(node.x);
      box[at * 4 + 1] = pixels(node.y);
      box[at * 4 + 2] = pixels(node.w);
      box[at * 4 + 3] = pixels(node.h);
    }
    const was = node.sentIndex;
    const end = slices.length;
    if (was < 0) {
      if (end === 0) slices.push(0, 0, 0);
      slices[slices.length - 1] = (slices[slices.length - 1] as number) + 1;
      columns.put(node, at, (this.position[node.end] as number) - at - 1);
      // An empty range after the node ends the run.
      this.shifts.push(at, at, 0, 0);
      return;
    }
    this.newIndex[was] = at;
    if (end > 0 && slices[end - 1] === 0 && slices[end - 2] === was) slices[end - 2] = was + 1;
    else {
      this.reordered ||= end > 0 && was < (slices[end - 2] as number);
      slices.push(was, was + 1, 0);
    }
    if (flags !== this.base.flags[was]) this.changed.push(at, flags);
    if (node.rare?.frame) columns.frame(node, at);
    if (node.el) this.place(at, was);
  }

  private place(at: number, was: number): void {
    const { box, shifts } = this;
    const old = this.base.box;
    const [i, j] = [at * 4, was * 4];
    const [dx, dy] = [
      (box[i] as number) - (old[j] as number),
      (box[i + 1] as number) - (old[j + 1] as number),
    ];
    const nowhere = !old[j] && !old[j + 1] && !old[j + 2] && !old[j + 3];
    // A node without a box does not move.
    if (nowhere && dx === 0 && dy === 0 && !box[i + 2] && !box[i + 3]) return;
    if (nowhere || box[i + 2] !== old[j + 2] || box[i + 3] !== old[j + 3]) {
      // bounded: four numbers
      this.boxes.push(at, ...box.subarray(i, i + 4));
      return;
    }
    const end = shifts.length;
    if (end > 0 && shifts[end - 2] === dx && shifts[end - 1] === dy) shifts[end - 3] = at + 1;
    else shifts.push(at, at + 1, dx, dy);
  }

  /**
   * Returns the patch, and the base for the next one; null if it is longer than this share of the
   * whole.
   */
  text(key: string, share: number): { text: string; base: PatchBase } | null {
    const { result, columns, base, plan } = this;
    const { strings } = columns;
    if (this.reordered || strings.list.length > base.stringCount * MAX_STRING_GROWTH + 1000)
      return null;
    const at = (el: Element): number => {
      const index = plan.indexOf(el);
      return index < 0 || (result.nodes[index] as NodeRecord).isDropped
        ? -1
        : (this.position[index] as number);
    };
    this.covered = coverPairs(this.occlusion, at);
    this.labels = labelPairs(result, at, (_, el) => plan.recordOf(el)?.tag ?? "");
    const { size, id, tag, role, name, box, flags } = columns;
    const { value, level, scrolls, options, attrs, clues, rooted, frames, views } = columns;
    const text = JSON.stringify({
      patch: base.key,
      key,
      ...viewportMembers(),
      strings: strings.list.slice(this.oldStringCount),
      slices: this.slices,
      nodes: { size, id, tag, role, name, box, flags },
      value,
      level,
      scrolls,
      options,
      attrs,
      ...(clues.length > 0 ? { clues } : {}),
      rooted,
      frames,
      views,
      shifts: this.runs(),
      boxes: this.boxes,
      flags: this.changed,
      ...this.pairs("covered", base.covered, this.covered),
      ...this.pairs("labels", base.labels, this.labels),
      hidden: hiddenCounts(result),
      withheld: result.withheld,
      elements: result.elements,
      roots: result.roots.length,
      newest: newestId(),
    });
    if (text.length > base.length * share) return null;
    numberSent(result.nodes);
    return {
      text,
      base: {
        ...base,
        key,
        box: this.box,
        flags: this.flags,
        covered: this.covered,
        labels: this.labels,
      },
    };
  }

  private runs(): number[] {
    const runs: number[] = [];
    for (let i = 0; i < this.shifts.length; i += 4)
      if (this.shifts[i + 2] || this.shifts[i + 3])
        for (let j = i; j < i + 4; j++) runs.push(this.shifts[j] as number);
    return runs;
  }

  /**
   * Returns the pairs that do not follow from the new indices: those to be added, or all of them
   * (`…All`) if some would have to be removed.
   */
  private pairs(name: string, before: readonly number[], now: readonly number[]): object {
    const more: number[] = [];
    let at = 0;
    for (let i = 0; i < before.length; i += 2) {
      const [from, to] = [
        this.newIndex[before[i] as number] as number,
        this.newIndex[before[i + 1] as number] as number,
      ];
      if (from < 0 || to < 0) continue;
      for (; at < now.length && (now[at] as number) < from; at += 2)
        more.push(now[at] as number, now[at + 1] as number);
      if (now[at] !== from || now[at + 1] !== to) return { [`${name}All`]: now };
      at += 2;
    }
    for (; at < now.length; at++) more.push(now[at] as number);
    return more.length > 0 ? { [name]: more } : {};
  }
}
