// A second look sends what changed, and what it makes of the first is what a plain walk sees: one
// case for each way in which a change of one thing may be a change of another. Where more than a
// patch is needed the whole is sent; where a patch will do it has to be one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, rewrite, rowsOf } from "./check.mjs";
import { applyPatch, readable } from "./patch.mjs";

const FILLER = `<ul>${"<li><a href=#x>one</a> and <b>two</b></li>".repeat(40)}</ul>`;
const page = (content) => `<!doctype html><html lang=en><title>t</title><body>${content}${FILLER}`;

/** Captures at once: between two slices of a busy machine the page may change on its own. */
const UNHURRIED = { slice: 60_000 };

/** Looks, changes, looks again; answers with how. */
async function again(at, change, known, last) {
  await at.main(`(async () => { ${change} })()`);
  const answer = await at.call("walk", { known, share: 100, ...UNHURRIED });
  const next = answer.same ? last : answer.patch ? applyPatch(last, answer) : answer;
  assert.deepEqual(readable(next), readable(await at.call("walk", { plain: true })), change);
  return { how: answer.same ? "same" : answer.patch ? "patch" : "whole", next, answer };
}

/** Text in the colour of its background: what lies between the two is found by a hit test. */
const HIT_TESTED =
  "<div style='background:#fff'><p id=a style='color:#fff'>hidden words</p></div><input id=b type=checkbox aria-label=b><div id=c style='overflow:auto;height:40px'><p style='height:200px'>tall</div>";
const COUNTED =
  "<style>#n::before{counter-increment:c;content:counter(c) '. '}</style><button id=n>Next</button><p id=a>one</p>";
