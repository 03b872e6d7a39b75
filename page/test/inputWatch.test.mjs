// Whether input reached what it was meant for, and whether the focus is where it should be.
import assert from "node:assert/strict";
import { test } from "node:test";
import { engine } from "./browser.mjs";
import { idOf, look, open, PICTURE } from "./check.mjs";

const mouse = (page, ...rest) => page.mouse(...rest);
/** Prepares, clicks as a person would, and returns the result of the input. */
async function clicked(html, selector = "#b", action = "click") {
  const { page } = await look(html);
  const answer = await page.call("prepare", await idOf(page, selector), action);
  assert.ok(answer.ok, JSON.stringify(answer));
  await mouse(
    page,
    answer,
    action === "right_click" ? "right" : "left",
    action === "double_click" ? 2 : 1,
  );
  const result = await page.call("inputResult");
  return { page, ...result, short: [result.pressed, result.clicked] };
}
const BOTH = [true, true];

test("a click that arrives, and what it changes", async () => {
  const {
    watched,
    pressed,
    clicked: came,
    elsewhere,
    mutations,
    page,
  } = await clicked("<button id=b onclick='this.dataset.n=1;this.append(1)'>Go</button>");
  assert.deepEqual(
    { watched, pressed, came, elsewhere, mutations },
    { watched: true, pressed: true, came: true, elsewhere: 0, mutations: 2 },
  );
  assert.deepEqual(await page.call("inputResult"), {
    watched: false,
    pressed: false,
    clicked: false,
    elsewhere: 0,
    mutations: 0,
    scrolled: false,
    held: null,
    dialogOpened: false,
    focusTaken: false,
  });
});
test("a dialog that opens on the press takes the click", async () => {
  const button = "<button id=b onmousedown='d.hidden=false'>Restart</button>";
  const cover = "hidden style='position:fixed;inset:0;background:#fff'";
  for (const [html, opened] of [
    [`${button}<div id=d role=dialog ${cover}>Sure?</div>`, true],
    [`${button}<div id=d ${cover}>Only a cover</div>`, false],
    [`${button}<div role=dialog>Open already</div><div id=d ${cover}></div>`, false],
  ]) {
    const { short, dialogOpened } = await clicked(html);
    assert.deepEqual([short, dialogOpened], [[true, false], opened], html);
  }
});
test("a field that opens something over itself on the press takes the focus", async () => {
  const cover = "<div id=d hidden style='position:fixed;inset:0;background:#fff'>Calendar</div>";
  // A field of Firefox holds the pointer from the press on, so the click reaches it under the cover.
  const held = engine === "firefox";
  for (const [html, taken, reached] of [
    [`<input id=b onfocus='d.hidden=false'>${cover}`, true, held],
    [`<input id=b onmousedown='event.preventDefault();d.hidden=false'>${cover}`, false, false],
    [`<input id=b autofocus onmousedown='d.hidden=false'>${cover}`, false, held],
    [`<button id=b onfocus='d.hidden=false'>Go</button>${cover}`, false, false],
  ]) {
    const { short, focusTaken } = await clicked(html);
    assert.deepEqual([short, focusTaken], [[true, reached], taken], html);
  }
});
test("nothing changed", async () =>
  assert.equal((await clicked("<button id=b>Go</button>")).mutations, 0));
