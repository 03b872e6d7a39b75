// The records of the last walk, and which of them can be reused after a change: which elements have
// to be walked again (`touched`), and below which nothing can be reused because styles may differ
// (`restyled`). Anything that is not certainly the same counts as changed. If the effects of a
// change cannot be bounded, there is no plan and the whole page is walked. Reads only.

import {
  attr,
  firstElementChild,
  flatParent,
  hasAttr,
  hostOf,
  isConnected,
  isElement,
  localName,
  matches,
  parentNode,
  queryAll,
  queryList,
  shadowRoot,
} from "../dom/dom";
import { hasListener, suppliedSince } from "../dom/engineSupplied";
import { wordSet, words } from "../dom/text";
import { ariaOwns } from "../semantics/ariaOwns";
import type { ReadCache } from "../semantics/readCache";
import { secretsVersion } from "../semantics/secrets";
import type { ChangedAreas } from "./changedAreas";
import type { NodeRecord } from "./nodeRecord";
import { SelectorReach } from "./selectorReach";
import type { UnobservedState } from "./unobservedState";
import type { WalkResult } from "./walkOutput";

/** Larger pages are always walked as a whole. */
const MAX_NODES = 100_000;
const MAX_ADDED = 2000;
const MAX_UNOBSERVABLE = 2000;
/**
 * Elements that can change without a mutation: areas (with their images), buttons (with what they
 * open).
 */
const UNOBSERVABLE = ["area", "[popovertarget]", "[commandfor]"];
/** Elements whose attributes may make the layouts of boxes depend on each other. */
const ENTANGLING = ["[align]", "[style]"];
const ENTANGLING_STYLE =
  /(^|[^-\w])(columns|column-count|column-width)\s*:|subgrid|content-visibility/i;
const FLOATING_STYLE = /(^|[^-\w])float\s*:/i;
/** Attributes that other elements refer to, or that move elements in the flat tree. */
const REFERRED_ATTRIBUTES =
  /^(id|for|slot|usemap|form|part|exportparts|is|aria-owns|popovertarget|list)$/;
/** Texts that these attributes refer to are not withheld. */
const REFERRING_ATTRIBUTES = words(
  "aria-labelledby aria-describedby aria-details aria-errormessage",
);
/** Attributes that affect the content of the element only through the context it passes down. */
const OWN_ATTRIBUTES =
  /^(class|aria-(busy|label|expanded|selected|current|pressed|checked|valuenow|valuetext|invalid|controls|labelledby|describedby|details|errormessage)|title|href|src|alt|data-.*)$/;
/** Tags whose children depend on each other. */
const ENTANGLED_TAGS = wordSet("details fieldset tr select ruby svg object map");

let generations = 0;

export class ReusePlan {
  readonly nodes: NodeRecord[];
  readonly touched = new Set<Element>();
  readonly restyled = new Set<Element>();
  /** Elements with a text or a child that was changed, added or removed. */
  readonly refilled = new Set<Element>();
  /** Layouts of boxes may depend on each other. */
  entangled = true;
  /** Floating boxes may push aside the content of the blocks around them. */
  floats = true;
  private index: Map<Element, number> | null = null;
  private readonly roots: readonly ShadowRoot[];
  /** The effects of the style sheets, as far as they were read. */
  readonly effects: ReadCache["effects"];
  /** Texts were kept because other elements refer to them. */
  private readonly hasReferences: boolean;
  /** The number that reused records get. */
  readonly generation = ++generations;
  private readonly labelLog: Element[];
  private readonly dependencies: Element[];
  private readonly owned: ReadCache["owned"];
  private readonly secrets = secretsVersion();
  private reach: SelectorReach | null = null;
  /** False if nothing of it can be reused, even if nothing changed. */
  readonly isUsable: boolean;
  /** False if any change may change anything: then it holds as a whole or not at all. */
  readonly canBeUpdated: boolean;

  /** To be created when the walk is done, before further names are computed. */
  constructor(cache: ReadCache, { nodes, roots, truncated }: WalkResult) {
    this.nodes = nodes;
    this.roots = roots;
    this.effects = cache.effects;
    this.hasReferences = cache.referencedIds.size > 0;
    this.labelLog = cache.labelLog.slice();
    this.dependencies = cache.dependencies.slice();
    this.owned = cache.owned;
    this.isUsable = !truncated && this.nodes.length < MAX_NODES;
    this.canBeUpdated = this.isUsable && !cache.usedHitTest && cache.counters === null;
  }

  /** Takes over the analysis of the rules, which are the same. */
  inherit(before: ReusePlan): void {
    this.reach = before.reach;
  }

