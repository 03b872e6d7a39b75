// Secrets do not leave the page: fields that are drawn as dots, one-time codes, password fields
// that the page replaces, and every other place that repeats their values.
import assert from "node:assert/strict";
import { test } from "node:test";
import { check, idOf, look } from "./check.mjs";
import { decode } from "./decode.mjs";

check(
  "a field that is drawn as dots is secret, also when it is shown later",
  `<style>.d{-webkit-text-security:disc}</style><input class=d aria-label=a value=swordfish1>
   <textarea style="-webkit-text-security:circle" aria-label=b>swordfish2</textarea>
   <div contenteditable class=d aria-label=c role=textbox>swordfish3</div><input aria-label=d value=plain>`,
  async ({ lines, page }) => {
    for (const name of ["a", "b", "c"])
      assert.ok(lines.includes(`[] textbox: ${name} = "•••" — secret`), lines.join("\n"));
    assert.ok(lines.includes('[] textbox: d = "plain"'));
    await page.main("document.querySelector('style').remove()");
    const again = JSON.stringify(await page.call("walk", { plain: true }));
    assert.ok(!again.includes("swordfish"), again);
  },
);

const SECRET = [
  '<input name=otp value="482913">',
  '<input id="verificationCode" value="482913">',
  '<input name="user[otp_attempt]" value="482913" aria-label=x id=user_otp_code>',
  '<input placeholder="One-time password" value="482913">',
  '<label>6-digit code <input value="482913"></label>',
  '<label for=z>Enter the verification code we sent you</label><input id=z value="482913">',
  '<p id=l>Authentication code</p><input aria-labelledby=l value="482913">',
  '<input inputmode=numeric maxlength=6 value="482913">',
  '<label>Code <input inputmode=numeric maxlength=6 value="482913"></label>',
  '<input name=token pattern="[0-9]*" maxlength=6 value="482913">',
];
const PLAIN = [
  '<label>ZIP code <input inputmode=numeric maxlength=5 value="48291"></label>',
  '<input name=postcode inputmode=numeric maxlength=6 value="482913">',
  '<label>Promo code <input value="482913"></label>',
  '<input name=pincode inputmode=numeric maxlength=6 value="482913">',
  '<label>Year <input inputmode=numeric maxlength=4 value="2031"></label>',
  '<input name=quantity inputmode=numeric maxlength=3 value="482">',
  '<input name=code value="482913">',
  '<label>Language code <input maxlength=5 inputmode=numeric value="48291"></label>',
  '<input name=opinion value="482913"><input name=adopt value="x">',
];
test("one-time codes are secret without autocomplete", async () => {
  for (const html of SECRET) {
    const { wire } = await look(html);
    assert.ok(!JSON.stringify(wire).includes("482913"), html);
  }
});
test("other codes are not secret", async () => {
  for (const html of PLAIN) {
    const { list } = await look(html);
    assert.ok(!list.some((node) => node.value === "•••"), html);
  }
});
test("the digits of a code, each in a box", async () => {
  const boxes = (n) =>
    Array.from(
      { length: n },
      (_, i) => `<input maxlength=1 aria-label="${i}" value=${(i % 9) + 1}>`,
    );
  const code = await look(`${boxes(6).join("")}<p title="is 123456 it">Your code 123456</p>`);
  assert.equal(code.list.filter((node) => node.value === "•••").length, 6);
  assert.ok(!JSON.stringify(code.wire).includes("123456"));
  const puzzle = await look(boxes(81).join(""));
  assert.equal(puzzle.list.filter((node) => node.value === "•••").length, 0);
  const two = await look(boxes(2).join(""));
  assert.equal(two.list.filter((node) => node.value === "•••").length, 0);
});

const SHOW = {
  "same label": [
    "<p id=p><label>Password <input type=password value=swordfish9></label></p><input aria-label=Name>",
    "p.innerHTML = '<label>Password <input type=text></label>'; document.querySelector('p input').value = 'swordfish9x'",
  ],
  "same place": [
    "<div><span id=p><input type=password value=swordfish9></span><button>Show</button></div><input aria-label=Name>",
    "p.innerHTML = '<input>'; document.querySelector('#p input').value = 'swordfish9x'",
  ],
  "same value": [
    "<p id=p><input type=password value=swordfish9></p><section><input aria-label=Name></section>",
    "p.remove(); document.querySelector('section').append(Object.assign(document.createElement('input'), { value: 'swordfish9' }))",
  ],
  "same aria-label": [
    "<p id=p><input type=password aria-label=PW value=swordfish9></p>",
    "p.innerHTML = '<input aria-label=PW>'; p.append(document.createElement('input')); document.querySelector('input').value = 'swordfish9x'",
  ],
};
for (const [how, [html, show]] of Object.entries(SHOW))
  test(`a password field that is replaced when it is shown: ${how}`, async () => {
    const { page, wire } = await look(html);
    assert.ok(!JSON.stringify(wire).includes("swordfish"));
    await page.main(show);
    const again = await page.call("walk", { known: wire.key });
    assert.ok(!JSON.stringify(again).includes("swordfish"), JSON.stringify(again));
    const whole = await page.call("walk", { full: true });
    assert.ok(!JSON.stringify(whole).includes("swordfish"), JSON.stringify(whole));
    await page.main(
      "[...document.querySelectorAll('input')].find((el) => el.getAttribute('aria-label') === 'Name')?.setAttribute('value', 'Ada')",
    );
    if (html.includes("Name"))
      assert.ok(
        decode(await page.call("walk", { plain: true })).some((node) => node.value === "Ada"),
        "the other field is not secret",
      );
  });

