// The page script as it is committed; what every engine's driver runs.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const script = () => readFileSync(join(here, "../../crates/pagesight-browser/src/page.js"), "utf8");

/** Returns the script for an engine with these traits. */
export const bundle = (traits = { idHandover: null, selectListTakesClicks: false }) =>
  `${script()}(${JSON.stringify(traits)});`;
