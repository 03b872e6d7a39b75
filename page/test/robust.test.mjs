// The page is left alone, identity holds, and no page breaks the script.
import assert from "node:assert/strict";
import { test } from "node:test";
import { idOf, look, open } from "./check.mjs";
import { decode } from "./decode.mjs";

test("the page is untouched and sees nothing", async () => {
  const page = await open(
    "<!doctype html><title>t</title><main><button id=b>Go</button><label><input type=checkbox>x</label><form><input type=password></form></main>",
  );
  await page.main(
    "window.before = Object.getOwnPropertyNames(window).sort().join(); window.html = document.documentElement.outerHTML; window.seen = []; new MutationObserver((r) => seen.push(...r.map(String))).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })",
  );
  await page.call("walk", { full: true });
  const id = await idOf(page, "#b");
  for (const call of [
    ["describe", id],
    ["matchCounts", id, ["b"]],
    ["at", 5, 5],
    ["prepare", id, "click"],
    ["pageInfo"],
    ["waitForQuiet", 10, 50],
    ["waitForText", { text: "Go" }, 50],
  ])
    await page.call(...call);
  assert.equal(await page.main("document.documentElement.outerHTML === html"), true);
  assert.deepEqual(await page.main("seen"), []);
  assert.equal(
    await page.main(
      "Object.getOwnPropertyNames(window).filter((n) => !['html', 'seen', 'before'].includes(n)).sort().join() === before",
    ),
    true,
  );
  assert.equal(await page.main("typeof pagesight"), "undefined");
});
test("an element keeps its number; a new one gets a new number", async () => {
  const { page, list } = await look("<button>a</button><button>b</button>");
  const again = decode(await page.call("walk", {}));
  assert.deepEqual(
    again.map((n) => n.id),
    list.map((n) => n.id),
  );
  await page.main(
    "document.querySelector('button').replaceWith(document.createElement('button')); document.querySelector('button').textContent = 'a'; document.body.prepend(document.querySelectorAll('button')[1])",
  );
  const moved = decode(await page.call("walk", {}));
  const number = (nodes, name) => nodes.find((n) => n.tag === "button" && n.name === name).id;
  assert.equal(number(moved, "b"), number(list, "b"));
  assert.ok(!list.some((n) => n.id === number(moved, "a")));
});
test("installed twice, it remembers", async () => {
  const { page, wire, list } = await look("<button>a</button>");
  await page.install();
  const again = await page.call("walk", {});
  assert.equal(again.doc, wire.doc);
  assert.deepEqual(
    decode(again).map((n) => n.id),
    list.map((n) => n.id),
  );
});
test("a page of 30,000 levels", async () => {
  const { page } = await look("<p>top</p>");
  await page.main(
    `const outer = document.createElement('div'); let at = outer; for (let i = 0; i < 30000; i++) { const d = document.createElementNS('urn:x', 'd'); at.append(d); at = d; } document.body.style.display = 'none'; document.body.append(outer)`,
  );
  const wire = await page.call("walk", { full: true });
  assert.equal(wire.error, undefined, JSON.stringify(wire).slice(0, 500));
  assert.ok(wire.elements > 30000 && wire.nodes.id.length > 30000);
});
test("a drawn page of 1,000 levels, all of them buttons", async () => {
  const { page } = await look("<p>top</p>");
  await page.main(
    `let at = document.body; for (let i = 0; i < 1000; i++) { const d = document.createElement('div'); d.setAttribute('role', 'treeitem'); d.append('w'); at.append(d); at = d; }`,
  );
  const wire = await page.call("walk", {});
  assert.equal(wire.error, undefined, JSON.stringify(wire).slice(0, 500));
  assert.ok(wire.elements > 1000);
});
test("a form that hides the DOM behind its fields", async () => {
  const names = (
    "attributes id parentNode children childNodes firstChild nextSibling getAttribute " +
    "hasAttribute shadowRoot localName tagName nodeType textContent " +
    "getBoundingClientRect matches closest querySelector querySelectorAll isConnected " +
    "ownerDocument classList contains getRootNode assignedSlot namespaceURI nodeName " +
    "labels control"
  ).split(" ");
  const { page, wire, lines } = await look(
    `<form id=f aria-label=F>${names.map((n) => `<input name="${n}" aria-label="${n}">`).join("")}<button>Send</button></form><img name=body alt=b width=9 height=9><img name=documentElement alt=c width=9 height=9><img name=querySelector alt=d width=9 height=9><img name=activeElement alt=e width=9 height=9>`,
  );
  assert.equal(wire.error, undefined);
  assert.ok(
    lines.includes("form: F") &&
      lines.includes("[] button: Send") &&
      lines.includes('[] textbox: parentNode = ""'),
    lines.join("\n"),
  );
  const id = await idOf(page, "form");
  for (const call of [
    ["describe", id],
    ["matchCounts", id, ["form"]],
    ["prepare", await idOf(page, "button"), "click"],
    ["pageInfo"],
    ["waitForText", { text: "Send" }, 50],
    ["waitForQuiet", 5, 20],
  ]) {
    const answer = await page.call(...call);
    assert.equal(answer.error, undefined, JSON.stringify([call, answer]));
  }
  assert.equal((await page.call("describe", id)).role, "form");
});
test("a document that is hidden behind its forms", async () => {
  const { page } = await look("<main><button id=b>Go</button><input id=i aria-label=Name></main>");
  await page.main(`for (let at = document; at; at = Object.getPrototypeOf(at)) for (const name of Object.getOwnPropertyNames(at)) {
    const form = Object.assign(Document.prototype.createElement.call(document, "form"), { name });
    Document.prototype.querySelector.call(document, "main").append(form);
  }`);
  assert.ok(await page.main("document.getAnimations instanceof HTMLFormElement"));
  await page.install();
  const wire = await page.call("walk", {});
  assert.equal(wire.error, undefined, JSON.stringify(wire));
  const [button, field] = [await idOf(page, "#b"), await idOf(page, "#i")];
  for (const call of [
    ["walk", { full: true }],
    ["describe", button],
    ["at", 5, 5],
    ["prepare", button, "click"],
    ["prepare", field, "fill"],
    ["focus", field],
    ["stillFocused", field],
    ["fieldValue", field],
    ["setValue", field, "x"],
    ["settledPosition", button],
    ["pageInfo"],
    ["activityNow"],
    ["waitForText", { text: "Go" }, 50],
    ["waitForQuiet", 5, 20],
    ["nextChange", 5],
  ]) {
    const answer = await page.call(...call);
    assert.ok(answer.error === undefined && answer.ok !== false, JSON.stringify([call, answer]));
  }
});
test("documents that are not HTML, or have no body", async () => {
  for (const [content, type] of [
    [
      "<svg xmlns='http://www.w3.org/2000/svg' width='99' height='99'><a href='x'><text y='20'>Link</text></a></svg>",
      ".svg",
    ],
    [
      "<r><a>text</a><b/><input/><select/><form/><label>l</label><table><tr><th/></tr></table></r>",
      ".xml",
    ],
    ["<!doctype html><frameset cols='*,*'><frame><frame></frameset>", ""],
    ["<!doctype html><script>document.body.remove()</script>", ""],
    ["<!doctype html><script>document.documentElement.remove()</script>", ""],
  ]) {
    const page = await open(content, type);
    for (const call of [
      ["walk", {}],
      ["walk", { full: true, scope: "a" }],
      ["pageInfo"],
      ["at", 1, 1],
      ["find", "a"],
      ["waitForText", { text: "q" }, 20],
      ["waitForQuiet", 5, 20],
    ]) {
      const answer = await page.call(...call);
      assert.equal(
        answer.error,
        undefined,
        `${content} ${JSON.stringify(call)} ${JSON.stringify(answer)}`,
      );
    }
  }
});
test("a page with too many elements is cut, and says so", async () => {
  const { page } = await look("<div id=d></div>");
  await page.main("d.innerHTML = '<b>x</b>'.repeat(110000)");
  const wire = await page.call("walk", {});
  assert.equal(wire.truncated, true);
  assert.equal(
    wire.left,
    110000 - wire.nodes.tag.filter((tag) => wire.strings[tag] === "b").length,
  );
  assert.ok(wire.nodes.id.length <= 200001);
});
test("info counts", async () => {
  const { page } = await look(
    "<form><input><button>a</button></form><iframe></iframe><a href=x hidden>h</a>",
  );
  const info = await page.call("pageInfo");
  assert.deepEqual(
    [info.forms, info.frames, info.usable, info.roots, info.ready],
    [1, 1, 2, 0, "complete"],
  );
});
