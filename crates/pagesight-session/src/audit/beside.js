// Runs axe-core in the world of the page script, which the page does not see. The result of the top
// document stays here until all frames have answered. Loaded only for an audit.
(() => {
  const { axe } = window;
  let kept = null;
  const answer = (value) => JSON.stringify(value);
  globalThis.pagesightAudit = {
    /** Returns the first tag or rule that axe-core does not have, which it would ignore. */
    unknown(tags, rules) {
      const all = axe.getRules();
      const known = new Set(["pagesight", ...all.flatMap((rule) => rule.tags)]);
      const ids = new Set(all.map((rule) => rule.ruleId));
      const wrong = [...tags.filter((tag) => !known.has(tag)), ...rules.filter((id) => !ids.has(id))];
      return answer({ unknown: wrong[0] ?? null });
    },
    /** Tests a document. The results of frames are returned, that of the top document is kept. */
    async run(context, options, isTop) {
      const partial = await axe.runPartial(context ?? document, options);
      if (!isTop) return answer({ partial });
      kept = partial;
      return answer({});
    },
    /** Lists the frames of a document: their contexts and their elements. */
    frames(context, options) {
      const found = axe.utils.getFrameContexts(context ?? document, options);
      const elements = found.map(({ frameSelector }) => axe.utils.shadowSelect(frameSelector));
      const { ids } = JSON.parse(pagesight.identify(...elements.map((el) => el ?? document.body)));
      return answer(
        found.map(({ frameContext }, at) => ({
          context: frameContext,
          id: elements[at] ? ids[at] : 0,
        })),
      );
    },
    /** Puts the results together: the violations of all documents. */
    async finish(others, options) {
      const { violations, testEngine } = await axe.finishRun([kept, ...others], options);
      kept = null;
      return answer({
        engine: testEngine.version,
        violations: violations.map(({ id, help, nodes, impact }) => ({
          rule: id,
          help,
          nodes: nodes.slice(0, 200).map((node) => ({
            target: node.target,
            impact: node.impact ?? impact,
            fix: (node.failureSummary ?? "").split("\n").slice(1).join("\n"),
          })),
        })),
      });
    },
    /** Returns the page script's ids of the elements that selectors match; 0 for none. */
    elements(selectors) {
      const found = selectors.map((selector) => axe.utils.shadowSelect(selector));
      const known = found.filter(Boolean);
      const { doc, ids } = JSON.parse(pagesight.identify(...known));
      let at = 0;
      return answer({ doc, ids: found.map((el) => (el ? ids[at++] : 0)) });
    },
  };
  return answer({ version: axe.version });
})();
