// The hash of a drawing: the same for the same geometry, however it is written; different for
// different icons; none for what is not an icon.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { open } from "./check.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const icons = JSON.parse(readFileSync(join(here, "../../tests/icons/drawings.json"), "utf8"));
let module = "";

before(async () => {
  const made = await esbuild.build({
    entryPoints: [join(here, "../src/capture/drawing.ts")],
    inject: [join(here, "../src/dom/globals.ts")],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "drawing",
    target: "es2022",
  });
  module = made.outputFiles[0].text;
});

/** Returns the hashes of all `svg` elements that are children of the body; null for none. */
async function hashes(...svgs) {
  const page = await open(`<!doctype html><title>t</title><body>${svgs.join("\n")}`);
  return page.main(
    `(() => { ${module}; return [...document.body.children].filter((el) => el.localName === "svg")
      .map((el) => drawing.drawingHash(el) ?? null); })()`,
  );
}
const box = (shapes, more = 'viewBox="0 0 24 24"') => `<svg ${more}>${shapes}</svg>`;
const path = (data, more) => box(`<path d="${data}"/>`, more);

test("icons of every set keep their hash, from the package and from React", async () => {
  const sources = icons.flatMap(({ svg, react }) => [svg, react]);
  const found = await hashes(...sources);
  assert.equal(found.length, sources.length);
  icons.forEach(({ set, name, hash }, at) => {
    assert.equal(found[2 * at], hash, `${set} ${name}`);
    assert.equal(found[2 * at + 1], hash, `${set} ${name}, React`);
  });
  assert.equal(new Set(icons.map(({ hash }) => hash)).size, icons.length);
});

const SAME = {
  "relative, absolute, short and repeated commands": [
    path("M4 4L20 4L20 12L4 12Z M6 16C6 18 8 20 10 20C12 20 14 18 14 16"),
    path("M4,4H20V12H4Z M6,16c0,2,2,4,4,4s4-2,4-4"),
    path("m4 4 9 0 7 0 0 8-16 0zm2 12c0 2 2 4 4 4 2 0 4-2 4-4"),
    path("M4 4h16v8H4V4M6 16c0 2 2 4 4 4 2.000 0 4.-2 4e0-.4e1"),
  ],
  "one path and several, groups and basic shapes": [
    path("M4 4h8v8H4zM2 20h20M3 3l9 9 9-9M5 5l5 5h-9z"),
    box(
      '<rect x="4" y="4" width="8" height="8"/><line x1="2" y1="20" x2="22" y2="20"/>' +
        '<polyline points="3 3 12 12 21 3"/><polygon points="5,5 10,10 1,10"/>',
    ),
    box(
      '<g><path d="M4 4h8v8H4z"/><g fill="red"><path d="M2 20h20"/></g></g><path d="M3 3l9 9 9-9M5 5l5 5h-9z"/>',
    ),
  ],
  "scale and place of the box": [
    path("M4 4h8v8z"),
    path("M64 64h128v128z", 'viewBox="0 0 384 384"'),
    path("M4 -956h8v8z", 'viewBox="0 -960 24 24"'),
    path("M4 4h8v8z", 'width="24" height="24"'),
    path("M4 4h8v8z", ""),
    box('<g transform="translate(2 3) scale(2)"><path d="M1 .5h4v4z"/></g>'),
    box('<path transform="rotate(90 12 12)" d="M4 20v-8h8z"/>'),
    box('<path transform="matrix(0 1 -1 0 24 0)" d="M4 20v-8h8z"/>'),
  ],
  "colours, sizes, names and rounding errors": [
    box('<circle cx="12" cy="12" r="9"/><path d="M8 12.0004l3 3 5-6"/>'),
    box(
      '<title>x</title><circle cx="12" cy="12" r="9" fill="red" class="a" id="b"/><path stroke-width="3" d="M8 12l3 2.9996 5-5.999"/>',
      'viewBox="0 0 24 24" width="99" height="99" class="x"',
    ),
  ],
  "what is not drawn": [
    path("M8 12l3 3 5-6"),
    box('<path stroke="none" d="M0 0h24v24H0z" fill="none"/><path d="M8 12l3 3 5-6"/>'),
    box('<path d="M24 24H0V0h24v24z" fill="none"/><path d="M8 12l3 3 5-6"/>'),
    box('<rect width="24" height="24" opacity="0"/><path d="M8 12l3 3 5-6"/>'),
    box('<path fill="none" stroke="none" d="M1 1h3"/><path d="M8 12l3 3 5-6"/>'),
    box('<g display="none"><path d="M1 1h3"/></g><path d="M8 12l3 3 5-6"/>'),
    box(
      '<defs><path d="M1 1h3"/></defs><clipPath id="c"><rect width="9" height="9"/></clipPath><mask><circle r="3"/></mask><path d="M8 12l3 3 5-6"/>',
    ),
    box('<path d="M8 12l3 3 5-6 M1 1"/><path/><circle/><rect width="3"/><polygon points="1"/>'),
    path("M8 12l3 3 5-6 x 5 5"),
  ],
};
for (const [what, drawings] of Object.entries(SAME))
  test(`the same hash: ${what}`, async () => {
    const [first, ...others] = await hashes(...drawings);
    assert.match(first, /^[0-9a-f]{12}$/);
    others.forEach((other, at) => {
      assert.equal(other, first, drawings[at + 1]);
    });
  });

