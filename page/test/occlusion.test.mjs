// Covers in the viewport: exactly where a click would be refused.
import assert from "node:assert/strict";
import { test } from "node:test";
import { idOf, look } from "./check.mjs";

/** The names of what is covered, each with the tag or role of its cover. */
async function covered(html) {
  const { page } = await look(html);
  const { covered, nodes, strings } = await page.call("walk", {});
  const text = (column, at) => strings[nodes[column][at]];
  const pairs = [];
  for (let i = 0; i < covered.length; i += 2)
    pairs.push(
      `${text("name", covered[i])} under ${text("role", covered[i + 1]) || text("tag", covered[i + 1])}`,
    );
  return pairs;
}
const over = (style, inner = "") =>
  `<div id=o style="position:absolute;left:0;top:0;width:400px;height:300px;${style}">${inner}</div>`;
const BUTTON = "<button style='position:absolute;left:20px;top:20px'>Go</button>";

for (const [what, html, expected] of [
  ["nothing over it", BUTTON, []],
  ["an opaque box", BUTTON + over("background:white"), ["Go under div"]],
  ["a transparent box takes the click too", BUTTON + over(""), ["Go under div"]],
  ["a box that lets clicks through", BUTTON + over("pointer-events:none"), []],
  ["a box behind it", over("background:white") + BUTTON, []],
  ["a box over half of it", BUTTON + over("width:40px;background:white"), []],
  [
    "a dialog is named, not its padding",
    BUTTON +
      over(
        "background:white",
        "<div role=dialog aria-label=Cookies style='height:100%'><p>Hi</p></div>",
      ),
    ["Go under dialog"],
  ],
  [
    "a header that stays while the page scrolls",
    "<header style='position:fixed;top:0;left:0;right:0;height:80px;background:white'>H</header>" +
      BUTTON +
      "<div style='height:3000px'></div>",
    [],
  ],
  [
    "all of it but the place of a scroll bar",
    BUTTON +
      "<div style='position:fixed;left:0;top:0;bottom:0;width:calc(100vw - 15px);background:white'></div><div style='height:3000px'></div>",
    ["Go under div"],
  ],
  [
    "its own label",
    "<label style='position:relative'><input type=checkbox style='opacity:0'><span style='position:absolute;inset:0;background:white'>Yes</span> Yes</label>",
    [],
  ],
  ["its own content", "<button><span style='position:relative;z-index:2'>Go</span></button>", []],
]) {
  test(`covered: ${what}`, async () => assert.deepEqual(await covered(html), expected));
}

test("what is marked as covered is what a click is refused for", async () => {
  const { page } = await look(BUTTON + over("background:white"));
  const answer = await page.call("prepare", await idOf(page, "button"), "click");
  assert.equal(answer.reason, "covered");
});
