// Caches the last answer of each kind (plain, full) with the reading that it was made of. While
// nothing changed, the next capture need not walk the page; otherwise it walks what changed. Too
// many changes, or a change after a long time, drop the answer and its observer. Touches nothing.

import type { PatchBase } from "./patch";
import type { Reading } from "./reading";

/** The kinds of captures. A full one says more, so that neither can answer for the other. */
export type CaptureKind = "plain" | "full";

const last: Record<CaptureKind, CachedAnswer | null> = { plain: null, full: null };

/** Returns the cached answer with this key, if it may still hold; it is no longer cached then. */
export function takeAnswer(kind: CaptureKind, key: string): CachedAnswer | null {
  const answer = last[kind];
  if (answer?.key !== key) return null;
  last[kind] = null;
  return answer;
}

export function dropAnswer(kind: CaptureKind): void {
  last[kind]?.reading.mutations.end();
  last[kind] = null;
}

/** An answer; `base` describes it for a patch; null if it is never patched. */
export interface CachedAnswer {
  key: string;
  reading: Reading;
  base: PatchBase | null;
}

export function keepAnswer(kind: CaptureKind, answer: CachedAnswer): void {
  const { mutations } = answer.reading;
  if (last[kind]?.reading.mutations !== mutations) dropAnswer(kind);
  last[kind] = answer;
  mutations.onOverflow = () => dropAnswer(kind);
}
