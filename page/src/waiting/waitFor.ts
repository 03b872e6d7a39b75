// Waits until the page is quiet, or until a text appears or disappears. The page cannot see the
// observers and listeners; they end with the wait, and every wait is bounded.

import { walkPage } from "../capture/walker";
import { isElement, query, rootElement, shadowRoots, textContent } from "../dom/dom";
import { collapseAndTrim, stripNoise, words } from "../dom/text";
import { ReadCache } from "../semantics/readCache";
import { hideSecretValues, MASK } from "../semantics/secretValues";
import { Flag } from "../semantics/stateFlags";

/** Attributes that cannot change what is shown. */
const INVISIBLE_ATTRIBUTES =
  /^(on|data-(?!state|open|show|visible|hidden|active|theme)|nonce$|integrity$|aria-(live|atomic|relevant|flowto|controls|owns)$)/;

/**
 * Calls back on every change of the document and of all shadow roots, which are added to `roots`.
 * `all`: also on changes that cannot be seen. Returns the function that stops it.
 */
export function observeChanges(
  changed: (count: number, records: MutationRecord[]) => void,
  all = false,
  roots = new Set<Node>(),
): () => void {
  const observer = new MutationObserver((records) => {
    const heard: MutationRecord[] = [];
    // Nodes that were added inside of added nodes are entered once: a page may be built level by
    // level.
    const met = new Set<Node>();
    for (const record of records) {
      if (
        !all &&
        record.type === "attributes" &&
        INVISIBLE_ATTRIBUTES.test(record.attributeName ?? "")
      )
        continue;
      heard.push(record);
      for (const node of record.addedNodes) if (isElement(node) && !met.has(node)) enter(node, met);
    }
    if (heard.length > 0) changed(heard.length, heard);
  });
  const add = (root: Node): void => {
    if (roots.has(root)) return;
    roots.add(root);
    observer.observe(root, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
  };
  const enter = (top: Node, met?: Set<Node>): void => {
    for (const root of shadowRoots(top, met)) add(root);
  };
  add(document);
  enter(document);
  return () => observer.disconnect();
}

export function waitForQuiet(ms: number, limit: number): Promise<object> {
  return new Promise((done) => {
    let changes = 0;
    const finish = (isQuiet: boolean): void => {
      clearTimeout(timer);
      clearTimeout(last);
      stop();
      done({ quiet: isQuiet, changes });
    };
    let timer = setTimeout(() => finish(true), ms);
    const last = setTimeout(() => finish(false), limit);
    const stop = observeChanges((count) => {
      changes += count;
      clearTimeout(timer);
      timer = setTimeout(() => finish(true), ms);
    });
  });
}

/**
 * Returns all visible text as one reads it: white space collapsed, blocks separated, the values of
 * secret fields hidden. Otherwise a caller could find out a value letter by letter.
 */
export function shownText(): string {
  const { nodes } = walkPage(new ReadCache(), false);
  let text = "";
  for (const node of nodes) {
    if (node.isDropped) continue;
    if (!node.el) text += hideSecretValues(node.name);
    else if (!node.why) {
      if (node.flags & Flag.Block) text += " ";
      if (node.tag === "input" && node.role === "button")
        text += ` ${hideSecretValues(node.name)} `;
    }
  }
  return hideSecretValues(collapseAndTrim(text));
}

/**
 * Returns whether a text is certainly absent: its letters are nowhere in the page, visible or not.
 */
function isCertainlyAbsent(text: string): boolean {
  const root = rootElement();
  if (!root) return true;
  if (text.includes(MASK)) return false;
  const squeeze = (s: string): string => s.replace(/\s+/g, "").toLowerCase();
  const wanted = squeeze(text);
  if (squeeze(stripNoise(textContent(root) ?? "")).includes(wanted)) return false;
  if (query(root, "input[type=submit],input[type=button],input[type=reset]")) return false;
  return shadowRoots(document).length === 0;
}

export const isShown = (text: string): boolean =>
  !isCertainlyAbsent(text) && shownText().includes(text);

/** How many occurrences of a text are returned, and how much of the text around each. */
const MOST_OCCURRENCES = 50;
const MOST_AROUND = 5000;

/** Returns the text around each place where a text is shown. */
function occurrences(text: string): string[] {
  if (isCertainlyAbsent(text)) return [];
  const all = shownText();
  const found: string[] = [];
  for (let at = all.indexOf(text); at >= 0; at = all.indexOf(text, at + text.length)) {
    if (found.length >= MOST_OCCURRENCES) break;
    found.push(all.slice(Math.max(0, at - MOST_AROUND), at + text.length + MOST_AROUND));
  }
  return found;
}

const CHECK_EVENTS = words("transitionend animationend toggle load resize change click");

/**
 * Waits until a text is shown or gone. `judged`: the caller hides more in texts than the page can,
 * so it gets the text and what is around it at every check, and decides. `changed`: the page as it
 * is now was judged before.
 */
export function waitForText(
  what: { text?: string; gone?: string },
  limit: number,
  judged = false,
  changed = false,
): Promise<object> {
  const wanted = collapseAndTrim(what.text ?? what.gone ?? "");
  let around: string[] = [];
  const met = (): boolean => {
    if (!judged) return isShown(wanted) === (what.text !== undefined);
    around = occurrences(wanted);
    return around.length > 0 || what.gone !== undefined;
  };
  const answer = (isMet: boolean): object => ({
    met: isMet,
    ...(judged ? { wanted, around } : {}),
  });
  return new Promise((done) => {
    if (wanted === "" || (!changed && met())) return done(answer(true));
    let pending: ReturnType<typeof setTimeout> | 0 = 0;
    let cost = 0;
    const finish = (isMet: boolean): void => {
      clearTimeout(last);
      clearTimeout(pending || undefined);
      stop();
      for (const event of CHECK_EVENTS) removeEventListener(event, later, true);
      done(answer(isMet));
    };
    const check = (): void => {
      pending = 0;
      const start = performance.now();
      if (met()) finish(true);
      else cost = performance.now() - start;
    };
    // At most one check in 50 ms, and at most a fifth of the main thread's time.
    const later = (): void => {
      pending ||= setTimeout(check, Math.max(50, cost * 4));
    };
    const last = setTimeout(() => finish(met()), limit);
    const stop = observeChanges(later);
    for (const event of CHECK_EVENTS) addEventListener(event, later, true);
  });
}
