// File inputs: finds the one that an element stands for, which is often hidden by a button or a
// label. Reads only; the engine sets the files.

import { closest, flatParent, hasAttr, localName, query, queryAll } from "../dom/dom";
import { elementOf, idOf } from "../dom/identity";
import { whyUnusable } from "./prepare";

const FILE = 'input[type="file" i]';
/** How many levels above a button its field may be. */
const MAX_LEVELS = 4;

const isFile = (el: Element): el is HTMLInputElement =>
  localName(el) === "input" && (el as HTMLInputElement).type === "file";

/**
 * Returns the file input that an element stands for: itself, that of its label, the one in it, or
 * the only one nearby.
 */
function fileInputOf(el: Element): HTMLInputElement | null {
  if (isFile(el)) return el;
  const control = (closest(el, "label") as HTMLLabelElement | null)?.control;
  if (control && isFile(control)) return control;
  let at: Element | null = el;
  for (let up = 0; at && up <= MAX_LEVELS && localName(at) !== "body"; up++, at = flatParent(at)) {
    const near = queryAll(at, FILE);
    if (near.length === 1) return query(at, FILE) as HTMLInputElement;
    if (near.length > 1) return null;
  }
  return null;
}

export function findFileInput(id: number): object {
  const el = elementOf(id);
  if (!el) return { ok: false, reason: "gone" };
  const field = fileInputOf(el);
  if (!field) return { ok: false, reason: "no file field" };
  const reason = whyUnusable(el) ?? whyUnusable(field);
  if (reason) return { ok: false, reason };
  return {
    ok: true,
    field: idOf(field),
    multiple: field.multiple,
    folder: hasAttr(field, "webkitdirectory"),
  };
}

/** Returns the names of the files in a file input. */
export function fileNames(id: number): object {
  const el = elementOf(id);
  return { names: el && isFile(el) ? Array.from(el.files ?? [], (file) => file.name) : null };
}