test("changes in a shadow root count", async () => {
  const { short, mutations } = await clicked(
    "<x-l></x-l><script>document.querySelector('x-l').attachShadow({mode:'open'}).innerHTML='<button id=b onclick=\"this.append(1)\"><i>x</i></button>'</script>",
  );
  assert.deepEqual([short, mutations], [BOTH, 1]);
});
test("no click: disabled, moved away, removed, covered by its own handlers", async () => {
  for (const html of [
    "<button id=b onmouseenter='this.disabled=true'>Go</button>",
    "<button id=b onmouseenter='this.disabled=true'><span>Go</span></button>",
    "<button id=b onmouseenter='this.style.marginLeft=\"500px\"'>Go</button>",
    "<button id=b onmousedown='this.remove()'>Go</button>",
    "<button id=b onmousedown='document.body.append(c);c.style.display=\"block\"'>Go</button><div id=c style='display:none;position:fixed;inset:0;background:#fff'></div>",
  ]) {
    const { watched, clicked: came, mutations } = await clicked(html);
    assert.deepEqual([watched, came, mutations > 0], [true, false, true], html);
  }
});
test("what was hit instead", async () => {
  const { page, elsewhere } = await clicked(
    "<button id=b onmouseenter='this.style.marginLeft=\"500px\"' style='position:absolute'>Go</button><p id=p style='width:100px;height:100px;margin:0'>",
  );
  assert.equal(elsewhere, await idOf(page, "#p"));
});
test("right and double clicks", async () => {
  assert.deepEqual(
    (await clicked("<button id=b oncontextmenu='return false'>Go</button>", "#b", "right_click"))
      .short,
    BOTH,
  );
  assert.deepEqual((await clicked("<button id=b>Go</button>", "#b", "double_click")).short, BOTH);
  assert.deepEqual(
    (await clicked("<button id=b onclick='this.disabled=true'>Go</button>", "#b", "double_click"))
      .short,
    [true, false],
  );
});
test("through a label, into a control's own parts, on an area", async () => {
  assert.deepEqual(
    (
      await clicked(
        "<label style='display:block;padding:20px'><input id=b type=checkbox style='display:none'>Agree</label>",
      )
    ).short,
    BOTH,
  );
  assert.deepEqual(
    (
      await clicked(
        "<label for=b>Agree</label><input id=b type=checkbox style='position:absolute;opacity:0;pointer-events:none'>",
      )
    ).short,
    BOTH,
  );
  // The label lies over its control, is re-rendered under the mouse, and keeps the click to itself.
  assert.deepEqual(
    (
      await clicked(
        "<div style='position:relative;width:90px'><input id=b type=checkbox><label for=b style='position:absolute;inset:0' onmouseenter='this.innerHTML=`<i>Agree now</i>`' onclick='return false'><span>Agree now</span></label></div>",
      )
    ).short,
    BOTH,
  );
  assert.deepEqual((await clicked("<input id=b type=date>")).short, BOTH);
  assert.deepEqual(
    (
      await clicked(
        `<img usemap=#m width=100 height=100 alt=Map ${PICTURE}><map name=m><area id=b href=#x alt=North coords=10,10,40,40></map>`,
      )
    ).short,
    BOTH,
  );
  // Firefox's player keeps its events to itself; then nothing is claimed.
  const { short, watched } = await clicked("<video id=b controls width=300 height=200></video>");
  assert.deepEqual([short, watched], engine === "firefox" ? [[false, false], false] : [BOTH, true]);
});
test("a select hears its press", async () =>
  assert.equal((await clicked("<select id=b><option>x<option>y</select>")).pressed, true));
