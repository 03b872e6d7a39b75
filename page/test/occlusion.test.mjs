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
// The viewport is not as high in every engine.
const LOW =
  "<button style='position:absolute;left:20px;top:calc(100vh - 120px);width:90px'>Low</button>";
const banner = (style = "") =>
  `<div role=dialog aria-label=Cookies style='position:fixed;left:0;right:0;top:calc(100vh - 200px);bottom:0;background:white;${style}'>C</div>`;
const drawn = (style) =>
  `<input type=checkbox aria-label=Box style='position:absolute;margin:0;opacity:0;${style}'><span style='position:relative;display:block;width:36px;height:18px;background:#00f'></span>`;
const HEADER =
  "<header style='position:fixed;z-index:1;top:0;left:0;right:0;height:64px;background:white'>H</header>";

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
    `${HEADER}<div style='height:100px'></div>${BUTTON.replace("top:20px", "top:100px")}<div style='height:3000px'></div><script>scrollTo(0, 80)</script>`,
    [],
  ],
  [
    "a header that is always over the top of the page",
    `${HEADER}${BUTTON}<div style='height:3000px'></div>`,
    ["Go under banner"],
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
  ["a banner on a page that does not scroll", LOW + banner(), ["Low under dialog"]],
  ["a banner, and half of the button beside it", LOW + banner("left:40px"), []],
  [
    "a banner under which the page scrolls",
    `${LOW}<div style='height:3000px'></div>${banner()}`,
    [],
  ],
  [
    "the end of a page, under a banner",
    `<div style='height:3000px'></div><button>End</button>${banner()}`,
    ["End under dialog"],
  ],
  [
    "the end of a page with room for the banner",
    `<div style='height:3000px'></div><button>End</button><div style='height:240px'></div>${banner()}`,
    [],
  ],
  [
    "the end of a page that lets clicks through to it",
    `<div style='height:3000px'></div><button>End</button>${banner("pointer-events:none")}`,
    [],
  ],
  [
    "a page that is locked",
    `<style>body{overflow:hidden}</style>${LOW}<div style='height:3000px'></div>${banner()}`,
    ["Low under dialog"],
  ],
  [
    "a page whose scrolling ends under the banner",
    `<body style='margin:0'>${LOW}<div style='height:calc(100vh + 40px)'></div>${banner()}`,
    ["Low under dialog"],
  ],
  [
    "a list that scrolls under the banner only",
    `<div style='position:fixed;top:calc(100vh - 180px);height:150px;width:300px;overflow:auto'><button>In list</button><div style='height:900px'></div></div>${banner()}`,
    ["In list under dialog"],
  ],
  [
    "a list that scrolls out from under the banner",
    `<body style='margin:0'><div style='height:100vh;overflow:auto'><div style='height:calc(100vh - 120px)'></div><button>In list</button><div style='height:900px'></div></div>${banner()}`,
    [],
  ],
  [
    "the end of a list, out of view",
    `<body style='margin:0'><div style='height:100vh;overflow:auto'><div style='height:2000px'></div><button>End</button></div>${banner()}`,
    ["End under dialog"],
  ],
  [
    "a box under its own drawing, out of view",
    `<div style='height:3000px'></div><label style='position:relative;display:block'>${drawn("pointer-events:none")}On</label>`,
    [],
  ],
  [
    "a box under a drawing that is not its label, out of view",
    `<div style='height:3000px'></div><div style='position:relative'>${drawn("")}</div>`,
    ["Box under span"],
  ],
  [
    "a fixed button",
    `<div style='position:fixed;top:calc(100vh - 120px)'><button>Fixed</button></div><div style='height:3000px'></div>${banner()}`,
    ["Fixed under dialog"],
  ],
  [
    "a sticky button that stays under it",
    `<div style='height:3000px'><div style='position:sticky;top:calc(100vh - 120px)'><button>Sticky</button></div></div>${banner()}`,
    ["Sticky under dialog"],
  ],
  [
    "a sticky button that leaves with what is around it",
    `<div style='height:100vh'><div style='position:sticky;top:calc(100vh - 120px)'><button>Sticky</button></div></div><div style='height:3000px'></div>${banner()}`,
    [],
  ],
  [
    "a header and a banner with room between them",
    `${HEADER}${LOW}<div style='height:3000px'></div>${banner("top:280px")}`,
    [],
  ],
  [
    "a header and a banner that touch",
    `${HEADER}${LOW}<div style='height:3000px'></div>${banner("top:64px")}`,
    ["Low under dialog"],
  ],
  [
    "a box that is fixed to what scrolls",
    `<div style='transform:translate(0);height:2000px'>${BUTTON}<div style='position:fixed;left:0;top:0;width:400px;height:300px;background:white'></div></div>`,
    ["Go under div"],
  ],
  [
    "a wrapper over everything that lets clicks through around its card",
    `${LOW}<div style='height:3000px'></div><div style='position:fixed;inset:0;pointer-events:none'><div role=dialog aria-label=Cookies style='pointer-events:auto;position:absolute;left:0;right:0;bottom:0;height:200px;background:white'>C</div></div>`,
    [],
  ],
  ["its own content", "<button><span style='position:relative;z-index:2'>Go</span></button>", []],
]) {
  test(`covered: ${what}`, async () => assert.deepEqual(await covered(html), expected));
}

test("a click is refused where a cover is marked, and only there", async () => {
  const tall = "<div style='height:3000px'></div>";
  for (const [html, reason] of [
    [LOW + banner(), "covered"],
    [LOW + tall + banner(), undefined],
    // Neither the middle nor an end of the viewport is free.
    [`${HEADER}${LOW}${tall}${banner("top:280px")}`, undefined],
    // Only to the side.
    [
      `<div style='width:3000px;height:10px'></div>${LOW.replace("left:20px", "left:1100px")}<div style='position:fixed;left:500px;right:0;top:0;bottom:0;background:white'></div>`,
      undefined,
    ],
  ]) {
    const { page, wire } = await look(html);
    const answer = await page.call("prepare", await idOf(page, "button"), "click");
    assert.equal(answer.reason, reason, html);
    assert.equal(wire.covered.length > 0, reason !== undefined, html);
    const described = await page.call("describe", await idOf(page, "button"));
    assert.equal(described.covered, reason !== undefined, html);
  }
});
test("what is marked as covered is what a click is refused for", async () => {
  const { page } = await look(BUTTON + over("background:white"));
  const answer = await page.call("prepare", await idOf(page, "button"), "click");
  assert.equal(answer.reason, "covered");
});
