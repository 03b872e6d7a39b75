// Text that CSS puts before and after an element (::before, ::after), as names need it. Reads
// styles only.

import { attr, localName } from "../dom/dom";
import { denoise } from "../dom/text";
import { counterText } from "./cssCounters";
import type { Look } from "./readCache";

export function generatedText(look: Look, el: Element, pseudo: "::before" | "::after"): string {
  if (!look.mayGenerate(el) && localName(el) !== "q") return "";
  let known = look.generated.get(el);
  if (!known) look.generated.set(el, (known = {}));
  return (known[pseudo] ??= read(look, el, pseudo));
}

function read(look: Look, el: Element, pseudo: "::before" | "::after"): string {
  const style = getComputedStyle(el, pseudo);
  const content = style.content;
  if (content === "none" || content === "normal" || content === "" || content === '""') return "";
  if (style.display === "none" || style.visibility !== "visible") return "";
  const text = denoise(contentValue(look, el, pseudo, content));
  return text !== "" && !style.display.startsWith("inline") && style.position !== "absolute"
    ? ` ${text} `
    : text;
}

const TOKEN =
  /"((?:[^"\\]|\\.)*)"|\/|(attr|counter|counters|url)\(((?:"(?:[^"\\]|\\.)*"|[^)"])*)\)|[-a-z]+(?:\([^)]*\))?/gi;

/**
 * The strings of a `content` value; what follows a slash is its alternative text and stands
 * instead.
 */
function contentValue(look: Look, el: Element, pseudo: string, content: string): string {
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
      text += counterText(look, el, pseudo, kind, inside ?? "");
  }
  // Alternative text stands for a picture, which stands apart from the text next to it.
  return instead && text !== "" ? ` ${text} ` : text;
}
