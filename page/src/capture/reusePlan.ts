// What the last walk found, and what of it still holds after the page changed: which elements have
// to be walked again (`touched`), and in which nothing can be taken over because their styles may
// be others (`deep`). Everything that cannot be told to be the same counts as changed; where that
// cannot be bounded there is no plan at all, and the page is walked as a whole. Reads only.

import {
  attr,
  connected,
  firstElementChild,
  flatParent,
  has,
  isElement,
  localName,
  nodeType,
  parentNode,
  queryAll,
  shadowRoot,
} from "../dom/dom";
import { learnedSince } from "../dom/engineSupplied";
import { ownedIn } from "../semantics/ariaOwns";
import type { Look } from "../semantics/readCache";
import { secretsKnown } from "../semantics/secrets";
import type { Record } from "./nodeRecord";
import { Rules } from "./selectorReach";
import type { Facts } from "./unobservedState";
import type { Walked } from "./walkOutput";

/** More than this is a page of its own. */
const MOST_NODES = 100_000;
const MOST_ADDED = 2000;
const MOST_RESTLESS = 50;
/** What can change without any sign: areas (with their pictures), buttons (with what they open). */
const RESTLESS = ["area", "[popovertarget]", "[commandfor]"];
const ENTANGLING = /float|column|content-visibility|anchor/i;
/**
 * Attributes that others refer to, or by which elements change places in the tree that is drawn.
 */
const REFERRED = /^(id|for|slot|usemap|form|part|exportparts|is|aria-owns|popovertarget|list)$/;
/** Whoever is referred to by these is not withheld. */
const REFERRING = ["aria-labelledby", "aria-describedby", "aria-details", "aria-errormessage"];
/** Say nothing about what is in the element, but by what it hands down. */
const OWN =
  /^(class|aria-(busy|label|expanded|selected|current|pressed|checked|valuenow|valuetext|invalid|controls|labelledby|describedby|details|errormessage)|title|href|src|alt|data-.*)$/;
/** What is in these depends on what else is in them. */
const ENTANGLED = new Set(["details", "fieldset", "tr", "select", "ruby", "svg", "object", "map"]);

let generations = 0;

export class Kept {
  readonly nodes: Record[];
  readonly touched = new Set<Element>();
  readonly deep = new Set<Element>();
  /** Boxes may know of more than their own size. */
  entangled = true;
  private index: Map<Element, number> | null = null;
  private readonly roots: readonly ShadowRoot[];
  /** What style sheets may do, as far as it was found out. */
  readonly sheets: Look["sheets"];
  /** Texts were kept because others refer to them. */
  private readonly refers: boolean;
  /** Whoever was taken over bears this number. */
  readonly generation = ++generations;
  private readonly named: Element[];
  private readonly relied: Element[];
  private readonly owned: Look["owned"];
  private readonly secrets = secretsKnown();
  private rules: Rules | null = null;
  /** False: it cannot be told what of it still holds. */
  readonly good: boolean;

  /** To be made when the walk is done, before anything else asks for names. */
  constructor(look: Look, { nodes, roots, truncated }: Walked) {
    this.nodes = nodes;
    this.roots = roots;
    this.sheets = look.sheets;
    this.refers = look.referenced.size > 0;
    this.named = look.named.slice();
    this.relied = look.relied.slice();
    this.owned = look.owned;
    this.good =
      !look.doubtful && look.counters === null && !truncated && this.nodes.length < MOST_NODES;
  }

  /** The rules of the sheets are the same as before. */
  inherit(before: Kept): void {
    this.rules = before.rules;
  }

  indexOf(el: Element): number {
    if (!this.index) {
      this.index = new Map();
      for (let i = 0; i < this.nodes.length; i++) {
        const node = this.nodes[i] as Record;
        if (node.el) this.index.set(node.el, i);
      }
    }
    return this.index.get(el) ?? -1;
  }

  recordOf(el: Element): Record | null {
    const at = this.indexOf(el);
    return at < 0 ? null : (this.nodes[at] as Record);
  }

  /** Finds what changed; false: it cannot be told. Boxes come after this: see boxes.ts. */
  plan(records: readonly MutationRecord[], before: Facts, now: Facts): boolean {
    this.touched.clear();
    this.deep.clear();
    if (!this.good || !before.alike(now) || secretsKnown() !== this.secrets) return false;
    const rules = (this.rules ??= new Rules(before.rules().text, before.rules().all));
    const learned = learnedSince(before.reach);
    if (!learned || (before.address !== now.address && rules.asks(":target"))) return false;
    const root = document.documentElement;
    if (!root) return false;
    this.touch(root);
    for (const el of learned) this.touch(el);
    for (const { el, validity } of before.changed(now)) {
      if (validity && rules.validity) return false;
      if ((el === before.focus || el === now.focus) && rules.asks(":focus-within")) return false;
      if (rules.asksAny(":")) return false;
      this.restyle(el, rules);
    }
    if (rules.asks(":hover") && !this.pointed(before.hovered, now.hovered, rules)) return false;
    if (rules.asks(":active") && !this.pointed(before.pressed, now.pressed, rules)) return false;
    if (!this.mutated(records, rules) || !this.restless()) return false;
    this.follow();
    return !this.deep.has(root) && !(document.body && this.deep.has(document.body));
  }

