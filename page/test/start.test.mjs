// The start script knows what happened before the whole script was installed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startBundle } from "./bundle.mjs";
import { idOf, open } from "./check.mjs";

/** Opens a page in which only the start script runs at first. */
async function begun(html, then) {
  const page = await open("<p>before</p>");
  const forget = await page.announce(startBundle());
  try {
    await open(html);
    await then(page);
  } finally {
    await forget();
  }
}

test("a password that was shown before is still a secret", () =>
  begun(
    "<!doctype html><p>Sign in</p><input type=password aria-label=Password value=swordfish1>" +
      "<script>document.querySelector('input').type = 'text'</script>",
    async (page) => {
      const wire = JSON.stringify(await page.call("walk"));
      assert.ok(wire.includes("•••") && !wire.includes("swordfish"), wire);
    },
  ));

test("a password field that was replaced before is still a secret", () =>
  begun(
    "<!doctype html><p>Sign in</p><input type=password id=p value=swordfish1><script>" +
      "const old = document.querySelector('input'); old.type = 'text';" +
      "setTimeout(() => { const next = document.createElement('input');" +
      "next.id = 'p'; next.value = 'swordfish1'; old.replaceWith(next) })</script>",
    async (page) => {
      await page.main("new Promise((done) => setTimeout(done, 50))");
      const wire = JSON.stringify(await page.call("walk"));
      assert.ok(wire.includes("•••") && !wire.includes("swordfish"), wire);
    },
  ));

test("a click is heard although the page stops it", () =>
  begun(
    "<!doctype html><button>Save</button><script>for (const type of ['pointerdown', 'mousedown'," +
      "'click']) addEventListener(type, (event) => event.stopImmediatePropagation(), true)</script>",
    async (page) => {
      const found = await page.call("prepare", await idOf(page, "button"), "click", null);
      assert.equal(found.ok, true, JSON.stringify(found));
      await page.mouse(found);
      const landed = await page.call("inputResult");
      assert.equal(landed.pressed && landed.clicked, true, JSON.stringify(landed));
    },
  ));
