// Chooses options. For a native select, everything but one real key press or click is done here; in
// any other list, the option is found in the live page. Changes the selection without events: the
// page reacts to the input that follows.

import { nextAnimationFrame } from "../dom/animationFrame";
import {
  attr,
  byIdIn,
  closest,
  dispatch,
  flatContains,
  localName,
  matches,
  query,
  queryAll,
  rootOf,
  shadowRoots,
  textContent,
} from "../dom/dom";
import { elementOf, idOf } from "../dom/identity";
import { collapseAndTrim, stripNoise, truncate } from "../dom/text";
import { fieldOfCombobox } from "../semantics/combobox";
import { optionLabel, valueOfField } from "../semantics/fieldValue";
import { nameOf } from "../semantics/names";
import { ReadCache } from "../semantics/readCache";
import { roleOf } from "../semantics/roles";
import { clickBoxes } from "../visibility/hitTest";
import { hiddenReason } from "../visibility/visibility";
import { giveFocus } from "./fill";
import { isDisabled } from "./prepare";

/** The number of options that an error may list. */
const MAX_NAMED = 100;
const OPTIONS =
  '[role="option" i],[role="menuitemradio" i],[role="menuitemcheckbox" i],' +
  '[role="menuitem" i],[role="treeitem" i],[role="radio" i]';
/** Roles of elements that contain their options. */
const LIST_ROLES = /^(listbox|menu|radiogroup|tree|grid)$/;

const isSelect = (el: Element): el is HTMLSelectElement => localName(el) === "select";
const optionsOf = (select: Element): HTMLOptionElement[] =>
  [...queryAll(select, "option")] as HTMLOptionElement[];
/** Normalizes a text for comparison: white space and case do not count. */
const normalize = (text: string): string => collapseAndTrim(stripNoise(text)).toLowerCase();

/** Options that were visible before the list was opened: they belong to other lists. */
let otherOptions = new WeakSet<Element>();

interface ResolvedOptions {
  chosen: Set<HTMLOptionElement>;
  refused: object | null;
}

/** Resolves options by label, then by value, then by label regardless of case. */
function resolveOptions(select: HTMLSelectElement, values: string[]): ResolvedOptions {
  const options = optionsOf(select);
  const chosen = new Set<HTMLOptionElement>();
  const refuse = (why: object): ResolvedOptions => ({ chosen, refused: { ok: false, ...why } });
  if (!select.multiple && values.length !== 1) return refuse({ reason: "one only" });
  for (const wanted of values) {
    const option =
      options.find((o) => optionLabel(o) === wanted) ??
      options.find((o) => o.value === wanted) ??
      options.find((o) => normalize(optionLabel(o)) === normalize(wanted));
    if (!option)
      return refuse({
        reason: "missing",
        missing: wanted,
        options: options.slice(0, MAX_NAMED).map(optionLabel),
        total: options.length,
      });
    if (matches(option, ":disabled")) return refuse({ reason: "disabled option", missing: wanted });
    chosen.add(option);
  }
  return { chosen, refused: null };
}

/**
 * Selects options as far as possible, and returns what is left for real input: `none`, `key` (a
 * press of `key`), `click` (on `option`, with the modifier that adds to a selection if `add`), or
 * `custom`: it is not a select, and its options have to be found in the page.
 */
export function chooseOptions(id: number, values: string[]): object {
  const el = elementOf(id);
  if (!el) return { ok: false, reason: "gone" };
  if (isDisabled(el)) return { ok: false, reason: "disabled" };
  if (!isSelect(el)) {
    const open = LIST_ROLES.test(roleOf(new ReadCache(), el)) || isExpanded(el);
    otherOptions = new WeakSet(
      open ? [] : optionsIn(document).filter((o) => clickBoxes(o).length > 0),
    );
    return { ok: true, way: "custom", open };
  }
  const { chosen, refused } = resolveOptions(el, values);
  if (refused) return refused;
  const options = optionsOf(el);
  const differs = options.filter((o) => o.selected !== chosen.has(o));
  if (differs.length === 0) return { ok: true, way: "none", value: valueOfField(el, "combobox") };
  if (el.multiple || el.size > 1) {
    // One real click is left; the other options are set without events.
    const last =
      differs.filter((o) => chosen.has(o)).pop() ??
      (differs[differs.length - 1] as HTMLOptionElement);
    if (el.multiple)
      for (const option of differs) if (option !== last) option.selected = chosen.has(option);
    return { ok: true, way: "click", option: idOf(last), add: el.multiple };
  }
  // The arrow key moves on from the option before the target.
  const target = differs.find((o) => chosen.has(o)) as HTMLOptionElement;
  const usable = options.filter((o) => !matches(o, ":disabled"));
  giveFocus(el);
  el.selectedIndex =
    usable.indexOf(target) > 0
      ? (usable[usable.indexOf(target) - 1] as HTMLOptionElement).index
      : -1;
  return { ok: true, way: "key", key: "ArrowDown" };
}

