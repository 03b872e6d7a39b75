// The labels of a control. The property `labels` walks the whole document for each control, which
// is quadratic; one pass over the labels of a root serves all of its controls. Reads only.

import { queryAll, rootOf } from "../dom/dom";
import type { ReadCache } from "./readCache";

/** Returns the labels of a control, in document order. */
export function labelsOf(cache: ReadCache, el: Element): readonly HTMLLabelElement[] {
  const root = rootOf(el);
  let byControl = cache.labelsByControl.get(root);
  if (!byControl) {
    byControl = new Map();
    for (const label of queryAll(root, "label")) {
      const control = (label as HTMLLabelElement).control;
      if (!control) continue;
      const known = byControl.get(control);
      if (known) known.push(label as HTMLLabelElement);
      else byControl.set(control, [label as HTMLLabelElement]);
    }
    cache.labelsByControl.set(root, byControl);
  }
  const labels = byControl.get(el) ?? [];
  for (const label of labels) cache.addDependency(el, label);
  return labels;
}
