// Records what a person can read in a page, and the states of its controls, before and after an
// action: for pages that keep no list of what they change. Shares no code with pagesight. Called
// with 'before' it remembers; called with 'after' it returns the difference.
(phase) => {
  const key = Symbol.for('diffbench');
  const texts = new Map(), shown = new Set(), states = new Map(), loose = [], solid = [];
  const squeeze = (text) => text.replace(/\s+/g, ' ').trim();
  const state = (element) => {
    const aria = (name) => element.getAttribute(`aria-${name}`) ?? '';
    return { checked: `${element.checked ?? ''}${aria('checked')}`, disabled: `${element.disabled ?? ''}${aria('disabled')}`, expanded: `${element.tagName === 'DETAILS' ? element.open : ''}${aria('expanded')}`, selected: aria('selected'), pressed: aria('pressed'), invalid: aria('invalid'), value: /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName) && !/^(checkbox|radio|hidden|file|password)$/.test(element.type) ? element.value : '' };
  };
  const text = (node) => {
    const said = squeeze(node.data), holder = node.parentElement ?? node.getRootNode().host;
    if (!said || !holder) return;
    if (!holder.checkVisibility({ visibilityProperty: true })) return;
    loose.push(said);
    // What becomes opaque is there once more than before.
    if (holder.checkVisibility({ opacityProperty: true })) solid.push(said);
    const range = document.createRange();
    range.selectNodeContents(node);
    const seen = [...range.getClientRects()].some((box) => box.width > 1 && box.height > 1);
    const box = holder.getBoundingClientRect();
    // Names of icons are no words, and what is clipped to a dot is for screen readers alone.
    if (seen && box.width > 2 && box.height > 2 && holder.checkVisibility({ opacityProperty: true }) && /[\p{L}\p{N}]/u.test(said)) texts.set(node, said);
  };
  const visit = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return text(node);
    if (node.nodeType !== Node.ELEMENT_NODE || /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|OPTION|TITLE)$/i.test(node.tagName)) return;
    if (node.checkVisibility({ visibilityProperty: true })) {
      shown.add(node);
      for (const name of ['aria-label', 'title', 'alt', 'placeholder']) if (node.getAttribute(name)) (node.checkVisibility({ opacityProperty: true }) ? [loose, solid] : [loose]).forEach((list) => list.push(squeeze(node.getAttribute(name))));
      if (node.matches('input, select, textarea, button, details, [aria-expanded], [aria-selected], [aria-checked], [aria-pressed], [aria-disabled], [aria-invalid]')) {
        states.set(node, state(node));
        // A name may come from a label that does not show.
        for (const label of node.labels ?? []) loose.push(squeeze(label.textContent));
        loose.push(`=${node.tagName === 'SELECT' ? [...node.selectedOptions].map((option) => option.text).join(', ') : node.value ?? ''}`);
      }
    }
    const inner = node.shadowRoot?.childNodes ?? (node.tagName === 'SLOT' && node.assignedNodes().length ? node.assignedNodes() : node.childNodes);
    inner.forEach(visit);
    if (node.tagName === 'IFRAME') try { visit(node.contentDocument.documentElement) } catch { /* another site */ }
  };
  visit(document.documentElement);
  loose.push(...solid);
  if (phase === 'before') {
    window[key] = { texts, states, loose };
    return true;
  }
  if (!window[key]) return null;
  const before = window[key], added = [], removed = [];
  for (const [node, said] of texts) if (before.texts.get(node) !== said) added.push(said);
  for (const [node, said] of before.texts) {
    if (texts.get(node) === said) continue;
    // What it went with: the outermost element around it that is not shown any more.
    let top = null;
    for (let around = node.parentElement; around && !(around.isConnected && shown.has(around)); around = around.parentElement) top = around;
    removed.push({ text: said, around: top ? squeeze(top.textContent).slice(0, 4000) + squeeze(top.getAttribute('aria-label') ?? '') : '' });
  }
  const kinds = [];
  // Re-rendered with another state: counted, because it is not the same element.
  const count = (all) => { const sums = {}; for (const one of all.values()) for (const kind in one) if (one[kind]) sums[`${kind} ${one[kind]}`] = (sums[`${kind} ${one[kind]}`] ?? 0) + 1; return sums };
  const [was, now] = [count(before.states), count(states)];
  const redrawn = Object.keys({ ...was, ...now }).filter((one) => was[one] !== now[one]).map((one) => one.split(' ')[0]);
  for (const [element, now] of states) {
    const was = before.states.get(element);
    if (was) for (const kind in now) if (now[kind] !== was[kind]) kinds.push(kind);
  }
  return { added, removed, kinds, redrawn, before: before.loose, after: loose };
}
