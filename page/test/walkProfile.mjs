// Where the time of a first capture goes: functions of the page script by their own time, on a
// generated page or on a saved one. By hand:
// node page/test/walkProfile.mjs [ROUNDS] [FILE]
import { readFileSync } from "node:fs";
import { bundleText } from "../bundleText.mjs";
import { launch, serve } from "./browser.mjs";

const rounds = Number(process.argv[2] ?? 12);
const SHOWN = 45;

/** A page of about 5,000 elements, a fifth of them hidden. */
function generated() {
  let html =
    "<!doctype html><html lang=en><title>Generated</title><style>.hidden{display:none}section{padding:4px}</style><main><h1>Generated</h1>";
  for (let section = 1; section <= 116; section++) {
    html += `<section><h2>Section ${section}</h2><p>Some <b>words</b> about it, with a <a href=#s${section}>link ${section}</a> inside.</p><table><tbody>`;
    for (let row = 0; row < 4; row++)
      html += `<tr><td>Item ${section}.${row}</td><td><span class=price>${section}.99</span></td><td><button type=button>Add</button></td></tr>`;
    html += `</tbody></table><form><label>Name ${section} <input name=n${section}></label><label><input type=checkbox> Agree ${section}</label></form><div class=hidden><div><p>Not <i>now</i></p><button>Later</button><a href=#h>Hidden</a><span>x</span></div></div></section>`;
  }
  return html;
}

const traits = JSON.stringify({ handoverWord: null, selectListTakesClicks: false });
const script = `${await bundleText()}(${traits});`;
const html = process.argv[3] ? readFileSync(process.argv[3], "utf8") : generated();
const site = await serve(() => html);
const browser = await launch();
const page = await browser.page();
const { frameTree } = await page.send("Page.getFrameTree");
const BARE = `(() => { const begun = performance.now(); const out = []; const walk = (el) => { const style = getComputedStyle(el); if (style.display === 'none' || style.visibility === 'hidden') return; const box = el.getBoundingClientRect(); out.push(el.localName, box.x | 0, box.y | 0, box.width | 0, box.height | 0); for (let child = el.firstChild; child; child = child.nextSibling) if (child.nodeType === 1) walk(child); else if (child.nodeType === 3) { const text = child.data.trim(); if (text) out.push(text); } }; walk(document.body); JSON.stringify(out); return performance.now() - begun; })()`;
const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

const own = new Map();
const [times, bare] = [[], []];
try {
  await page.send("Profiler.enable");
  await page.send("Profiler.setSamplingInterval", { interval: 100 });
  for (let round = 0; round < rounds + 3; round++) {
    await page.goto(`${site.url}/page`);
    await new Promise((done) => setTimeout(done, 500));
    const walked = await page.main(BARE);
    const { executionContextId: contextId } = await page.send("Page.createIsolatedWorld", {
      frameId: frameTree.frame.id,
      worldName: "world",
    });
    await page.send("Runtime.evaluate", { expression: script, contextId });
    const profiled = round >= 3 && round % 2 === 0;
    if (profiled) await page.send("Profiler.start");
    const { result } = await page.send("Runtime.evaluate", {
      expression: `(async () => { const from = performance.now(); const text = await pagesight.walk(${process.env.WALK ?? "{}"}); return [performance.now() - from, text.length] })()`,
      contextId,
      awaitPromise: true,
      returnByValue: true,
    });
    // The first documents warm the engine up; a profile slows the walk down.
    if (!profiled) {
      if (round >= 3) times.push(result.value[0]);
      if (round >= 3) bare.push(walked);
      continue;
    }
    const { profile } = await page.send("Profiler.stop");
    const names = new Map(profile.nodes.map((node) => [node.id, node.callFrame.functionName]));
    profile.samples.forEach((id, at) => {
      const name = names.get(id) || "(anonymous)";
      own.set(name, (own.get(name) ?? 0) + profile.timeDeltas[at] / 1000);
    });
  }
  console.log(`walk ${median(times).toFixed(1)} ms, bare ${median(bare).toFixed(1)} ms (medians)`);
  const profiles = Math.ceil(rounds / 2);
  for (const [name, time] of [...own].sort((a, b) => b[1] - a[1]).slice(0, SHOWN))
    console.log(`${(time / profiles).toFixed(2).padStart(8)} ms  ${name}`);
} finally {
  await browser.close();
  site.close();
}