  indexOf(el: Element): number {
    if (!this.index) {
      this.index = new Map();
      for (let i = 0; i < this.nodes.length; i++) {
        const node = this.nodes[i] as NodeRecord;
        if (node.el) this.index.set(node.el, i);
      }
    }
    return this.index.get(el) ?? -1;
  }

  recordOf(el: Element): NodeRecord | null {
    const at = this.indexOf(el);
    return at < 0 ? null : (this.nodes[at] as NodeRecord);
  }

  /**
   * Finds the changes. Returns false if their effects cannot be bounded. Boxes are checked after
   * this: see boxTracker.ts.
   */
  update(
    records: readonly MutationRecord[],
    before: UnobservedState,
    now: UnobservedState,
  ): boolean {
    this.touched.clear();
    this.restyled.clear();
    this.refilled.clear();
    if (!this.isUsable || !before.hasSameStyles(now) || secretsVersion() !== this.secrets)
      return false;
    const reach = (this.reach ??= new SelectorReach(before.rules().text, before.rules().all));
    const supplied = suppliedSince(before.suppliedVersion);
    if (!supplied || (before.url !== now.url && reach.usesState(":target"))) return false;
    const root = document.documentElement;
    if (!root) return false;
    this.touch(root);
    // Items and rows listen if what holds them does.
    for (const el of supplied) this.touchAll(el);
    for (const el of [...before.animated, ...now.animated]) this.touchAll(el);
    for (const { el, validity } of before.changedElements(now)) {
      if (validity && reach.validity) return false;
      const isFocus = el === before.focus || el === now.focus;
      if (isFocus && (reach.usesState(":focus-within") || reach.usesStateInHas(":focus")))
        return false;
      if (reach.readsStateInHas(el)) return false;
      this.restyle(el, reach);
    }
    if (reach.usesState(":hover") && !this.pointerMoved(before.hovered, now.hovered, reach))
      return false;
    if (reach.usesState(":active") && !this.pointerMoved(before.pressed, now.pressed, reach))
      return false;
    if (!this.mutated(records, reach) || !this.touchUnobservable()) return false;
    this.touchDependents();
    return !this.restyled.has(root) && !(document.body && this.restyled.has(document.body));
  }

  /** Marks an element and its ancestors to be walked again, but not its content. */
  touch(el: Element): void {
    if (!isConnected(el)) return;
    for (let at: Element | null = el; at && !this.touched.has(at); ) {
      this.touched.add(at);
      const above: Element | null = flatParent(at);
      // Where a closed root puts its host's children cannot be seen from the child.
      if (above && parentNode(at) === above && shadowRoot(above)) this.restyled.add(above);
      // The role of a field in a combobox depends on its siblings; the direction of a text on all
      // of it.
      if (
        attr(at, "role")?.toLowerCase() === "combobox" ||
        localName(at) === "bdi" ||
        attr(at, "dir")?.toLowerCase() === "auto"
      )
        this.restyled.add(at);
      at = above;
    }
  }

  /** Marks an element to be walked again with all of its content. */
  touchAll(el: Element): void {
    if (!isConnected(el)) return;
    this.touch(el);
    this.restyled.add(el);
  }

  /** Marks an element whose style may differ, and everything that its style reaches. */
  private restyle(el: Element, reach: SelectorReach): void {
    this.touchAll(el);
    const parent = reach.sibling ? parentOrHost(el) : null;
    if (parent) this.touchAll(parent);
  }

  /** Marks the elements that are no longer, or newly, under the pointer. */
  private pointerMoved(
    before: readonly Element[],
    now: readonly Element[],
    reach: SelectorReach,
  ): boolean {
    const [old, young] = [new Set(before), new Set(now)];
    const apart = [...before.filter((el) => !young.has(el)), ...now.filter((el) => !old.has(el))];
    if (apart.length > 0 && [":hover", ":active"].some((state) => reach.usesStateInHas(state)))
      return false;
    for (const el of apart) this.restyle(el, reach);
    return true;
  }

