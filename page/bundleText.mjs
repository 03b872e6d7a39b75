// Bundles src/ into one script: the committed one, and the variants that measurements need.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

/**
 * Returns the text of a script: a function that the engine calls with its traits (see
 * src/dom/engineTraits.ts). `options` are further ones of esbuild; `entry` is the file that it
 * begins with.
 */
export async function bundleText(options = {}, entry = "api.ts") {
  const made = await esbuild.build({
    entryPoints: [join(here, "src", entry)],
    // The hooks run in the page's world and keep what they need themselves.
    inject: entry.startsWith("schedule/") ? [] : [join(here, "src/dom/globals.ts")],
    absWorkingDir: here,
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    banner: { js: "// made by cargo xtask page from page/src: do not edit\n(engineTraits=>{" },
    footer: { js: "})" },
    ...options,
  });
  return made.outputFiles[0].text;
}
