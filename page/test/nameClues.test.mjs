// The clues that the script reports about usable elements without a name.
import assert from "node:assert/strict";
import { test } from "node:test";
import { check, look, openCounting, PICTURE } from "./check.mjs";

/** The clues of the first usable element. */
const clues = ({ list }) => list.find((node) => node.flags.includes("usable"))?.clues ?? [];
const expect = (what, content, ...expected) =>
  check(what, content, (seen) => assert.deepEqual(clues(seen), expected));

const STYLE = `<style>
  .material-icons { font-family: "Material Icons", sans-serif }
  .fa { font-family: 'FontAwesome' } .fa-x::before { content: "\\f00d" }
  .bg { background: url("/img/star-filled.svg?v=2#x") } .mask { -webkit-mask-image: url(/i/cog.svg); mask-image: url(/i/cog.svg) }
  .size { width: 30px; height: 30px; display: block } [hidden] { display: none }
</style>`;

expect("an element with a name has no clues", '<button class="fa fa-x">Close</button>');
expect("its own class", '<button class=" btn  btn-close ">×</button>', "class: btn btn-close");
expect("a name of symbols only", '<button><i class="x">★</i></button>', "icon class: x");
expect(
  "a ligature of an icon font",
  `${STYLE}<button><i class="material-icons" aria-hidden="true">delete_forever</i></button>`,
  "ligature: delete_forever",
  "icon class: material-icons",
);
expect(
  "a word in another font is not a ligature",
  '<button><i aria-hidden="true">delete</i></button>',
);
expect(
  "a sprite, and the title of a drawing",
  '<button><svg aria-hidden="true" width="9" height="9"><title>Bin</title><use href="/s.svg#icon-trash"/></svg></button>',
  "svg title: Bin",
  "sprite: icon-trash",
);
expect("attributes that name an icon", '<button><i data-lucide="plus"></i></button>', "icon: plus");
expect(
  "an icon's custom element",
  '<button><ion-icon name="trash-outline"></ion-icon></button>',
  "icon: trash-outline",
);
check(
  "a file name",
  `<button><img alt="" width="9" height="9" src="/img/a/menu.png?x=1"></button>`,
  (seen) => assert.deepEqual(clues(seen), ["image: menu.png"]),
);
expect(
  "an inline image has no file name",
  `<button><img alt="" width="9" height="9" ${PICTURE}></button>`,
);
expect(
  "a background, a mask and a glyph",
  `${STYLE}<button class="size bg"><i class="mask size"></i><i class="fa fa-x"></i></button>`,
  "class: size bg",
  "icon class: mask size",
  "icon class: fa fa-x",
  "image: star-filled.svg",
  "image: cog.svg",
  "glyph: f00d fontawesome",
);
expect(
  "a part of an image with many icons",
  '<button style="width: 20px; height: 20px; background: url(/all.png) -64px 0"></button>',
);
for (const [turned, style] of [
  ["0 1 -1 0", "transform: rotate(90deg)"],
  ["0 1 -1 0", "rotate: 90deg"],
  ["-1 0 0 -1", "transform: rotate(-180deg) scale(2)"],
  ["-1 0 0 1", "scale: -1 1"],
])
  expect(
    `an icon that is turned: ${style}`,
    `<button><i class="icon-right" style="display: inline-block; ${style}"></i></button>`,
    "icon class: icon-right",
    `turned: ${turned}`,
  );
expect(
  "an icon that is turned together with its button",
  '<button style="rotate: 90deg"><i class="icon-right" style="display: block; rotate: 90deg"></i></button>',
  "icon class: icon-right",
  "turned: -1 0 0 -1",
);
expect(
  "an icon that is turned in a part that is called one",
  '<button class="tree-icon"><i class="icon-right" style="display: block; rotate: 90deg"></i></button>',
  "class: tree-icon",
  "icon class: icon-right",
  "turned: 0 1 -1 0",
);
for (const style of ["display: inline; rotate: 90deg", "display: block; rotate: 45deg"])
  expect(
    `an icon that is not turned by a quarter: ${style}`,
    `<button><i class="icon-right" style="${style}"></i></button>`,
    "icon class: icon-right",
  );
