// Every test file in one process, so that all of them share one browser: for an engine that starts
// slowly.
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const files = readdirSync(dirname(fileURLToPath(import.meta.url))).filter((name) =>
  name.endsWith(".test.mjs"),
);
for (const file of files.sort()) await import(`./${file}`);
