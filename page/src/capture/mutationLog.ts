// Whether the page changed while it was looked at in slices: mutations in every root that is known,
// and scrolling. Observers and listeners of this world, which the page cannot see; they end with
// the look.

import { placed } from "./unobservedState";

const MOST_TARGETS = 200;
/** More changes than this are not told apart any more. */
const MOST_RECORDS = 1000;
/** After so long, in milliseconds, nobody will ask what changed. */
const LONG = 120_000;
const OBSERVED: MutationObserverInit = {
  subtree: true,
  childList: true,
  characterData: true,
  attributes: true,
  attributeOldValue: true,
  characterDataOldValue: true,
};

export class Stir {
  /** What was changed since it began, or is around what was. */
  targets = new Set<Node>();
  /** How often the page was scrolled or resized, in all. */
  moves = 0;
  /** What changed since it began, one after the other; null: too much. */
  private records: MutationRecord[] | null = [];
  /** Called when too much has changed to be told apart, once nobody looks any more. */
  idle: (() => void) | null = null;
  private moved = false;
  private at = "";
  private since = 0;
  private readonly observer = new MutationObserver((records) => this.note(records));
  private readonly heard = (): void => {
    this.moved = true;
  };

  constructor() {
    addEventListener("scroll", this.heard, { capture: true, passive: true });
  }

  /** From here on everything counts. */
  begin(): void {
    this.observer.disconnect();
    this.observer.observe(document, OBSERVED);
    this.clear();
  }

  private clear(): void {
    this.targets.clear();
    this.records = [];
    this.moved = false;
    this.at = placed();
    this.since = performance.now();
  }

  /**
   * What changed since it began; from here on everything counts anew. Null: too much, or the page
   * was scrolled.
   */
  take(): MutationRecord[] | null {
    this.note(this.observer.takeRecords());
    const records = placed() === this.at ? this.records : null;
    this.clear();
    return records;
  }

  /** This shadow root too. */
  watch(root: ShadowRoot): void {
    this.observer.observe(root, OBSERVED);
  }

  /** Nothing changed since it began. */
  still(): boolean {
    this.note(this.observer.takeRecords());
    if (this.moved || placed() !== this.at) {
      this.moved = false;
      this.at = placed();
      this.moves++;
      return false;
    }
    return this.targets.size === 0;
  }

  end(): void {
    this.idle = null;
    this.observer.disconnect();
    removeEventListener("scroll", this.heard, true);
  }

  private note(records: MutationRecord[]): void {
    if (
      this.records &&
      (this.records.length + records.length > MOST_RECORDS ||
        (this.idle && performance.now() - this.since > LONG))
    )
      this.records = null;
    this.records?.push(...records);
    for (const { target } of records)
      if (this.targets.size < MOST_TARGETS) this.targets.add(target);
    if (!this.records) this.idle?.();
  }
}
