// Texts and how they join, shadow roots, frames.
import assert from "node:assert/strict";
import { test } from "node:test";
import { check, look } from "./check.mjs";

/** The text of a subtree, as a reader joins it. */
const read = (list, tag) => {
  const node = list.find((n) => n.tag === tag);
  return list
    .slice(node.index + 1, node.index + node.size + 1)
    .filter((n) => !n.tag)
    .map((n) => n.name)
    .join("");
};

check(
  "spaces between inline neighbours are kept, those between blocks are not",
  "<p>a <b>b</b> <i>c</i>, d<br>\n e</p>",
  ({ list }) => assert.equal(read(list, "p"), "a b c, d e"),
);
check(
  "buttons in a row stand apart",
  "<div><button>a</button> <button>b</button>\n</div>",
  ({ list }) =>
    assert.deepEqual(
      list.filter((n) => !n.tag).map((n) => n.name),
      ["a", " ", "b"],
    ),
);
check("no space where there is none", "<p><b>a</b><i>b</i></p>", ({ list }) =>
  assert.equal(read(list, "p"), "ab"),
);
check("a space in its own element", "<p>a<span> </span>b</p>", ({ list }) =>
  assert.equal(read(list, "p"), "a b"),
);
check("blocks: nothing between", "<div>\n<p>a</p>\n<p>b</p>\n</div>", ({ list }) =>
  assert.deepEqual(
    list.filter((n) => !n.tag).map((n) => n.name),
    ["a", "b"],
  ),
);
check("preformatted text keeps its lines", "<pre>a\n  b</pre>", ({ list }) =>
  assert.equal(read(list, "pre"), "a\n  b"),
);
check(
  "scripts, options and the like are no text",
  "<script>x</script><style>y{}</style><noscript>z</noscript><select><option>o</select><textarea>t</textarea><template>q</template>",
  ({ list }) =>
    assert.deepEqual(
      list.filter((n) => !n.tag),
      [],
    ),
);
check("a long text is bounded", `<p>${"x".repeat(20000)}</p>`, ({ list }) =>
  assert.equal(read(list, "p").length, 10000),
);
check(
  "blocks are distinguished from inline elements",
  "<p>a</p><span>b</span><span style='display:inline-block'>c</span>",
  ({ list }) => {
    assert.deepEqual(
      ["p", "span"].map((tag) => list.find((n) => n.tag === tag).flags.includes("block")),
      [true, false],
    );
  },
);
check(
  "open shadow roots are entered, slots filled",
  "<x-a><b slot=s>light</b></x-a><script>document.querySelector('x-a').attachShadow({mode:'open'}).innerHTML='<p>in <slot name=s></slot></p><slot>default</slot>'</script>",
  ({ wire, list }) => {
    assert.equal(wire.roots, 1);
    const host = list.find((n) => n.tag === "x-a");
    assert.ok(host.flags.includes("host") && host.children.every((n) => n.rooted));
    assert.equal(read(list, "x-a"), "in lightdefault");
  },
);
check("frames are leaves", "<iframe srcdoc='<p>x'></iframe>", ({ list }) =>
  assert.ok(list.find((n) => n.tag === "iframe").frame),
);
check(
  "what is edited is its value, not its text",
  "<div contenteditable aria-label=n>hello</div>",
  ({ list }) =>
    assert.deepEqual(
      list.filter((n) => !n.tag),
      [],
    ),
);
check(
  "a price drawn for the eye is sent, its twin for screen readers is withheld",
  "<p>Price: <b aria-hidden=true>$12.99</b><span style='position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)'>12 dollars 99</span></p>",
  ({ list, wire }) => {
    assert.equal(read(list, "p"), "Price: $12.99");
    const price = list.find((n) => n.name === "$12.99");
    assert.ok(
      price.flags.includes("aria-hidden") &&
        price.parent.tag === "b" &&
        price.parent.flags.includes("aria-hidden"),
    );
    assert.equal(wire.withheld, 1);
  },
);
check("every record counts what is below it", "<div><p>a<b>c</b></p></div><p>d</p>", ({ list }) => {
  assert.equal(list[0].size, list.length - 1);
  for (const node of list)
    assert.equal(
      node.size,
      list.filter((n) => n.index > node.index && n.index <= node.index + node.size).length,
    );
});

test("wait and quiet", async () => {
  const { page } = await look("<p>be<b>fore</b></p>");
  assert.deepEqual(await page.call("waitForText", { text: "before" }, 100), { met: true });
  assert.deepEqual(await page.call("waitForText", { text: "after" }, 100), { met: false });
  await page.main(
    "setTimeout(() => { document.body.innerHTML = '<p hidden>after</p>' }, 50); setTimeout(() => { document.querySelector('p').hidden = false }, 250)",
  );
  assert.deepEqual(await page.call("waitForText", { text: "after" }, 5000), { met: true });
  // Not met while the text was hidden.
  assert.equal(await page.main("document.querySelector('p').hidden"), false);
  await page.main("setTimeout(() => { document.body.innerHTML = '' }, 50)");
  assert.deepEqual(await page.call("waitForText", { gone: "after" }, 5000), { met: true });
  assert.deepEqual(await page.call("waitForQuiet", 50, 1000), { quiet: true, changes: 0 });
  await page.main("var t = setInterval(() => { document.body.append('x') }, 10)");
  // Longer than a busy machine keeps a timer waiting.
  const busy = await page.call("waitForQuiet", 2900, 3000);
  assert.ok(!busy.quiet && busy.changes > 5, JSON.stringify(busy));
});

test("wait and quiet see into shadow roots, new ones too", async () => {
  const { page } = await look("<div></div>");
  await page.main(
    "setTimeout(() => { const e = document.createElement('x-w'); e.attachShadow({mode:'open'}).innerHTML = '<p>start</p>'; document.body.append(e); setTimeout(() => { e.shadowRoot.querySelector('p').textContent = 'deep' }, 200) }, 50)",
  );
  assert.deepEqual(await page.call("waitForText", { text: "deep" }, 5000), { met: true });
});

check(
  "the words in a drawing are read, a line a label",
  "<svg width=300 height=90 role=group aria-label=Chart><rect width=9 height=9 /><text x=9 y=20>January <tspan>12</tspan></text><text x=9 y=60>Total</text></svg>",
  ({ list }) =>
    assert.deepEqual(
      list
        .filter((n) => n.tag === "text" && n.flags.includes("block"))
        .map((n) =>
          list
            .slice(n.index + 1, n.index + n.size + 1)
            .map((inner) => inner.name)
            .join(""),
        ),
      ["January 12", "Total"],
    ),
);
check(
  "not of one that is hidden from readers",
  "<svg aria-hidden=true width=300 height=90><text x=9 y=20>Watermark</text></svg><p>Page</p>",
  ({ list }) =>
    assert.deepEqual(
      list.filter((n) => !n.tag).map((n) => n.name),
      ["Page"],
    ),
);
