// A document without scripts proves that it is at rest as soon as it is drawn. Whatever can change
// a page later prevents the proof, even if nothing of it is left in the document.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./check.mjs";

/** Checks whether each page proves that it is at rest within this many waits of 250 ms. */
async function checkProofs(pages, waits, expected) {
  const page = await open("<p>before</p>");
  const forget = await page.announce();
  try {
    for (const html of pages) {
      await open(html);
      let proven = false;
      for (let n = 0; n < waits && !proven; n++)
        proven = (await page.call("nextChange", 250)).atRest === true;
      assert.equal(proven, expected, html);
    }
  } finally {
    await forget();
  }
}

test("a document without scripts is at rest", async () => {
  const pages = [
    "<!doctype html><title>Form</title><h1>Form</h1><form><input name=a><button>Send</button></form>",
    "<p>No doctype, no end",
    "<!doctype html><p>Data</p><template><script>alert()</script></template><noscript><img src=x></noscript>",
    "<!doctype html><a href='javascript:alert()'>Only when clicked</a>",
    "<!doctype html><style>@keyframes a { to { opacity: .5 } } p { animation: a 1s infinite }</style><p>Pulses</p>",
    "<!doctype html><p>A</p><iframe srcdoc='<style>p { color: red }</style><p>B</p><a href=javascript:1>C</a>'></iframe>",
    "<!doctype html><div><template shadowrootmode=open><p>A</p><span><template shadowrootmode=open>B</template></span></template></div>",
  ];
  await checkProofs(pages, 20, true);
});

test("what may change later prevents the proof", async () => {
  const pages = [
    "<!doctype html><p>A</p><script></script>",
    "<!doctype html><p>A</p><script>document.currentScript.remove()</script>",
    "<!doctype html><p>A</p><script type=module>1</script>",
    "<!doctype html><body onload='1'><p>A</p>",
    "<!doctype html><p>A</p><img src=x onerror='this.remove()'>",
    "<!doctype html><p>A</p><svg><script>1</script></svg>",
    "<!doctype html><p>A</p><svg><text>B<set attributeName=opacity to=0 begin=1s /></text></svg>",
    "<!doctype html><p>A</p><iframe></iframe>",
    "<!doctype html><p>A</p><iframe src=data:text/html,B></iframe>",
    "<!doctype html><p>A</p><iframe srcdoc='<script>document.currentScript.remove()</script>'></iframe>",
    "<!doctype html><p>A</p><iframe srcdoc='<noscript><!--</noscript><script>document.currentScript.remove()</script>-->'></iframe>",
    "<!doctype html><p>A</p><iframe srcdoc='<p onclick=1>B'></iframe>",
    "<!doctype html><p>A</p><iframe srcdoc='<meta http-equiv=refresh content=60>'></iframe>",
    "<!doctype html><p>A</p><iframe srcdoc='<div><template shadowrootmode=closed><script>1</script></template></div>'></iframe>",
    "<!doctype html><p>A</p><iframe srcdoc='<img loading=lazy src=x>'></iframe>",
    "<!doctype html><p>A</p><iframe loading=lazy srcdoc='<p>B'></iframe>",
    "<!doctype html><p>A</p><iframe sandbox srcdoc='<p>B'></iframe>",
    "<!doctype html><p>A</p><iframe srcdoc='<iframe src=x></iframe>'></iframe>",
    "<!doctype html><p>A</p><iframe srcdoc='<style>@keyframes a { from { opacity: 0 } } p { animation: a 3s }</style><p>B'></iframe>",
    `<!doctype html><p>A</p><iframe srcdoc='${"long ".repeat(11000)}'></iframe>`,
    "<!doctype html><meta http-equiv=refresh content=60><p>A</p>",
    "<!doctype html><div><template shadowrootmode=open><script>1</script></template></div>",
    "<!doctype html><div><template shadowrootmode=open><p>A<script>document.querySelector('div').shadowRoot.querySelector('script').remove()</script></template></div>",
    "<!doctype html><div><template shadowrootmode=open><span><template shadowrootmode=open><img src=x onerror='this.remove()'></template></span></template></div>",
    "<!doctype html><div><template shadowrootmode=open><iframe></iframe></template></div>",
    "<!doctype html><style>@keyframes a { from { opacity: 0 } } p { animation: a 3s }</style><p>A</p>",
    "<!doctype html><div><template shadowrootmode=open><style>@keyframes a { from { opacity: 0 } } p { animation: a 3s }</style><p>A</p></template></div>",
    "<!doctype html><p>Loading…</p>",
    "<!doctype html><b><p onclick='1'></b>Moved by the parser",
  ];
  await checkProofs(pages, 1, false);
});

test("a document that was there before is not proven", async () => {
  const page = await open("<!doctype html><p>A</p>");
  assert.equal((await page.call("nextChange", 300)).atRest, undefined);
});

test("a call for the document before does not take the proof", async () => {
  for (const late of [true, false]) {
    const page = await open("<p>before</p>");
    const forget = await page.announce();
    try {
      await open("<!doctype html><p>A</p>");
      const calls = late ? [8, 7] : [7, 8];
      const asked = calls.map((addressee) => page.call("nextChange", 2000, false, addressee));
      const answers = await Promise.all(asked);
      assert.equal(answers[calls.indexOf(8)].atRest, true, `late: ${late}`);
      assert.deepEqual(await page.call("nextChange", 2000, false, 7), {
        changes: [],
        stalled: null,
      });
    } finally {
      await forget();
    }
  }
});

test("a proof that an earlier call took is repeated once", async () => {
  const page = await open("<p>before</p>");
  const forget = await page.announce();
  try {
    await open("<!doctype html><p>A</p>");
    assert.equal((await page.call("nextChange", 2000, false, 7)).atRest, true);
    assert.equal((await page.call("nextChange", 2000, false, 8)).atRest, true);
    assert.equal((await page.call("nextChange", 300, false, 8)).atRest, undefined);
    assert.equal((await page.call("nextChange", 300, false, 10)).atRest, undefined);
  } finally {
    await forget();
  }
});