const IMAGE_MAP = `<img usemap=#m alt=map width=90 height=90><map name=m><area id=a href=#0 alt=one coords=0,0,9,9>${"<area href=#1 alt=one coords=9,9,20,20>".repeat(30)}</map>`;
let isOpen = false;
/** Rows: the changed part | the page | the change | how it is sent (`any`: not as the same). */
const CHANGES = `
a text that is replaced | <p id=a>one</p> | a.textContent = 'two' | patch
a class that makes a gutter | <div id=a>1</div> | a.className = 'cm-gutters' | patch
an attribute that makes a gutter | <table><tr><td id=a>1<td>2</table> | a.setAttribute('data-line-number', 1) | patch
a text that is edited | <p id=a>one</p> | a.firstChild.data = 'two' | patch
a text that takes more room | <p id=a>one</p> | a.textContent = 'many words '.repeat(60) | patch
a row at the top | <table id=a><tr><td>1<td>2<tr><td>3<td>4</table> | a.tBodies[0].insertAdjacentHTML('afterbegin', '<tr><td>0<td>0') | patch
a row that makes a table of data | <table id=a><tr><td>1<td>2</table> | a.tBodies[0].insertAdjacentHTML('afterbegin', '<tr><td>0<td>0') | patch
a wide cell | <table id=a><tr><td>1<td><b>2</b><tr><td>3<td><b>4</b></table> | a.rows[1].cells[0].textContent = 'wide wide wide' | patch
rows that change places | <ol id=a><li>1<li>2<li>3</ol> | a.append(a.firstChild) | patch
an attribute that shows nothing | <main id=a><p>x</p></main> | a.setAttribute('data-x', 1); a.setAttribute('aria-busy', 'true') | patch
an ancestor hidden from assistive technology | <main id=a><p>x</p></main> | a.setAttribute('aria-hidden', 'true') | patch
a class that hides | <style>.x{display:none}</style><p id=a>x</p><p>y</p> | a.className = 'x' | patch
the end of a list that ends under a fixed box | <div style='position:fixed;inset:0;overflow:auto;background:white'><div style='height:2000px'></div><div><button>End</button></div><div><p id=a style='height:900px'>x</p></div></div><div role=dialog aria-label=d style='position:fixed;left:0;right:0;top:calc(100vh - 200px);bottom:0;background:white'>d</div> | a.remove() | patch
a class that nobody asks for | <style>.x{display:none}</style><div id=a><p>x</p></div> | a.className = 'y' | patch
a class that restyles siblings | <style>.x+p{display:none}</style><div><p id=a>x</p><p>y</p></div> | a.className = 'x' | patch
a class that restyles by :has() | <style>div:has(.x) ~ p{display:none}</style><div><p id=a>x</p></div><p>y</p> | a.className = 'x' | whole
a row where :has() asks for others | <style>div:has(> .x, img) p{display:none}</style><div><p id=a>x</p></div> | a.after('t', document.createElement('p')) | patch
a row that :has() asks for | <style>div:has(> .xY, img) p{display:none}</style><div><p id=a>x</p></div> | a.insertAdjacentHTML('afterend', '<i class=xY>i</i>') | whole
a row between siblings that :has() asks for | <style>p:has(+ b){display:none}</style><div><p>x</p><b id=a>y</b></div> | a.before(document.createElement('i')) | whole
a class that :has() does not ask for | <style>div:has(.y) p{display:none}.x{opacity:0}</style><div><p id=a>x</p></div> | a.className = 'x' | patch
a state that :has() asks for | <style>body:has(:checked) p{display:none}</style><input type=checkbox id=a><p>x</p> | a.checked = true | whole
an attribute that :has() asks for | <style>body:has([open]) p{display:none}</style><details id=a><summary>s</summary></details><p>x</p> | a.open = true | whole
an empty element that :has() asks for | <style>div:has(:empty) p{display:none}</style><div><i id=a></i><p>x</p></div> | a.textContent = 't' | whole
a first child | <style>p:first-child{text-transform:uppercase}</style><div id=a><p>x</p><p>y</p></div> | a.prepend(document.createElement('p')) | patch
every second child | <style>p:nth-child(2n){visibility:hidden}</style><div id=a><p>x</p><p>y</p><p>z</p></div> | a.firstChild.remove() | patch
an only child that is none any more | <style>p:only-child{visibility:hidden}</style><div id=a><p>x</p></div> | a.append(document.createElement('p')) | patch
an empty element | <style>#a:empty+p{display:none}</style><div><i id=a>t</i><p>y</p></div> | a.textContent = '' | any
an empty element by its data | <style>#a:empty+p{display:none}</style><div><i id=a>t</i><p>y</p></div> | a.firstChild.data = '' | any
a checked box and its sibling | <style>:checked~p{display:none}</style><div><input type=checkbox id=a><p>y</p></div> | a.checked = true | patch
a value and its placeholder | <style>:placeholder-shown+p{display:none}</style><div><input id=a placeholder=x><p>y</p></div> | a.value = 'v' | patch
a value in a name | <label id=l>Count <input id=a value=1> times <input type=checkbox></label> | a.value = '2' | patch
a form that is invalid | <style>form:invalid p{display:none}</style><form><input id=a required value=x><p>y</p></form> | a.value = '' | whole
a disabled field and its sibling | <style>input:disabled+p{display:none}</style><div><input id=a><p>y</p></div> | a.disabled = true | patch
a link that is none any more | <a id=a href=#x><span>x</span> y</a> | a.removeAttribute('href') | patch
a class of a large part that nobody asks for | <style>.x{display:none}</style> | document.body.className = 'y' | patch
the focus | <input id=a><input id=b> | b.focus() | patch
the focus within | <style>div:focus-within p{display:none}</style><div><input id=a><p>y</p></div> | a.focus() | whole
the text of a label | <label id=a for=b>one</label><p>between</p><input id=b> | a.textContent = 'two' | patch
a label that goes | <label id=a for=b>one</label><input id=b> | a.remove() | patch
a label that comes | <label for=b>one</label><input id=b> | document.body.insertAdjacentHTML('afterbegin', '<label for=b>zero</label>') | patch
a label for another | <label id=a for=b>one</label><input id=b><input id=c> | a.htmlFor = 'c' | whole
what a name refers to | <p id=a>one</p><div><button aria-labelledby=a>x</button></div> | a.textContent = 'two' | patch
what a name refers to is hidden | <style>.x b{display:none}</style><p id=a>one <b>more</b></p><div><button aria-labelledby=a>x</button></div> | a.className = 'x' | patch
what a name referred to comes | <div><button aria-labelledby=a>x</button></div> | document.body.insertAdjacentHTML('afterbegin', '<p id=a>one') | whole
what is owned | <p id=a>one</p><div role=button tabindex=0 aria-owns=a>x</div> | a.textContent = 'two' | patch
an id | <p id=a>one</p><div><button aria-labelledby=b>x</button></div> | a.id = 'b' | whole
a box drawn by its label | <style>.x{position:absolute;opacity:0;width:1px;height:1px}</style><p id=a>t</p><div><input type=checkbox class=x id=c><label for=c>Agree</label></div> | a.textContent = 'more '.repeat(300) | patch
a text around a float | <style>.f{float:left;height:30px}</style><div class=f id=a>float</div><p>text <b>around</b> it</p> | a.textContent = 'a wide float' | patch
a text in blocks around a float | <style>.f{float:left;height:30px}</style><div class=f id=a>float</div><section style="width:600px;height:60px"><div style="height:50px"><p>text <a href=x>around</a> <button>it</button></p></div></section> | a.textContent = "a wide float" | patch
a float by attribute | <div style='float:left;height:30px' id=a>float</div><p>text <b>around</b> it</p> | a.textContent = 'a wide float' | patch
a container of another size | <style>.c{container-type:inline-size}@container (max-width:400px){.c p{display:none}}.r{display:flex}.r>*{flex:1 1 auto}</style><div class=r><div id=a>x</div><div class=c style='min-width:10px'><p>inside</p></div></div> | a.textContent = 'wide '.repeat(200) | patch
what is positioned from below | <style>main{position:relative}.x{position:absolute;bottom:0}</style><main><p id=a>x</p><section><h2>h</h2><span class=x>at the bottom <b>of it</b></span></section></main> | a.textContent = 'more '.repeat(300) | patch
what sticks | <style>.x{position:sticky;top:0}</style><p id=a>x</p><main><div class=x>stuck <b>here</b></div><p style='height:900px'>tall</p></main> | a.textContent = 'more '.repeat(300) | patch
a line of text | <p><span id=a>x</span> then <i>more <b>here</b></i> and <em>there</em></p> | a.textContent = 'longer' | patch
a cell in the middle | <table><tr><td id=a style='height:90px'>1<td><div>in <b>the</b> middle</div></table> | a.style.height = '120px' | patch
a scroller that has more in it | <div style='height:40px;overflow:auto'><p id=a>x</p><p>y</p></div> | a.textContent = 'more '.repeat(300) | patch
a scroller that moves | <p id=a>x</p><div style='height:40px;overflow:auto'><p>x</p><button>b</button><p>y</p></div> | a.textContent = 'more '.repeat(300) | patch
a clipped box that moves | <p id=a>x</p><div style='height:0;overflow:hidden'><button>b</button></div> | a.textContent = 'more '.repeat(300) | patch
what comes into view | <div id=a style='height:2000px'>x</div><button>below</button> | a.style.height = '10px' | patch
a cover | <button>under</button><p id=a>x</p> | a.style.cssText = 'position:fixed;inset:0;background:#fff' | patch
a cover that goes | <button>under</button><p id=a style='position:fixed;inset:0;background:#fff'>x</p> | a.remove() | patch
a hidden button that is shown | <button id=a hidden>b</button> | a.hidden = false | patch
what is in a hidden part | <div hidden><button id=a>b</button><p>not counted</p></div> | a.textContent = 'c' | patch
details | <details id=a><summary>s</summary><p>inside <a href=#x>x</a></p></details> | a.open = true | patch
another summary | <details id=a open><summary>s</summary><p>x</p></details> | a.insertAdjacentHTML('afterbegin', '<summary>first</summary>') | patch
a dialog | <dialog id=a><button>x</button></dialog><button>y</button> | a.showModal() | patch
a popover and what opens it | <button popovertarget=a>open</button><div id=a popover>x</div> | a.showPopover() | patch
a disabled part | <fieldset id=a><legend>l</legend><input><button>b</button></fieldset> | a.disabled = true | patch
a legend | <fieldset><legend id=a>l</legend><input></fieldset> | a.textContent = 'm' | patch
an option | <select id=a><option>x<option>y</select> | a.insertAdjacentHTML('beforeend', '<option>z') | patch
a clickable that holds a button | <div id=a tabindex=0>text</div> | a.insertAdjacentHTML('beforeend', '<button>b</button>') | patch
a widget and the one thing in it | <div role=button aria-label=Go tabindex=-1><span id=a onclick='1'>Go</span></div> | a.textContent = 'Stop' | patch
one thing beside the one thing in a widget | <div role=option id=o><span onclick='1'>Go</span></div> | o.append(' on') | patch
a field in a combobox | <div role=combobox aria-label=City><span id=a>x</span><input></div> | a.outerHTML = '<input>' | patch
a skip link | <a href=#m style='position:absolute;left:-9999px'>Skip</a> | document.body.insertAdjacentHTML('afterbegin', '<button>b</button>'.repeat(12)) | patch
the space between inline neighbours | <p><b id=a>x</b> <i>y</i></p> | a.remove() | patch
a text in a shadow root | <div id=a></div><script>a.attachShadow({mode:'open'}).innerHTML='<b>one</b><slot></slot>'</script> | a.shadowRoot.firstChild.textContent = 'two' | patch
a text in a slot | <div id=a>light</div><script>a.attachShadow({mode:'open'}).innerHTML='<b>one</b><slot></slot>'</script> | a.textContent = 'dark' | patch
a child of another slot | <div id=a><i slot=x>light</i></div><script>a.attachShadow({mode:'open'}).innerHTML='<p><slot name=x></slot></p><slot></slot>'</script> | a.firstChild.slot = '' | whole
a new shadow root | <div id=a></div> | const host = document.createElement('div'); host.attachShadow({mode:'open'}).innerHTML = '<button>in</button>'; a.append(host) | patch
a style sheet | <p id=a>x</p> | a.insertAdjacentHTML('afterend', '<style>b{display:none}</style>') | whole
a variable | <style>.row{opacity:var(--o)}</style><main id=a style='--o:1'><p class=row>x</p></main> | a.style.setProperty('--o', 0) | patch
a class of the root | <style>.dark p{visibility:hidden}</style><p>x</p> | document.documentElement.className = 'dark' | whole
a hint that is referred to | <p id=h style='font-size:0'>tiny</p><input id=a> | a.setAttribute('aria-describedby', 'h') | whole
nothing, where a hit test decided | ${HIT_TESTED} | 0 | same
a text, where a hit test decided | ${HIT_TESTED} | a.textContent = 'other words' | whole
a state, where a hit test decided | ${HIT_TESTED} | b.checked = true | whole
a scroll position, where a hit test decided | ${HIT_TESTED} | c.scrollTop = 30 | whole
nothing, with counters in names | ${COUNTED} | 0 | same
nothing, with a large image map | ${IMAGE_MAP} | 0 | same
an area of a large image map | ${IMAGE_MAP} | a.alt = 'two' | patch
a text, with counters in names | ${COUNTED} | a.textContent = 'two' | whole
`;