  /** It has to be walked again, on the way down from the root, but not what is in it. */
  touch(el: Element): void {
    if (!connected(el)) return;
    for (let at: Element | null = el; at && !this.touched.has(at); ) {
      this.touched.add(at);
      const above: Element | null = flatParent(at);
      // Where a closed root puts its host's children cannot be seen from the child.
      if (above && parentNode(at) === above && shadowRoot(above)) this.deep.add(above);
      // What a field in a combobox is depends on what else is in it; which way a text runs on all
      // of it.
      if (
        attr(at, "role")?.toLowerCase() === "combobox" ||
        localName(at) === "bdi" ||
        attr(at, "dir")?.toLowerCase() === "auto"
      )
        this.deep.add(at);
      at = above;
    }
  }

  /** Everything in it has to be walked again. */
  deepen(el: Element): void {
    if (!connected(el)) return;
    this.touch(el);
    this.deep.add(el);
  }

  /** Its style may be another, and that of what it reaches. */
  private restyle(el: Element, rules: Rules): void {
    this.deepen(el);
    const parent = rules.sibling ? around(el) : null;
    if (parent) this.deepen(parent);
  }

  /** Who is pointed at no more, or only now. */
  private pointed(before: readonly Element[], now: readonly Element[], rules: Rules): boolean {
    const apart = [
      ...before.filter((el) => !now.includes(el)),
      ...now.filter((el) => !before.includes(el)),
    ];
    if (apart.length > 0 && rules.asksAny(":")) return false;
    for (const el of apart) this.restyle(el, rules);
    return true;
  }

  private mutated(records: readonly MutationRecord[], rules: Rules): boolean {
    const attributes = new Map<Element, Map<string, string | null>>();
    const moved: Element[] = [];
    for (const { type, target, attributeName, oldValue, addedNodes, removedNodes } of records) {
      if (type === "attributes") {
        const el = target as Element;
        const known = attributes.get(el) ?? new Map<string, string | null>();
        attributes.set(el, known);
        // The first is what it was when the page was last looked at.
        if (!known.has(attributeName as string)) known.set(attributeName as string, oldValue);
      } else if (type === "characterData") {
        const el = flatParent(target);
        if (!el || !connected(el)) continue;
        this.touch(el);
        if ((oldValue === "" || (target as CharacterData).data === "") && !this.filled(el, rules))
          return false;
      } else if (!this.listed(target, addedNodes, removedNodes, rules, moved)) return false;
    }
    for (const [el, names] of attributes)
      for (const [name, old] of names) if (!this.attribute(el, name, old, rules)) return false;
    return this.strangers(moved);
  }

  /** It may be empty now, or may have been. */
  private filled(el: Element, rules: Rules): boolean {
    if (rules.asksAny(":empty")) return false;
    if (rules.empty) this.restyle(around(el) ?? el, rules);
    return true;
  }

  /** Nodes came into it or left it. */
  private listed(
    target: Node,
    added: NodeList,
    removed: NodeList,
    rules: Rules,
    moved: Element[],
  ): boolean {
    const type = nodeType(target);
    if (type === 9) return false;
    const el = type === 11 ? (target as ShadowRoot).host : isElement(target) ? target : null;
    if (!el) return false;
    let elements = 0;
    for (const list of [added, removed]) {
      for (let i = 0; i < list.length; i++) {
        const node = list[i] as Node;
        if (!isElement(node)) continue;
        elements++;
        moved.push(node);
        if (moved.length > MOST_ADDED || rules.hasAny(node)) return false;
        this.deepen(node);
      }
    }
    if (!connected(el)) return true;
    this.touch(el);
    const tag = localName(el);
    if (ENTANGLED.has(tag) || (type === 1 && shadowRoot(el))) this.deepen(el);
    if (tag === "style" || tag === "slot") this.deepen(around(el) ?? el);
    if (elements > 0) {
      if (rules.placed || rules.sibling) this.deepen(el);
      return this.filled(el, rules);
    }
    // A text instead of a text, or beside elements, leaves it as full as it was.
    const may = added.length === 0 || removed.length === 0;
    return !may || firstElementChild(el) !== null || this.filled(el, rules);
  }

  private attribute(el: Element, name: string, old: string | null, rules: Rules): boolean {
    const now = attr(el, name);
    if (now === old || !connected(el)) return true;
    if (REFERRED.test(name) || (name === "name" && localName(el) !== "input")) return false;
    if (REFERRING.includes(name) && this.refers) return false;
    if (rules.tellsAny(name, old, now)) return false;
    if (rules.tells(name, old, now)) {
      this.restyle(el, rules);
      return true;
    }
    // What is a link or not is drawn otherwise.
    if (OWN.test(name) && (name !== "href" || (old === null) === (now === null))) this.touch(el);
    else this.deepen(el);
    return true;
  }

