// Which elements are shown, which are hidden and why, and which texts no one can perceive.
import assert from "node:assert/strict";
import { check, checkAll } from "./check.mjs";

const SR = "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)";

check(
  "hidden things that matter are light records with a reason",
  `<div hidden><button>a</button><p>lost</p></div><div style="visibility:hidden"><button>b</button></div><dialog><button>c</button></dialog><details><summary>s</summary><button>d</button></details>
   <div popover><button>e</button></div><div style="opacity:0;pointer-events:none"><div><a href=x>f</a></div></div><div style="content-visibility:hidden;height:9px"><button>g</button></div>`,
  [
    "[] button: a — hidden: display",
    "[] button: b — hidden: visibility",
    "[] button: c — hidden: closed",
    "[] button: d — hidden: content-visibility",
    "[] button: e — hidden: closed",
    "[] link: f — disabled, hidden: opacity",
    "[] button: g — hidden: content-visibility",
    "!lost",
  ],
);
check(
  "visible inside hidden",
  "<div style='visibility:hidden'>no <p style='visibility:visible'>yes <button>b</button></p></div>",
  ['"yes "', "[] button: b", "!no"],
);
check(
  "display: contents",
  "<div style='display:contents'><button style='display:contents'>b</button></div>",
  ({ list }) => {
    const button = list.find((n) => n.tag === "button");
    assert.ok(button.flags.includes("usable") && !button.why);
  },
);
const EDITOR =
  "<div id=editor style='position:relative;width:400px;height:120px;border:1px solid'><textarea aria-label=Code style='position:absolute;width:0;height:0;border:0;padding:0;min-width:0;min-height:0;resize:none;overflow:hidden'></textarea><div class=view-line>let x</div></div>";
