// Preparing for actions, filling, points, descriptions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { engine } from "./browser.mjs";
import { idOf, look, PICTURE } from "./check.mjs";

async function prepared(html, selector, action = "click", expected) {
  const { page } = await look(html);
  return { page, answer: await page.call("prepare", await idOf(page, selector), action, expected) };
}
/** Returns the element that a click at the answer's point would hit. */
const hits = (page, { x, y }) => page.main(`(document.elementFromPoint(${x}, ${y}) || {}).id`);
/** Returns the element that a press there does hit; not every engine's hit-test knows of image maps. */
async function pressed(page, answer) {
  await page.main(
    "window.got = ''; addEventListener('mousedown', (e) => { got = e.target.id }, true)",
  );
  await page.mouse(answer);
  // On a busy machine the engine may answer before the page has heard of it.
  for (let tries = 0; tries < 40 && !(await page.main("got")); tries += 1) await sleep(50);
  return page.main("got");
}

test("a button is ready at its centre", async () => {
  const { page, answer } = await prepared("<button id=b>Go</button>", "#b", "click", {
    role: "button",
    name: "Go",
  });
  assert.ok(answer.ok, JSON.stringify(answer));
  assert.equal(await hits(page, answer), "b");
});
test("below the fold, in a scroller: scrolled into view", async () => {
  const { page, answer } = await prepared(
    "<div style='height:3000px'></div><div style='overflow:auto;height:100px'><div style='height:900px'></div><button id=b>Go</button></div>",
    "#b",
  );
  assert.ok(answer.ok, JSON.stringify(answer));
  assert.equal(await hits(page, answer), "b");
});
test("gone", async () => {
  const { page } = await look("<button id=b>Go</button>");
  const id = await idOf(page, "#b");
  await page.main("document.querySelector('#b').remove()");
  assert.equal((await page.call("prepare", id, "click")).reason, "gone");
  assert.equal((await page.call("prepare", 99999, "click")).reason, "gone");
});
test("changed", async () => {
  const { answer } = await prepared("<button id=b>Go</button>", "#b", "click", {
    role: "button",
    name: "Stay",
  });
  assert.deepEqual(answer, { ok: false, reason: "changed", role: "button", name: "Go" });
});
test("what the walk called it, prepare calls it too", async () => {
  const { page, list } = await look(
    "<div onclick='1'>a <i>b</i></div><div style='cursor:pointer'>c</div><label>U<input type=file hidden></label><select aria-label=s><option>o</select><a href=x><img alt=i width=9 height=9></a><div contenteditable>e</div><ul role=menu><li role=menuitem tabindex=0>m</li></ul><table><tr onclick='1'><td>x<td>y</table>",
  );
  const usable = list.filter((n) => n.flags.includes("usable") && !n.why);
  assert.equal(usable.length, 8);
  for (const { id, role, name } of usable) {
    const answer = await page.call("prepare", id, "click", { role, name });
    assert.ok(answer.ok, JSON.stringify([role, name, answer]));
  }
});
test("hidden, disabled, moving", async () => {
  assert.equal((await prepared("<button id=b hidden>Go</button>", "#b")).answer.reason, "hidden");
  assert.equal(
    (await prepared("<button id=b disabled>Go</button>", "#b")).answer.reason,
    "disabled",
  );
  assert.ok((await prepared("<button id=b disabled>Go</button>", "#b", "hover")).answer.ok);
  assert.equal(
    (
      await prepared(
        "<style>@keyframes k{to{margin-left:900px}}</style><button id=b style='animation:k 1s infinite alternate linear'>Go</button>",
        "#b",
      )
    ).answer.reason,
    "moving",
  );
});
test("moving, on a page that draws its frames slowly", async () => {
  // Half a second a frame without a graphics card: between two frames everything looks still.
  const slow = `<style>@keyframes h{to{transform:translate(30px,30px) rotate(3deg)}}.h{position:fixed;inset:0;backdrop-filter:blur(40px) hue-rotate(3deg);animation:h 1s infinite alternate linear;pointer-events:none}</style>${"<div class=h></div>".repeat(6)}`;
  const { answer } = await prepared(
    `${slow}<style>@keyframes k{to{margin-left:900px}}</style><button id=b style='animation:k 1.3s infinite alternate linear'>Go</button>`,
    "#b",
  );
  assert.equal(answer.reason, "moving", JSON.stringify(answer));
  const still = await prepared(`${slow}<button id=b>Go</button>`, "#b");
  assert.ok(still.answer.ok, JSON.stringify(still.answer));
});
test("it waits for what becomes ready", async () => {
  const { answer } = await prepared(
    "<button id=b disabled>Go</button><script>setTimeout(() => b.disabled = false, 400)</script>",
    "#b",
  );
  assert.ok(answer.ok, JSON.stringify(answer));
});
test("covered, by what", async () => {
  const { page, answer } = await prepared(
    "<button id=b>Buy</button><div role=dialog aria-label=Cookies style='position:fixed;inset:0;background:#fff'><p id=c>We use cookies</p></div>",
    "#b",
  );
  assert.equal(answer.reason, "covered");
  assert.deepEqual([answer.coverRole, answer.coverName], ["dialog", "Cookies"]);
  assert.equal((await page.call("describe", answer.cover)).role, "dialog");
});
test("half covered: another point is found", async () => {
  const { page, answer } = await prepared(
    "<button id=b style='width:200px;height:60px'>Go</button><div style='position:absolute;left:50px;top:0;width:400px;height:200px;background:red'></div>",
    "#b",
  );
  assert.ok(answer.ok, JSON.stringify(answer));
  assert.equal(await hits(page, answer), "b");
});
test("not on a control inside it, if that can be avoided", async () => {
  const { page, answer } = await prepared(
    "<div id=b role=option tabindex=0 style='width:300px;height:60px;position:relative'><button id=inner style='position:absolute;left:100px;top:10px;width:100px;height:40px'>x</button></div>",
    "#b",
  );
  assert.ok(answer.ok, JSON.stringify(answer));
  assert.equal(await hits(page, answer), "b");
});
test("an area of an image map, and a button that pulses", async () => {
  const { page, answer } = await prepared(
    `<img usemap=#m width=100 height=100 alt=Map ${PICTURE}><map name=m><area id=b href=#x alt=North coords=10,10,40,40></map>`,
    "#b",
  );
  assert.ok(answer.ok, JSON.stringify(answer));
  assert.equal(await pressed(page, answer), "b");
  assert.ok(
    (
      await prepared(
        "<style>@keyframes k{to{transform:scale(1.2)}}</style><button id=b style='animation:k .3s infinite alternate'>Go</button>",
        "#b",
      )
    ).answer.ok,
  );
});
test("areas and paths that fill little of their box: an L, a ring, a strip", async () => {
  const map = (area) =>
    `<img usemap=#m width=200 height=200 alt=Map ${PICTURE}><map name=m>${area}</map>`;
  for (const html of [
    map("<area id=b href=#x alt=L shape=poly coords=0,0,6,0,6,190,200,190,200,200,0,200>"),
    map(
      "<area href=#y alt=Inner shape=circle coords=100,100,95><area id=b href=#x alt=Ring shape=circle coords=100,100,100>",
    ),
    map(
      "<area href=#y alt=Inner shape=rect coords=0,0,180,200><area id=b href=#x alt=Rest shape=rect coords=0,0,200,200>",
    ),
    "<svg width=200 height=200><path id=b onclick='1' d='M0 0H200V200H190V10H0z'/></svg>",
  ]) {
    const { page, answer } = await prepared(html, "#b");
    assert.ok(answer.ok, `${html} ${JSON.stringify(answer)}`);
    assert.equal(await pressed(page, answer), "b", html);
  }
});
test("under a header or a banner that stays: scrolled out from under it", async () => {
  const tall = "<div style='height:2000px'></div>";
  for (const [bars, tight] of [
    ["<header style='position:sticky;top:0;height:80px;background:#eee'><p>Top</header>", 10],
    ["<div style='position:fixed;top:0;left:0;right:0;height:80px;background:#eee'>Top</div>", 10],
    [
      "<div style='position:fixed;bottom:0;left:0;right:0;height:80px;background:#eee'>Cookies</div>",
      680,
    ],
    [
      "<div style='position:fixed;top:200px;left:0;right:0;height:320px;background:#eee'>Middle</div>",
      300,
    ],
    [
      "<div style='position:fixed;top:40px;left:0;right:0;bottom:0;background:#eee'>Almost all</div>",
      300,
    ],
  ]) {
    const { page } = await look(`${bars}${tall}<button id=b>Go</button>${tall}`);
    const id = await idOf(page, "#b");
    await page.main(`scrollTo(0, b.getBoundingClientRect().top + scrollY - ${tight})`);
    const answer = await page.call("prepare", id, "click");
    assert.ok(answer.ok, `${bars} ${JSON.stringify(answer)}`);
    assert.equal(await hits(page, answer), "b", bars);
  }
});
test("a dialog over everything does not make the page scroll", async () => {
  const { page } = await look(
    "<dialog id=d>Hello</dialog><div style='height:900px'></div><button id=b>Go</button><div style='height:900px'></div><script>d.showModal()</script>",
  );
  const id = await idOf(page, "#b");
  await page.main("scrollTo(0, 700)");
  assert.equal((await page.call("prepare", id, "click")).reason, "inert");
  assert.equal(await page.main("scrollY"), 700);
});
test("unreachable", async () => {
  const { answer } = await prepared(
    "<button id=b style='position:fixed;left:-500px'>Go</button>",
    "#b",
  );
  assert.equal(answer.reason, "offscreen");
});
test("a checkbox behind its drawing: acted on through its label", async () => {
  for (const style of [
    "opacity:0;position:absolute;pointer-events:none",
    "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)",
    "display:none",
  ]) {
    const { page, answer } = await prepared(
      `<label id=l style="display:block;padding:20px"><input id=b type=checkbox style="${style}">Agree</label>`,
      "#b",
    );
    assert.ok(answer.ok, `${style} ${JSON.stringify(answer)}`);
    await page.mouse(answer);
    assert.equal(await page.main("document.querySelector('#b').checked"), true, style);
  }
});
test("a link over two lines, in a shadow root", async () => {
  const { page, answer } = await prepared(
    "<x-l></x-l><script>document.querySelector('x-l').attachShadow({mode:'open'}).innerHTML='<div style=\"width:60px\">word word <a id=b href=#x>link over lines</a></div>'</script>",
    "#b",
  );
  assert.ok(answer.ok, JSON.stringify(answer));
  assert.equal(
    await page.main(
      `document.querySelector('x-l').shadowRoot.elementFromPoint(${answer.x}, ${answer.y}).id`,
    ),
    "b",
  );
});