  private mutated(records: readonly MutationRecord[], reach: SelectorReach): boolean {
    const attributes = new Map<Element, Map<string, string | null>>();
    const moved: Element[] = [];
    for (const { type, target, attributeName, oldValue, addedNodes, removedNodes } of records) {
      if (type === "attributes") {
        const el = target as Element;
        const known = attributes.get(el) ?? new Map<string, string | null>();
        attributes.set(el, known);
        // The first old value is that of the last capture.
        if (!known.has(attributeName as string)) known.set(attributeName as string, oldValue);
      } else if (type === "characterData") {
        const el = flatParent(target);
        if (!el || !isConnected(el)) continue;
        this.touch(el);
        this.refilled.add(el);
        if (
          (oldValue === "" || (target as CharacterData).data === "") &&
          !this.emptinessChanged(el, reach)
        )
          return false;
      } else if (!this.childListChanged(target, addedNodes, removedNodes, reach, moved))
        return false;
    }
    for (const [el, names] of attributes)
      for (const [name, old] of names)
        if (!this.attributeChanged(el, name, old, reach)) return false;
    return this.checkReferences(moved);
  }

  /** Handles an element that may have become empty, or may have been. */
  private emptinessChanged(el: Element, reach: SelectorReach): boolean {
    if (reach.readsEmptinessInHas(el)) return false;
    if (reach.empty) this.restyle(parentOrHost(el) ?? el, reach);
    return true;
  }

  /** Handles added and removed nodes. */
  private childListChanged(
    target: Node,
    added: NodeList,
    removed: NodeList,
    reach: SelectorReach,
    moved: Element[],
  ): boolean {
    const el = isElement(target) ? target : hostOf(target);
    if (!el) return false;
    let elements = 0;
    for (const list of [added, removed]) {
      for (let i = 0; i < list.length; i++) {
        const node = list[i] as Node;
        if (!isElement(node)) continue;
        elements++;
        moved.push(node);
        if (moved.length > MAX_ADDED || reach.mayMatchInHas(node, target)) return false;
        this.touchAll(node);
      }
    }
    if (!isConnected(el)) return true;
    this.touch(el);
    this.refilled.add(el);
    const tag = localName(el);
    if (ENTANGLED_TAGS.has(tag) || (el === target && shadowRoot(el))) this.touchAll(el);
    if (tag === "style" || tag === "slot") this.touchAll(parentOrHost(el) ?? el);
    if (elements > 0) {
      // Whether an item is one of several of a kind depends on those next to it.
      if (reach.byPosition || reach.sibling || hasListener(el)) this.touchAll(el);
      return this.emptinessChanged(el, reach);
    }
    // A text that replaces a text, or is next to elements, does not change whether `el` is empty.
    const may = added.length === 0 || removed.length === 0;
    return !may || firstElementChild(el) !== null || this.emptinessChanged(el, reach);
  }

  private attributeChanged(
    el: Element,
    name: string,
    old: string | null,
    reach: SelectorReach,
  ): boolean {
    const now = attr(el, name);
    if (now === old || !isConnected(el)) return true;
    if (REFERRED_ATTRIBUTES.test(name) || (name === "name" && localName(el) !== "input"))
      return false;
    if (REFERRING_ATTRIBUTES.includes(name) && this.hasReferences) return false;
    if (reach.distinguishesInHas(name, old, now)) return false;
    if (reach.distinguishes(name, old, now)) {
      this.restyle(el, reach);
      return true;
    }
    const holder = name === "class" ? parentNode(el) : null;
    if (isElement(holder) && hasListener(holder)) this.touchAll(holder);
    // Links are drawn differently from other elements.
    if (OWN_ATTRIBUTES.test(name) && (name !== "href" || (old === null) === (now === null)))
      this.touch(el);
    else this.touchAll(el);
    return true;
  }

  /** Returns false if added or removed elements are referred to, or refer to others. */
  private checkReferences(moved: readonly Element[]): boolean {
    let referencedIds: Set<string> | null = null;
    for (const top of moved) {
      const inner = firstElementChild(top)
        ? queryAll(
            top,
            "[id],label,[aria-owns],[aria-labelledby],[aria-describedby],[aria-details]," +
              "[aria-errormessage],input[type=password]",
          )
        : [];
      for (const el of [top, ...inner]) {
        if (hasAttr(el, "aria-owns") || localName(el) === "slot") return false;
        if (this.hasReferences && REFERRING_ATTRIBUTES.some((name) => hasAttr(el, name)))
          return false;
        const id = attr(el, "id");
        if (id && (referencedIds ??= this.wanted()).has(id)) return false;
        const control = localName(el) === "label" ? (el as HTMLLabelElement).control : null;
        if (control) this.touch(control);
      }
    }
    return true;
  }

