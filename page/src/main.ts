// What Rust may call: one object, a global of this world only. Every function answers a JSON string or a promise of one, and never throws.

import { prepare } from "./act";
import { capture } from "./capture";
import { describe, matchCounts } from "./describe";
import { documentTitle, query, shadowRoots } from "./dom";
import { focus, focused, focusOnly, select, setValue, value } from "./fill";
import { hitAt } from "./hit";
import { documentToken, idOf } from "./identity";
import { info } from "./info";
import { attend, landed, listen } from "./landed";
import { catchUp } from "./secrets";
import { SLICE } from "./slices";
import { quiet, wait } from "./watch";

type Answer = object | Promise<object | string>;

const failure = (code: string, message: string): object => ({ error: code, message });
const failed = (error: unknown): string => JSON.stringify(failure("internal", error instanceof Error ? `${error.message}\n${error.stack ?? ""}` : String(error)));

/** A string is passed on as it is: it is JSON already. */
function safely<A extends unknown[]>(f: (...args: A) => Answer | string): (...args: A) => string | Promise<string> {
  return (...args) => {
    try {
      catchUp();
      const answer = f(...args);
      if (typeof answer === "string") return answer;
      return answer instanceof Promise ? answer.then((o) => (typeof o === "string" ? o : JSON.stringify(o))).catch(failed) : JSON.stringify(answer);
    } catch (error) {
      return failed(error);
    }
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
const noSelector = (selector: string): object => failure("selector", `not a CSS selector: ${selector}`);

function find(selector: string): Element | null {
  const first = query(document, selector);
  if (first) return first;
  for (const root of shadowRoots(document)) {
    const inner = query(root, selector);
    if (inner) return inner;
  }
  return null;
}
const identified = (el: Element | null): object => ({ id: el ? idOf(el) : 0 });

interface WalkOptions {
  full?: boolean;
  scope?: string | null;
  plain?: boolean;
  limit?: number;
  slice?: number;
}

const api = {
  walk: safely(({ full = false, scope, plain = false, limit = 5000, slice = SLICE }: WalkOptions = {}) => {
    const selector = scope ?? undefined;
    if (selector !== undefined && !parses(selector)) return noSelector(selector);
    return capture({ full, scope: selector, plain, limit, slice });
  }),
  describe: safely(describe),
  matches: safely(matchCounts),
  at: safely((x: number, y: number) => identified(hitAt(x, y))),
  find: safely((selector: string) => (parses(selector) ? identified(find(selector)) : noSelector(selector))),
  prepare: safely(prepare),
  attend: safely(attend),
  landed: safely(landed),
  focus: safely((id: number, select = true) => (select ? focus(id) : focusOnly(id))),
  focused: safely(focused),
  value: safely(value),
  setValue: safely(setValue),
  select: safely(select),
  quiet: safely(quiet),
  wait: safely(wait),
  info: safely(info),
  token: safely(() => ({ doc: documentToken, title: documentTitle(document) ?? "" })),
};

declare global {
  var pagesight: typeof api | undefined;
}
// Installed twice, the first one stays: it knows which element is which.
if (!globalThis.pagesight) {
  globalThis.pagesight = api;
  listen();
}
// Password fields are to be known from the start.
catchUp();
