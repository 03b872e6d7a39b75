// Roles and names, beyond what the corpus covers.
import assert from "node:assert/strict";
import { check, checkAll } from "./check.mjs";

// Roles.
check(
  "landmarks: header and footer of the page, not of an article",
  "<header>a</header><article><header>b</header><footer>c</footer></article><footer>d</footer>",
  ({ list }) => {
    assert.deepEqual(
      list.filter((n) => n.role === "banner" || n.role === "contentinfo").map((n) => n.tag),
      ["header", "footer"],
    );
  },
);
check(
  "section and form are landmarks only with a name",
  '<section>a</section><section aria-label="S">b</section><form>c</form><form aria-label="F">d</form>',
  ["region: S", "form: F", "!region\n"],
);
checkAll(`
role fallbacks: unknown and abstract words are passed over | <div role="widget foo button">x</div> | [] button: x
none is refused to what can be focused | <button role="none">x</button><ul role="presentation"><li>y</li></ul> | [] button: x | !list
lists and their items | <ul><li>a</li></ul><li>b</li> | list | listitem
a data table | <table><tr><th>A<th>B<tr><td>1<td>2</table> | table | row | columnheader: A | cell
a layout table has no roles | <table><tr><td>a<td>b</table> | !table | !row | !cell
two by two without headers is data, unless a table is inside | <table><tr><td>a<td>b<tr><td>c<td>d</table> | table
a table around a table is layout | <table><tr><td>a<td>b<tr><td>c<td><table><tr><td>x</table></table> | !table
row headers and a corner | <table><tr><td><th>A<th>B<tr><th>r<td>1<td>2</table> | columnheader: A | rowheader: r
cells of a grid | <table role="grid"><tr><td>a<td>b</table> | gridcell
`);
check(
  "inputs by type",
  `<input type=search aria-label=a><input type=number aria-label=b><input type=range aria-label=c><input type=date aria-label=d>
   <input list=l aria-label=e><datalist id=l></datalist><input type=file aria-label=f><input type=submit><input type=hidden>`,
  [
    '[] searchbox: a = ""',
    '[] spinbutton: b = ""',
    '[] slider: c = "50"',
    '[] textbox: d = ""',
    '[] combobox: e = ""',
    '[] button: f = ""',
    "[] button: Submit",
  ],
);
check(
  "selects",
  "<select aria-label=a><option>x<option selected>y</select><select multiple aria-label=b><option selected>x<option selected>y</select>",
  ({ list, lines }) => {
    assert.ok(
      lines.includes('[] combobox: a = "y"') && lines.includes('[] listbox: b = "x, y"'),
      lines.join("\n"),
    );
    assert.deepEqual(list.find((n) => n.name === "a").options, ["x", "y"]);
  },
);
check(
  "what is edited in place is a textbox",
  '<div contenteditable aria-label="Note">one<p>two</div>',
  '[] textbox: Note = "one\\ntwo"',
);
checkAll(`
images: empty alt is none, no alt is one | <img alt='' width=20 height=20><img alt=A width=20 height=20> | image: A
a level for headings | <h3>a</h3><div role=heading aria-level=5>b</div><div role=heading>c</div> | heading 3: a | heading 5: b | heading 2: c
`);

