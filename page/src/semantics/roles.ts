// The role of an element: its role attribute, else what HTML-AAM says about its tag. "" is generic
// or none. Roles are words of ARIA 1.3 ("image", not "img"). Reads attributes and neighbours, no
// styles.

import {
  attr,
  closest,
  firstChild,
  firstElementChild,
  flatParent,
  hasAttr,
  isElement,
  localName,
  nextElementSibling,
  nextSibling,
  parentNode,
  query,
  textContent,
} from "../dom/dom";
import { isBlank, wordSet, words } from "../dom/text";
import { comboboxOfField, fieldOfCombobox } from "./combobox";
import { isEditingHost, isFocusable, isSummary } from "./elementTraits";
import type { ReadCache } from "./readCache";
import { authorName } from "./textAlternative";

const IMPLICIT: Record<string, string> = {
  address: "group",
  article: "article",
  blockquote: "blockquote",
  button: "button",
  caption: "caption",
  code: "code",
  dd: "definition",
  del: "deletion",
  details: "group",
  dfn: "term",
  dialog: "dialog",
  dt: "term",
  em: "emphasis",
  fieldset: "group",
  figure: "figure",
  h1: "heading",
  h2: "heading",
  h3: "heading",
  h4: "heading",
  h5: "heading",
  h6: "heading",
  hgroup: "group",
  hr: "separator",
  ins: "insertion",
  main: "main",
  mark: "mark",
  math: "math",
  menu: "list",
  meter: "meter",
  nav: "navigation",
  ol: "list",
  optgroup: "group",
  option: "option",
  output: "status",
  p: "paragraph",
  progress: "progressbar",
  s: "deletion",
  search: "search",
  strong: "strong",
  sub: "subscript",
  sup: "superscript",
  textarea: "textbox",
  time: "time",
  ul: "list",
};

/** The roles of fields by type; all others are textboxes. */
const INPUTS: Record<string, string> = {
  button: "button",
  checkbox: "checkbox",
  file: "button",
  hidden: "",
  image: "button",
  number: "spinbutton",
  radio: "radio",
  range: "slider",
  reset: "button",
  search: "searchbox",
  submit: "button",
};

const KNOWN_ROLES = wordSet(
  "alert alertdialog application article banner blockquote button caption cell checkbox " +
    "code columnheader combobox comment complementary " +
    "contentinfo definition deletion dialog document emphasis feed figure form generic grid " +
    "gridcell group heading image insertion link list " +
    "listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox " +
    "menuitemradio meter navigation none note option " +
    "paragraph progressbar radio radiogroup region row rowgroup rowheader scrollbar search " +
    "searchbox separator slider spinbutton status " +
    "strong subscript suggestion superscript switch tab table tablist tabpanel term textbox " +
    "time timer toolbar tooltip tree treegrid treeitem",
);
const SYNONYMS: Record<string, string> = { img: "image", presentation: "none", directory: "list" };

const GLOBAL_ARIA = words(
  "aria-label aria-labelledby aria-describedby aria-live aria-controls aria-owns " +
    "aria-current aria-details aria-flowto aria-atomic aria-busy aria-relevant aria-keyshortcuts " +
    "aria-roledescription aria-description",
);

export const LANDMARKS = wordSet(
  "banner complementary contentinfo form main navigation region search",
);
export const LIVE_ROLES = new Set(["alert", "log", "marquee", "status", "timer"]);

const SECTIONING =
  'article,aside,nav,section,[role="article"],[role="complementary"],[role="navigation"],' +
  '[role="region"]';
const SCOPING = `${SECTIONING},main,[role="main"]`;

export function roleOf(cache: ReadCache, el: Element): string {
  let role = cache.roles.get(el);
  if (role === undefined) {
    // Set first, because computing a name may need the role of the named element.
    cache.roles.set(el, "");
    const found = explicitRole(cache, el) ?? implicitRole(cache, el);
    role = found === "none" || found === "generic" ? "" : found;
    if (role === "combobox" && fieldOfCombobox(el)) role = "";
    else if ((role === "textbox" || role === "searchbox") && comboboxOfField(el)) role = "combobox";
    cache.roles.set(el, role);
  }
  return role;
}

/**
 * Returns the first word of the role attribute that is a valid role here; null if there is none.
 */
function explicitRole(cache: ReadCache, el: Element): string | null {
  const given = attr(el, "role");
  if (given === null || isBlank(given)) return null;
  for (const word of given.toLowerCase().split(/\s+/)) {
    const role = SYNONYMS[word] ?? word;
    if (role === "none" || role === "generic") {
      // An element that can have the focus, or has global ARIA attributes, cannot be
      // presentational.
      if (
        role === "none" &&
        (isFocusable(el) || GLOBAL_ARIA.some((name) => !isBlank(attr(el, name) ?? "")))
      )
        return null;
      return role;
    }
    if (!KNOWN_ROLES.has(role) && !/^(doc|graphics)-[a-z]+$/.test(role)) continue;
    if ((role === "region" || role === "form") && authorName(cache, el, roleOf) === "") continue;
    return role;
  }
  return null;
}

