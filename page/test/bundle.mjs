// The page script as it is committed, and its start; what every engine's driver runs.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const script = (name) =>
  readFileSync(join(here, "../../crates/pagesight-browser/src", name), "utf8");
const TRAITS = { handoverWord: null, scheduleWord: null, selectListTakesClicks: false };

/** Returns the script for an engine with these traits. */
export const bundle = (traits = TRAITS) => `${script("page.js")}(${JSON.stringify(traits)});`;
/** Returns the part of it that runs when a document begins. */
export const startBundle = () => `${script("page_start.js")}(${JSON.stringify(TRAITS)});`;
