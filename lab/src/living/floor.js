// The least that a look at a page can cost: a walk over all elements with their boxes, and one hit
// test for each element in view, which asks the element's own root. Shares no code with the page
// script, because it judges it.
() => {
  let elements = 0;
  let roots = 0;
  const tests = [];
  const walk = (root) => {
    for (const element of root.querySelectorAll("*")) {
      elements++;
      const box = element.getBoundingClientRect();
      const left = Math.max(box.left, 0);
      const top = Math.max(box.top, 0);
      const right = Math.min(box.right, innerWidth);
      const bottom = Math.min(box.bottom, innerHeight);
      if (left < right && top < bottom) tests.push([root, (left + right) / 2, (top + bottom) / 2]);
      if (element.shadowRoot) {
        roots++;
        walk(element.shadowRoot);
      }
    }
  };
  const begun = performance.now();
  walk(document);
  const walked = performance.now();
  for (const [root, x, y] of tests) root.elementFromPoint(x, y);
  const ended = performance.now();
  return { elements, roots, tests: tests.length, walk: walked - begun, hits: ended - walked };
};