test("focus selects what is in a field", async () => {
  const { page } = await look(
    "<input id=a value=old><div id=e contenteditable>old</div><input id=d type=date><input id=r readonly><button id=b>x</button><input id=n type=number value=3><input id=m type=email value=q>",
  );
  const focus = async (selector) => page.call("focus", await idOf(page, selector));
  assert.deepEqual(await focus("#a"), { ok: true, kind: "text" });
  assert.equal(
    await page.main("getSelection().toString() || a.value.slice(a.selectionStart, a.selectionEnd)"),
    "old",
  );
  assert.deepEqual(await focus("#e"), { ok: true, kind: "editable" });
  assert.equal(await page.main("getSelection().toString()"), "old");
  assert.deepEqual(await focus("#d"), { ok: true, kind: "direct" });
  assert.deepEqual(await focus("#n"), { ok: true, kind: "text" });
  assert.deepEqual(await focus("#m"), { ok: true, kind: "text" });
  assert.deepEqual(await focus("#r"), { ok: false, reason: "readonly" });
  assert.equal((await focus("#b")).ok, false);
});
test("setValue notifies the page, and refuses what does not fit", async () => {
  const { page } = await look(
    "<input id=d type=date><script>window.heard=[];for (const t of ['input','change']) addEventListener(t, e => heard.push(e.target.id + ' ' + t))</script>",
  );
  const date = await idOf(page, "#d");
  assert.deepEqual(await page.call("setValue", date, "2026-11-15"), {
    ok: true,
    value: "2026-11-15",
  });
  assert.deepEqual(await page.call("setValue", date, "2026-11-15"), {
    ok: true,
    value: "2026-11-15",
  });
  assert.equal((await page.call("setValue", date, "tomorrow")).ok, false);
  assert.deepEqual(await page.call("fieldValue", date), { value: "2026-11-15", chars: 10 });
  assert.deepEqual(
    await page.main("heard"),
    ["d input", "d change"],
    "once, and not for what it holds already",
  );
});
test("a choice in a select is left one key or click short, in silence", async () => {
  const { page } = await look(
    "<select id=s><option value=1>One<option value=2>Two<option disabled>Three<option>Four</select><select id=m multiple><option selected>A<option>B<option>C</select><select id=o><option>only</select>" +
      "<script>window.heard=[];for (const t of ['input','change']) addEventListener(t, e => heard.push(e.target.id + ' ' + t))</script>",
  );
  const s = await idOf(page, "#s");
  assert.deepEqual(await page.call("chooseOptions", s, ["Four"]), {
    ok: true,
    way: "key",
    key: "ArrowDown",
  });
  assert.equal(await page.main("s.value"), "2", "the arrow goes on from there");
  assert.deepEqual(await page.call("chooseOptions", s, ["1"]), {
    ok: true,
    way: "key",
    key: "ArrowDown",
  });
  assert.equal(await page.main("s.selectedIndex"), -1);
  assert.equal((await page.call("chooseOptions", s, ["Three"])).reason, "disabled option");
  assert.deepEqual(await page.call("chooseOptions", s, ["Six"]), {
    ok: false,
    reason: "missing",
    missing: "Six",
    options: ["One", "Two", "Three", "Four"],
    total: 4,
  });
  assert.equal((await page.call("chooseOptions", s, ["One", "Two"])).reason, "one only");
  const m = await idOf(page, "#m");
  const click = await page.call("chooseOptions", m, ["B", "C"]);
  assert.deepEqual(
    [click.way, click.add, await page.main("[...m.selectedOptions].map(o => o.text).join()")],
    ["click", true, "B"],
  );
  assert.deepEqual(await page.main("heard"), []);
  assert.equal((await page.call("checkChoice", s, ["two"])).ok, false);
  assert.deepEqual(await page.call("checkChoice", s, ["two"], true), { ok: true, value: "Two" });
  assert.deepEqual(await page.call("chooseOptions", s, ["two"]), {
    ok: true,
    way: "none",
    value: "Two",
  });
  assert.deepEqual(await page.main("heard"), ["s input", "s change"]);
});
test("boxes and file fields are found through what stands for them", async () => {
  const { page } = await look(
    "<label id=l><input type=checkbox id=c>x</label><div role=switch aria-checked=true id=w tabindex=0><i id=i>on</i></div><button id=b>b</button><form><button id=u type=button>Upload</button><input type=file id=f hidden multiple></form>",
  );
  const ask = async (name, selector) => page.call(name, await idOf(page, selector));
  assert.deepEqual(
    [
      (await ask("checkboxState", "#l")).state,
      (await ask("checkboxState", "#c")).radio,
      (await ask("checkboxState", "#i")).state,
    ],
    ["false", false, "true"],
  );
  assert.equal((await ask("checkboxState", "#b")).reason, "not a box");
  await page.main("c.indeterminate = true");
  assert.equal((await ask("checkboxState", "#l")).state, "mixed");
  const field = await ask("findFileInput", "#u");
  assert.deepEqual([field.ok, field.field, field.multiple], [true, await idOf(page, "#f"), true]);
  assert.equal(
    (await ask("findFileInput", "#b")).ok,
    false,
    "what is anywhere on the page is not near",
  );
});
test("what scrolls is found from inside and outside", async () => {
  const { page } = await look(
    "<div id=o style='height:100px;overflow:auto;width:200px'><p id=p style='height:500px;margin:0'>x</p></div><div id=h style='height:50px;overflow:hidden'><p style='height:500px'>y</p></div><p style='height:3000px'>z</p>",
  );
  const ask = async (selector, dy = 1) =>
    page.call("findScroller", selector ? await idOf(page, selector) : 0, 0, dy);
  const outer = await idOf(page, "#o");
  for (const selector of ["#o", "#p"]) {
    const { box, high, top, page: whole } = await ask(selector);
    assert.deepEqual([box, high, top, whole], [outer, 400, 0, false]);
  }
  assert.equal((await ask("#h")).page, true, "what is cut off does not scroll");
  assert.equal((await ask(null)).page, true);
});

