// Gutters of code editors and listings: which elements are marked, and that nothing else changes.
import assert from "node:assert/strict";
import { check } from "./check.mjs";

/** The texts of the page that are in a gutter, and those that are not. */
const texts = (list, inGutter) => {
  const marked = list.filter((node) => node.flags.includes("gutter"));
  const inside = (node) =>
    marked.some((g) => node.index > g.index && node.index <= g.index + g.size);
  return list.filter((node) => !node.tag && inside(node) === inGutter).map((node) => node.name);
};
/** Checks which texts are in a gutter; all other texts are not. */
const parts = (what, html, gutter, rest) =>
  check(what, html, ({ list }) => {
    assert.deepEqual(texts(list, true), gutter);
    assert.deepEqual(texts(list, false), rest);
  });

parts(
  "CodeMirror 5",
  `<div class="CodeMirror cm-s-default"><div class="CodeMirror-gutters"><div class="CodeMirror-gutter CodeMirror-linenumbers"></div></div>
   <div class="CodeMirror-code"><div><div class="CodeMirror-gutter-wrapper"><div class="CodeMirror-linenumber CodeMirror-gutter-elt">1</div></div><pre class="CodeMirror-line">let a</pre></div></div></div>`,
  ["1"],
  ["let a"],
);
parts(
  "CodeMirror 6",
  `<div class="cm-editor"><div class="cm-gutters" aria-hidden="true"><div class="cm-gutter cm-lineNumbers"><div class="cm-gutterElement">7</div></div></div><div class="cm-content"><div class="cm-line">let b</div></div></div>`,
  ["7"],
  ["let b"],
);
parts(
  "Monaco, and the same words elsewhere",
  `<div class="monaco-editor"><div class="margin" role="presentation" aria-hidden="true"><div class="glyph-margin"></div><div class="margin-view-overlays"><div><div class="line-numbers">3</div><div class="cldr codicon codicon-folding-expanded"></div></div></div></div><div class="view-line">let c</div></div>
   <div class="margin">no gutter</div><pre class="line-numbers">nor this</pre>`,
  ["3"],
  ["let c", "no gutter", "nor this"],
);
parts(
  "Ace",
  `<div class="ace_editor"><div class="ace_gutter"><div class="ace_gutter-cell">4</div></div><div class="ace_line">let d</div></div>`,
  ["4"],
  ["let d"],
);
parts(
  "Prism, highlight.js and Pygments",
  `<pre class="line-numbers"><code>let e<span class="line-numbers-rows"><span>1</span></span></code></pre>
   <table class="hljs-ln"><tr><td class="hljs-ln-numbers">2</td><td class="hljs-ln-code">let f</td></tr></table>
   <table><tr><td class="linenos"><pre>5</pre></td><td class="code"><pre>let g</pre></td></tr></table>`,
  ["1", "2", "5"],
  ["let e", "let f", "let g"],
);
parts(
  "GitHub, and a number of the page's own",
  `<table><tr><td class="blob-num" data-line-number="8">8</td><td class="blob-code">let h</td></tr><tr><td data-line-number="9">9</td><td>let i</td></tr></table>
   <p data-line-number="1">text</p><div class="row no-gutters gutter">grid</div>`,
  ["8", "9"],
  ["let h", "let i", "text", "grid"],
);
