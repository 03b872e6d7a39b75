// Visible signs that the page is still loading: a busy region, a progress bar without a value, a
// spinner, a skeleton, a loading text; in view, and not in an advertisement. Judged by role and
// state first, by class names only where something is animated or empty. Reads only.

import {
  animationsOf,
  attr,
  closest,
  flatParent,
  isElement,
  isVisible,
  localName,
  matches,
  parentNode,
  query,
  queryAll,
  rectOf,
  shadowRoots,
  textContent,
} from "../dom/dom";
import { collapseAndTrim } from "../dom/text";
import { nameOf } from "../semantics/names";
import { ReadCache } from "../semantics/readCache";
import { roleOf } from "../semantics/roles";

const BUSY_SELECTOR =
  '[aria-busy="true"],progress:not([value]),[role="progressbar"]:not([aria-valuenow])';
const CANDIDATE_SELECTOR =
  '[class*="spin" i],[class*="load" i],[class*="skeleton" i],[class*="shimmer" i]';
/** Words of a class name, separated by hyphens and capitals. */
const SPINNER_CLASS = /(^|[-_])(spin|spinner|loader|preloader|loading)([-_]|$)/;
const SKELETON_CLASS = /(^|[-_])(skeleton|skeletons|shimmer)([-_]|$)/;
/** The class names a state; such an element is loading only if it is animated. */
const STATE_CLASS = /(^|[-_])loading([-_]|$)/;
const UNRELATED_CLASS =
  /lazy|(^|[-_])(loaded|unloaded|preload|autoload|download|upload|payload|workload)([-_]|$)/;
const LOADING_TEXT =
  /^(loading|please wait|just a moment|wird geladen|lädt|chargement|cargando|caricamento|carregando|загрузка|加载中|载入中|読み込み中|로딩 ?중?)([ :,][^.…]{1,40})?[ .…]*$/i;
const ELLIPSIS = /(\.\.|…)\s*$/;
const AD_SELECTOR =
  'ins.adsbygoogle,[id^="google_ads"],[id^="ad-"],[id^="ads-"],[class~="ad"],[class~="ads"],' +
  '[class^="ad-"],[class*=" ad-"],[class*="-ad "],[class*="advert" i],[class*="sponsor" i],' +
  '[aria-label*="advertisement" i]';
const MAX_CANDIDATES = 300;
/** All signs are noted after so many milliseconds, at the latest when one is looked for. */
const NOTE_AGAIN = 1500;
const MAX_TEXTS = 20_000;
/** A control is not a sign: a number field with its buttons is called a spinner too. */
const CONTROL_SELECTOR =
  'button,a[href],input,select,textarea,[role="button"],[role="spinbutton"],[role="slider"],' +
  '[contenteditable=""],[contenteditable="true"]';
/** The largest sign beside the content: 40 pixels, turned by 45 degrees. */
const MAX_ASIDE = 57;
const BAR_SELECTOR =
  'header,footer,nav,[role="banner"],[role="contentinfo"],[role="navigation"],[role="toolbar"]';
const CONTENT_SELECTOR =
  'main,article,section,dialog,form,[role="main"],[role="article"],[role="region"],' +
  '[role="dialog"],[role="alertdialog"],[role="form"]';
/** The longest delay of an announced redirect that counts as loading, in seconds. */
const MAX_REFRESH_DELAY = 5;

/** A visible sign that the page is loading. */
export interface LoadingSign {
  /** The loading thing, in words. */
  label: string;
  /** Whether it is a small sign in a bar of the page, which may show that the page is connected. */
  isAside: boolean;
}

/** An action that is waited for. */
export interface AwaitedAction {
  /** When it began. */
  began: number;
  /** Whether it changed an element. */
  isTouched: (el: Element) => boolean;
}

/**
 * Returns what is loading; null if nothing is. Signs in the content come before those beside it.
 * Signs from before an action count only if it changed them: the answer before said so, and they
 * may stay for ever.
 */
export function findLoadingSign(action: AwaitedAction | null): LoadingSign | null {
  const cache = new ReadCache();
  const now = performance.now();
  let first: LoadingSign | null = null;
  for (const [el, label] of loadingSigns()) {
    const since = noteSign(el, now);
    if (first && !first.isAside) continue;
    if (action && since < action.began && !action.isTouched(el)) continue;
    const isAside = isInBar(el);
    if (first && isAside) continue;
    first = { label: label ?? labelOf(cache, el), isAside };
    // All are noted from time to time, so that an action need not wait for them one by one.
    if (!isAside && now - notedAt < NOTE_AGAIN) return first;
  }
  notedAt = now;
  const redirect = first ? null : findRedirect();
  return redirect === null ? first : { label: redirect, isAside: false };
}

/** When each sign was seen, first and last. */
const signTimes = new WeakMap<Element, { since: number; seen: number }>();
/** When all signs were noted last. */
let notedAt = 0;

