// States of elements, and values.
import assert from "node:assert/strict";
import { test } from "node:test";
import { check, checkAll, look } from "./check.mjs";

checkAll(`
checked, mixed | <input type=checkbox checked aria-label=a><input type=checkbox aria-label=b><script>document.querySelectorAll('input')[1].indeterminate=true</script><div role=checkbox aria-checked=mixed tabindex=0>c</div> | [] checkbox: a — checked | [] checkbox: b — mixed | [] checkbox: c — mixed
the native state wins over ARIA's | <input type=checkbox aria-checked=true aria-label=a> | [] checkbox: a
disabled on its own, by fieldset, by aria, by what is above; not in the legend | <button disabled>a</button><fieldset disabled><legend><button>l</button></legend><button>b</button></fieldset><button aria-disabled=true>c</button><div aria-disabled=true><button>d</button></div><div inert><button>e</button></div> | [] button: a — disabled | [] button: b — disabled | [] button: c — disabled | [] button: d — disabled | [] button: e — inert | [] button: l
expanded and collapsed | <button aria-expanded=true>a</button><button aria-expanded=false>b</button><details><summary>c</summary>x</details><details open><summary>d</summary>y</details><button popovertarget=p>e</button><div id=p popover>z</div> | [] button: a — expanded | [] button: b — collapsed | [] button: c — collapsed | [] button: d — expanded | [] button: e — collapsed
selected, pressed | <div role=tab aria-selected=true tabindex=0>a</div><button aria-pressed=true>b</button> | [] tab: a — selected | [] button: b — pressed
required, invalid, readonly | <input required aria-label=a><input aria-invalid=true aria-label=b><input readonly value=v aria-label=c><input type=checkbox aria-invalid=false aria-label=d> | [] textbox: a = "" — required | [] textbox: b = "" — invalid | [] textbox: c = "v" — readonly | [] checkbox: d
the focused one, in a shadow root too | <x-f></x-f><script>const r=document.querySelector('x-f').attachShadow({mode:'open'});r.innerHTML='<input aria-label=i>';r.querySelector('input').focus()</script> | [] textbox: i = "" — focused
modal and busy | <dialog aria-label=D>x</dialog><div role=dialog aria-modal=true aria-label=E>y</div><main aria-busy=true>z</main><script>document.querySelector('dialog').showModal()</script> | dialog: D — focused, modal | dialog: E — modal | main — busy
values of ranges | <progress value=.5 aria-label=a></progress><div role=slider aria-valuenow=3 aria-valuetext=three tabindex=0 aria-label=b>o</div><meter value=.3 aria-label=c></meter> | progressbar: a = "50%" | [] slider: b = "three" | meter: c = "0.3"
a value that a script set | <input aria-label=a value=old><script>document.querySelector('input').value='new'</script> | [] textbox: a = "new"
`);

check(
  "secrets are replaced",
  `<input type=password value=swordfish1 aria-label=a><input autocomplete=one-time-code value=swordfish2 aria-label=b><input autocomplete="billing cc-number" value=swordfish3 aria-label=c><input type=password aria-label=d>`,
  ({ wire, lines }) => {
    assert.ok(!JSON.stringify(wire).includes("swordfish"));
    assert.ok(
      lines.includes('[] textbox: a = "•••" — secret') &&
        lines.includes('[] textbox: d = "" — secret'),
      lines.join("\n"),
    );
  },
  { full: true },
);

const called = (attribute, words) =>
  words.map((word) => `<input ${attribute}="${word}" value=41117>`).join("");
