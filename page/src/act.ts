// Getting an element ready for real input: into view, visible, enabled, still, and hit at the point that will be clicked. Scrolls, focuses
// and selects, as a person's hand would; the only other thing it changes is a value, and only of fields that cannot be typed into.

import { activeElement, attr, closest, drawn, flatParent, has, intoView, localName, matches, query, queryAll, rectOf } from "./dom";
import { aim, boxesOf, sightOf } from "./hit";
import { elementOf, idOf } from "./identity";
import { judge, worthNaming } from "./judge";
import { Look } from "./look";
import { isEditingHost, roleOf } from "./roles";
import { isSecret, MASK } from "./secrets";
import { proxied } from "./usable";
import { optionLabel, valueOf } from "./values";
import { areaOf, cut, NOWHERE, shownLabel, whyHidden } from "./visibility";

const LIMIT = 2000;
/** A cover that has not gone for so long is not on its way out. */
const COVERED = 700;

/** The next frame; background tabs may not draw any, so not for ever. */
const frame = (): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(done, 100);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      done();
    });
  });

export async function prepare(id: number, action: string, expected?: { role?: string; name?: string }): Promise<object> {
  const el = elementOf(id);
  if (!el) return { ok: false, reason: "gone", role: "", name: "" };
  const { role, name, otherwise } = judge(new Look(), el);
  if (expected && changed(expected, role, name, otherwise)) return { ok: false, reason: "changed", role, name };

  const end = performance.now() + LIMIT;
  let last = "";
  let still = 0;
  let reason = "hidden";
  let cover: Element | null = null;
  let coveredSince = 0;
  let scrolled = 0;
  for (;;) {
    if (!elementOf(id)) return { ok: false, reason: "gone", role, name };
    const look = new Look();
    const target = targetOf(look, el);
    if (!target) reason = "hidden";
    else if (action !== "hover" && isDisabled(el)) reason = "disabled";
    else {
      const boxes = boxesOf(target);
      const first = boxes[0];
      if (!first) reason = "hidden";
      else {
        const sight = sightOf(look, target);
        const area = areaOf(first);
        const seen = cut(area, sight);
        const whole = seen !== NOWHERE && seen.x1 - seen.x0 >= Math.min(first.width, innerWidth) - 1 && seen.y1 - seen.y0 >= Math.min(first.height, innerHeight) - 1;
        if (!whole && scrolled < 2) {
          scrolled++;
          intoView(target);
          last = "";
        }
        // Its middle must be still: what only pulses can be hit.
        const { x, y, width, height } = boxesOf(target)[0] ?? first;
        const now = [x + width / 2, y + height / 2].map(Math.round).join();
        still = now === last ? still + 1 : 0;
        last = now;
        // Two frames: at the turn of a swing one alone may look the same.
        if (still < 2) reason = "moving";
        else {
          const found = aim(look, target, (hit) => drawnBy(look, el, target, hit));
          if (found && "x" in found) return { ok: true, x: found.x, y: found.y, role, name };
          reason = found ? "covered" : "offscreen";
          cover = found?.cover ?? null;
          coveredSince ||= performance.now();
          if (performance.now() - coveredSince > COVERED) break;
        }
      }
    }
    if (reason !== "covered" && reason !== "offscreen") coveredSince = 0;
    if (performance.now() > end) break;
    await frame();
  }
  if (reason !== "covered" || !cover) return { ok: false, reason, role, name };
  const worth = worthNaming(new Look(), cover);
  return { ok: false, reason, cover: idOf(worth.el), coverRole: worth.role, coverName: worth.name, role, name };
}

/** What is clickable only for a listener has no role here: that is no change. */
function changed(expected: { role?: string; name?: string }, role: string, name: string, otherwise: string): boolean {
  const plain = (r: string): string => (r === "clickable" ? "" : r);
  return (expected.role !== undefined && plain(expected.role) !== plain(role)) || (expected.name !== undefined && expected.name !== name && expected.name !== otherwise);
}

/** What a person would hit to use it: the element, or the label that is drawn for it. Null: there is nothing to hit. */
function targetOf(look: Look, el: Element): Element | null {
  const input = localName(el) === "input";
  if (whyHidden(look, el)) return input ? shownLabel(look, el) : null;
  if (!input) return boxesOf(el).length > 0 ? el : null;
  const rect = rectOf(el);
  const style = look.style(el);
  const small = rect.width <= 2 || rect.height <= 2 || sightless(look, el);
  if (small || style.pointerEvents === "none") return shownLabel(look, el) ?? (small ? null : el);
  if (drawn(el)) return el;
  // Transparent: it is hit itself if it lies over its drawing; else its label is.
  const seen = aim(look, el, () => false);
  return seen && "x" in seen ? el : (shownLabel(look, el) ?? el);
}

const sightless = (look: Look, el: Element): boolean => {
  const style = look.style(el);
  return style.clip !== "auto" || style.clipPath.startsWith("inset(50%") || style.clipPath.startsWith("inset(100%");
};

/** A click on `hit` goes to the element all the same: a label, or what the element leaves its clicks to. */
function drawnBy(look: Look, el: Element, target: Element, hit: Element): boolean {
  const label = closest(hit, "label") as HTMLLabelElement | null;
  if (label && (label.control === el || (localName(el) === "label" && label === el))) return true;
  const lets = look.style(target).pointerEvents === "none" || (localName(el) === "input" && !drawn(el));
  if (!lets) return false;
  const parent = flatParent(target);
  return hit === parent || (parent !== null && hit === flatParent(parent));
}