// Names.
check(
  "a label around, a label for, two labels",
  "<label>A <input></label><label for=b>B</label><input id=b><label for=c>C1</label><label for=c>C2</label><input id=c>",
  ['[] textbox: A = ""', '[] textbox: B = ""', '[] textbox: C1 C2 = ""'],
);
check(
  "labels point at what they name",
  "<label for=b>B</label><input id=b><fieldset><legend>L</legend><input></fieldset>",
  ({ list }) => {
    assert.equal(list.find((n) => n.tag === "label").labels.tag, "input");
    assert.equal(list.find((n) => n.tag === "legend").labels.tag, "fieldset");
  },
);
checkAll(`
a field's title comes before its placeholder | <input title=t placeholder=p><input placeholder=p> | [] textbox: t = "" | [] textbox: p = ""
caption, legend, figcaption | <table><caption>Cap</caption><tr><th>A<tr><td>1</table><fieldset><legend>Leg</legend>x</fieldset><figure>y<figcaption>Fig</figcaption></figure> | table: Cap | group: Leg | figure: Fig
`);
check(
  "generated content counts, icon glyphs do not",
  '<style>.q::before{content:"★ "}.i::after{content:"\\e900"}</style><button class=q>Rate</button><button class=i>Go</button>',
  ["[] button: ★ Rate", "[] button: Go"],
);
checkAll(`
counters | <style>body{counter-reset:c}h2{counter-increment:c}h2::before{content:counter(c) '. '}</style><h2>One</h2><h2>Two</h2> | heading 2: 1. One | heading 2: 2. Two
text as it is drawn | <button style='text-transform:uppercase'>save</button><p style='text-transform:uppercase'>note | [] button: SAVE | "NOTE"
an icon button is named by its svg's title | <button><svg width=9 height=9><title>Close</title></svg></button> | [] button: Close
an icon from a sheet of symbols is named by the symbol's title | <svg style='display:none'><symbol id=i><title>Search</title><path d='M0 0h9v9z'/></symbol></svg><a href=x><svg width=9 height=9><use href=#i /></svg></a><button>Go<svg width=9 height=9><title>Own</title><use href=#i /></svg></button><button>Find<svg role=img width=9 height=9><use href=#i /></svg></button> | [] link: Search | [] button: Go Own | [] button: Find
slots and shadow roots | <button><x-l>text</x-l></button><script>document.querySelector('x-l').attachShadow({mode:'open'}).innerHTML='a <slot></slot> b'</script> | [] button: a text b
labelled by something hidden | <button aria-labelledby=l>x</button><div hidden id=l>Hidden <b>name</b></div> | [] button: Hidden name
labels that refer to each other end | <div id=a role=group aria-labelledby=b>x</div><div id=b role=group aria-labelledby=a>y</div> | group: y
`);
check(
  "an item's name does not hold the items in it",
  "<ul role=tree><li role=treeitem tabindex=0><span>src</span><div><ul role=group><li role=treeitem tabindex=-1>main.rs<li role=treeitem tabindex=-1>lib.rs</ul></div></ul><ul role=menu><li role=menuitem tabindex=0>File<ul role=menu><li role=menuitem tabindex=-1>Open</ul></ul>" +
    "<div role=tree><div role=treeitem tabindex=0><details open><summary>docs</summary></details></div></div>",
  [
    "[] treeitem 1: src",
    "[] treeitem 2: main.rs",
    "[] treeitem 2: lib.rs",
    "[] menuitem: File",
    "[] menuitem: Open",
    "treeitem 1: docs",
    "[] button: docs — expanded",
  ],
);
check(
  "the field in a combobox is the combobox",
  "<div role=combobox aria-label=Q aria-expanded=true><span><input placeholder=p></span></div><span id=l>R</span><div role=combobox aria-labelledby=l><input type=search></div><div role=combobox aria-label=S><input aria-label=own></div>",
  ({ list, lines }) => {
    assert.deepEqual(
      list
        .filter((n) => n.role === "combobox" || n.flags.includes("usable"))
        .map((n) => [n.tag, n.role, n.name]),
      [
        ["input", "combobox", "Q"],
        ["input", "combobox", "R"],
        ["input", "combobox", "own"],
      ],
    );
    assert.ok(lines.includes('[] combobox: Q = "" — expanded'), lines.join("\n"));
    assert.ok(list.every((n) => n.tag !== "div" || n.name === ""));
  },
);
check(
  "a combobox that has the focus itself, or hides its field, is the combobox",
  "<div role=combobox aria-label=Q tabindex=0>x<input></div><div role=combobox aria-label=R onclick='1'>y<input style='display:none'></div>",
  ({ list }) => {
    assert.deepEqual(
      list.filter((n) => n.role === "combobox" && !n.why).map((n) => [n.tag, n.name]),
      [
        ["div", "Q"],
        ["div", "R"],
      ],
    );
  },
);
check(
  "a label around a select covers what stands before and behind it",
  "<label>Qty <select><option>1<option>2</select> pieces</label>",
  ({ list, lines }) => {
    assert.ok(lines.includes('[] combobox: Qty pieces = "1"'), lines.join("\n"));
    const label = list.find((n) => n.tag === "label");
    assert.equal(label.labels.tag, "select");
    for (const text of list.filter((n) => !n.tag)) assert.equal(text.parent, label);
  },
);
checkAll(`
words are parted where they may break | <button>/pets<wbr>/id</button> | [] button: /pets /id
a file field without a name says what it does | <input type=file><input type=file multiple title=T><label>Up <input type=file></label> | [] button: Choose File = "" | [] button: Choose Files = "" | [] button: Up = ""
titles in a drawing | <a href=x><svg width=20 height=20><g><title>Cart</title><rect width=9 height=9 /></g></svg></a> | [] link: Cart
`);
check(
  "players are distinguished",
  "<video controls width=99 height=50></video><audio controls></audio><video controls width=99 height=50 title=Trailer></video><video width=99 height=50></video>",
  ({ list }) => {
    assert.deepEqual(
      list.filter((n) => n.tag === "video" || n.tag === "audio").map((n) => [n.role, n.name]),
      [
        ["clickable", "video"],
        ["clickable", "audio"],
        ["clickable", "Trailer"],
        ["", ""],
      ],
    );
  },
);
check("a name is bounded", `<button>${"word ".repeat(1000)}</button>`, ({ list }) => {
  const name = list.find((n) => n.tag === "button").name;
  assert.ok(name.length <= 1000 && name.endsWith("…"), `${name.length}`);
});
check(
  "a name of a control in a label never holds a secret",
  "<label><input type=checkbox>Use <input type=password value=hunter2> now</label>",
  ["[] checkbox: Use now", "!hunter2"],
);

