// Text that CSS adds before and after an element (::before, ::after), as far as names need it.
// Reads styles only.

import { attr, localName } from "../dom/dom";
import { stripNoise } from "../dom/text";
import { counterText } from "./cssCounters";
import type { ReadCache } from "./readCache";

export function generatedText(
  cache: ReadCache,
  el: Element,
  pseudo: "::before" | "::after",
): string {
  if (!cache.mayGenerate(el) && localName(el) !== "q") return "";
  let known = cache.generated.get(el);
  if (!known) cache.generated.set(el, (known = {}));
  return (known[pseudo] ??= read(cache, el, pseudo));
}

function read(cache: ReadCache, el: Element, pseudo: "::before" | "::after"): string {
  const style = getComputedStyle(el, pseudo);
  const content = style.content;
  if (content === "none" || content === "normal" || content === "" || content === '""') return "";
  if (style.display === "none" || style.visibility !== "visible") return "";
  const text = stripNoise(contentValue(cache, el, pseudo, content));
  return text !== "" && !style.display.startsWith("inline") && style.position !== "absolute"
    ? ` ${text} `
    : text;
}

const TOKEN =
  /"((?:[^"\\]|\\.)*)"|\/|(attr|counter|counters|url)\(((?:"(?:[^"\\]|\\.)*"|[^)"])*)\)|[-a-z]+(?:\([^)]*\))?/gi;

/** Returns the strings of a `content` value. Alternative text after a slash replaces them. */
function contentValue(cache: ReadCache, el: Element, pseudo: string, content: string): string {
  let text = "";
  let instead = false;
  for (const [token, string, kind, inside] of content.matchAll(TOKEN)) {
    if (token === "/") {
      text = "";
      instead = true;
    } else if (string !== undefined)
      text += string.replace(/\\([0-9a-f]{1,6})\s?|\\(.)/gi, (_, hex?: string, other?: string) =>
        hex ? String.fromCodePoint(Number.parseInt(hex, 16)) : (other ?? ""),
      );
    else if (kind?.toLowerCase() === "attr")
      text += attr(el, (inside ?? "").trim().split(/[\s,]/)[0] as string) ?? "";
    else if (kind?.toLowerCase().startsWith("counter"))
      text += counterText(cache, el, pseudo, kind, inside ?? "");
  }
  // Alternative text stands for a picture, which stands apart from the text next to it.
  return instead && text !== "" ? ` ${text} ` : text;
}
