// The icon sets that the table is made from: every drawing with the plain name of its icon, and the
// code points of the sets' fonts. Reads only packages that package.json pins.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { plainName } from "./names.mjs";
import { reactMarkup } from "./react.mjs";

const MODULES = join(import.meta.dirname, "node_modules");
const read = (...path) => readFileSync(join(MODULES, ...path), "utf8");

/** Returns the names of the SVG files in a folder of a package, without their ending. */
const filesIn = (folder) =>
  readdirSync(join(MODULES, folder))
    .filter((name) => name.endsWith(".svg"))
    .map((name) => basename(name, ".svg"))
    .sort();

/** The icons of one folder of a package. `style` is the folder's meaning in the set. */
const folder = (set, path, style = "") =>
  filesIn(path).map((file) => ({
    set,
    style,
    own: file,
    name: plainName(set, file),
    svg: read(path, `${file}.svg`),
  }));

const folders = (set, root, styles) =>
  styles.flatMap((style) => folder(set, join(root, style), style));

const FONT_AWESOME = ["solid", "regular", "brands"];
const MATERIAL = ["filled", "outlined", "round", "sharp", "two-tone"];

/** The ten sets whose icons are also checked. */
export const SETS = {
  mdi: () => folder("mdi", "@mdi/svg/svg"),
  material: () => folders("material", "@material-design-icons/svg", MATERIAL),
  lucide: () => folder("lucide", "lucide-static/icons"),
  fontawesome: () =>
    folders("fontawesome", "@fortawesome/fontawesome-free/svgs", FONT_AWESOME),
  bootstrap: () => folder("bootstrap", "bootstrap-icons/icons"),
  heroicons: () =>
    folders("heroicons", "heroicons", ["24/outline", "24/solid", "20/solid", "16/solid"]),
  tabler: () => folders("tabler", "@tabler/icons/icons", ["outline", "filled"]),
  octicons: () => folder("octicons", "@primer/octicons/build/svg"),
  remix: () =>
    readdirSync(join(MODULES, "remixicon/icons"))
      .sort()
      .flatMap((group) => folder("remix", `remixicon/icons/${group}`, group)),
  ionicons: () => folder("ionicons", "ionicons/dist/svg"),
};

/** More drawings for the table: other drawings of these sets, and sets that many sites show. */
const MORE = {
  "fontawesome, square": () =>
    folders("fontawesome", "@fortawesome/fontawesome-free/svgs-full", FONT_AWESOME),
  "fontawesome 6": () => folders("fontawesome", "fontawesome-free-6/svgs", FONT_AWESOME),
  "fontawesome 5": () => folders("fontawesome", "fontawesome-free-5/svgs", FONT_AWESOME),
  // Google's own paths; the package of the files has arcs in place of some curves.
  "material, React": async () => {
    const icons = SETS.material();
    for (const icon of icons) icon.svg = await reactMarkup(icon);
    return icons.filter(({ svg }) => svg);
  },
  feather: () => folder("feather", "feather-icons/dist/icons"),
  codicons: () => folder("codicons", "@vscode/codicons/src/icons"),
};

/** Returns all drawings that the table is made from. */
export async function drawings() {
  const all = [];
  for (const [source, list] of Object.entries({ ...SETS, ...MORE }))
    for (const { name, svg } of await list()) all.push({ source, name, svg });
  return all;
}

/** Reads the code points of a font from its style sheet. */
function sheet(family, set, path, prefix) {
  const rule = /([^{}]*)\{[^{}]*(?:content|--fa):\s*["']\\([0-9a-fA-F]+)["'][^{}]*\}/g;
  const own = new RegExp(`\\.${prefix}([a-z0-9-]+)`, "g");
  return [...read(path).matchAll(rule)].flatMap(([, selectors, code]) =>
    [...selectors.matchAll(own)].map(([, name]) => ({
      family,
      code: Number.parseInt(code, 16),
      name: plainName(set, name),
    })),
  );
}

/** Reads the code points of a font from an object: name to number. */
const listed = (family, set, path) =>
  Object.entries(JSON.parse(read(path))).map(([name, code]) => ({
    family,
    code,
    name: plainName(set, name),
  }));

/** Reads the code points of Material Icons: `"trash": e872,`. */
const materialCodes = () =>
  [...read("material-icons/css/_codepoints.scss").matchAll(/"([a-z0-9_]+)":\s*([0-9a-f]+)/g)].map(
    ([, name, code]) => ({
      family: "material",
      code: Number.parseInt(code, 16),
      name: plainName("material", name),
    }),
  );

/** Versions of this font give the same code points to different icons: only those they share. */
function ioniconsCodes() {
  const versions = ["ionicons-2/css/ionicons.css", "ionicons-4/dist/css/ionicons.css"].map((path) =>
    sheet("ionicons", "ionicons-font", path, "ion-"),
  );
  const words = ({ name }) => name.split("-");
  return versions.flatMap((glyphs, at) =>
    glyphs.filter((glyph) =>
      versions[1 - at]
        .filter(({ code }) => code === glyph.code)
        .every((other) => words(other).some((word) => words(glyph).includes(word))),
    ),
  );
}

/** Returns the code points of all fonts, by the version-independent key of the family. */
export const glyphs = () => [
  ...sheet("fontawesome", "fontawesome", "@fortawesome/fontawesome-free/css/all.css", "fa-"),
  ...sheet("fontawesome", "fontawesome", "fontawesome-free-5/css/all.css", "fa-"),
  ...sheet("fontawesome", "fontawesome-4", "font-awesome/css/font-awesome.css", "fa-"),
  ...listed("bootstrap", "bootstrap", "bootstrap-icons/font/bootstrap-icons.json"),
  ...sheet("materialdesign", "mdi", "@mdi/font/css/materialdesignicons.css", "mdi-"),
  ...materialCodes(),
  ...sheet("remixicon", "remix", "remixicon/fonts/remixicon.css", "ri-"),
  ...sheet("tabler", "tabler", "@tabler/icons-webfont/dist/tabler-icons.css", "ti-"),
  ...sheet("tabler", "tabler", "@tabler/icons-webfont/dist/tabler-icons-filled.css", "ti-"),
  ...listed("lucide", "lucide", "lucide-static/font/codepoints.json"),
  ...sheet("codicon", "codicons", "@vscode/codicons/dist/codicon.css", "codicon-"),
  ...sheet("glyphiconshalflings", "glyphicons", "bootstrap/dist/css/bootstrap.css", "glyphicon-"),
  ...ioniconsCodes(),
];