for (const [what, content, change, expected] of rowsOf(CHANGES)) {
  test(`after a change: ${what}`, async () => {
    const at = await (isOpen ? rewrite : open)(page(content));
    isOpen = true;
    const first = await at.call("walk", UNHURRIED);
    const { how, next } = await again(at, change, first.key, first);
    if (expected === "any") assert.notEqual(how, "same");
    else assert.equal(how, expected);
    // What was made of it holds, and is what the next change is a patch of.
    const same = await at.call("walk", { known: next.key, ...UNHURRIED });
    assert.deepEqual(same, { same: next.key });
    const later = await again(at, "document.querySelector('li').append(' more')", next.key, next);
    if (how === "patch") assert.equal(later.how, "patch");
  });
}

test("what changed costs as much as it is, not as the page is", async () => {
  const at = await open(
    page(
      `<p id=a>one</p>${"<section><h2>h</h2><p>words <a href=#x>link</a></p><label>l <input></label></section>".repeat(200)}`,
    ),
  );
  const first = await at.call("walk", UNHURRIED);
  const whole = JSON.stringify(first).length;
  for (const change of [
    "a.textContent = 'two'",
    "a.textContent = 'many words '.repeat(40)",
    "document.querySelector('section').after('text', document.createElement('hr'))",
  ]) {
    await at.main(`${change}; 0`);
    const answer = await at.call("walk", { known: first.key, ...UNHURRIED });
    assert.ok(
      answer.patch && JSON.stringify(answer).length < whole / 20,
      `${change}: ${JSON.stringify(answer).length} of ${whole}`,
    );
    first.key = answer.key;
  }
});