test("no attribute, name or text repeats a secret value", async () => {
  const { page } = await look(
    `<title>swordfish9 - t</title><form data-testid="f-swordfish9"><input type=password id=p value="swordfish9">
     <input title="was swordfish9" aria-label=n><input placeholder="not swordfish9!"><img alt="swordfish9" width=9 height=9 src="data:,">
     <button data-cy=swordfish9 aria-label="Show swordfish9">Show</button><p id=swordfish9>You typed swordfish9.</p>
     <select><option>swordfish9</option></select></form><a href="/?x=1">next</a>`,
  );
  for (const options of [{}, { full: true }, { plain: true }]) {
    const wire = await page.call("walk", options);
    delete wire.url;
    assert.ok(!JSON.stringify(wire).includes("swordfish"), JSON.stringify(wire));
  }
  for (const selector of ["form", "button", "p", "[title]", "img", "select"]) {
    const described = await page.call("describe", await idOf(page, selector));
    assert.ok(!JSON.stringify(described).includes("swordfish"), JSON.stringify(described));
  }
  for (const call of ["pageInfo", "token", "activityNow"])
    assert.ok(!JSON.stringify(await page.call(call)).includes("swordfish"), call);
});
test("a secret value is found however the page writes it", async () => {
  const letters = (tag, more = "") =>
    [..."Tr0ub4dor-é9"].map((letter) => `<${tag} ${more}>${letter}</${tag}>`).join("");
  const wide = "Ｔｒ０ｕｂ４ｄｏｒ－ｅ\u0301９";
  for (const [how, shown] of Object.entries({
    "parts between wbr": "<p>Tr0ub<wbr>4dor<wbr>-é9</p><button>Tr0ub4<wbr>dor-é9</button>",
    "a letter per element": `<p>${letters("b")}</p><div>${letters("div")}</div>`,
    "a letter per button": letters("button"),
    "a letter per attribute": [..."Tr0ub4dor-é9"].map((one) => `<i title="${one}">x</i>`).join(""),
    "lines of a list": "<ul><li>Tr0ub<li>4dor<li>-é9</ul>",
    "zero-width characters": "<p>Tr0u\u200bb4d\u00ador-\u2060e\u0301\ufeff9</p>",
    "full width": `<p>${wide}</p><button>${wide}</button>`,
  })) {
    const { page, wire } = await look(
      `<input type=password value="Tr0ub4dor-é9"><div id=o>${shown}</div><p>Troubadour stays</p>`,
    );
    const found = (answer) => {
      const texts = answer.strings.slice(1).filter((text) => !/^(b|i|p|x|div|li|ul)$/.test(text));
      const all = `${answer.nodes.name.map((at) => answer.strings[at]).join("")} ${texts.join("")}`;
      assert.ok(
        !/[Ttｔ][\s\u200b]*[rｒ][\s\u200b]*[0０]/u.test(all.normalize("NFKC")),
        `${how}: ${all}`,
      );
      assert.ok(!/4\W*d\W*o\W*r/u.test(all.normalize("NFKC")), `${how}: ${all}`);
      assert.ok(all.includes("•••") && all.includes("Troubadour stays"), `${how}: ${all}`);
    };
    for (const options of [{}, { full: true }, { plain: true }])
      found(await page.call("walk", options));
    // It appears later, in a part of the page, and goes away again.
    await page.main("o.innerHTML = ''");
    const without = await page.call("walk", { known: wire.key });
    await page.main(`o.innerHTML = ${JSON.stringify(shown)}`);
    const again = await page.call("walk", { known: without.key });
    const key = again.key ?? without.key;
    found(again.nodes?.name && again.v ? again : await page.call("walk", {}));
    if (how !== "zero-width characters" && how !== "full width")
      assert.equal(again.v, 1, `${how}: a whole answer, not a patch`);
    await page.main("document.querySelector('#o').textContent = 'plain'");
    const last = await page.call("walk", { known: key });
    assert.ok(JSON.stringify(last).includes("plain"));
  }
});
test("a short or common password does not blank the page", async () => {
  const { list } = await look(
    `<input type=password value=test><input type=password value=12><input type=password value="1234">
     <p>A test of 12 or 1234 things</p><h1>testing</h1><button>Run test</button>`,
  );
  const texts = list.map((node) => node.name ?? node.text).join("|");
  for (const text of ["A test of 12 or 1234 things", "testing", "Run test"])
    assert.ok(texts.includes(text), texts);
});
test("what is typed is hidden in a later answer, also where the page repeats it", async () => {
  const { page, wire } = await look(
    "<label>PW <input type=password id=p></label><p id=o></p><input aria-label=Name id=n>",
  );
  await page.main("p.value = 'swordfish9'; o.textContent = 'typed swordfish9'");
  const again = await page.call("walk", { known: wire.key });
  assert.ok(!JSON.stringify(again).includes("swordfish"), JSON.stringify(again));
  const value = await page.call("fieldValue", await idOf(page, "#n"));
  assert.equal(value.value, "");
});