check(
  "card fields are known by what they are called",
  called("name", [
    "cardnumber",
    "card-number",
    "cardNumber",
    "payment[card_number]",
    "cc-number",
    "ccnum",
    "CCNumber",
    "ccNo",
    "creditCard",
    "creditcardnumber",
    "cvv",
    "cvc",
    "cvv2",
    "csc",
    "card_csc",
    "cardCvc",
    "securityCode",
    "security-code",
  ]) +
    called("id", ["ctl00_main_txtCCNum", "input-cvc-field"]) +
    called("aria-label", [
      "Card number",
      "Security code (CVV)",
      "CVC",
      "CVV (3 digits on the back)",
    ]) +
    called("placeholder", ["Card number *", "CVV/CVC", "Credit card number"]) +
    "<input type=hidden name=card_number value=41117>",
  ({ list, wire, lines }) => {
    const open = list.filter((n) => n.tag === "input" && !n.flags.includes("secret"));
    assert.deepEqual(
      open.map((n) => n.attrs),
      [],
      lines.join("\n"),
    );
    assert.ok(!JSON.stringify(wire).includes("41117"));
  },
  { full: true },
);
check(
  "what only sounds like a card field is none",
  called("name", [
    "card title",
    "card",
    "cardTitle",
    "csc_region",
    "region_csc",
    "cc",
    "ccEmail",
    "discard number",
    "postcard-no",
    "number",
    "code",
    "zip-code",
    "promo_code",
    "cvcs",
    "cardholder",
    "card_number_format_help",
    "card-no-show-fee",
    "social security number",
    "phone number",
  ]) +
    called("placeholder", ["Card title", "Security question", "Country code", "CSC region"]) +
    "<textarea name=cvv>41117</textarea><input type=checkbox name=cvv>",
  ({ list }) => {
    assert.deepEqual(
      list.filter((n) => n.flags.includes("secret")).map((n) => n.attrs),
      [],
    );
  },
);

test("a field that has ever been a password field stays secret, also when it is replaced", async () => {
  const { page } = await look(
    "<form><input type=password name=pw value=hunter2 aria-label=p></form>",
  );
  await page.main("document.querySelector('input').type = 'text'");
  assert.ok(!JSON.stringify(await page.call("walk", { full: true })).includes("hunter2"));
  await page.main(
    "document.forms[0].innerHTML = '<input type=text name=pw value=hunter2 aria-label=p>'",
  );
  assert.ok(!JSON.stringify(await page.call("walk", { full: true })).includes("hunter2"));
  const { id } = await page.call("find", "input");
  assert.ok(!JSON.stringify(await page.call("describe", id)).includes("hunter2"));
  assert.deepEqual(await page.call("fieldValue", id), { value: "•••", length: 7 });
});

test("a switch to text between two looks is not missed", async () => {
  const { page } = await look("<input type=text value=x aria-label=a>");
  await page.main(
    "const i = document.querySelector('input'); i.type = 'password'; i.value = 'hunter2'; i.type = 'text'",
  );
  assert.ok(!JSON.stringify(await page.call("walk", {})).includes("hunter2"));
});

check("live regions", "<div aria-live=polite>a</div><div role=alert>b</div>", ({ list }) => {
  assert.deepEqual(
    list.filter((n) => n.flags.includes("live")).map((n) => n.role),
    ["", "alert"],
  );
});
check(
  "a slider that takes keys is neither disabled nor covered, wherever the mouse goes",
  `<style>.over { position: relative; width: 200px; height: 40px } .over > * { position: absolute; inset: 0; pointer-events: none }
  .over > .layer, .takes > input { pointer-events: auto }</style>
  <div class=over><div role=slider tabindex=0 aria-label=Warm aria-valuenow=20></div><div class=layer onclick="0"></div></div>
  <div class=over><div role=slider aria-label=Cold aria-valuenow=20></div><div class=layer onclick="0"></div></div>
  <div class=over><div role=slider tabindex=0 aria-disabled=true aria-label=Off aria-valuenow=20></div><div class=layer onclick="0"></div></div>
  <div class="over takes"><input type=range aria-label=Drawn><div class=layer onclick="0"></div></div>
  <div style="position:relative;padding:60px"><input type=range aria-label=Veiled><div class=layer onclick="0" style="position:absolute;inset:0"></div></div>`,
  (seen) => {
    const isDisabled = (name) => seen.find(name).flags.includes("disabled");
    assert.deepEqual(["Warm", "Cold", "Off"].map(isDisabled), [false, true, true]);
    const { covered } = seen.wire;
    const names = covered.filter((_, at) => at % 2 === 0).map((at) => seen.list[at].name);
    const isCovered = ["Warm", "Cold", "Drawn", "Veiled"].map((name) => names.includes(name));
    assert.deepEqual(isCovered, [false, true, false, true], names.join());
  },
);