/** Tags whose role depends on more than the tag. */
const CONTEXTUAL = wordSet(
  "a area aside header footer form section img svg input select summary li table thead tbody " +
    "tfoot tr td th",
);
/** Returns the role that an element has by its tag alone; null if it depends on the context. */
export const roleByTag = (tag: string): string | null =>
  CONTEXTUAL.has(tag) ? null : (IMPLICIT[tag] ?? "");

function implicitRole(cache: ReadCache, el: Element): string {
  const tag = localName(el);
  const simple = IMPLICIT[tag];
  if (simple !== undefined) return simple;
  switch (tag) {
    case "a":
    case "area":
      return hasAttr(el, "href") || hasAttr(el, "xlink:href") ? "link" : editingHostRole(el);
    case "aside":
      return authorName(cache, el, roleOf) === "" && hasAncestor(el, SECTIONING)
        ? ""
        : "complementary";
    case "header":
      return hasAncestor(el, SCOPING) ? "" : "banner";
    case "footer":
      return hasAncestor(el, SCOPING) ? "" : "contentinfo";
    case "form":
      return authorName(cache, el, roleOf) === "" ? "" : "form";
    case "section":
      return authorName(cache, el, roleOf) === "" ? "" : "region";
    case "img":
      return attr(el, "alt") === "" &&
        !isFocusable(el) &&
        authorName(cache, el, roleOf, false) === ""
        ? ""
        : "image";
    case "svg":
      return isNamedSvg(cache, el) ? "image" : "";
    case "input": {
      const input = el as HTMLInputElement;
      const role = INPUTS[input.type] ?? "textbox";
      return hasAttr(el, "list") &&
        (role === "textbox" || role === "searchbox") &&
        /^(text|search|tel|url|email)$/.test(input.type) &&
        input.list
        ? "combobox"
        : role;
    }
    case "select":
      return (el as HTMLSelectElement).multiple || (el as HTMLSelectElement).size > 1
        ? "listbox"
        : "combobox";
    case "summary":
      return isSummary(el) ? "button" : "";
    case "li": {
      const list = flatParent(el);
      return list && roleOf(cache, list) === "list" ? "listitem" : "";
    }
    case "table":
      return isDataTable(cache, el) ? "table" : "";
    case "thead":
    case "tbody":
    case "tfoot":
      return tableRole(cache, el) === "" ? "" : "rowgroup";
    case "tr":
      return tableRole(cache, el) === "" ? "" : "row";
    case "td": {
      const table = tableRole(cache, el);
      return table === "" ? "" : table === "table" ? "cell" : "gridcell";
    }
    case "th":
      return tableRole(cache, el) === "" ? "" : headerRole(el);
    default:
      return editingHostRole(el);
  }
}

/** An element that is edited in place is a textbox. */
const editingHostRole = (el: Element): string => (isEditingHost(el) ? "textbox" : "");

function hasAncestor(el: Element, selector: string): boolean {
  const parent = parentNode(el);
  return isElement(parent) && closest(parent, selector) !== null;
}

function isNamedSvg(cache: ReadCache, el: Element): boolean {
  if (authorName(cache, el, roleOf, false) !== "") return true;
  for (let child = firstChild(el); child; child = nextSibling(child)) {
    if (isElement(child) && localName(child) === "title" && !isBlank(textContent(child) ?? ""))
      return true;
  }
  return false;
}

/** Returns the role of the table around a row, group or cell; "" for a layout table. */
function tableRole(cache: ReadCache, el: Element): string {
  const table = closest(el, "table");
  if (!table) return "";
  const role = roleOf(cache, table);
  return role === "table" || role === "grid" || role === "treegrid" ? role : "";
}

/**
 * Returns whether a table holds data. Markup that says so decides; otherwise it needs two rows, two
 * columns and no table inside.
 */
function isDataTable(cache: ReadCache, table: Element): boolean {
  const known = cache.dataTables.get(table);
  if (known !== undefined) return known;
  const rows = (table as HTMLTableElement).rows;
  let data = hasAttr(table, "summary") || authorName(cache, table, roleOf) !== "";
  if (
    !data &&
    query(
      table,
      ":scope > caption, :scope > thead, :scope > tfoot, :scope > tr > th," +
        " :scope > tbody > tr > th",
    )
  )
    data = true;
  if (!data && rows && rows.length >= 2) {
    let wide = false;
    for (let i = 0; i < rows.length && !wide; i++)
      wide = (rows[i] as HTMLTableRowElement).cells.length >= 2;
    data = wide && query(table, "table") === null;
  }
  cache.dataTables.set(table, data);
  return data;
}

function headerRole(el: Element): string {
  const scope = attr(el, "scope")?.toLowerCase();
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  if (scope === "col" || scope === "colgroup") return "columnheader";
  const row = parentNode(el);
  const group = row && parentNode(row);
  if (isElement(group) && localName(group) === "thead") return "columnheader";
  if (!isElement(row)) return "columnheader";
  let headers = 0;
  let cells = 0;
  for (let cell = firstElementChild(row); cell; cell = nextElementSibling(cell))
    localName(cell) === "th" ? headers++ : cells++;
  return cells > 0 && headers <= cells ? "rowheader" : "columnheader";
}
