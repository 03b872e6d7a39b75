// The first reaction of a page to text in a field that may have suggestions: a visible change
// beyond the field itself. It is watched for from before the text is typed, because a page may
// react at once. The page cannot see the observer.

import {
  activeElement,
  closest,
  contains,
  isElement,
  localName,
  parentNode,
  rectOf,
  textContent,
} from "../dom/dom";
import { isBlank } from "../dom/text";
import { ReadCache } from "../semantics/readCache";
import { maySuggest } from "../semantics/suggestions";
import { hiddenReason } from "../visibility/visibility";
import { changesOnItsOwn } from "./activity";
import { observeChanges } from "./waitFor";

/** After this time the watch ends, even if nobody asks for its result. */
const MAX_WATCH = 10_000;
/** Texts for screen readers are drawn smaller than this, in pixels. */
const SMALLEST = 3;

interface ReactionWatch {
  came: boolean;
  /** Whoever waits for it. */
  answer: ((came: boolean) => void) | null;
  stop: () => void;
}
let watch: ReactionWatch | null = null;

/**
 * Returns whether the focused field may have suggestions. If so, watches for the first reaction
 * from now on.
 */
export function watchReaction(): object {
  watch?.stop();
  watch = null;
  const field = activeElement();
  if (!field || !maySuggest(field)) return { ok: false };
  const made: ReactionWatch = { came: false, answer: null, stop: () => {} };
  const end = observeChanges((_, records) => {
    if (made.came || !records.some((record) => isReaction(record, field))) return;
    made.came = true;
    made.answer?.(true);
  });
  const timer = setTimeout(() => made.stop(), MAX_WATCH);
  made.stop = () => {
    clearTimeout(timer);
    end();
    made.answer?.(made.came);
  };
  watch = made;
  return { ok: true };
}

/** Waits for the first reaction, at most `limit` milliseconds, and ends the watch. */
export function firstReaction(limit: number): Promise<object> {
  const made = watch;
  if (!made) return Promise.resolve({ ok: false });
  return new Promise((done) => {
    const finish = (came: boolean): void => {
      made.answer = null;
      clearTimeout(late);
      made.stop();
      if (watch === made) watch = null;
      done({ ok: came });
    };
    const late = setTimeout(() => finish(false), limit);
    made.answer = finish;
    if (made.came) finish(true);
  });
}

function isReaction(
  { type, target, addedNodes, removedNodes }: MutationRecord,
  field: Element,
): boolean {
  const el = isElement(target) ? target : parentNode(target);
  // A shadow root has no parent.
  if (!el || !isElement(el)) return [...addedNodes].some(shows);
  if (contains(field, el) || changesOnItsOwn(target)) return false;
  // The suggestions of the browser's own list are not elements of the page that are drawn.
  if (closest(el, "datalist")) return true;
  // A label that gives way to the text is part of the field.
  if (closest(el, "label")) return false;
  if (type === "attributes") return !contains(el, field) && shows(el);
  if (type === "characterData") return shows(el);
  return [...addedNodes].some(shows) || ([...removedNodes].some(hasText) && isDrawn(el));
}

const hasText = (node: Node): boolean => !isBlank(textContent(node) ?? "");

/** Returns whether a node can be seen and has text. An icon in the field is not a suggestion. */
function shows(node: Node): boolean {
  if (!hasText(node)) return false;
  const el = isElement(node) ? node : parentNode(node);
  if (!el || !isElement(el)) return false;
  return !/^(script|style|template|noscript)$/.test(localName(el)) && isDrawn(el);
}

function isDrawn(el: Element): boolean {
  const { width, height } = rectOf(el);
  // A list that fades in is transparent at first.
  return width >= SMALLEST && height >= SMALLEST && hiddenReason(new ReadCache(), el) === 0;
}
