// The page script as it is committed; what every engine's driver runs.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
export const bundle = () =>
  readFileSync(join(here, "../../crates/pagesight-browser/src/page.js"), "utf8");
