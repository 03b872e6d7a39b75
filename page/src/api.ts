// What Rust may call: one object, a global of this world only. Every function answers a JSON string
// or a promise of one, and never throws.

import { checked } from "./actions/checkbox";
import {
  armDrag,
  disarmDrag,
  dragEnd,
  dragged,
  dragOver,
  listenForDrags,
} from "./actions/dragPolyfill";
import { fileField, files } from "./actions/fileInput";
import {
  active,
  beside,
  caret,
  focus,
  focused,
  focusOnly,
  guarded,
  insert,
  setValue,
  typed,
  value,
} from "./actions/fill";
import { framePoint, reveal } from "./actions/framePoint";
import { attend, landed, listen } from "./actions/inputWatch";
import { prepare, under } from "./actions/prepare";
import { bring, scrolledTo, scroller } from "./actions/scroll";
import { choose, chosen, option } from "./actions/select";
import { capture, warmUp } from "./capture/capture";
import { documentTitle, localName, query, shadowRoots } from "./dom/dom";
import {
  census,
  forgetListeners,
  hosts,
  learnListeners,
  learnMarks,
  learnRoots,
  pieces,
} from "./dom/engineSupplied";
import { readDocument } from "./dom/globals";
import { documentToken, elementOf, idOf } from "./dom/identity";
import { nextFrame } from "./dom/nextFrame";
import { SLICE } from "./dom/timeSlices";
import { describe, matchCounts } from "./inspect/describe";
import { info } from "./inspect/pageInfo";
import { paste } from "./semantics/codeEditor";
import { catchUp } from "./semantics/secrets";
import { FRAMES } from "./semantics/tagTraits";
import { hitAt } from "./visibility/hitTest";
import { shareOf, through, windowsOf } from "./visibility/iframes";
import { attended, moving, news, pulse, restless } from "./waiting/activity";
import { pictures } from "./waiting/images";
import { quiet, wait } from "./waiting/waitFor";

type Answer = object | Promise<object | string>;

const failure = (code: string, message: string): object => ({ error: code, message });
const failed = (error: unknown): string =>
  JSON.stringify(
    failure(
      "internal",
      error instanceof Error ? `${error.message}\n${error.stack ?? ""}` : String(error),
    ),
  );

/** A string is passed on as it is: it is JSON already. */
function safely<A extends unknown[]>(
  f: (...args: A) => Answer | string,
): (...args: A) => string | Promise<string> {
  return (...args) => {
    try {
      readDocument();
      catchUp();
      const answer = f(...args);
      if (typeof answer === "string") return answer;
      return answer instanceof Promise
        ? answer.then((o) => (typeof o === "string" ? o : JSON.stringify(o))).catch(failed)
        : JSON.stringify(answer);
    } catch (error) {
      return failed(error);
    }
  };
}

/** The same for what is given or gives nodes and windows, not JSON. */
function here<A extends unknown[], R>(f: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    readDocument();
    return f(...args);
  };
}

function parses(selector: string): boolean {
  try {
    query(document.createDocumentFragment(), selector);
    return true;
  } catch {
    return false;
  }
}
const noSelector = (selector: string): object =>
  failure("selector", `not a CSS selector: ${selector}`);

function find(selector: string): Element | null {
  const first = query(document, selector);
  if (first) return first;
  for (const root of shadowRoots(document)) {
    const inner = query(root, selector);
    if (inner) return inner;
  }
  return null;
}
/**
 * Which elements are which, for those who have them in hand: the engine, and the proof of sight.
 */
const identify = (...elements: Element[]): object => ({
  doc: documentToken,
  ids: elements.map(idOf),
});
const identified = (el: Element | null): object => ({ id: el ? idOf(el) : 0 });

interface WalkOptions {
  full?: boolean;
  scope?: string | null;
  plain?: boolean;
  limit?: number;
  slice?: number;
  known?: string | null;
  pierce?: boolean;
  share?: number;
  /** Only a glance: whoever acts is not done yet. */
  ahead?: boolean;
}

const api = {
  walk: safely(
    ({
      full = false,
      scope,
      plain = false,
      limit = 5000,
      slice = SLICE,
      known = null,
      pierce = true,
      share = 0.5,
      ahead = false,
    }: WalkOptions = {}) => {
      const selector = scope ?? undefined;
      if (selector !== undefined && !parses(selector)) return noSelector(selector);
      if (!ahead) attended();
      else if (moving() > 0) return failure("moving", "not yet what it is going to be");
      return capture({ full, scope: selector, plain, limit, slice, known, pierce, share });
    },
  ),
  identify: safely(identify),
  describe: safely(describe),
  matches: safely(matchCounts),
  at: safely((x: number, y: number, share = false) => {
    const [px, py] = share ? [x * innerWidth, y * innerHeight] : [x, y];
    const hit = hitAt(px, py);
    return {
      ...identified(hit),
      ...(hit && FRAMES.has(localName(hit)) ? shareOf(hit, px, py) : {}),
    };
  }),
  find: safely((selector: string) =>
    parses(selector) ? identified(find(selector)) : noSelector(selector),
  ),
  prepare: safely(prepare),
  under: safely(under),
  attend: safely(attend),
  landed: safely(landed),
  focus: safely((id: number, select = true) => (select ? focus(id) : focusOnly(id))),
  focused: safely(focused),
  guarded: safely(guarded),
  typed: safely(typed),
  value: safely(value),
  setValue: safely(setValue),
  insert: safely(insert),
  paste: safely(paste),
  beside: safely(beside),
  caret: safely(caret),
  active: safely(active),
  checked: safely(checked),
  choose: safely(choose),
  chosen: safely(chosen),
  option: safely(option),
  scroller: safely(scroller),
  scrolledTo: safely(scrolledTo),
  bring: safely(bring),
  armDrag: safely(armDrag),
  dragged: safely(dragged),
  dragOver: safely(dragOver),
  dragEnd: safely(dragEnd),
  disarmDrag: safely(disarmDrag),
  fileField: safely(fileField),
  files: safely(files),
  quiet: safely(quiet),
  pictures: safely(pictures),
  news: safely(news),
  pulse: safely(pulse),
  restless: safely(restless),
  there: safely((ids: number[]) => ({ there: ids.filter((id) => elementOf(id) !== null) })),
  frame: safely(() => nextFrame().then(() => ({}))),
  wait: safely(wait),
  info: safely(info),
  through: safely(through),
  reveal: safely(reveal),
  framePoint: safely(framePoint),
  census: safely(census),
  forgetListeners: safely(forgetListeners),
  // These are given or give nodes and windows, not JSON: for the engine only.
  element: here(elementOf),
  windows: here(windowsOf),
  pieces: here(pieces),
  learnRoots: here(learnRoots),
  hosts: here(hosts),
  learnListeners: here(learnListeners),
  learnMarks: here(learnMarks),
  token: safely(() => ({ doc: documentToken, title: documentTitle(document) ?? "" })),
};

declare global {
  var pagesight: typeof api | undefined;
}
// Installed twice, the first one stays: it knows which element is which.
if (!globalThis.pagesight) {
  globalThis.pagesight = api;
  listen();
  listenForDrags();
  if (window === window.top) warmUp().catch(() => {});
}
// Password fields are to be known from the start.
catchUp();
