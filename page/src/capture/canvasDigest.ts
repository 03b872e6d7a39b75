// A digest of what a canvas shows. Drawing on a canvas causes no event, so its pixels are the only
// trace. The canvas is drawn small onto one that the page cannot see. A canvas that may not be
// read, or is very large, has no digest.

import { rectOf } from "../dom/dom";

const SIDE = 24;
const MAX_PIXELS = 8_000_000;
/** The number of canvases that are read per capture. */
const MAX_CANVASES = 8;

let scratch: OffscreenCanvasRenderingContext2D | null | undefined;
/** The digest of each canvas at the last capture. */
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

/** Returns the digest of a canvas; empty if it cannot be read or is not in view. */
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
    // It contains cross-origin images.
    return "";
  }
}

/** The digests of one capture. */
export class CanvasDigests {
  private readonly shown: [Element, string][] = [];

  read(el: Element): string {
    if (this.shown.length >= MAX_CANVASES) return "";
    const drawn = digestOf(el);
    if (drawn !== "") this.shown.push([el, drawn]);
    return drawn;
  }

  /** Keeps the digests as those of the last capture. `all`: the whole page was walked. */
  remember(all: boolean): void {
    const read = new Set(this.shown.map(([el]) => el));
    for (const ref of lastDigests.keys()) {
      const el = ref.deref();
      if (all || !el || read.has(el)) lastDigests.delete(ref);
    }
    for (const [el, drawn] of this.shown) lastDigests.set(new WeakRef(el), drawn);
  }
}

/** Returns the canvases that changed since the last capture. */
export function redrawnCanvases(): Element[] {
  const changed: Element[] = [];
  for (const [ref, drawn] of lastDigests) {
    const el = ref.deref();
    const now = el ? digestOf(el) : "";
    if (el && now !== "" && now !== drawn) changed.push(el);
  }
  return changed;
}
