// Parts that the browser skips are drawn for a picture; nothing is written into the page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { look } from "./check.mjs";

const STYLE =
  "section{content-visibility:auto;contain-intrinsic-size:100px}div{height:900px}#h{content-visibility:hidden}";

test("skipped parts are shown for a while, also nested and in shadow roots", async () => {
  const { page } = await look(
    `<style>${STYLE}</style>${"<section><section><div></div></section></section>".repeat(9)}<p id=h><b>x</b></p><x-f></x-f>
     <script>document.querySelector('x-f').attachShadow({mode:'open'}).innerHTML='<style>${STYLE}</style><section id=s><div></div></section>'</script>`,
  );
  // Whether the content of the last outer section and of the one in the shadow root is drawn.
  const state = () =>
    page.main(
      "[document.documentElement.outerHTML.length, ...[document.querySelectorAll('section')[16], document.querySelector('x-f').shadowRoot.querySelector('section')].map((el) => el.firstElementChild.checkVisibility({contentVisibilityAuto: true})), getComputedStyle(h).contentVisibility].join()",
    );
  const heights = () =>
    page.main(
      "[document.querySelectorAll('section')[16].offsetHeight, document.querySelector('x-f').shadowRoot.querySelector('section').offsetHeight].join()",
    );
  const length = await page.main("document.documentElement.outerHTML.length");
  // Firefox skips the parts at once, draws all of them in its next frame, and then skips them again.
  const rest = async (wanted) => {
    let calm = 0;
    for (let frame = 0; frame < 100 && calm < 5; frame++) {
      await page.call("nextAnimationFrame");
      calm = (await state()) === wanted ? calm + 1 : 0;
    }
    assert.equal(await state(), wanted);
  };
  // Sizes that were drawn once are remembered, so the state counts, not the height.
  await page.main("scrollTo(0, 0)");
  assert.equal((await page.call("showSkipped", 20_000)).count, 19);
  assert.equal(await heights(), "900,900");
  assert.equal(await state(), `${length},true,true,hidden`);
  await page.call("hideSkipped");
  await rest(`${length},false,false,hidden`);
  assert.equal((await page.call("showSkipped", 100)).count, 19);
  await page.main("new Promise((done) => setTimeout(done, 150))");
  assert.equal(await page.main("document.getAnimations().length"), 0, "they end by themselves");
});
test("without such parts nothing is done", async () => {
  const { page } = await look("<p>x</p>");
  assert.equal((await page.call("showSkipped", 1000)).count, 0);
  assert.equal(await page.main("document.getAnimations().length"), 0);
});
