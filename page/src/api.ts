// The functions that Rust may call: one object, a global of this world only. Each returns a JSON
// string or a promise of one, and never throws.

import { listenForMouse, type Point, restingPoint } from "./actions/approach";
import { checkboxState } from "./actions/checkbox";
import { copiedText, pasteText, watchCopy } from "./actions/copied";
import {
  armDrag,
  disarmDrag,
  dragEnd,
  dragOver,
  dragState,
  listenForDrags,
} from "./actions/dragPolyfill";
import { fileNames, findFileInput } from "./actions/fileInput";
import {
  admitsSecret,
  beginTyping,
  endTyping,
  enterSecret,
  fieldValue,
  focusElement,
  focusedElement,
  focusField,
  insertText,
  paste,
  placeCaret,
  setBeside,
  setValue,
  stillFocused,
} from "./actions/fill";
import { framePoint, revealFrame, scrollAside } from "./actions/framePoint";
import { inputResult, listenForInput, watchPage } from "./actions/inputWatch";
import { isUnderPoint, lockedPointer, prepare } from "./actions/prepare";
import { bringIntoView, findScroller, scrollOn, settledPosition } from "./actions/scroll";
import { checkChoice, chooseOptions, waitForOption } from "./actions/select";
import { hideSkipped, showSkipped } from "./actions/skippedParts";
import { type CaptureOptions, capture, warmUp } from "./capture/capture";
import { nextAnimationFrame } from "./dom/animationFrame";
import { documentTitle, localName, query, queryList, shadowRoots } from "./dom/dom";
import {
  countNodes,
  describePieces,
  everyHost,
  forgetListeners,
  learnListeners,
  learnMarks,
  learnRoots,
  possibleHosts,
} from "./dom/engineSupplied";
import { readDocument } from "./dom/globals";
import { documentToken, elementOf, idOf } from "./dom/identity";
import { truncate } from "./dom/text";
import { SLICE_MS } from "./dom/timeSlices";
import { describe, matchCounts } from "./inspect/describe";
import { measureLayout } from "./inspect/layout";
import { pageExtent, pageInfo } from "./inspect/pageInfo";
import { secretAttributeIn } from "./semantics/secretSelectors";
import { readPendingPasswords } from "./semantics/secrets";
import { hidingReplacer, secretValues } from "./semantics/secretValues";
import { FRAMES } from "./semantics/tagTraits";
import "./start";
import { hitTest } from "./visibility/hitTest";
import { coversOverFrame, frameWindows, pointInFrame } from "./visibility/iframes";
import {
  activityNow,
  isActionMoving,
  nextChange,
  pageCaptured,
  selfChanging,
} from "./waiting/activity";
import { waitForImages } from "./waiting/images";
import { firstReaction, watchReaction } from "./waiting/reaction";
import { waitForQuiet, waitForText } from "./waiting/waitFor";

type AnyFunction = (...args: never[]) => unknown;
type Answer = string | object | Promise<object | string>;

const failure = (code: string, message: string): object => ({ error: code, message });
const failed = (error: unknown): string =>
  JSON.stringify(
    failure(
      "internal",
      error instanceof Error ? `${error.message}\n${error.stack ?? ""}` : String(error),
    ),
  );

/** Values of secret fields are hidden, except in answers about what the caller typed. */
const written = (answer: object, typed: boolean): string =>
  JSON.stringify(answer, typed ? undefined : hidingReplacer());

/**
 * Wraps a function so that it returns JSON and never throws. A string is JSON already. `typed`: it
 * answers with the value of a field that the caller filled.
 */
const answering =
  (f: AnyFunction, typed: boolean): AnyFunction =>
  (...args) => {
    try {
      readDocument();
      readPendingPasswords();
      // bounded: the parameters of one call
      const answer = f(...args) as Answer;
      if (typeof answer === "string") return answer;
      return answer instanceof Promise
        ? answer.then((o) => (typeof o === "string" ? o : written(o, typed))).catch(failed)
        : written(answer, typed);
    } catch (error) {
      return failed(error);
    }
  };

/** Wraps a function that takes or returns nodes and windows, not JSON. */
const withDocument =
  (f: AnyFunction): AnyFunction =>
  (...args) => {
    readDocument();
    // bounded: the parameters of one call
    return f(...args);
  };

function isSelector(selector: string): boolean {
  try {
    query(document.createDocumentFragment(), selector);
    return true;
  } catch {
    return false;
  }
}
/**
 * Returns why a selector of the caller is not used; null if it is. The text is not hidden in it:
 * whether it is would show the caller that it contains a secret.
 */
function refusalReason(selector: string): string | null {
  const name = isSelector(selector) ? secretAttributeIn(selector) : "";
  if (name === null) return null;
  return name
    ? `the selector tests the attribute ${name}, which may hold a secret of this page; choose the element by id, name or place`
    : `not a CSS selector: ${selector}`;
}
function refusal(selector: string): string | null {
  const reason = refusalReason(selector);
  return reason === null ? null : JSON.stringify(failure("selector", reason));
}

function firstMatch(selector: string): Element | null {
  const first = query(document, selector);
  if (first) return first;
  for (const root of shadowRoots(document)) {
    const inner = query(root, selector);
    if (inner) return inner;
  }
  return null;
}
/** Returns the ids of the elements that a selector matches, also in shadow roots. */
function allMatches(selector: string): object {
  const refused = refusalReason(selector);
  if (refused !== null) return { ids: [], refused };
  const ids = queryList(document, selector).map(idOf);
  for (const root of shadowRoots(document))
    for (const el of queryList(root, selector)) ids.push(idOf(el));
  return { ids };
}
/** Returns the ids of elements, for callers that hold them. */
const identify = (...elements: Element[]): object => ({
  doc: documentToken,
  ids: elements.map(idOf),
});
const identified = (el: Element | null): object => ({ id: el ? idOf(el) : 0 });

