// How elements are drawn: styles, cut and spilling content, covers, icons and fonts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { look } from "./check.mjs";

/** Measures the elements with these ids; returns their measures by id, with their styles. */
async function measured(html, ...ids) {
  const { page } = await look(html);
  const found = [];
  for (const id of ids) found.push((await page.call("find", `#${id}`)).id);
  const answer = await page.call("measureLayout", found);
  const items = answer.items.map((item) => {
    if (!item) return null;
    const [style, flags, cut, spill, x, y, width, height, icons] = item;
    return { style: answer.styles[style], flags, cut, spill, ink: [x, y, width, height], icons };
  });
  return { answer, items, page };
}

test("styles are those that a person sees", async () => {
  const { items } = await measured(
    `<style>body{background:#fff;font:16px/1 monospace}section{background:rgb(10 20 30);opacity:.5}
     #b{color:red;font:italic 700 20.25px serif;border:2px solid blue;border-radius:4px;text-transform:uppercase;opacity:.5}</style>
     <section><p id=a>Text</p><button id=b>Buy</button></section><p id=c style="background:url(data:image/gif;base64,AAAA) rgb(0 0 0 / 50%)">x</p>`,
    "a",
    "b",
    "c",
  );
  const [a, b, c] = items.map(({ style }) => style);
  assert.deepEqual(a.slice(0, 5), ["#000000", "#0a141e", "monospace", "16px", "400"]);
  assert.equal(a[8], "0.5", "with that of what is around it");
  assert.deepEqual(b.slice(2), [
    "serif",
    "20.3px",
    "700",
    "italic uppercase",
    "2px solid #0000ff",
    "4px",
    "0.25",
    "",
  ]);
  assert.match(c[1], /^#00000080 url\(data \d+\)$/);
});

test("content that is cut off, spills out or is covered", async () => {
  const { items, answer } = await measured(
    `<style>body{margin:0;font:16px/20px monospace}div,p{margin:0}</style>
     <div style="width:50px;overflow:hidden"><p id=cut style="width:300px">one two three four</p></div>
     <div style="width:50px;overflow:auto"><p id=scrolled style="width:300px">one two three</p></div>
     <div id=wide style="width:100px"><p style="width:180px">x</p></div>
     <p id=under>Under</p><div id=over style="position:absolute;left:0;top:60px;width:200px;height:40px;background:red"></div>
     <p id=fixed style="position:sticky;top:0">Fixed</p><div style="width:3000px">x</div>`,
    "cut",
    "scrolled",
    "wide",
    "under",
    "fixed",
  );
  const [cut, scrolled, wide, under, fixed] = items;
  assert.ok(cut.cut > 20, `${cut.cut}`);
  assert.equal(scrolled.cut, 0, "it can be scrolled to");
  assert.equal(wide.spill, 80);
  assert.equal(under.flags & 4, 4);
  assert.equal(fixed.flags & 1, 1);
  assert.ok(answer.overflow > 1000, `${answer.overflow}`);
});

test("icons are counted, and elements that move are marked", async () => {
  const { items, answer } = await measured(
    `<style>@keyframes turn{to{transform:rotate(1turn)}}#spin{animation:turn 1s linear infinite}#glyph::before{content:"\\e001"}</style>
     <button id=svg><svg width=16 height=16></svg>Save</button><button id=glyph>Go</button><button id=none>Go</button>
     <p id=spin>Turns</p><p id=gone>Gone</p><script>gone.remove()</script>`,
    "svg",
    "glyph",
    "none",
    "spin",
  );
  assert.deepEqual(items.map(({ icons }) => icons).slice(0, 3), [1, 1, 0]);
  assert.equal(items[3].flags & 2, 2);
  assert.ok(
    answer.fonts.every(([name, width]) => name !== "" && width > 1000),
    JSON.stringify(answer.fonts),
  );
});

test("an element that is gone has no measures, and nothing is written into the page", async () => {
  const { page } = await measured("<p id=a>x</p>", "a");
  const id = (await page.call("find", "#a")).id;
  const before = await page.main("document.documentElement.outerHTML.length");
  assert.equal((await page.call("measureLayout", [id, 9999])).items[1], null);
  assert.equal(await page.main("document.documentElement.outerHTML.length"), before);
});
