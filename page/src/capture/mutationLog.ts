// Records whether the page changed while it was captured in slices: mutations in every known root,
// and scrolling. The page cannot see the observers and listeners; they end with the capture.

import { isElement } from "../dom/dom";
import { viewportState } from "./unobservedState";

/** The number of targets that are kept. */
export const MAX_TARGETS = 200;
/** After this many changes the log is dropped. */
const MAX_RECORDS = 2000;
/** After this time (milliseconds) the log is dropped. */
const MAX_AGE = 120_000;
const OBSERVE_OPTIONS: MutationObserverInit = {
  subtree: true,
  childList: true,
  characterData: true,
  attributes: true,
  attributeOldValue: true,
  characterDataOldValue: true,
};

export class MutationLog {
  /** The targets of all mutations since the beginning. */
  targets = new Set<Node>();
  /** How often the page was scrolled or resized. */
  moveCount = 0;
  /**
   * The mutations since the beginning, of several of a kind only the first; null if there
   * were too many.
   */
  private records: MutationRecord[] | null = [];
  /** The kinds of mutations of each target. */
  private readonly changed = new Map<Node, Set<string>>();
  /** Called when the log is dropped while no capture runs. */
  onOverflow: (() => void) | null = null;
  private moved = false;
  private viewportState = "";
  private since = 0;
  private readonly observer = new MutationObserver((records) => this.note(records));
  private readonly onScroll = (): void => {
    this.moved = true;
  };

  constructor() {
    addEventListener("scroll", this.onScroll, { capture: true, passive: true });
  }

  /** Starts the log. */
  begin(): void {
    this.observer.disconnect();
    this.observer.observe(document, OBSERVE_OPTIONS);
    this.clear();
  }

  private clear(): void {
    this.targets.clear();
    this.changed.clear();
    this.records = [];
    this.moved = false;
    this.viewportState = viewportState();
    this.since = performance.now();
  }

  /**
   * Returns all mutations and starts again; null if there were too many, or the page was scrolled.
   */
  takeRecords(): MutationRecord[] | null {
    this.note(this.observer.takeRecords());
    const records = viewportState() === this.viewportState ? this.records : null;
    this.clear();
    return records;
  }

  /** Also observes this shadow root. */
  watch(root: ShadowRoot): void {
    this.observer.observe(root, OBSERVE_OPTIONS);
  }

  /** Returns whether nothing changed since the beginning. */
  isUnchanged(): boolean {
    this.note(this.observer.takeRecords());
    if (this.moved || viewportState() !== this.viewportState) {
      this.moved = false;
      this.viewportState = viewportState();
      this.moveCount++;
      return false;
    }
    return this.targets.size === 0;
  }

  end(): void {
    this.onOverflow = null;
    this.observer.disconnect();
    removeEventListener("scroll", this.onScroll, true);
  }

  private note(records: MutationRecord[]): void {
    for (const record of records) {
      if (this.targets.size < MAX_TARGETS) this.targets.add(record.target);
      if (this.records && this.isFirst(record)) this.records.push(record);
    }
    if (
      this.records &&
      (this.records.length > MAX_RECORDS ||
        (this.onOverflow && performance.now() - this.since > MAX_AGE))
    )
      this.records = null;
    if (!this.records) this.onOverflow?.();
  }

  /** Returns whether a mutation is the first of its kind; those of elements are of no kind. */
  private isFirst(record: MutationRecord): boolean {
    const kind = kindOf(record);
    if (kind === null) return true;
    const kinds = this.changed.get(record.target);
    if (!kinds) this.changed.set(record.target, new Set([kind]));
    else if (kinds.has(kind)) return false;
    else kinds.add(kind);
    return true;
  }
}

/**
 * Returns what a mutation changed, so that two of a kind mean no more than the first; null if
 * elements were added or removed.
 */
function kindOf(record: MutationRecord): string | null {
  const { type, attributeName, addedNodes, removedNodes } = record;
  if (type !== "childList") return attributeName ?? "";
  for (const nodes of [addedNodes, removedNodes])
    for (let i = 0; i < nodes.length; i++) if (isElement(nodes[i] as Node)) return null;
  return addedNodes.length === 0 || removedNodes.length === 0 ? "#filled" : "#replaced";
}