// What can be used.
checkAll(`
clickable by handler, tabindex, cursor; once | <div onclick='x'>a</div><div tabindex=0>b</div><div style='cursor:pointer'>c <b>d</b></div> | [] clickable: a | [] clickable: b | [] clickable: c d | !clickable: d
a container of usable things is none | <div onclick='x'>a <a href=x>b</a></div><div style='cursor:pointer'>c <button>d</button></div> | !clickable | [] link: b | [] button: d
`);
check(
  "a bare handle is used, a spot to catch the focus is not",
  "<div onmousedown=1 style='width:7px;height:90px'><i style='display:none'></i></div><div tabindex=0></div><div tabindex=0 style='width:1px;height:1px'></div>",
  ({ list }) => {
    assert.deepEqual(
      list.filter((n) => n.flags.includes("usable") && !n.why).map((n) => n.box[2]),
      [7],
    );
  },
);
check(
  "a list hands its cursor down to its items",
  "<ul style='cursor:pointer'><li>a</li><li>b</li></ul>",
  ({ list }) => {
    assert.deepEqual(
      list.filter((n) => n.flags.includes("usable")).map((n) => n.name),
      ["a", "b"],
    );
  },
);
check(
  "a label of a shown control is not listed",
  "<label style='cursor:pointer'><input type=checkbox>Agree</label>",
  ({ list }) => {
    assert.deepEqual(
      list.filter((n) => n.flags.includes("usable")).map((n) => n.role),
      ["checkbox"],
    );
  },
);
check(
  "a label stands in for a control that is not drawn",
  "<label for=f>Upload</label><input id=f type=file hidden><label><input type=checkbox checked style='display:none'>Dark</label>",
  ["[] button: Upload", "[] checkbox: Dark — checked"],
);
check(
  "a wrapper with a widget's role around the widget is not listed twice",
  "<ul role=menu><li role=menuitem><a href=x>Open</a></li></ul>",
  ({ list }) => {
    assert.deepEqual(
      list.filter((n) => n.flags.includes("usable")).map((n) => n.tag),
      ["a"],
    );
  },
);
check(
  "what is focusable only to scroll or by script is not usable; what is focusable to be announced is, if nothing in it is",
  "<main tabindex=-1><div role=region aria-label=R tabindex=0>x</div><div role=tabpanel aria-label=T tabindex=0><div style='cursor:pointer'>y</div></div></main><pre tabindex=0 style='overflow:auto;height:20px'>a\nb\nc</pre>",
  ({ list }) => {
    assert.deepEqual(
      list.filter((n) => n.flags.includes("usable")).map((n) => [n.role, n.name]),
      [
        ["region", "R"],
        ["clickable", "y"],
      ],
    );
  },
);
check(
  "one thing under one name is listed once, in the wrapper's state",
  "<ul role=tablist><li role=tab tabindex=0 aria-selected=true><a href=#a tabindex=-1 role=presentation>One</a></li></ul><div role=button tabindex=0><div onclick=1>Two</div></div><button><span onclick=1>Three</span></button><div role=option tabindex=0>Four <i onclick=1 title=Close>x</i></div>",
  ({ list, lines }) => {
    assert.deepEqual(
      lines.filter((line) => line.startsWith("[]")),
      [
        "[] link: One — selected",
        "[] button: Two",
        "[] button: Three",
        "[] option: Four x",
        "[] clickable: x",
      ],
    );
    assert.ok(list.every((n) => n.role !== "clickable" || n.name === "x"));
  },
);
check(
  "roving tabindex: what is chosen with the hand is usable, with its states",
  `<div role=grid><div role=row><div role=gridcell tabindex=-1 aria-selected=true>1</div><div role=gridcell tabindex=0>2</div><div role=gridcell aria-selected=false aria-disabled=true>3</div><div role=gridcell>4</div>
   <div role=gridcell style="cursor:pointer">5</div><div role=gridcell onclick=1>6</div><div role=gridcell tabindex=-1><button>7</button></div></div><div role=row aria-selected=true><div role=gridcell>8</div></div></div>
   <div role=listbox><div role=option tabindex=-1>a</div></div><div role=tablist><div role=tab tabindex=-1 aria-selected=true>b</div></div><div role=tree><div role=treeitem tabindex=-1 aria-selected=true>c</div></div>
   <div role=menu><div role=menuitem tabindex=-1>d</div></div><div role=radiogroup><div role=radio tabindex=-1 aria-checked=true>e</div></div>
   <table><tr tabindex=-1><th>A<th>B<tr tabindex=-1><td>f<td>g</table>`,
  ({ lines }) => {
    assert.deepEqual(
      lines.filter((line) => line.startsWith("[]")),
      [
        "[] gridcell: 1 — selected",
        "[] gridcell: 2",
        "[] gridcell: 3 — disabled",
        "[] gridcell: 5",
        "[] gridcell: 6",
        "[] button: 7",
        "[] row: 8 — selected",
        "[] option: a",
        "[] tab: b — selected",
        "[] treeitem 1: c — selected",
        "[] menuitem: d",
        "[] radio: e — checked",
      ],
    );
  },
);
check(
  "areas of an image map",
  "<img usemap=#m width=100 height=100 alt=Map><map name=m><area href=x alt=North coords=10,10,40,40></map>",
  ({ list, lines }) => {
    assert.ok(lines.includes("[] link: North"), lines.join("\n"));
    assert.deepEqual(list.find((n) => n.tag === "area").box.slice(2), [30, 30]);
  },
);
checkAll(`
links in pictures, also in those that screen readers skip | <svg width=50 height=50><a href="x"><text y=20>S</text></a></svg><svg width=50 height=50 aria-hidden=true><a href="y"><text y=20>T</text></a></svg> | [] link: S | [] link: T — aria-hidden
a disabled control keeps its place | <button disabled>Go</button> | [] button: Go — disabled
`);