function isDisabled(el: Element): boolean {
  const control = localName(el) === "label" ? proxied(el) : null;
  if (matches(control ?? el, ":disabled")) return true;
  return closest(el, '[aria-disabled="true"],[inert]') !== null;
}

const TYPED = /^(text|search|email|url|tel|password|number)$/;

/** Focuses a field and selects what is in it, so that what is typed replaces it. `direct`: typing cannot fill it, use `setValue`. */
export function focus(id: number): object {
  const el = elementOf(id);
  if (!el) return { ok: false, reason: "gone" };
  const tag = localName(el);
  if (isDisabled(el)) return { ok: false, reason: "disabled" };
  if (tag === "input" || tag === "textarea") {
    const field = el as HTMLInputElement;
    if (field.readOnly) return { ok: false, reason: "readonly" };
    if (tag === "input" && /^(button|checkbox|file|hidden|image|radio|reset|submit)$/.test(field.type)) return { ok: false, reason: "not a field" };
    field.focus({ preventScroll: false });
    if (tag === "input" && !TYPED.test(field.type)) return { ok: true, kind: "direct" };
    field.select();
    return { ok: true, kind: "text" };
  }
  const host = editingHostOf(el);
  if (host) {
    if (attr(host, "aria-readonly") === "true") return { ok: false, reason: "readonly" };
    (host as HTMLElement).focus();
    const range = document.createRange();
    range.selectNodeContents(host);
    const selection = getSelection();
    selection?.removeAllRanges();
    selection?.addRange(range);
    return { ok: true, kind: "editable" };
  }
  if (tag === "select") return { ok: false, reason: "not a field: it is a select" };
  // A wrapper with the role of a field: the field is inside.
  const inner = query(el, "input:not([type=hidden]),textarea,[contenteditable]");
  if (inner && /^(textbox|searchbox|combobox|spinbutton)$/.test(roleOf(new Look(), el))) return focus(idOf(inner));
  return { ok: false, reason: "not a field" };
}

/** Focuses whatever can have the focus, for a key press; what is in it stays as it is. */
export function focusOnly(id: number): object {
  const el = elementOf(id);
  if (!el) return { ok: false, reason: "gone" };
  if (isDisabled(el)) return { ok: false, reason: "disabled" };
  const target = (localName(el) === "label" ? proxied(el) : editingHostOf(el)) ?? el;
  if (activeElement() !== target) (target as HTMLElement).focus?.();
  return activeElement() === target ? { ok: true, kind: "focused" } : { ok: false, reason: "not focusable" };
}

function editingHostOf(el: Element): Element | null {
  for (let at: Element | null = el; at; at = flatParent(at)) if (isEditingHost(at)) return at;
  return null;
}

export function value(id: number): object {
  const el = elementOf(id);
  if (!el) return { value: null, gone: true };
  if (isSecret(el)) return { value: MASK, length: (el as HTMLInputElement).value.length };
  return { value: valueOf(el, roleOf(new Look(), el)) };
}

/** Sets a field that cannot be typed into (date, time, colour, range) as its picker would: the value, then input and change. */
export function setValue(id: number, text: string): object {
  const el = elementOf(id);
  if (!el) return { ok: false, reason: "gone" };
  const tag = localName(el);
  if (tag !== "input" && tag !== "textarea") return { ok: false, reason: "not a field" };
  const field = el as HTMLInputElement;
  if (isDisabled(el)) return { ok: false, reason: "disabled" };
  if (field.readOnly && has(el, "readonly")) return { ok: false, reason: "readonly" };
  const before = field.value;
  const set = Object.getOwnPropertyDescriptor((tag === "input" ? HTMLInputElement : HTMLTextAreaElement).prototype, "value")?.set;
  set?.call(field, text);
  const taken = field.value;
  const same = taken === text || (field.type === "range" && Number(taken) === Number(text)) || (field.type === "color" && taken.toLowerCase() === text.toLowerCase());
  if (!same) {
    set?.call(field, before);
    return { ok: false, reason: `a field of type ${field.type} does not take this value`, value: isSecret(el) ? MASK : before };
  }
  announce(field);
  return { ok: true, value: isSecret(el) ? MASK : field.value };
}

/** Chooses options of a select by value or label; all must be there. */
export function select(id: number, values: string[]): object {
  const el = elementOf(id);
  if (!el) return { ok: false, reason: "gone" };
  if (localName(el) !== "select") return { ok: false, reason: "not a select" };
  if (isDisabled(el)) return { ok: false, reason: "disabled" };
  const field = el as HTMLSelectElement;
  if (!field.multiple && values.length > 1) return { ok: false, reason: "it takes one option only" };
  const options = [...queryAll(el, "option")] as HTMLOptionElement[];
  const chosen = new Set<HTMLOptionElement>();
  for (const wanted of values) {
    const option = options.find((o) => optionLabel(o) === wanted) ?? options.find((o) => o.value === wanted);
    if (!option) return { ok: false, reason: "no such option", missing: wanted, options: options.slice(0, 100).map(optionLabel) };
    if (matches(option, ":disabled")) return { ok: false, reason: "that option is disabled", missing: wanted };
    chosen.add(option);
  }
  field.focus();
  let moved = false;
  for (const option of options) {
    const on = chosen.has(option);
    if (option.selected !== on && (field.multiple || on)) {
      option.selected = on;
      moved = true;
    }
  }
  if (moved) announce(field);
  return { ok: true, changed: moved, value: valueOf(el, "combobox") };
}

function announce(field: HTMLElement): void {
  field.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  field.dispatchEvent(new Event("change", { bubbles: true, composed: true }));
}
