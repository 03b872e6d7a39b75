// Whether the page changed while it was looked at in slices: mutations in every root that is known, and scrolling. Observers and listeners of this
// world, which the page cannot see; they end with the look.

const MOST_TARGETS = 200;
const OBSERVED: MutationObserverInit = { subtree: true, childList: true, characterData: true, attributes: true };

/** Where the page is scrolled to, and how large its window is. */
const placed = (): string => `${scrollX},${scrollY},${innerWidth},${innerHeight},${devicePixelRatio}`;

export class Stir {
  /** What was changed since it began, or is around what was. */
  targets = new Set<Node>();
  /** How often the page was scrolled or resized, in all. */
  moves = 0;
  private moved = false;
  private at = "";
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
    this.targets.clear();
    this.moved = false;
    this.at = placed();
  }

  /** This root too. */
  watch(root: Node): void {
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
    this.observer.disconnect();
    removeEventListener("scroll", this.heard, true);
  }

  private note(records: MutationRecord[]): void {
    for (const { target } of records) {
      if (this.targets.size >= MOST_TARGETS) return;
      this.targets.add(target);
    }
  }
}