const FIELD = "<form id=f class=login><input type=password id=p value='Tr0ub4dor&3'></form>";
for (const selector of [
  "input[value^='Tr0']",
  "input[ value ^= 'Tr0' ]",
  "[VALUE]",
  "[v\\61lue^=Tr0]",
  "[v\\000061 lue^=Tr0]",
  "[\\76 alue]",
  "[*|value]",
  "[|value='x']",
  "[/**/value]",
  "#f:has([value^='Tr0'])",
  "form:not(:has(> [value^='Tr1']))",
  ":is(:where([value*='4d']))",
  "input:nth-child(1 of [value^='T'])",
  "[title=']'] [value]",
  // Errors end where the browser says, and a forgiving list goes on after them.
  ":is(url(/*),input[value^='Tr'])",
  ':where("\n,input[value^=Tr])',
  "[title='[value]']",
  "[data-copy^='Tr0']",
  "[aria-valuetext]",
])
  test(`a selector that asks for a secret is refused: ${selector}`, async () => {
    const { page } = await look(`${FIELD}<p data-copy='Tr0ub4dor&amp;3'>Copy</p>`);
    for (const answer of [
      await page.call("walk", { scope: selector }),
      await page.call("find", selector),
    ]) {
      assert.equal(answer.error, "selector", JSON.stringify(answer));
      assert.match(
        answer.message,
        // Firefox refuses an unclosed string itself.
        /^(the selector tests the attribute \S+, which may hold a secret|not a CSS selector)/,
      );
    }
    const counts = await page.call("matchCounts", await idOf(page, "#p"), [selector, "#p"]);
    assert.deepEqual(counts, [
      [-1, false],
      [1, true],
    ]);
  });
test("other selectors are used, and without a secret field those for values, too", async () => {
  const { page } = await look(`${FIELD}<p data-copy=x title='[value]'>Copy</p>`);
  for (const selector of [
    "#p",
    ".login",
    "[data-copy]",
    "[type=password]",
    "p:not([hidden])",
    "#f /* value */ input",
  ])
    assert.ok((await page.call("find", selector)).id > 0, selector);
  const plain = await look("<input id=a value=Tr0>");
  assert.ok((await plain.page.call("find", "[value^='Tr0']")).id > 0);
  const inRoot = await look(
    "<input id=a value=x><x-f></x-f><script>document.querySelector('x-f').attachShadow({mode:'open'}).innerHTML='<input type=password>'</script>",
  );
  assert.equal((await inRoot.page.call("find", "[value^='x']")).error, "selector");
});
test("whether a guess is right is not to be seen in the refusal", async () => {
  const { page } = await look(FIELD);
  const right = await page.call("find", "[Tr0ub4dor&3");
  assert.equal(right.message, "not a CSS selector: [Tr0ub4dor&3");
});
test("a text is waited for as it is shown: with its secrets hidden", async () => {
  const { page } = await look(`${FIELD}<p>Your password: Tr0ub4dor&amp;3.</p>`);
  const met = async (what) => (await page.call("waitForText", what, 100)).met;
  assert.equal(await met({ text: "Your password" }), true);
  assert.equal(await met({ text: "Tr0" }), false);
  assert.equal(await met({ text: "Tr0ub4dor&3" }), false);
  assert.equal(await met({ gone: "Tr0" }), true);
  assert.equal(await met({ text: "Your password: •••." }), true);
});
