// In Firefox a page that comes back from the back/forward cache has lost its world, but listeners
// of the old world still run. The new world asks with an event of a secret name, and the old one
// answers with one event for each fact. The page can neither guess the name nor see the events.

import { dispatch, hostOf, isElement, nodeType, rootOf } from "./dom";
import { traits } from "./engineTraits";

/** Reports a fact about an element, or about the document. */
export type Report = (about: Element | null, fact: string) => void;

/** Returns whether events report an element. From a closed root they report its host instead. */
function isReported(el: Element): boolean {
  for (let root = rootOf(el); nodeType(root) === 11; root = rootOf(hostOf(root) ?? root))
    if (!hostOf(root) || (root as ShadowRoot).mode === "closed") return false;
  return true;
}

/**
 * Learns what the worlds before this one knew about a topic, and reports it to the worlds after it.
 * `learn` gets each fact, and `reportAll` reports all facts.
 */
export function handOver(topic: string, learn: Report, reportAll: (report: Report) => void): void {
  if (!traits.handoverWord) return;
  const question = `${traits.handoverWord}-${topic}`;
  const [ofDocument, ofElement] = [`${question}-document`, `${question}-element`];
  const factIn = (event: Event): string => String((event as CustomEvent<unknown>).detail);
  const onDocument = (event: Event): void => learn(null, factIn(event));
  const onElement = (event: Event): void => {
    const about = event.composedPath()[0] as Node;
    if (isElement(about)) learn(about, factIn(event));
  };
  addEventListener(ofDocument, onDocument, true);
  addEventListener(ofElement, onElement, true);
  dispatchEvent(new CustomEvent(question));
  removeEventListener(ofDocument, onDocument, true);
  removeEventListener(ofElement, onElement, true);
  addEventListener(question, () =>
    reportAll((about, fact) => {
      if (!about) dispatchEvent(new CustomEvent(ofDocument, { detail: fact }));
      else if (isReported(about))
        dispatch(about, new CustomEvent(ofElement, { detail: fact, composed: true }));
    }),
  );
}