  /** Returns all ids that other elements refer to. */
  private wanted(): Set<string> {
    const ids = new Set<string>();
    for (const root of [document, ...this.roots]) {
      for (const el of queryAll(
        root,
        "[for],[list],[aria-owns],[aria-labelledby],[aria-describedby],[aria-details]," +
          "[aria-errormessage],use",
      )) {
        for (const name of ["for", "list", "aria-owns", ...REFERRING_ATTRIBUTES])
          for (const id of (attr(el, name) ?? "").split(/\s+/)) ids.add(id);
        ids.add((attr(el, "href") ?? attr(el, "xlink:href") ?? "").replace(/^#/, ""));
      }
    }
    return ids;
  }

  private touchUnobservable(): boolean {
    let count = 0;
    this.entangled = this.reach?.entangled ?? true;
    this.floats = this.reach?.floats ?? true;
    const kinds = this.entangled ? UNOBSERVABLE : [...UNOBSERVABLE, ...ENTANGLING];
    for (const root of [document, ...this.roots]) {
      // In a small tree one query is faster than one for each kind.
      for (const kind of root === document ? kinds : [kinds.join(",")]) {
        for (const el of queryList(root, kind)) {
          const style = attr(el, "style") ?? "";
          this.entangled ||= ENTANGLING_STYLE.test(style);
          this.floats ||= hasAttr(el, "align") || FLOATING_STYLE.test(style);
          if (ENTANGLING.includes(kind) || !matches(el, UNOBSERVABLE.join(","))) continue;
          if (++count > MAX_UNOBSERVABLE) return false;
          this.touch(el);
        }
      }
    }
    return true;
  }

  /** Adds the areas of everything that may be drawn differently, by the records of a plan. */
  addAreas(areas: ChangedAreas, plan: ReusePlan): void {
    for (const changed of [this.restyled, this.refilled])
      for (const el of changed) {
        let at: Element | null = el;
        // What is inside of a picture has no record of its own.
        while (at && plan.indexOf(at) < 0) at = flatParent(at);
        if (at) areas.addRecords(plan.nodes, plan.indexOf(at));
      }
  }

  /** Marks the elements that depend on changed ones. */
  private touchDependents(): void {
    const { dependencies } = this;
    for (let i = 0; i < dependencies.length; i += 2)
      if (!this.isUnchanged(dependencies[i + 1] as Element)) this.touch(dependencies[i] as Element);
  }

  /** Returns whether an element and its content are unchanged. */
  private isUnchanged(el: Element): boolean {
    if (!isConnected(el) || this.touched.has(el)) return false;
    for (let at: Element | null = el; at && this.restyled.size > 0; at = flatParent(at))
      if (this.restyled.has(at)) return false;
    return true;
  }

  /** Returns whether an element was reused, itself or with an ancestor. */
  private wasReused(el: Element): boolean {
    if (!isConnected(el)) return false;
    let node: NodeRecord | null = null;
    for (let at: Element | null = el; at && !node; at = flatParent(at)) node = this.recordOf(at);
    return node !== null && node.generation === this.generation;
  }

  get hasContainers(): boolean {
    return this.reach?.container ?? true;
  }

  /**
   * Adds to the cache what the new walk did not compute for reused records: labels and
   * dependencies. Returns false if one label names two elements.
   */
  handDown(cache: ReadCache): boolean {
    const taken = (el: Element): boolean => this.wasReused(el);
    const owned = this.owned ? ariaOwns(cache) : null;
    if (this.owned && owned && !sameOwners(this.owned, owned)) return false;
    for (let i = 0; i < this.labelLog.length; i += 3) {
      const [label, named, asked] = this.labelLog.slice(i, i + 3) as [Element, Element, Element];
      if (taken(asked)) cache.labelLog.push(label, named, asked);
    }
    for (let i = 0; i < this.dependencies.length; i += 2)
      if (taken(this.dependencies[i] as Element))
        cache.dependencies.push(
          this.dependencies[i] as Element,
          this.dependencies[i + 1] as Element,
        );
    cache.labels.clear();
    for (let i = 0; i < cache.labelLog.length; i += 3) {
      const [label, named] = cache.labelLog.slice(i, i + 2) as [Element, Element];
      if ((cache.labels.get(label) ?? named) !== named) return false;
      cache.labels.set(label, named);
    }
    return true;
  }
}

/** Returns the element around an element, or the host of its root. */
function parentOrHost(el: Element): Element | null {
  const parent = parentNode(el);
  return isElement(parent) ? parent : parent && hostOf(parent);
}

function sameOwners(
  a: NonNullable<ReadCache["owned"]>,
  b: NonNullable<ReadCache["owned"]>,
): boolean {
  if (a.by.size !== b.by.size) return false;
  for (const [child, owner] of a.by) if (b.by.get(child) !== owner) return false;
  return true;
}