expect(
  "a glyph that is turned",
  `<style>.down::before { content: "\\f054"; font-family: Codicon; display: block; transform: rotate(90deg) }</style>
  <button class="down"></button>`,
  "class: down",
  "glyph: f054 codicon",
  "turned: 0 1 -1 0",
);
expect(
  "a glyph as text",
  `${STYLE}<button><span style="font-family: Codicon">\ueb81</span></button>`,
  "glyph: eb81 codicon",
);
expect(
  "a hidden part is not seen",
  `${STYLE}<button><i class="icon-moon" hidden></i><i class="icon-sun"></i></button>`,
  "icon class: icon-sun",
);
expect(
  "what is usable inside keeps its icon",
  '<div tabindex="0" onclick="1"><button aria-label="a"><i class="icon-sun"></i></button> <button aria-label="b"></button></div>',
);
expect(
  "tooltips, and titles around it",
  `<div title="Remove it"><span data-tooltip="Delete"><button data-title="Bin"></button></span></div>`,
  "tooltip: Bin",
  "tooltip: Delete",
  "title: Remove it",
);
expect(
  "a title around several things is not its own",
  `<div title="Actions"><button></button> <button></button></div>`,
);
check(
  "a tooltip element",
  `<div><button></button><div role="tooltip" style="display:none">Sign out</div></div><button aria-describedby="d"></button><p id="d">Sign in</p>`,
  ({ list }) => {
    const found = list.filter((node) => node.role === "button").map((node) => node.clues);
    assert.deepEqual(found, [["tooltip: Sign out"], ["description: Sign in"]]);
  },
);
check(
  "an icon in a shadow root",
  `<x-button></x-button><script>customElements.define("x-button", class extends HTMLElement {
    constructor() { super(); this.attachShadow({mode: "open"}).innerHTML = '<button><slot></slot><i class="icon-sun"></i></button>'; } })</script>`,
  (seen) => assert.deepEqual(clues(seen), ["icon class: icon-sun"]),
);
test("long classes and many parts are cut", async () => {
  const many = "word ".repeat(20_000);
  const parts = '<i class="icon-a"></i>'.repeat(2000);
  const seen = await look(`<button class="${many}">${parts}</button>`);
  const found = clues(seen);
  assert.ok(found.length <= 12 && found.every((clue) => clue.length < 220), String(found.length));
});
test("large drawings are not read without end", async () => {
  // Each is small enough on its own; together they are read up to 2,000,000 characters.
  const shape = `<path d="M1 1${"L2 2L1 1".repeat(2000)}"/>`;
  const symbol = `<svg style="display:none"><symbol id="s" viewBox="0 0 24 24">${shape}</symbol></svg>`;
  const button = '<button><svg viewBox="0 0 24 24"><use href="#s"/></svg></button>';
  const { list } = await look(symbol + button.repeat(300));
  const buttons = list.filter((node) => node.role === "button");
  const drawn = buttons.filter((node) => node.clues?.some((clue) => clue.startsWith("drawing: ")));
  assert.equal(buttons.length, 300);
  assert.ok(drawn.length > 100 && drawn.length < 130, String(drawn.length));
});
test("a long description is read only as far as it is used", async () => {
  const parts = "<span>word </span>".repeat(10_000);
  const readsFor = async (id) => {
    const many = `<button aria-describedby="${id}"></button>`.repeat(100);
    const { page, count } = await openCounting(
      `<!doctype html><body><div hidden id="long">${parts}</div><p hidden id="short">word</p>${many}`,
      "Node",
      "nodeType",
    );
    await page.call("walk", {});
    return count();
  };
  const [short, long] = [await readsFor("short"), await readsFor("long")];
  assert.ok(long < 2 * short, `${long} reads, and ${short} with a short one`);
});
test("a second look sends the clues of what changed", async () => {
  const { page, wire } = await look('<button id="b"><i class="icon-sun"></i></button><p>text</p>');
  await page.main('document.querySelector("i").className = "icon-moon"');
  const next = await page.call("walk", { known: wire.key, share: 9 });
  assert.ok(JSON.stringify(next.patch ? next.strings : next).includes("icon-moon"));
});
check(
  "an icon that is slotted through several shadow roots",
  `<x-outer></x-outer><script>
    const root = (host, html) => { host.attachShadow({ mode: "open" }).innerHTML = html; return host.shadowRoot; };
    const outer = root(document.querySelector("x-outer"), "<x-middle><x-icon style='display: inline-flex'></x-icon></x-middle>");
    root(outer.querySelector("x-icon"), '<svg viewBox="0 0 24 24" width="24" height="24"><g><path d="M19,13H5V11H19V13Z"></path></g></svg>');
    const middle = root(outer.querySelector("x-middle"), "<x-inner><slot></slot></x-inner>");
    root(middle.querySelector("x-inner"), "<button><span><slot></slot></span></button>");
  </script>`,
  (seen) => assert.match(clues(seen).join(), /drawing: /),
);
