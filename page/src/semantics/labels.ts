// Which labels a control has. The browser's own `labels` walks the whole document for each control
// that asks, which is quadratic; one pass over the labels of a root answers for all of its
// controls. Reads only.

import { queryAll, rootOf } from "../dom/dom";
import type { Look } from "./readCache";

/** The labels of a control, in the order they stand in the document. */
export function labelsOf(look: Look, el: Element): readonly HTMLLabelElement[] {
  const root = rootOf(el);
  let byControl = look.labelled.get(root);
  if (!byControl) {
    byControl = new Map();
    for (const label of queryAll(root, "label")) {
      const control = (label as HTMLLabelElement).control;
      if (!control) continue;
      const known = byControl.get(control);
      if (known) known.push(label as HTMLLabelElement);
      else byControl.set(control, [label as HTMLLabelElement]);
    }
    look.labelled.set(root, byControl);
  }
  const labels = byControl.get(el) ?? [];
  for (const label of labels) look.rely(el, label);
  return labels;
}
