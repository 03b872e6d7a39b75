// One capture of the page: walk, covers, wire form, in slices of the main thread. What changes
// between two slices makes it begin again, twice at most; then what is still changing is sent
// marked so. The same in one go (`plain`) is the reference that tests hold this one against.

import { flatParent, isElement, nodeType, readyState } from "../dom/dom";
import { breathe, idle, inSlices } from "../dom/timeSlices";
import { Look } from "../semantics/readCache";
import { secretsKnown } from "../semantics/secrets";
import { Witness, witnessOf } from "./answerCache";
import { Obscured } from "./fullOcclusion";
import { Stir } from "./mutationLog";
import { Covers } from "./occlusion";
import { baseOf, Patch } from "./patch";
import { Kept } from "./reusePlan";
import { Facts } from "./unobservedState";
import { Walk } from "./walker";
import { Encoding } from "./wireFormat";

export interface Wanted {
  full: boolean;
  scope: string | undefined;
  /** In one go, reading everything of every element. */
  plain: boolean;
  /**
   * In milliseconds: behind half of it only what is near the viewport is walked, behind four fifths
   * nothing is.
   */
  limit: number;
  slice: number;
  /** Shadow roots are entered. */
  pierce: boolean;
  /** The key of the last answer: if nothing changed since, it need not be sent again. */
  known: string | null;
  /** A patch that is longer than this share of the whole is not sent. */
  share: number;
}

/** How often a capture begins again because the page changed under it. */
const AGAIN = 2;
const MOST_CHANGING = 50;
const FOREVER = Number.POSITIVE_INFINITY;

export async function capture(wanted: Wanted): Promise<string> {
  if (wanted.plain) return inOneGo(wanted);
  const began = performance.now();
  const witness = wanted.known === null || !isUsual(wanted) ? null : witnessOf(wanted.known);
  // Whatever goes wrong with what is known, everything can be walked.
  const known = witness && (await again(witness, wanted, began).catch(() => null));
  if (known) return known;
  witness?.stir.end();
  const stir = new Stir();
  let text: string | null = null;
  try {
    for (let tries = 0; text === null; tries++) {
      text = await attempt(
        wanted,
        began,
        stir,
        tries >= AGAIN || performance.now() - began > wanted.limit / 3,
      );
      // What stirs at once would stir again: it gets a moment.
      if (text === null) await breathe();
    }
    return text;
  } finally {
    if (!stir.idle) stir.end();
  }
}

/** Only answers of this kind are asked for again. */
const isUsual = ({ full, scope, pierce }: Wanted): boolean =>
  !full && scope === undefined && pierce;

/** Of this world: one that took a document over from another has not given that one's answers. */
const world = Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) => n.toString(36)).join(
  "",
);
let answers = 0;
const nextKey = (): string => `${world}.${++answers}`;

/** What is known, as far as it still holds, and the rest walked again; null: all has to be. */
async function again(
  witness: Witness,
  { slice, share, limit }: Wanted,
  began: number,
): Promise<string | null> {
  const { stir, kept, key: last } = witness;
  const changes = witness.changes();
  if (!changes) return null;
  const { boxes, facts, roots, news } = changes;
  let paused = false;
  const goOn = (): boolean => {
    paused = true;
    return stir.still();
  };
  const still = (): boolean => stir.still() && (!paused || facts.equals(Facts.now(roots)));
  if (!(await inSlices(boxes, slice, goOn)) || boxes.unsure) return null;
  if (!news && boxes.moved === 0) {
    if (!still()) return null;
    witness.keep();
    return JSON.stringify({ same: last });
  }
  const look = new Look(kept.sheets);
  const secrets = secretsKnown();
  const walk = new Walk(look, false, began + limit * 0.3, began + limit * 0.3, kept);
  walk.met = (root) => {
    if (roots.includes(root)) return;
    roots.push(root);
    stir.watch(root);
    facts.enter(root);
  };
  if (!(await inSlices(walk, slice, goOn)) || !kept.handDown(look)) return null;
  const walked = walk.walked();
  if (walked.truncated) return null;
  const found = new Kept(look, walked);
  found.inherit(kept);
  const covers = new Covers(look, walked);
  if (!(await inSlices(covers, slice, goOn))) return null;
  const key = nextKey();
  const patch = new Patch(walked, found, covers.found, witness.base);
  if (!(await inSlices(patch, slice, goOn))) return null;
  const made = patch.text(key, share);
  const whole = made ? null : new Encoding(walked, covers.found, undefined, () => ({ key }));
  if (whole && !(await inSlices(whole, slice, goOn))) return null;
  if (!still() || !facts.sure || secretsKnown() !== secrets) return null;
  walk.canvases.remember(false);
  const text = made?.text ?? (whole as Encoding).text();
  new Witness(
    key,
    stir,
    facts,
    roots,
    found,
    made?.base ?? baseOf(key, whole as Encoding, walked.nodes, text.length),
  ).keep();
  return text;
}