test("a patch that is no shorter than half of the whole is not sent", async () => {
  const at = await open("<!doctype html><ul id=a><li>x</ul>");
  const { key } = await at.call("walk", {});
  await at.main("a.innerHTML = '<li>other</li>'.repeat(50); 0");
  assert.equal((await at.call("walk", { known: key })).patch, undefined);
});

test("too many changes end it", async () => {
  const at = await open(page("<p id=a>x</p>"));
  const { key } = await at.call("walk", {});
  // The first change of an attribute counts, not how often it changes.
  await at.main("for (let i = 0; i < 3000; i++) a.setAttribute('data-x', i); 0");
  const few = await at.call("walk", { known: key });
  assert.ok(few.patch || few.same, JSON.stringify(few));
  await at.main("for (let i = 0; i < 3000; i++) a.setAttribute('data-x' + i, i); 0");
  assert.equal((await at.call("walk", { known: few.key ?? key })).patch, undefined);
});

const SHEET = page(
  "<p id=a>gone</p><script>s = new CSSStyleSheet(); many = 'b{color:red}'.repeat(500); s.replaceSync(many + '#a{opacity:1}'); document.adoptedStyleSheets = [s]</script>",
);

test("rules that are replaced by as many are noticed at once", async () => {
  const at = await open(SHEET);
  const { key } = await at.call("walk", UNHURRIED);
  await at.main("s.replaceSync(many + '#a{opacity:0}'); 0");
  const answer = await at.call("walk", { known: key, ...UNHURRIED });
  assert.ok(answer.nodes && !readable(answer).nodes.name.includes("gone"));
});

test("a rule of a large sheet that changes in its place is noticed by one of the next looks", async () => {
  const at = await open(SHEET);
  const first = await at.call("walk", UNHURRIED);
  await at.main("s.cssRules[500].style.opacity = '0'; 0");
  let now = first;
  for (let look = 0; look < 3 && now === first; look++) {
    const answer = await at.call("walk", { known: first.key, ...UNHURRIED });
    if (!answer.same) now = answer;
  }
  assert.ok(readable(first).nodes.name.includes("gone"));
  assert.ok(now.nodes && !readable(now).nodes.name.includes("gone"));
});