/** Notes that a sign is there, and returns since when. */
function noteSign(el: Element, now: number): number {
  const before = signTimes.get(el);
  // It was gone when all were noted.
  const since = before && before.seen >= notedAt ? before.since : now;
  signTimes.set(el, { since, seen: now });
  return since;
}

/** Returns whether a sign is small and in a bar of the page that shows something else, too. */
function isInBar(el: Element): boolean {
  const { width, height } = rectOf(el);
  if (width > MAX_ASIDE || height > MAX_ASIDE) return false;
  let bar: Element | null = null;
  for (let at: Element | null = el; at; at = flatParent(at)) {
    if (matches(at, CONTENT_SELECTOR)) return false;
    if (!bar && matches(at, BAR_SELECTOR)) bar = at;
  }
  return bar !== null && (query(bar, CONTROL_SELECTOR) !== null || hasText(bar));
}

const hasText = (el: Element): boolean => collapseAndTrim(textContent(el) ?? "") !== "";

/** Yields the elements that are signs, and what they say if that is the sign. */
function* loadingSigns(): Generator<[Element, string | null]> {
  const roots: Node[] = [document, ...shadowRoots(document)];
  for (const root of roots) {
    let left = MAX_CANDIDATES;
    for (const el of queryAll(root, BUSY_SELECTOR))
      if (left-- > 0 && isInView(el)) yield [el, null];
    left = MAX_CANDIDATES;
    for (const el of queryAll(root, CANDIDATE_SELECTOR))
      if (left-- > 0 && isInView(el) && looksLoading(el)) yield [el, null];
  }
  for (const root of roots) yield* loadingTexts(root);
}

function isInView(el: Element): boolean {
  const { left, top, right, bottom, width, height } = rectOf(el);
  if (
    width < 2 ||
    height < 2 ||
    right <= 0 ||
    bottom <= 0 ||
    left >= innerWidth ||
    top >= innerHeight
  )
    return false;
  return (
    isVisible(el) &&
    Number(getComputedStyle(el).opacity) >= 0.1 &&
    closest(el, AD_SELECTOR) === null
  );
}

function looksLoading(el: Element): boolean {
  const words = (attr(el, "class") ?? "")
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase());
  const named = words.filter((word) => !UNRELATED_CLASS.test(word));
  const text = collapseAndTrim(textContent(el) ?? "");
  if (named.some((word) => SKELETON_CLASS.test(word))) return text === "" || isSpinning(el);
  if (!named.some((word) => SPINNER_CLASS.test(word))) return false;
  if (isSpinning(el) || LOADING_TEXT.test(text)) return true;
  const { width, height } = rectOf(el);
  return (
    text === "" &&
    width <= 300 &&
    height <= 300 &&
    !named.every((word) => STATE_CLASS.test(word) || !SPINNER_CLASS.test(word)) &&
    !matches(el, `a,${CONTROL_SELECTOR}`) &&
    query(el, CONTROL_SELECTOR) === null
  );
}

/** Returns whether an endless animation runs in an element. */
function isSpinning(el: Element): boolean {
  return animationsOf(el, { subtree: true }).some(
    (animation) =>
      animation.playState === "running" &&
      animation.effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY,
  );
}

/** Yields the elements with a text that says only that something is loading. */
function* loadingTexts(root: Node): Generator<[Element, string]> {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let left = MAX_TEXTS; left > 0 && walker.nextNode(); left--) {
    const { data } = walker.currentNode as Text;
    if (data.length < 3 || data.length > 80) continue;
    const text = collapseAndTrim(data);
    const found = LOADING_TEXT.exec(text);
    const el = found && parentNode(walker.currentNode);
    // "Loading dock" names a place; "Loading orders…" does not.
    if (
      found &&
      isElement(el) &&
      (found[2] === undefined || ELLIPSIS.test(text)) &&
      !/^(script|style|noscript|template|option)$/.test(localName(el)) &&
      isInView(el)
    )
      yield [el, JSON.stringify(text)];
  }
}

function labelOf(cache: ReadCache, el: Element): string {
  const role = roleOf(cache, el);
  const name = nameOf(cache, el).text;
  if (role !== "") return name === "" ? role : `${role}: ${name}`.slice(0, 80);
  const first = (attr(el, "class") ?? "").trim().split(/\s+/)[0];
  return `${localName(el)}${first ? `.${first}` : ""}`.slice(0, 80);
}

/** Returns the redirect that the page announces, if it is due soon. */
export function findRedirect(): string | null {
  for (const meta of queryAll(document, 'meta[http-equiv="refresh" i]')) {
    const found = /^\s*(\d+)[\s;,]+url\s*=\s*['"]?([^'"]+)/i.exec(attr(meta, "content") ?? "");
    if (found && Number(found[1]) <= MAX_REFRESH_DELAY)
      return `a redirect to ${(found[2] as string).slice(0, 60)}`;
  }
  return null;
}
