// A full capture: what is never drawn, comments, and what lies under something opaque.
import assert from "node:assert/strict";
import { check } from "./check.mjs";

const FULL = { full: true };
const obscured = ({ list }) =>
  list.filter((node) => node.flags.includes("obscured")).map((node) => node.attrs.id ?? node.tag);
const COVER = "position:absolute;left:0;top:0;width:300px;height:300px;z-index:1";
const UNDER =
  "<div style='position:relative;height:320px'><button id=b style='position:absolute;left:20px;top:20px'>b</button><p id=p style='width:100px;padding-top:60px'>text</p>";

check(
  "the head, scripts and comments are reported, code is not",
  "<!doctype html><html><head><title>T</title><meta name=m content=c><style>p{}</style></head><body>a<!-- note --><script>code()</script><p>b</p></body></html>",
  ({ list }) => {
    const tags = list.map((node) => node.tag);
    for (const tag of ["head", "title", "meta", "style", "#comment", "script"])
      assert.ok(tags.includes(tag), tag);
    assert.ok(!list.some((node) => node.name.includes("code()")));
    assert.equal(list.find((node) => node.tag === "#comment").name, " note ");
    assert.equal(list.find((node) => node.tag === "#comment").id, 0);
    assert.ok(
      list
        .filter((node) => ["head", "meta", "#comment", "script"].includes(node.tag))
        .every((node) => node.why === "display"),
    );
  },
  FULL,
);
check(
  "a text beside the summary of a closed details is hidden",
  "<details><summary>More</summary>inside</details><details open><summary>Less</summary>shown</details>",
  ({ list }) => {
    const why = (name) => list.find((node) => !node.tag && node.name === name)?.why;
    assert.deepEqual([why("inside"), why("shown")], ["content-visibility", ""]);
  },
  FULL,
);
check(
  "a short look reports none of it",
  "<head><meta name=m></head>a<!-- note --><script>code()</script>",
  ({ list }) => assert.ok(!list.some((node) => /comment|meta|script/.test(node.tag))),
);
check(
  "under an opaque box",
  `${UNDER}<div style='${COVER};background:#fff'>over</div></div>`,
  (seen) => assert.deepEqual(obscured(seen), ["b", "p"]),
  FULL,
);
check(
  "a short look does not try",
  `${UNDER}<div style='${COVER};background:#fff'>over</div></div>`,
  (seen) => assert.deepEqual(obscured(seen), []),
);
check(
  "what lets light through covers nothing",
  `${UNDER}<div style='${COVER};background:rgba(0,0,0,.5)'></div></div>`,
  (seen) => assert.deepEqual(obscured(seen), []),
  FULL,
);
check(
  "what is faded covers nothing",
  `${UNDER}<div style='${COVER};opacity:.9'><div style='background:#fff;height:100%'></div></div></div>`,
  (seen) => assert.deepEqual(obscured(seen), []),
  FULL,
);
check(
  "what lets clicks through covers nothing",
  `${UNDER}<div style='${COVER};background:#fff;pointer-events:none'></div></div>`,
  (seen) => assert.deepEqual(obscured(seen), []),
  FULL,
);
check(
  "a part that sticks out is seen",
  `${UNDER}<div style='${COVER};background:#fff;width:25px'></div></div>`,
  (seen) => assert.deepEqual(obscured(seen), []),
  FULL,
);
check(
  "own descendants and ancestors cover nothing",
  "<div style='background:#fff'><button id=b style='position:relative'><span style='position:absolute;inset:0;background:#eee'>b</span></button></div>",
  (seen) => assert.deepEqual(obscured(seen), []),
  FULL,
);
check(
  "the upper one of two stacking contexts",
  "<div style='position:relative;height:200px'><div id=low style='position:absolute;inset:0;z-index:5;background:#fff'>low</div><div style='position:absolute;inset:0;z-index:9'><div id=high style='position:absolute;inset:0;z-index:-1;background:#fff'>high</div></div></div>",
  (seen) => assert.deepEqual(obscured(seen), ["low"]),
  FULL,
);
check(
  "a modal dialog covers what is under it, its backdrop does not",
  `<button id=far style='position:fixed;left:5px;bottom:5px'>far</button><button id=near style='position:fixed;left:50%;top:50%'>near</button>
  <dialog id=d style='width:600px;height:400px;background:#fff'>Hello</dialog><script>d.showModal()</script>`,
  (seen) => assert.deepEqual(obscured(seen), ["near"]),
  FULL,
);
check(
  "a checkbox under its own drawing is used through it",
  "<label style='position:relative;display:inline-block'><input id=c type=checkbox style='opacity:0'><span style='position:absolute;inset:0;background:#fff'>x</span></label>",
  (seen) => assert.deepEqual(obscured(seen), []),
  FULL,
);
check(
  "a header that stays covers nothing for good",
  "<header style='position:fixed;top:0;left:0;right:0;height:60px;background:#fff'>h</header><p id=p style='margin-top:100px'>under</p><div style='height:3000px'></div><script>scrollTo(0, 90)</script>",
  (seen) => assert.deepEqual(obscured(seen), []),
  FULL,
);
check(
  "a header over the top of the page covers what is under it",
  "<header style='position:fixed;top:0;left:0;right:0;height:60px;background:#fff'>h</header><p id=p>under</p>",
  (seen) => assert.deepEqual(obscured(seen), ["p"]),
  FULL,
);
check(
  "a secret is masked wherever it stands",
  "<input type=password value=hunter2 data-initial=hunter2 data-id=7>",
  ({ wire, list }) => {
    assert.ok(!JSON.stringify(wire).includes("hunter2"));
    assert.equal(list.find((node) => node.tag === "input").attrs["data-id"], "7");
  },
  FULL,
);
