// Values of secret fields that the page repeats over several texts: a letter per element, or parts
// between `wbr`. The texts of each kind are read as one, in the order of the page. Does not touch
// the page.

import { hideSpreadValues, mayBeSpread } from "../semantics/secretValues";
import type { NodeRecord } from "./nodeRecord";

/** One text of a record, and how it is replaced. */
type Cell = [text: string, put: (text: string) => void];

/** Hides such values in records; returns whether there were any. Patches are not made of these. */
export function hideSpreadSecrets(nodes: readonly NodeRecord[]): boolean {
  if (!mayBeSpread()) return false;
  const kinds = new Map<string, Cell[]>();
  const add = (kind: string, text: string, put: (text: string) => void): void => {
    if (text === "") return;
    const cells = kinds.get(kind);
    if (cells) cells.push([text, put]);
    else kinds.set(kind, [[text, put]]);
  };
  for (const node of nodes) {
    if (node.isDropped) continue;
    add(node.el ? "name" : "text", node.name, (text) => {
      node.name = text;
    });
    const { rare, attrs } = node;
    if (rare?.value)
      add("value", rare.value, (text) => {
        rare.value = text;
      });
    rare?.options?.forEach((option, at, options) => {
      add("option", option, (text) => {
        options[at] = text;
      });
    });
    for (const pair of [...(attrs ?? []), ...(rare?.clues ?? [])])
      add(`of ${pair[0]}`, pair[1], (text) => {
        pair[1] = text;
      });
  }
  let found = false;
  for (const cells of kinds.values()) {
    const hidden = hideSpreadValues(cells.map(([text]) => text));
    for (const [at, text] of hidden) {
      found = true;
      (cells[at] as Cell)[1](text);
    }
  }
  return found;
}