test("what the page dispatches itself is no click", async () => {
  const { page } = await look("<button id=b>Go</button>");
  assert.ok((await page.call("prepare", await idOf(page, "#b"), "click")).ok);
  await page.main("b.click(); b.dispatchEvent(new MouseEvent('mousedown', {bubbles: true}))");
  const { pressed, clicked: came } = await page.call("inputResult");
  assert.deepEqual([pressed, came], [false, false]);
});
test("a frame's events are not heard, nor a player's, and it says so", async () => {
  assert.equal((await clicked("<iframe id=b srcdoc='<p>x'></iframe>")).watched, false);
  const { watched, pressed } = await clicked("<audio id=b controls></audio>");
  assert.equal(watched, pressed);
});
test("prepare forgets the last one, even if it fails", async () => {
  const { page } = await look("<button id=b>Go</button><button id=d disabled>No</button>");
  assert.ok((await page.call("prepare", await idOf(page, "#b"), "click")).ok);
  await page.call("prepare", await idOf(page, "#d"), "click");
  assert.equal((await page.call("inputResult")).watched, false);
});
test("installed at document start, it hears before a page that stops everything", async () => {
  const stopping =
    "<!doctype html><script>for (const t of ['pointerdown','mousedown','click']) addEventListener(t, e => e.stopImmediatePropagation(), true)</script><button id=b>Go</button>";
  const page = await open("");
  const undo = await page.announce();
  try {
    const { short } = await clicked(stopping);
    assert.deepEqual(short, BOTH);
  } finally {
    await undo();
  }
});
test("after document.open it still hears", async () => {
  const { page } = await look("<button id=b>Go</button>");
  await page.main("document.open(); document.write('<button id=n>New</button>'); document.close()");
  const answer = await page.call("prepare", await idOf(page, "#n"), "click");
  await mouse(page, answer);
  assert.equal((await page.call("inputResult")).clicked, true);
});

test("focus that the page moves on is reported", async () => {
  const { page } = await look(
    "<input id=p type=password onfocus='u.focus()'><input id=u><div id=e contenteditable onfocus='u.focus()'>x</div><input id=s onselect='1' value=v>",
  );
  const focus = async (selector) => page.call("focus", await idOf(page, selector));
  assert.deepEqual(await focus("#p"), { ok: false, reason: "focus moved" });
  assert.deepEqual(await focus("#e"), { ok: false, reason: "focus moved" });
  assert.deepEqual(await focus("#s"), { ok: true, kind: "text" });
});
test("focused: still, or no more", async () => {
  const { page } = await look(
    "<input id=a onfocus='setTimeout(() => u.focus(), 100)'><input id=u><div id=c role=combobox tabindex=0><input id=i></div><div id=e contenteditable><p id=q>x</p><div id=n contenteditable>y</div></div>",
  );
  const both = async (selector) => {
    const id = await idOf(page, selector);
    return [(await page.call("focus", id)).ok, (await page.call("stillFocused", id)).ok];
  };
  assert.deepEqual(await both("#a"), BOTH);
  await new Promise((done) => setTimeout(done, 200));
  assert.deepEqual(await page.call("stillFocused", await idOf(page, "#a")), { ok: false });
  for (const selector of ["#c", "#e", "#q", "#n"])
    assert.deepEqual(await both(selector), BOTH, selector);
  assert.equal(await page.main("getSelection().toString()"), "y");
  assert.deepEqual(await page.call("stillFocused", 99999), { ok: false });
  const body = await look("<!doctype html><body contenteditable>text");
  const id = await idOf(body.page, "body");
  assert.equal((await body.page.call("focus", id)).kind, "editable");
  assert.deepEqual(await body.page.call("stillFocused", id), { ok: true });
});

test("input that is meant for no element: only what changes and scrolls", async () => {
  const { page } = await look(
    "<button id=b onfocus='this.dataset.n=1'>Go</button><div style='height:3000px'></div>",
  );
  await page.call("watchPage");
  assert.deepEqual(await page.call("inputResult"), {
    dialogOpened: false,
    focusTaken: false,
    watched: false,
    pressed: false,
    clicked: false,
    elsewhere: 0,
    mutations: 0,
    scrolled: false,
    held: null,
  });
  await page.call("watchPage");
  await page.main("b.focus(); scrollTo(0, 500)");
  const { mutations, scrolled } = await page.call("inputResult");
  assert.ok(mutations > 0 && scrolled, `${mutations} ${scrolled}`);
});

test("a box as large as a transform makes it is still a number", async () => {
  const { page } = await look(
    "<div style='width:100px;height:10px;transform:scale(1e9)'>Huge</div><button>Go</button>",
  );
  const { nodes } = await page.call("walk", {});
  assert.ok(
    nodes.box.every((n) => Number.isInteger(n) && Math.abs(n) <= 1e9),
    "within bounds",
  );
});