/** One try; null if the page changed and it is not the last. */
async function attempt(
  wanted: Wanted,
  began: number,
  stir: Stir,
  last: boolean,
): Promise<string | null> {
  stir.begin();
  const facts = isUsual(wanted) ? new Facts() : null;
  const look = new Look();
  look.sheets.trust();
  const walk = new Walk(look, wanted.full, began + wanted.limit * 0.5, began + wanted.limit * 0.8);
  walk.pierce = wanted.pierce;
  walk.met = (root) => {
    stir.watch(root);
    facts?.enter(root);
  };
  let paused = false;
  const goOn = (): boolean => {
    paused = true;
    if (stir.still()) return true;
    if (last) walk.shake();
    return last;
  };
  // Boxes of two scroll positions are never mixed: a page that will not stay is looked at in one
  // go.
  const slice = last && stir.moves > 0 ? FOREVER : wanted.slice;
  if (!(await inSlices(walk, slice, goOn))) return null;
  const walked = walk.walked();
  const kept = new Kept(look, walked);
  const covers = new Covers(look, walked, began + wanted.limit * 0.9);
  if (!(await inSlices(covers, slice, goOn))) return null;
  if (
    wanted.full &&
    !(await inSlices(
      new Obscured(look, walked, covers.found, began + wanted.limit * 0.9),
      slice,
      goOn,
    ))
  )
    return null;
  const key = nextKey();
  const more = (sent: Map<Element, number>): object => ({
    ...(walked.left > 0 ? { left: walked.left } : {}),
    ...changing(stir, sent),
    key,
  });
  const encoding = new Encoding(walked, covers.found, wanted.scope, more);
  if (!(await inSlices(encoding, slice, goOn))) return null;
  // What was set by script between two slices is in no mutation.
  const still = stir.still() && (!paused || !facts?.sure || facts.equals(Facts.now(walked.roots)));
  if (!still && !last) return null;
  walk.canvases.remember(true);
  const text = encoding.text();
  if (still && facts?.sure && !walked.truncated)
    new Witness(
      key,
      stir,
      facts,
      walked.roots,
      kept,
      baseOf(key, encoding, walked.nodes, text.length),
    ).keep();
  return text;
}

/** The nodes that contain what changed while they were looked at. */
function changing(stir: Stir, sent: Map<Element, number>): object {
  const nodes = new Set<number>();
  for (const target of stir.targets) {
    let at: Element | null = isElement(target)
      ? target
      : nodeType(target) === 11
        ? (target as ShadowRoot).host
        : flatParent(target);
    while (at && !sent.has(at)) at = flatParent(at);
    if (nodes.size < MOST_CHANGING) nodes.add(at ? (sent.get(at) as number) : 0);
  }
  return nodes.size > 0 ? { changing: [...nodes].sort((a, b) => a - b) } : {};
}

function inOneGo({ full, scope, pierce }: Wanted): string {
  const look = new Look();
  const walk = new Walk(look, full);
  walk.pierce = pierce;
  walk.go(FOREVER);
  const walked = walk.walked();
  const covers = new Covers(look, walked);
  covers.go(FOREVER);
  if (full) new Obscured(look, walked, covers.found).go(FOREVER);
  const encoding = new Encoding(walked, covers.found, scope, () =>
    walked.left > 0 ? { left: walked.left } : {},
  );
  encoding.go(FOREVER);
  return encoding.text();
}

/**
 * Looks for a moment at a part of the page, while nobody waits, and throws it away: the engine
 * compiles what runs often, and the first look finds it compiled. Some thousandths of a second at a
 * time, once for each document.
 */
export async function warmUp(): Promise<void> {
  if (readyState(document) !== "complete")
    await new Promise((done) => addEventListener("load", done, { once: true }));
  await idle();
  const look = new Look();
  look.sheets.trust();
  const walk = new Walk(look, false);
  for (let turn = 0; turn < WARM_TURNS && !walk.go(performance.now() + WARM_SLICE); turn++) {
    await idle();
    if (answers > 0) return;
    walk.shake();
  }
  walk.finish();
  const walked = walk.walked();
  const covers = new Covers(look, walked);
  const encoding = new Encoding(walked, covers.found, undefined, () => ({}));
  for (const work of [covers, encoding]) {
    for (let turn = 0; turn < WARM_TURNS && !work.go(performance.now() + WARM_SLICE); turn++) {
      await idle();
      if (answers > 0) return;
    }
  }
}
const WARM_TURNS = 8;
const WARM_SLICE = 5;
