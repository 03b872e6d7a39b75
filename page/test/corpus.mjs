// How many of the expectations of a folder of WPT files are met, and whether the others are those
// that corpus-notes.md explains: node test/corpus.mjs FOLDER. Not part of the suite: the folder is
// not ours.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { engine, launch, serve } from "./browser.mjs";

/** The share that has to be met. */
const LEAST = 0.97;
/** The rows of the notes' table that are for this engine, as "file: expectation". */
const notes = readFileSync(
  join(dirname(fileURLToPath(import.meta.url)), "corpus-notes.md"),
  "utf8",
);
const rows = notes
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) => line.split("|").map((cell) => cell.trim()));
const explained = new Set(
  rows
    .filter(([, for_]) => for_ === "both" || for_ === engine)
    .map(([, , file, test]) => `${file}: ${test}`),
);

const folder = process.argv[2];
if (!folder || !existsSync(folder)) {
  console.log(`no corpus at ${folder ?? "(no folder given)"}: nothing to do`);
  process.exit(0);
}
const files = readdirSync(folder).filter((name) => name.endsWith(".html"));
const server = await serve((path) =>
  files.includes(path.slice(1)) ? readFileSync(join(folder, path.slice(1)), "utf8") : null,
);
const browser = await launch();
let met = 0;
let all = 0;
const missed = new Set();
try {
  const page = await browser.page();
  for (const file of files) {
    await page.goto(`${server.url}/${file}`);
    const expected =
      await page.main(`[...document.querySelectorAll("[data-expectedlabel],[data-expectedrole]")].map((el, i) => {
      el.setAttribute("data-n", i); return { label: el.getAttribute("data-expectedlabel"), role: el.getAttribute("data-expectedrole"), test: el.getAttribute("data-testname") }; })`);
    const misses = [];
    let here = 0;
    for (const [i, want] of expected.entries()) {
      const { id } = await page.call("find", `[data-n="${i}"]`);
      const got = await page.call("describe", id);
      const squeeze = (text) => text.replace(/[ \t\n\r\f]+/g, " ").replace(/^ | $/g, "");
      const ok =
        (want.label === null || squeeze(want.label) === got.name) &&
        (want.role === null || want.role === got.role);
      here += ok ? 1 : 0;
      if (!ok) missed.add(`${file}: ${want.test}`);
      if (!ok)
        misses.push(
          `  ${want.test}\n    want ${JSON.stringify(want.role)} ${JSON.stringify(want.label)}\n    got  ${JSON.stringify(got.role)} ${JSON.stringify(got.name)}${got.error ? JSON.stringify(got) : ""}`,
        );
    }
    met += here;
    all += expected.length;
    console.log(`${file}: ${here} of ${expected.length}`);
    if (misses.length) console.log(misses.join("\n"));
  }
  const unexplained = [...missed].filter((miss) => !explained.has(miss));
  const stale = [...explained].filter((miss) => !missed.has(miss));
  for (const miss of unexplained)
    console.log(`missed and not explained in corpus-notes.md: ${miss}`);
  for (const miss of stale) console.log(`explained in corpus-notes.md and not missed: ${miss}`);
  console.log(`${engine}: ${met} of ${all} expectations met: ${((100 * met) / all).toFixed(1)} %`);
  if (unexplained.length > 0 || stale.length > 0 || met < LEAST * all) process.exitCode = 1;
} finally {
  await browser.close();
  server.close();
}
