// Type-checks src/ and bundles it into the files that the Rust side embeds: the whole script, what has
// to run when a document begins, the hooks that run in the page's own world, and the script of the
// world where expressions of callers run. `--check` writes nothing; it fails if a committed bundle is
// stale, if a file is not formatted, or if a folder of src/ imports from a later one (see biome.json).
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleText } from "./bundleText.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const folder = "crates/pagesight-browser/src";
const BUNDLES = {
  "page.js": "api.ts",
  "page_start.js": "start.ts",
  "page_hooks.js": "schedule/observe.ts",
  "page_reading.js": "reading/evaluate.ts",
};

const checking = process.argv.includes("--check");

/** Runs a tool from node_modules; ends with 1 if it finds something. */
function run(script, ...args) {
  try {
    execFileSync(process.execPath, [join(here, "node_modules", script), ...args], {
      cwd: here,
      stdio: "inherit",
    });
  } catch {
    process.exit(1);
  }
}

run("typescript/bin/tsc", "--noEmit", "-p", here);
if (checking) run("@biomejs/biome/bin/biome", "check", "--log-level=warn", ".");
for (const [name, entry] of Object.entries(BUNDLES)) {
  const file = join(here, "..", folder, name);
  const text = await bundleText({ minify: true }, entry);
  if (checking) {
    let committed = "";
    try {
      committed = readFileSync(file, "utf8");
    } catch {
      // a missing bundle is a stale one
    }
    if (committed !== text) {
      console.error(`${folder}/${name} is stale: run cargo xtask page (or node page/build.mjs)`);
      process.exit(1);
    }
  } else {
    writeFileSync(file, text);
    console.log(`${name}: ${(text.length / 1024).toFixed(1)} kB`);
  }
}
