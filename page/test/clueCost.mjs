// The cost of clues in the page: first captures of pages of 5,000 elements, by the page script and
// by a build of it that collects no clues. Both capture each document, in worlds of their own, in
// turns first and second; only captures at the same turn are compared. By hand:
// node page/test/clueCost.mjs [ROUNDS]
import { bundleText } from "../bundleText.mjs";
import { launch, serve } from "./browser.mjs";

const rounds = Number(process.argv[2] ?? 40);
const traits = JSON.stringify({ handoverWord: null, selectListTakesClicks: false });

/** Replaces the module that collects clues by one that collects none. */
const withoutClues = {
  name: "without clues",
  setup(build) {
    build.onLoad({ filter: /nameClues\.ts$/ }, () => ({
      contents:
        "export const isUsableName = () => true; export const cluesOf = () => null; export class ClueBudget {}",
      loader: "ts",
    }));
  },
};

const built = async (plugins) => `${await bundleText({ minify: true, plugins })}(${traits});`;

/** A page of about 5,000 elements: rows with a button, which has a name or only an icon. */
function pageOf(button) {
  let html =
    "<!doctype html><html lang=en><title>Generated</title><style>section{padding:4px}</style><main><h1>Generated</h1>";
  for (let section = 1; section <= 115; section++) {
    html += `<section><h2>Section ${section}</h2><p>Some <b>words</b>, with a <a href=#s${section}>link ${section}</a> inside.</p><table><tbody>`;
    for (let row = 0; row < 4; row++)
      html += `<tr><td>Item ${section}.${row}</td><td><span class=price>${section}.99</span></td><td>${button}</td></tr>`;
    html += `</tbody></table><form><label>Name ${section} <input name=n${section}></label><label><input type=checkbox> Agree ${section}</label></form></section>`;
  }
  return html;
}

const PATH =
  "M3 6h18M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6m3 0V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2";
const svg = `<svg width=16 height=16 viewBox="0 0 24 24"><path d="${PATH}"/></svg>`;
const PAGES = {
  "everything named": pageOf("<button type=button><b>Add</b> <i>it</i></button>"),
  "460 drawings": pageOf(`<button type=button>${svg}</button>`),
  "460 classes of an icon font": pageOf("<button type=button><i class='fa fa-trash'></i></button>"),
};

const BARE = `(() => { const all = document.querySelectorAll("*"); for (const el of all) { getComputedStyle(el).display; el.getBoundingClientRect(); } return all.length; })()`;
const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

const scripts = [await built([]), await built([withoutClues])];
const site = await serve((path) => PAGES[path.slice(1)]);
const browser = await launch();
const page = await browser.page();
const { frameTree } = await page.send("Page.getFrameTree");
try {
  for (const name of Object.keys(PAGES)) {
    const times = [0, 1].map(() => [[], []]);
    let [elements, sizes] = [0, [0, 0]];
    for (let round = 0; round < rounds + 3; round++) {
      await page.goto(`${site.url}/${encodeURIComponent(name)}`);
      elements = await page.main(BARE);
      for (let turn = 0; turn < 2; turn++) {
        const which = (round + turn) % 2;
        const { executionContextId: contextId } = await page.send("Page.createIsolatedWorld", {
          frameId: frameTree.frame.id,
          worldName: `world ${which}`,
        });
        await page.send("Runtime.evaluate", { expression: scripts[which], contextId });
        const expression =
          "(async () => { const from = performance.now(); const text = await pagesight.walk({}); return [performance.now() - from, text.length] })()";
        const { result } = await page.send("Runtime.evaluate", {
          expression,
          contextId,
          awaitPromise: true,
          returnByValue: true,
        });
        sizes[which] = result.value[1];
        // The first documents warm the engine up.
        if (round >= 3) times[which][turn].push(result.value[0]);
      }
    }
    for (let turn = 0; turn < 2; turn++) {
      const [clues, none] = times.map((of) => median(of[turn]));
      console.log(
        `${name}, ${elements} elements, turn ${turn + 1}: ${clues.toFixed(2)} ms with clues, ${none.toFixed(2)} ms without, ${((clues / none - 1) * 100).toFixed(1)} % (medians of ${times[0][turn].length}; ${sizes[0]} and ${sizes[1]} characters)`,
      );
    }
  }
} finally {
  await browser.close();
  site.close();
}
