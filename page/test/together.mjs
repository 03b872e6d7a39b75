// Every test file in one process, so that all of them share one browser: for an engine that starts
// slowly.
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** Files whose many cases wait for timers: only `./test long` runs them. */
const LONG = /^hooks/;
const isLong = process.env.PAGESIGHT_TEST_LONG === "1";

const files = readdirSync(dirname(fileURLToPath(import.meta.url))).filter(
  (name) => name.endsWith(".test.mjs") && LONG.test(name) === isLong,
);
for (const file of files.sort()) await import(`./${file}`);
