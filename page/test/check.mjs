// One browser for a file of tests, and check(what, html, expectations): lines that must, or with a
// leading "!" must not, be in the outline of that page.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, serve } from "./browser.mjs";
import { decode, outline } from "./decode.mjs";

let browser;
let server;
let page;
let html = "";

before(async () => {
  server = await serve((path) => (path.startsWith("/page") ? html : null));
  browser = await launch();
  page = await browser.page();
  const { call } = page;
  // A busy machine must not cut a walk short.
  page.call = (name, ...args) =>
    name === "walk" ? call(name, { limit: 60_000, ...args[0] }) : call(name, ...args);
});
after(async () => {
  await browser?.close();
  server?.close();
});

/**
 * The page script on a page with this content. `type`: ".svg", ".xml" for documents that are not
 * HTML.
 */
export async function open(content, type = "") {
  html = content;
  await page.goto(`${server.url}/page${type}`);
  return page;
}

/**
 * Replaces the content of the open page: the script stays, so that this is faster than `open`. For
 * tests that do not depend on what the script remembers.
 */
export async function rewrite(content) {
  await page.main(
    `document.open(); document.write(${JSON.stringify(content)}); document.close(); 0`,
  );
  return page;
}

/**
 * Opens a page whose script counts how often it reads a property of the DOM: a measure of work that
 * does not depend on the machine. `count()` returns the number since the last call.
 */
export async function openCounting(content, owner, property) {
  await open(content);
  await page.install(`globalThis.reads = 0;
    { const own = Object.getOwnPropertyDescriptor(${owner}.prototype, "${property}");
      const kind = own.get ? "get" : "value";
      const read = own[kind];
      own[kind] = function (...given) { reads++; return read.apply(this, given); };
      Object.defineProperty(${owner}.prototype, "${property}", own); }
  `);
  const count = () => page.inside("{ const all = reads; reads = 0; all }");
  return { page, count };
}

export async function look(content, options = {}) {
  const at = await open(
    content.includes("<html") || content.includes("<!doctype")
      ? content
      : `<!doctype html><title>t</title><body>${content}`,
  );
  const wire = await at.call("walk", options);
  assert.equal(wire.error, undefined, JSON.stringify(wire));
  const list = decode(wire);
  return {
    page: at,
    wire,
    list,
    lines: outline(list)
      .split("\n")
      .map((line) => line.trim().replace(/^\[\d+\]/, "[]")),
    find: (name) => list.find((node) => node.name === name),
  };
}

/** `expected`: lines, or a function that is given everything. */
export function check(what, content, expected, options) {
  test(what, async () => {
    const seen = await look(content, options);
    if (typeof expected === "function") return expected(seen);
    for (const want of [expected].flat()) {
      const absent = want.startsWith("!");
      const text = absent ? want.slice(1) : want;
      const found = seen.lines.some((line) => (absent ? line.includes(text) : line === text));
      assert.equal(
        found,
        !absent,
        `${absent ? "unexpected" : "missing"}: ${text}\n${seen.lines.join("\n")}`,
      );
    }
  });
}

/** Checks the rows of a table: the name, the page, then the expected lines. */
export function checkAll(table) {
  for (const [what, content, ...expected] of rowsOf(table)) check(what, content, expected);
}

/** The rows of a table that is written as text: one line per row, cells separated by ` | `. */
export const rowsOf = (table) =>
  table
    .trim()
    .split("\n")
    .map((row) => row.split(" | "));

export const idOf = async (at, selector) => (await at.call("find", selector)).id;
/** The source of a picture: without one, not every engine draws an image's box. */
export const PICTURE = `src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>"`;
