// Records whether the page changed while it was captured in slices: mutations in every known root,
// and scrolling. The page cannot see the observers and listeners; they end with the capture.
// and scrolling. Observers and listeners of this world, which the page cannot see; they end with
// the look.

import { viewportState } from "./unobservedState";

const MAX_TARGETS = 200;
/** More changes than this are not told apart any more. */
const MAX_RECORDS = 1000;
/** After so long, in milliseconds, nobody will ask what changed. */
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
  /** What was changed since it began, or is around what was. */
  targets = new Set<Node>();
  /** How often the page was scrolled or resized, in all. */
  moveCount = 0;
  /** What changed since it began, one after the other; null: too much. */
  private records: MutationRecord[] | null = [];
  /** Called when too much has changed to be told apart, once nobody looks any more. */
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

  /** From here on everything counts. */
  begin(): void {
    this.observer.disconnect();
    this.observer.observe(document, OBSERVE_OPTIONS);
    this.clear();
  }

  private clear(): void {
    this.targets.clear();
    this.records = [];
    this.moved = false;
    this.viewportState = viewportState();
    this.since = performance.now();
  }

  /**
   * What changed since it began; from here on everything counts anew. Null: too much, or the page
   * was scrolled.
   */
  takeRecords(): MutationRecord[] | null {
    this.note(this.observer.takeRecords());
    const records = viewportState() === this.viewportState ? this.records : null;
    this.clear();
    return records;
  }

  /** This shadow root too. */
  watch(root: ShadowRoot): void {
    this.observer.observe(root, OBSERVE_OPTIONS);
  }

  /** Nothing changed since it began. */
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
    if (
      this.records &&
      (this.records.length + records.length > MAX_RECORDS ||
        (this.onOverflow && performance.now() - this.since > MAX_AGE))
    )
      this.records = null;
    this.records?.push(...records);
    for (const { target } of records) if (this.targets.size < MAX_TARGETS) this.targets.add(target);
    if (!this.records) this.onOverflow?.();
  }
}