test("value: how long the whole is, in characters", async () => {
  const { page } = await look(
    "<textarea id=t></textarea><div id=e contenteditable></div><input id=s type=password value=abc><input id=c type=checkbox><input id=u value='a😀…'><script>t.value = 'ä😀'.repeat(20000); e.textContent = 'x'.repeat(5000)</script>",
  );
  const value = async (selector) => page.call("fieldValue", await idOf(page, selector));
  const long = await value("#t");
  assert.deepEqual([long.value.length, long.chars], [10000, 40000]);
  assert.equal((await value("#e")).chars, 5000);
  assert.deepEqual(await value("#s"), { value: "•••", length: 3 });
  assert.deepEqual(await value("#c"), { value: null, chars: 0 });
  assert.deepEqual(await value("#u"), { value: "a😀…", chars: 3 });
});

test("at and find", async () => {
  const { page } = await look(
    "<x-l></x-l><script>document.querySelector('x-l').attachShadow({mode:'open'}).innerHTML='<button id=b>x</button>'</script>",
  );
  const id = await idOf(page, "#b");
  const { box } = await page.call("describe", id);
  assert.deepEqual(await page.call("at", box[0] + 3, box[1] + 3), { id });
  assert.deepEqual(await page.call("at", -5, -5), { id: 0 });
  assert.deepEqual(await page.call("find", "#nowhere"), { id: 0 });
  assert.equal((await page.call("find", "[[")).error, "selector");
  assert.equal((await page.call("walk", { scope: "[[" })).error, "selector");
});
test("describe and matches", async () => {
  const { page } = await look(
    "<ul><li>a</li><li><a id=k class='c d' data-testid=t href=/x title=T>Link <b>text</b></a></li></ul><x-h></x-h><script>document.querySelector('x-h').attachShadow({mode:'open'}).innerHTML='<p><i>in</i></p>'</script>",
  );
  const id = await idOf(page, "#k");
  const seen = await page.call("describe", id);
  assert.deepEqual(
    [seen.tag, seen.role, seen.name, seen.text, seen.root, seen.xpath],
    ["a", "link", "Link text", "Link text", "document", "/html/body/ul/li[2]/a"],
  );
  assert.deepEqual(seen.attributes, {
    id: "k",
    class: "c d",
    "data-testid": "t",
    href: "/x",
    title: "T",
  });
  const last = seen.path.at(-1);
  assert.deepEqual(
    [last.tag, last.id, last.classes, last.testids, last.index],
    ["a", "k", ["c", "d"], { "data-testid": "t" }, 1],
  );
  assert.equal(seen.path.at(-2).index, 2);
  assert.deepEqual(await page.call("matchCounts", id, ["#k", "a", "li", "[["]), [
    [1, true],
    [1, true],
    [2, false],
    [-1, false],
  ]);
  const inner = await page.call("describe", await idOf(page, "i"));
  assert.deepEqual([inner.root, inner.xpath, inner.shadow_path], ["shadow", null, ["x-h"]]);
});
test("a text reaches its field or nothing at all", async () => {
  const { page } = await look(
    "<input id=a aria-label=A><input id=b aria-label=B><div id=c contenteditable>c</div>",
  );
  // Real input of the engine's; the other engine's tests of typing are whole-path ones.
  if (engine !== "chromium") return;
  const type = (text) => page.send("Input.insertText", { text });
  const values = () => page.main("[a.value, b.value, c.textContent].join()");
  const id = await idOf(page, "#a");
  await page.call("focus", id);
  assert.deepEqual(await page.call("beginTyping", id), { ok: true });
  await type("one");
  assert.deepEqual(await page.call("endTyping"), { ok: true });
  assert.equal(await values(), "one,,c");
  for (const thief of ["b", "c"]) {
    await page.call("focus", id);
    assert.deepEqual(await page.call("beginTyping", id), { ok: true });
    await page.main(`${thief}.focus()`);
    await type("two");
    assert.deepEqual(await page.call("endTyping"), { ok: false });
    assert.equal(await values(), "one,,c", "it is kept from landing elsewhere");
  }
  await type("three");
  assert.ok((await values()).includes("three"), "afterwards the page is typed into as ever");
  const editor = await idOf(page, "#c");
  await page.call("focus", editor);
  await page.call("beginTyping", editor);
  await type("four");
  assert.deepEqual(await page.call("endTyping"), { ok: true });
  assert.equal(await page.main("c.textContent"), "four");
});
test("what is not in the topmost modal dialog is inert", async () => {
  const { page } = await look(
    "<dialog id=d><button id=b>In</button></dialog><dialog id=e><button id=c>Top</button></dialog>",
  );
  const reason = async (expression) =>
    (await page.call("prepare", await idOf(page, expression), "hover")).reason ?? "";
  await page.main("e.showModal(); d.showModal()");
  assert.equal(await reason("#c"), "inert", "below a second dialog");
  assert.equal(await reason("#b"), "");
  await page.main("d.close()");
  assert.equal(await reason("#c"), "");
});