test("a sprite, as far as it is in the same document", async () => {
  const sprite =
    '<svg style="display:none"><symbol id="t" viewBox="0 0 48 48"><path d="M16 24l6 6 10-12"/></symbol><g id="g"><path d="M4 6l3 3 5-6"/></g></svg>';
  const [, plain, used, old, moved, far, missing] = await hashes(
    sprite,
    path("M8 12l3 3 5-6"),
    '<svg><use href="#t"/></svg>',
    '<svg width="16" height="16"><use xlink:href="#t" width="9"/></svg>',
    box('<use href="#g" x="4" y="6"/>'),
    box('<use href="sprite.svg#t"/>'),
    box('<use href="#none"/>'),
  );
  assert.deepEqual([used, old, moved, far, missing], [plain, plain, plain, null, null]);
});

test("a sprite in a shadow root", async () => {
  const page = await open("<!doctype html><title>t</title><body><div></div>");
  const [used, plain] = await page.main(`(() => { ${module};
    const root = document.querySelector("div").attachShadow({ mode: "open" });
    root.innerHTML = '<svg><symbol id="t" viewBox="0 0 24 24"><path d="M8 12l3 3 5-6"/></symbol></svg>'
      + '<svg><use href="#t"/></svg><svg viewBox="0 0 24 24"><path d="M8 12l3 3 5-6"/></svg>';
    return [...root.querySelectorAll("svg")].slice(1).map((el) => drawing.drawingHash(el)); })()`);
  assert.equal(used, plain);
});

test("different drawings have different hashes", async () => {
  const different = [
    path("M6 9l6 6 6-6"),
    path("M6 9l6 6 6-6z"),
    path("M6 9l6 6 6-5"),
    path("M6 9l6 6 6-6M6 5h12"),
    path("M6 5h12M6 9l6 6 6-6"),
    path("M6 9c2 4 10 4 12 0"),
    path("M6 9c2-4 10-4 12 0"),
    path("M6 9a6 6 0 0 0 12 0"),
    path("M6 9a6 6 0 0 1 12 0"),
    path("M6 9a9 9 0 0 1 12 0"),
    path("M6 9a9 9 0 1 1 12 0"),
    box('<circle cx="12" cy="12" r="9"/>'),
    box('<circle cx="12" cy="12" r="8"/>'),
    box('<ellipse cx="12" cy="12" rx="9" ry="8"/>'),
    box('<rect x="3" y="3" width="18" height="18"/>'),
    box('<rect x="3" y="3" width="18" height="18" rx="2"/>'),
    box('<rect x="3" y="3" width="18" height="18" rx="4"/>'),
  ];
  const found = await hashes(...different);
  assert.equal(new Set(found).size, different.length, found.join(" "));
  // An icon with one point moved is a different drawing.
  const [changed] = await hashes(icons[0].svg.replace("M9,3", "M9,4"));
  assert.ok(!icons.some(({ hash }) => hash === changed));
});

test("arcs and curves with the same course are the same", async () => {
  const [arc, curve] = await hashes(path("M4 12a8 8 0 0 1 8-8"), path("M4 12c0-4.418 3.582-8 8-8"));
  assert.equal(arc, curve);
});

test("what is not an icon has no hash, soon", async () => {
  const lines = (count) => '<path d="M1 1h3"/>'.repeat(count);
  const deep = (count) => `${"<g>".repeat(count)}<path d="M1 1h3"/>`;
  const bomb = `<g id="a"><use href="#b"/><use href="#b"/></g><g id="b"><use href="#a"/><use href="#a"/></g>`;
  const refused = [
    box(""),
    box("<text>x</text><image href='a.png'/>"),
    path("M0 0h24v24H0z"),
    path("10 10 20 20"),
    path("M"),
    box(lines(500)),
    box(deep(40)),
    path(`M1 1${"h1".repeat(20_000)}`),
    box(`<path transform="${"matrix(".repeat(2_000)}" d="M1 1h3"/>`),
    box(bomb),
    box('<use id="u" href="#u"/>'),
  ];
  assert.deepEqual(
    await hashes(...refused),
    refused.map(() => null),
  );
  // Numbers beyond all limits are read like any others.
  const [huge] = await hashes(path("M1e999 -1e999L1e400 NaN", 'viewBox="0 0 1e-300 1e999"'));
  assert.ok(huge === null || /^[0-9a-f]{12}$/.test(huge));
});
