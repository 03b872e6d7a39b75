// A digest of what a canvas shows. Drawing on a canvas causes no event, so its pixels are the only
// trace. The canvas is drawn small onto one that the page cannot see. A canvas that may not be
// read, or is very large, has no digest.
// pixels are the only trace. Drawn small onto a canvas of our own, which the page cannot see; a
// canvas that may not be read, or is very large, has no number.

import { rectOf } from "../dom/dom";

const SIDE = 24;
const MAX_PIXELS = 8_000_000;
/** How many are read in one look. */
const MAX_CANVASES = 8;

let scratch: OffscreenCanvasRenderingContext2D | null | undefined;
/** What each showed when the page was last looked at. */
const lastDigests = new Map<WeakRef<Element>, string>();

function context(): OffscreenCanvasRenderingContext2D | null {
  if (scratch === undefined) {
    scratch =
      typeof OffscreenCanvas === "function"
        ? new OffscreenCanvas(SIDE, SIDE).getContext("2d", { willReadFrequently: true })
        : null;
  }
  return scratch;
}

/** Empty if it cannot be told, or does not matter because nobody sees it. */
export function digestOf(el: Element): string {
  const canvas = el as HTMLCanvasElement;
  const { x, y, width, height } = rectOf(el);
  const inView =
    width >= 1 &&
    height >= 1 &&
    x < innerWidth &&
    y < innerHeight &&
    x + width > 0 &&
    y + height > 0;
  if (!inView || canvas.width * canvas.height > MAX_PIXELS || canvas.width < 1 || canvas.height < 1)
    return "";
  try {
    const paper = context();
    if (!paper) return "";
    paper.clearRect(0, 0, SIDE, SIDE);
    paper.drawImage(canvas, 0, 0, SIDE, SIDE);
    const { data } = paper.getImageData(0, 0, SIDE, SIDE);
    let hash = 0x811c9dc5;
    for (let i = 0; i < data.length; i++) hash = Math.imul(hash ^ (data[i] as number), 0x01000193);
    return (hash >>> 0).toString(36);
  } catch {
    // Pictures of other sites are on it.
    return "";
  }
}

/** What the canvases of one look show. */
export class CanvasDigests {
  private readonly shown: [Element, string][] = [];

  read(el: Element): string {
    if (this.shown.length >= MAX_CANVASES) return "";
    const drawn = digestOf(el);
    if (drawn !== "") this.shown.push([el, drawn]);
    return drawn;
  }

  /** That was the last look; not at all of the page if only what changed was walked. */
  remember(all: boolean): void {
    const read = new Set(this.shown.map(([el]) => el));
    for (const ref of lastDigests.keys()) {
      const el = ref.deref();
      if (all || !el || read.has(el)) lastDigests.delete(ref);
    }
    for (const [el, drawn] of this.shown) lastDigests.set(new WeakRef(el), drawn);
  }
}

/** Those that show something else than at the last look, though nobody acted since. */
export function redrawnCanvases(): Element[] {
  const changed: Element[] = [];
  for (const [ref, drawn] of lastDigests) {
    const el = ref.deref();
    const now = el ? digestOf(el) : "";
    if (el && now !== "" && now !== drawn) changed.push(el);
  }
  return changed;
}