interface WalkOptions extends Partial<Omit<CaptureOptions, "scope">> {
  scope?: string | null;
  /** A prefetch during an action: the action does not count as done. */
  ahead?: boolean;
}
const WALK_DEFAULTS = {
  full: false,
  plain: false,
  limit: 5000,
  slice: SLICE_MS,
  known: null,
  pierce: true,
  share: 0.5,
};

/** The functions that take and return JSON. */
const jsonFunctions = {
  walk({ scope, ahead = false, ...options }: WalkOptions = {}) {
    const selector = scope ?? undefined;
    const refused = selector === undefined ? null : refusal(selector);
    if (refused) return refused;
    if (!ahead) pageCaptured();
    else if (isActionMoving()) return failure("moving", "a transition is running");
    return capture({ ...WALK_DEFAULTS, ...options, scope: selector });
  },
  identify,
  describe,
  matchCounts,
  at(x: number, y: number, share = false) {
    const [px, py] = share ? [x * innerWidth, y * innerHeight] : [x, y];
    const hit = hitTest(px, py);
    return {
      ...identified(hit),
      ...(hit && FRAMES.has(localName(hit)) ? pointInFrame(hit, px, py) : {}),
    };
  },
  /** Tests points near a point: which of them hit the same element, and where in a frame. */
  near(x: number, y: number, share: boolean, points: Point[]) {
    const scale = ([px, py]: Point): Point =>
      share ? [px * innerWidth, py * innerHeight] : [px, py];
    const [atX, atY] = scale([x, y]);
    const hit = hitTest(atX, atY);
    const frame = hit && FRAMES.has(localName(hit)) ? hit : null;
    return {
      ...identified(hit),
      ...(frame ? pointInFrame(frame, atX, atY) : {}),
      resting: hit && !share ? restingPoint(hit) : null,
      points: points.map((point) => {
        const [px, py] = scale(point);
        if (!hit || hitTest(px, py) !== hit) return null;
        if (!frame) return point;
        const { fx, fy } = pointInFrame(frame, px, py);
        return [fx, fy];
      }),
    };
  },
  find: (selector: string) => refusal(selector) ?? identified(firstMatch(selector)),
  allMatches,
  prepare,
  isUnderPoint,
  watchPage,
  lockedPointer,
  inputResult,
  focus: (id: number, select = true) => (select ? focusField(id) : focusElement(id)),
  stillFocused,
  beginTyping,
  endTyping,
  watchReaction,
  firstReaction,
  insertText,
  paste,
  watchCopy,
  copiedText,
  pasteText,
  admitsSecret,
  enterSecret,
  setBeside,
  placeCaret,
  focusedElement,
  checkboxState,
  chooseOptions,
  checkChoice,
  waitForOption,
  findScroller,
  scrollOn,
  settledPosition,
  bringIntoView,
  armDrag,
  dragState,
  dragOver,
  dragEnd,
  disarmDrag,
  findFileInput,
  fileNames,
  waitForQuiet,
  waitForImages,
  showSkipped,
  hideSkipped,
  nextChange,
  activityNow,
  selfChanging,
  there: (ids: number[]) => ({ there: ids.filter((id) => elementOf(id) !== null) }),
  /** Hides the values of secret fields in JSON, as in every answer. */
  hideSecrets: (value: unknown) => ({ value }),
  nextAnimationFrame: () => nextAnimationFrame().then(() => ({})),
  waitForText,
  pageInfo,
  pageExtent,
  measureLayout,
  coversOverFrame,
  revealFrame,
  scrollAside,
  framePoint,
  countNodes,
  forgetListeners,
  token: () => ({
    doc: documentToken,
    title: truncate(documentTitle(document) ?? "", 1000),
  }),
};

/** The functions that answer with values of fields, which are not hidden. */
const valueFunctions = {
  fieldValue,
  /** For the masks in the world where expressions of callers run. */
  secretValues: () => ({ values: secretValues() }),
  setValue,
};

/** The functions that take or return nodes and windows, not JSON: for the engine only. */
const nodeFunctions = {
  elementOf,
  frameWindows,
  describePieces,
  learnRoots,
  possibleHosts,
  everyHost,
  learnListeners,
  learnMarks,
};

/** Wraps every function of an object, so that all have their own names in the API. */
const wrapAll = (functions: object, wrap: (f: AnyFunction) => AnyFunction): object =>
  Object.fromEntries(Object.entries(functions).map(([name, f]) => [name, wrap(f)]));

const api = {
  ...wrapAll(jsonFunctions, (f) => answering(f, false)),
  ...wrapAll(valueFunctions, (f) => answering(f, true)),
  ...wrapAll(nodeFunctions, withDocument),
};

declare global {
  var pagesight: typeof api | undefined;
}
// If the script is installed twice, the first instance stays: it knows the ids. An element called
// `pagesight` is a property of the window too, but not an own one.
if (!Object.hasOwn(globalThis, "pagesight")) {
  globalThis.pagesight = api;
  listenForInput();
  listenForMouse();
  listenForDrags();
  if (window === window.top) warmUp().catch(() => {});
}
