// The page script as it is committed, and its start; what every engine's driver runs.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const script = (name) =>
  readFileSync(join(here, "../../crates/pagesight-browser/src", name), "utf8");
/** The word that the hooks of the tests answer to. */
const WORD = "w9f2c61d07ab84e35";
const TRAITS = { handoverWord: null, scheduleWord: WORD, selectListTakesClicks: false };

/** Returns the script for an engine with these traits. */
export const bundle = (traits = TRAITS) => `${script("page.js")}(${JSON.stringify(traits)});`;
/** Returns the hooks, which run in the page's own world. */
export const hooksBundle = (reportsListeners = true) =>
  `${script("page_hooks.js")}(${JSON.stringify({ scheduleWord: WORD, reportsListeners })});`;
/** Returns the part of it that runs when a document begins. */
export const startBundle = () => `${script("page_start.js")}(${JSON.stringify(TRAITS)});`;
