// How many of the expectations of a folder of WPT files are met: node test/corpus.mjs FOLDER [--misses]. Not part of the suite: the folder is not ours.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { launch, serve } from "./browser.mjs";

const folder = process.argv[2];
if (!folder || !existsSync(folder)) {
  console.log(`no corpus at ${folder ?? "(no folder given)"}: nothing to do`);
  process.exit(0);
}
const files = readdirSync(folder).filter((name) => name.endsWith(".html"));
const server = await serve((path) => (files.includes(path.slice(1)) ? readFileSync(join(folder, path.slice(1)), "utf8") : null));
const browser = await launch();
let met = 0;
let all = 0;
try {
  const page = await browser.page();
  for (const file of files) {
    await page.goto(`${server.url}/${file}`);
    const expected = await page.main(`[...document.querySelectorAll("[data-expectedlabel],[data-expectedrole]")].map((el, i) => {
      el.setAttribute("data-n", i); return { label: el.getAttribute("data-expectedlabel"), role: el.getAttribute("data-expectedrole"), test: el.getAttribute("data-testname") }; })`);
    const misses = [];
    let here = 0;
    for (const [i, want] of expected.entries()) {
      const { id } = await page.call("find", `[data-n="${i}"]`);
      const got = await page.call("describe", id);
      const squeeze = (text) => text.replace(/[ \t\n\r\f]+/g, " ").replace(/^ | $/g, "");
      const ok = (want.label === null || squeeze(want.label) === got.name) && (want.role === null || want.role === got.role);
      here += ok ? 1 : 0;
      if (!ok) misses.push(`  ${want.test}\n    want ${JSON.stringify(want.role)} ${JSON.stringify(want.label)}\n    got  ${JSON.stringify(got.role)} ${JSON.stringify(got.name)}${got.error ? JSON.stringify(got) : ""}`);
    }
    met += here;
    all += expected.length;
    console.log(`${file}: ${here} of ${expected.length}`);
    if (misses.length) console.log(misses.join("\n"));
  }
  console.log(`${met} of ${all} expectations met: ${((100 * met) / all).toFixed(1)} %`);
} finally {
  await browser.close();
  server.close();
}