check(
  "the field of a code editor has no size and is there",
  EDITOR,
  async ({ lines, page, list }) => {
    assert.ok(
      lines.some((line) => line.startsWith("[] textbox: Code")),
      lines.join("\n"),
    );
    const { id } = list.find((node) => node.name === "Code");
    for (const action of ["fill", "click"]) {
      const { ok, x, y } = await page.call("prepare", id, action);
      assert.deepEqual(
        [ok, await page.main(`document.elementFromPoint(${x}, ${y}).closest('#editor') !== null`)],
        [true, true],
        action,
      );
    }
  },
);
check(
  "a field of no size without lines around it may be a trap",
  EDITOR.replace("class=view-line", ""),
  '[] textbox: Code = "" — hidden: clipped',
);
check(
  "a field of no size that is no editor's is not",
  `${EDITOR.replace("<div class=view-line>let x</div>", "")}`.replace(
    "width:400px;height:120px;border:1px solid",
    "",
  ),
  '[] textbox: Code = "" — hidden: clipped',
);
checkAll(`
a wrapper of no size with contents that overflow it | <div style='height:0;width:0'><a href=x>seen</a></div> | [] link: seen
a wrapper of no size that clips | <div style='height:0;overflow:hidden'><a href=x>gone</a><p>text</p></div> | [] link: gone — hidden: clipped | !text
`);
check(
  "a link around what floats has the place of it",
  "<a href=x><div style='float:left;width:80px;height:40px;background:red'>f</div></a>",
  ({ find }) => {
    assert.deepEqual(find("f").box.slice(2), [80, 40]);
  },
);
check("an empty link is nothing", "<a href=x></a>x", ({ list }) =>
  assert.ok(list.find((n) => n.tag === "a").why === "clipped"),
);
check(
  "scrolled out of sight is not hidden",
  "<div style='overflow:auto;height:50px'><div style='height:500px'>a</div><button>b</button></div>",
  ({ list }) => {
    const button = list.find((n) => n.tag === "button");
    assert.ok(!button.why && !button.flags.includes("in-viewport"));
    assert.ok(list.find((n) => n.scrolls).scrolls[1] > 400);
  },
);
check(
  "below the fold is not hidden",
  "<div style='height:3000px'>a</div><button>b</button>",
  ({ find }) => assert.ok(!find("b").why && !find("b").flags.includes("in-viewport")),
);
checkAll(`
a slide outside its frame is out of reach, its text is cut away | <div style='overflow:hidden;width:100px;height:50px;position:relative'><button style='position:absolute;left:300px'>b</button><p style='position:absolute;left:300px'>b</p></div> | [] button: b — unreachable | !"b"
an absolute box is not clipped by what does not hold it | <div style='overflow:hidden;height:10px'><button style='position:absolute;top:200px'>b</button></div> | [] button: b
a place that cannot be scrolled to | <button style='position:absolute;left:-999px'>a</button><nav style='position:fixed;left:-300px;width:200px'><a href=x>m</a></nav> | [] button: a — unreachable, hidden: unreachable | [] link: m — unreachable, hidden: unreachable
opacity 0 over its drawing is used itself | <div style='position:relative'><input type=checkbox aria-label=a style='opacity:0;width:20px;height:20px'></div><span style='opacity:0'><input type=checkbox aria-label=b></span> | [] checkbox: a | [] checkbox: b
what is transparent but catches clicks is used, however deep | <div style='opacity:0'><ul><li><a href=x>a</a><li><div onclick=1>b</div></ul></div><button style='opacity:0;width:0;padding:0;border:0' aria-label=c><svg width=20 height=20></svg></button><p style='opacity:0'>lost</p> | [] link: a | [] clickable: b | [] button: c | !lost
`);
check(
  "what only the focus scrolls to is listed as out of reach; what nothing scrolls to is hidden",
  "<div style='overflow:hidden;width:99px;height:30px;white-space:nowrap'><button style='width:99px'>a</button><button>b</button></div><div style='overflow:clip;width:99px;height:30px;white-space:nowrap'><button style='width:99px'>c</button><button>d</button></div>" +
    "<div style='overflow:hidden;height:0'><button>e</button></div><div style='overflow:hidden;width:99px;height:30px;position:relative'><button style='position:absolute;left:-200px'>f</button></div>",
  [
    "[] button: a",
    "[] button: b — unreachable",
    "[] button: d — hidden: clipped",
    "[] button: e — hidden: clipped",
    "[] button: f — unreachable, hidden: unreachable",
  ],
);
check(
  "a clipped radio is used through its label",
  `<label><input type=radio style="${SR}">One</label>`,
  ({ list }) => {
    const radio = list.find((n) => n.tag === "input");
    assert.ok(!radio.why && radio.box[2] > 10, `${radio.why} ${radio.box}`);
  },
);
check(
  "a button that a label draws is used through it",
  `<label>Pick<button style="position:absolute;inset:0;opacity:0;clip:rect(0 0 0 0)">A</button></label><label>Send<button style="display:none">x</button></label>`,
  ({ list }) => {
    assert.deepEqual(
      list
        .filter((n) => n.flags.includes("usable") && !n.why)
        .map((n) => [n.tag, n.role, n.box[2] > 10]),
      [
        ["button", "button", true],
        ["label", "button", true],
      ],
    );
  },
);
check(
  "names, headings, skip links and alerts for screen readers stay",
  `<a href=#main style="${SR}">Skip</a><h2 style="${SR}">News</h2><div role=alert style="${SR}">Saved</div><button>Save<span style="${SR}"> file</span></button><label style="${SR}" for=q>Search</label><input id=q>`,
  ({ lines, wire }) => {
    for (const line of [
      "[] link: Skip",
      "heading 2: News",
      "[] button: Save file",
      '"Saved"',
      '[] textbox: Search = ""',
    ])
      assert.ok(lines.includes(line), `${line}\n${lines.join("\n")}`);
    assert.equal(wire.withheld, 0);
  },
);
check(
  "texts that no one can perceive are withheld and counted",
  `<p style="${SR}">one</p><p style="font-size:0">two</p><p style="position:absolute;left:-9999px">three</p><p style="text-indent:-9999px">four</p>
   <p style="color:#fff;background:#fff">five</p><p style="color:transparent">six</p><div style="height:0;overflow:hidden"><p>seven</p></div><p style="clip-path:inset(50%)">eight</p><p style="transform:scale(0)">nine</p><p>shown</p>`,
  ({ lines, wire }) => {
    assert.deepEqual(
      lines.filter((line) => line.startsWith('"')),
      ['"shown"'],
    );
    assert.equal(wire.withheld, 9);
  },
);
checkAll(`
white text over a picture is shown | <body style='background:#fff'><div style='position:relative'><img width=300 height=100 style='position:absolute;background:#000' alt=x><p style='position:relative;color:#fff'>caption</p></div> | "caption"
white text on a gradient is shown | <body style='background:#fff'><p style='color:#fff;background-image:linear-gradient(#000,#111)'>caption | "caption"
light text of the ground's own colour, grounded above | <body style='background:#fff'><div><p style='color:#fff'>secret</p></div> | !secret
aria-hidden is shown, and marked | <div aria-hidden=true><button>b</button></div> | [] button: b — aria-hidden
`);
check("hidden elements are counted by reason", "<div hidden><p>a</p><p>b</p></div>", ({ wire }) =>
  assert.equal(wire.hidden.display, 3),
);
check(
  "full sends the hidden ones whole",
  "<div hidden><p class=k>a</p></div>",
  ({ list }) => {
    const p = list.find((n) => n.tag === "p");
    assert.ok(p.why === "display" && p.attrs.class === "k" && p.children[0].name === "a");
  },
  { full: true },
);
check(
  "a modal dialog is not clipped by what is around it",
  "<div style='overflow:hidden;height:0'><dialog><button>b</button></dialog></div><script>document.querySelector('dialog').showModal()</script>",
  ({ find }) => assert.ok(!find("b").why),
);
check(
  "scope",
  "<main><p id=a>x</p></main><x-s></x-s><script>document.querySelector('x-s').attachShadow({mode:'open'}).innerHTML='<b id=in>y</b>'</script>",
  ({ wire, list }) => {
    assert.equal(list[wire.scope].attrs.id, "in");
  },
  { scope: "#in" },
);
check(
  "an image that is not loaded yet is reported, and counts whatever size it has",
  `<a href=x><img alt="" src="data:image/png;base64,iVBORw0KGgo=" style="display:none"></a><div style="height:20000px"></div><a href=y><img loading=lazy alt="" src="/page?later"></a><img alt="" loading=lazy width=0 height=0 src="/page?none"><img alt=none>`,
  ({ list }) => {
    const faults = list
      .filter((n) => n.tag === "img")
      .map((n) => [n.attrs["pagesight:fault"], n.why]);
    assert.deepEqual(faults.slice(0, 2), [
      ["pending", "clipped"],
      ["pending", "clipped"],
    ]);
  },
);
check(
  "a picture without a size is there when it came, too",
  `<img alt="" width=0 height=0 src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">`,
  ({ list }) =>
    assert.deepEqual(
      list.filter((n) => n.tag === "img").map((n) => [n.attrs?.["pagesight:fault"], n.why]),
      [[undefined, "clipped"]],
    ),
);