/**
 * Returns whether a select has the wanted options. `set`: if not, selects them and dispatches
 * events, where no key does it.
 */
export function checkChoice(id: number, values: string[], set = false): object {
  const el = elementOf(id);
  if (!el || !isSelect(el)) return { ok: false, reason: "gone" };
  const { chosen, refused } = resolveOptions(el, values);
  if (refused) return refused;
  const differs = optionsOf(el).filter((o) => o.selected !== chosen.has(o));
  if (differs.length > 0 && set) {
    for (const option of differs)
      if (el.multiple || chosen.has(option)) option.selected = chosen.has(option);
    for (const event of ["input", "change"])
      dispatch(el, new Event(event, { bubbles: true, composed: true }));
  }
  return { ok: differs.length === 0 || set, value: valueOfField(el, "combobox") };
}

const fieldIn = (el: Element): Element => fieldOfCombobox(el) ?? el;

function isExpanded(el: Element): boolean {
  return [el, fieldIn(el), closest(el, '[role="combobox" i]')].some(
    (at) => at !== null && attr(at, "aria-expanded") === "true",
  );
}

/** Returns the list that a control refers to. */
function listOf(el: Element): Element | null {
  for (const at of [
    el,
    fieldIn(el),
    closest(el, '[role="combobox" i]'),
    query(el, "[aria-controls],[aria-owns]"),
  ]) {
    const ids = at
      ? `${attr(at, "aria-controls") ?? ""} ${attr(at, "aria-owns") ?? ""}`.split(/\s+/)
      : [];
    for (const name of ids) {
      const list = name && at ? byIdIn(rootOf(at), name) : null;
      if (list) return list;
    }
  }
  return null;
}

const optionsIn = (root: Node): Element[] =>
  [root, ...shadowRoots(root)].flatMap((at) => [...queryAll(at, OPTIONS)]);

/**
 * Returns the visible options of a control: in its own list, in itself, or, if it refers to none,
 * anywhere.
 */
function shownOptions(cache: ReadCache, el: Element): Element[] {
  const shown = (list: Element[]): Element[] =>
    list.filter((o) => hiddenReason(cache, o) === 0 && clickBoxes(o).length > 0);
  const list = listOf(el);
  const named = list ? shown(optionsIn(list)) : [];
  if (named.length > 0) return named;
  const own = shown(optionsIn(el));
  return own.length > 0
    ? own
    : shown(optionsIn(document)).filter(
        (o) =>
          !otherOptions.has(o) &&
          !flatContains(o, el) &&
          /^(option|treeitem|menuitemradio)$/.test(roleOf(cache, o)),
      );
}

const labelOf = (cache: ReadCache, o: Element): string =>
  truncate(nameOf(cache, o, true).text || collapseAndTrim(stripNoise(textContent(o) ?? "")), 500);

/** Waits until a list that is not a select shows this option. */
export async function waitForOption(id: number, wanted: string, limit: number): Promise<object> {
  const end = performance.now() + limit;
  for (;;) {
    const el = elementOf(id);
    if (!el) return { ok: false, reason: "gone" };
    const cache = new ReadCache();
    const options = shownOptions(cache, el);
    const labels = options.map((o) => labelOf(cache, o));
    let at = labels.indexOf(wanted);
    if (at < 0)
      at = options.findIndex(
        (o) => attr(o, "data-value") === wanted || attr(o, "value") === wanted,
      );
    if (at < 0) at = labels.findIndex((label) => normalize(label) === normalize(wanted));
    const found = options[at];
    if (found && isDisabled(found))
      return { ok: false, reason: "disabled option", missing: wanted };
    if (found)
      return {
        ok: true,
        option: idOf(found),
        label: labels[at],
        selected: attr(found, "aria-selected") === "true" || attr(found, "aria-checked") === "true",
      };
    if (performance.now() > end)
      return {
        ok: false,
        reason: "missing",
        missing: wanted,
        options: labels.slice(0, MAX_NAMED),
        total: labels.length,
      };
    await nextAnimationFrame();
  }
}
