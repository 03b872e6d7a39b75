// Type-checks src/ and bundles it into the one file that the Rust side embeds. `--check` writes
// nothing; it fails if the committed bundle is stale, if a file is not formatted, or if a folder of
// src/ imports from a later one (see biome.json).
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleText } from "./bundleText.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const bundle = join(here, "../crates/pagesight-browser/src/page.js");

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
const text = await bundleText({ minify: true });
if (checking) {
  let committed = "";
  try {
    committed = readFileSync(bundle, "utf8");
  } catch {
    // a missing bundle is a stale one
  }
  if (committed !== text) {
    console.error(
      "crates/pagesight-browser/src/page.js is stale: " +
        "run cargo xtask page (or node page/build.mjs)",
    );
    process.exit(1);
  }
} else {
  writeFileSync(bundle, text);
  console.log(`page.js: ${(text.length / 1024).toFixed(1)} kB`);
}
