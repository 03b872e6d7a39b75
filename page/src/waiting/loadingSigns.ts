// What tells a person that the page is still loading: a busy region, a bar without a value, a
// spinner, a skeleton, the words themselves; in view, and not in an advertisement. Judged by role
// and state first, by class names only where something really turns or stands empty. Reads only.

import {
  attr,
  closest,
  drawn,
  isElement,
  localName,
  matches,
  query,
  queryAll,
  rectOf,
  shadowRoots,
  textContent,
} from "../dom/dom";
import { tidy } from "../dom/text";
import { nameOf } from "../semantics/names";
import { Look } from "../semantics/readCache";
import { roleOf } from "../semantics/roles";

const SAID = '[aria-busy="true"],progress:not([value]),[role="progressbar"]:not([aria-valuenow])';
const DRAWN = '[class*="spin" i],[class*="load" i],[class*="skeleton" i],[class*="shimmer" i]';
/** Words of a class name, told apart by hyphens and capitals. */
const TURNS = /(^|[-_])(spin|spinner|loader|preloader|loading)([-_]|$)/;
const EMPTY = /(^|[-_])(skeleton|skeletons|shimmer)([-_]|$)/;
/** Its state, not what it is: such a thing is loading only if it turns. */
const STATE = /(^|[-_])loading([-_]|$)/;
const LAZY =
  /lazy|(^|[-_])(loaded|unloaded|preload|autoload|download|upload|payload|workload)([-_]|$)/;
const WORDS =
  /^(loading|please wait|just a moment|wird geladen|lädt|chargement|cargando|caricamento|carregando|загрузка|加载中|载入中|読み込み中|로딩 ?중?)([ :,][^.…]{1,40})?[ .…]*$/i;
const TRAILS = /(\.\.|…)\s*$/;
const ADS =
  'ins.adsbygoogle,[id^="google_ads"],[id^="ad-"],[id^="ads-"],[class~="ad"],[class~="ads"],' +
  '[class^="ad-"],[class*=" ad-"],[class*="-ad "],[class*="advert" i],[class*="sponsor" i],' +
  '[aria-label*="advertisement" i]';
const MOST = 300;
const MOST_TEXTS = 20_000;
/** What is used is no sign: a number field with its buttons is called a spinner too. */
const USED =
  'button,a[href],input,select,textarea,[role="button"],[role="spinbutton"],[role="slider"],' +
  '[contenteditable=""],[contenteditable="true"]';
/** Seconds. */
const SOON = 5;

/** What is loading, for people; null: nothing is. */
export function loading(): string | null {
  const look = new Look();
  const roots: Node[] = [document, ...shadowRoots(document)];
  for (const root of roots) {
    let left = MOST;
    for (const el of queryAll(root, SAID)) if (left-- > 0 && isInView(el)) return named(look, el);
    left = MOST;
    for (const el of queryAll(root, DRAWN))
      if (left-- > 0 && isInView(el) && looksLoading(el)) return named(look, el);
  }
  for (const root of roots) {
    const said = words(root);
    if (said !== null) return said;
  }
  return redirect();
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
  return drawn(el) && Number(getComputedStyle(el).opacity) >= 0.1 && closest(el, ADS) === null;
}

function looksLoading(el: Element): boolean {
  const words = (attr(el, "class") ?? "")
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase());
  const named = words.filter((word) => !LAZY.test(word));
  const text = tidy(textContent(el) ?? "");
  if (named.some((word) => EMPTY.test(word))) return text === "" || turns(el);
  if (!named.some((word) => TURNS.test(word))) return false;
  if (turns(el) || WORDS.test(text)) return true;
  const { width, height } = rectOf(el);
  return (
    text === "" &&
    width <= 300 &&
    height <= 300 &&
    !named.every((word) => STATE.test(word) || !TURNS.test(word)) &&
    !matches(el, `a,${USED}`) &&
    query(el, USED) === null
  );
}

/** Something in it goes round and round. */
function turns(el: Element): boolean {
  const animations =
    (
      el as Element & { getAnimations?(options: { subtree: boolean }): Animation[] }
    ).getAnimations?.({ subtree: true }) ?? [];
  return animations.some(
    (animation) =>
      animation.playState === "running" &&
      animation.effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY,
  );
}

/** A text that says nothing but that. */
function words(root: Node): string | null {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let left = MOST_TEXTS; left > 0 && walker.nextNode(); left--) {
    const { data } = walker.currentNode as Text;
    if (data.length < 3 || data.length > 80) continue;
    const text = tidy(data);
    const found = WORDS.exec(text);
    const el = found && walker.currentNode.parentNode;
    // "Loading dock" is a place; "Loading orders…" is not.
    if (
      found &&
      isElement(el) &&
      (found[2] === undefined || TRAILS.test(text)) &&
      !/^(script|style|noscript|template|option)$/.test(localName(el)) &&
      isInView(el)
    )
      return JSON.stringify(text);
  }
  return null;
}

function named(look: Look, el: Element): string {
  const role = roleOf(look, el);
  const name = nameOf(look, el).text;
  if (role !== "") return name === "" ? role : `${role}: ${name}`.slice(0, 80);
  const first = (attr(el, "class") ?? "").trim().split(/\s+/)[0];
  return `${localName(el)}${first ? `.${first}` : ""}`.slice(0, 80);
}

/** A page that sends its visitor on in a moment. */
function redirect(): string | null {
  for (const meta of queryAll(document, 'meta[http-equiv="refresh" i]')) {
    const found = /^\s*(\d+)[\s;,]+url\s*=\s*['"]?([^'"]+)/i.exec(attr(meta, "content") ?? "");
    if (found && Number(found[1]) <= SOON)
      return `a redirect to ${(found[2] as string).slice(0, 60)}`;
  }
  return null;
}
