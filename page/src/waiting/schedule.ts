// Asks what the scripts of the page have scheduled (../schedule), after everything that is due now
// has run. Frames of the same origin are asked, too. What another origin does in a frame is not
// known.

import { nextAnimationFrame } from "../dom/animationFrame";
import {
  contentDocument,
  dispatch,
  isInBackground,
  listen,
  queryAll,
  readyState,
  unlisten,
} from "../dom/dom";
import { channelOf } from "../dom/hooks";
import { whenIdle, yieldToPage } from "../dom/timeSlices";
import { findRedirect } from "./loadingSigns";

/** Nested timers are delayed by so much, in milliseconds. */
const NESTED = 5;
/** A main thread that needs longer than this for two frames is busy, in milliseconds. */
const MAX_PASS = 120;
/** How long the handlers of `load` are waited for, in milliseconds. */
const MAX_LOAD = 1000;

/** The things that are still to come, in milliseconds from now. */
export interface Schedule {
  /** When the next thing is due; none if nothing is within a second. */
  due: number | null;
  /** Something runs again and again at short intervals, or the main thread is busy. */
  restless: boolean;
  /** Something is due later, within some seconds. */
  later: boolean;
  /** How long ago an interface was used that does not say when it calls scripts. */
  used: number | null;
  /** How long it took to find out. */
  took: number;
}

/** Returns what the hooks of a document answer, as a list of numbers. */
function ask(channel: EventTarget, ago: number): number[] {
  let answer = "";
  const hear = (event: Event): void => {
    answer = String((event as CustomEvent<unknown>).detail);
  };
  listen(channel, "answer", hear);
  dispatch(channel, new CustomEvent("ask", { detail: String(ago) }));
  unlisten(channel, "answer", hear);
  return answer.split(",").map(Number);
}

/** Announces an input of ours, which the page answers as often as it comes. */
export function announceInput(): void {
  const channel = channelOf(document);
  if (channel) dispatch(channel, new Event("begin"));
}

/** Returns the channels of all documents below these roots; none if one of them cannot be asked. */
function channelsIn(roots: Iterable<Node>): EventTarget[] | null {
  const found: EventTarget[] = [];
  for (const root of roots) {
    const frames = queryAll(root as Document, "iframe, frame");
    for (let i = 0; i < frames.length; i++) {
      const inside = contentDocument(frames[i] as Element);
      const channel = inside && channelOf(inside);
      const deeper = channel && channelsIn([inside]);
      if (!deeper) return null;
      found.push(channel);
      for (const one of deeper) found.push(one);
    }
  }
  return found;
}

const pause = (time: number): Promise<void> => new Promise((done) => setTimeout(done, time));

/**
 * Waits until everything that was due at the beginning has run, and two frames were drawn. Returns
 * false if that takes too long.
 */
async function passDue(): Promise<boolean> {
  let passed = false;
  const all = Promise.all([
    pause(NESTED),
    nextAnimationFrame().then(nextAnimationFrame),
    whenIdle(),
  ]);
  await Promise.race([all.then(yieldToPage).then(() => (passed = true)), pause(MAX_PASS)]);
  return passed;
}

/**
 * Returns whether the handlers of `load` have run; waits for them if they are running. An engine may
 * announce `load` before they have.
 */
async function hasLoaded(): Promise<boolean> {
  const late = performance.now() + MAX_LOAD;
  const { timing } = globalThis.performance;
  while (!timing.loadEventEnd) {
    if (readyState(document) !== "complete" || performance.now() > late) return false;
    await pause(NESTED);
  }
  return true;
}

/** Returns what is scheduled in the document with these roots; null if that is not known. */
export async function scheduleNow(roots: Iterable<Node>): Promise<Schedule | null> {
  const own = channelOf(document);
  if (!own || isInBackground() || !(await hasLoaded())) return null;
  const begun = performance.now();
  const scrolled = [scrollX, scrollY].join();
  const passed = await passDue();
  const inside = channelsIn(roots);
  if (!inside) return null;
  const took = performance.now() - begun;
  const restless = !passed || scrolled !== [scrollX, scrollY].join();
  const later = findRedirect() !== null;
  const schedule: Schedule = { due: null, restless, later, used: null, took };
  for (const channel of [own, ...inside]) {
    // On a busy main thread, what is due may not have run.
    const [due = -1, restless = 1, used = 0, later = 1] = ask(channel, passed ? took : 0);
    if (due >= 0) schedule.due = Math.min(schedule.due ?? due, due);
    if (restless) schedule.restless = true;
    if (later) schedule.later = true;
    if (used >= 0) schedule.used = Math.min(schedule.used ?? used, used);
  }
  return schedule;
}
