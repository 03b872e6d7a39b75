// Bundles the component pages of `cargo lab living` into `static/NAME/`, each with all that it
// needs: `node build.mjs`.
import { build } from "esbuild";
import { copyFileSync, mkdirSync } from "node:fs";

const pages = ["shoelace", "material", "ui5", "vaadin", "settings"];

await build({
  entryPoints: pages.map((page) => ({ in: `${page}.js`, out: `${page}/app` })),
  outdir: "static",
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  loader: { ".css": "text" },
  logLevel: "warning",
});
for (const page of pages) {
  mkdirSync(`static/${page}`, { recursive: true });
  for (const file of ["index.html", "clip.webm", "home.json"]) {
    copyFileSync(file, `static/${page}/${file}`);
  }
}