  /** What came and went must not be what others are named by, or are named after. */
  private strangers(moved: readonly Element[]): boolean {
    let wanted: Set<string> | null = null;
    for (const top of moved) {
      const inner = firstElementChild(top)
        ? queryAll(
            top,
            "[id],label,[aria-owns],[aria-labelledby],[aria-describedby],[aria-details]," +
              "[aria-errormessage],input[type=password]",
          )
        : [];
      for (const el of [top, ...inner]) {
        if (has(el, "aria-owns") || localName(el) === "slot") return false;
        if (this.refers && REFERRING.some((name) => has(el, name))) return false;
        const id = attr(el, "id");
        if (id && (wanted ??= this.wanted()).has(id)) return false;
        const control = localName(el) === "label" ? (el as HTMLLabelElement).control : null;
        if (control) this.touch(control);
      }
    }
    return true;
  }

  /** All ids that anybody refers to. */
  private wanted(): Set<string> {
    const ids = new Set<string>();
    for (const root of [document, ...this.roots]) {
      for (const el of queryAll(
        root,
        "[for],[list],[aria-owns],[aria-labelledby],[aria-describedby],[aria-details]," +
          "[aria-errormessage],use",
      )) {
        for (const name of ["for", "list", "aria-owns", ...REFERRING])
          for (const id of (attr(el, name) ?? "").split(/\s+/)) ids.add(id);
        ids.add((attr(el, "href") ?? attr(el, "xlink:href") ?? "").replace(/^#/, ""));
      }
    }
    return ids;
  }

  private restless(): boolean {
    let count = 0;
    this.entangled = this.rules?.entangled ?? true;
    for (const root of [document, ...this.roots]) {
      for (const kind of RESTLESS) {
        for (const el of queryAll(root, kind)) {
          if (++count > MOST_RESTLESS) return false;
          this.touch(el);
        }
      }
      if (this.entangled) continue;
      if (queryAll(root, "[align]").length > 0) this.entangled = true;
      for (const el of queryAll(root, "[style]"))
        this.entangled ||= ENTANGLING.test(attr(el, "style") ?? "");
    }
    return true;
  }

  /** Who was read for the sake of others brings them along. */
  private follow(): void {
    const { relied } = this;
    for (let i = 0; i < relied.length; i += 2)
      if (!this.holds(relied[i + 1] as Element)) this.touch(relied[i] as Element);
  }

  /** Nothing about it, or in it, is another. */
  private holds(el: Element): boolean {
    if (!connected(el) || this.touched.has(el)) return false;
    for (let at: Element | null = el; at && this.deep.size > 0; at = flatParent(at))
      if (this.deep.has(at)) return false;
    return true;
  }

  /** It was taken over, itself or with what is around it. */
  private isTaken(el: Element): boolean {
    if (!connected(el)) return false;
    let node: Record | null = null;
    for (let at: Element | null = el; at && !node; at = flatParent(at)) node = this.recordOf(at);
    return node !== null && node.taken === this.generation;
  }

  get contained(): boolean {
    return this.rules?.container ?? true;
  }

  /**
   * What the walk that took over from this one leaves out, because it asked for no names there: who
   * names whom, and who was read for whom. False: two are said to be named by the same.
   */
  handDown(look: Look): boolean {
    const taken = (el: Element): boolean => this.isTaken(el);
    const owned = this.owned ? ownedIn(look) : null;
    if (this.owned && owned && !sameOwners(this.owned, owned)) return false;
    for (let i = 0; i < this.named.length; i += 3) {
      const [label, named, asked] = this.named.slice(i, i + 3) as [Element, Element, Element];
      if (taken(asked)) look.named.push(label, named, asked);
    }
    for (let i = 0; i < this.relied.length; i += 2)
      if (taken(this.relied[i] as Element))
        look.relied.push(this.relied[i] as Element, this.relied[i + 1] as Element);
    look.labels.clear();
    for (let i = 0; i < look.named.length; i += 3) {
      const [label, named] = look.named.slice(i, i + 2) as [Element, Element];
      if ((look.labels.get(label) ?? named) !== named) return false;
      look.labels.set(label, named);
    }
    return true;
  }
}

/** What a sibling's selector reaches: everything in the element or root around it. */
function around(el: Element): Element | null {
  const parent = parentNode(el);
  return isElement(parent)
    ? parent
    : parent && nodeType(parent) === 11
      ? ((parent as ShadowRoot).host ?? null)
      : null;
}

function sameOwners(a: NonNullable<Look["owned"]>, b: NonNullable<Look["owned"]>): boolean {
  if (a.by.size !== b.by.size) return false;
  for (const [child, owner] of a.by) if (b.by.get(child) !== owner) return false;
  return true;
}
