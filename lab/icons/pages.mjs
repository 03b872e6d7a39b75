// Writes pages of buttons that have nothing but an icon: icons of ten sets, drawn in the ways
// people use them. The folder `pages` gets one page for each set and way, and `expected.json`:
// [{ page, set, way, icons: [{ name, names, svg }] }], in the order of the buttons.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { perturbed, random } from "./random.mjs";
import { reactMarkup } from "./react.mjs";
import { glyphs, SETS } from "./sets.mjs";

const [, , seed, count] = process.argv.map(Number);
const folder = join(import.meta.dirname, "pages");
const next = random(seed);

/** The icon fonts: their style sheet, their family, and the class of an icon, if there is one. */
const FONTS = {
  mdi: {
    key: "materialdesign",
    css: "@mdi/font/css/materialdesignicons.min.css",
    family: () => "Material Design Icons",
    className: ({ own }) => `mdi mdi-${own}`,
  },
  material: {
    key: "material",
    css: "material-icons/iconfont/material-icons.css",
    family: ({ style }) => `Material Icons${MATERIAL_FAMILIES[style]}`,
    ligature: ({ own, style }) =>
      `<span class="material-icons${style === "filled" ? "" : `-${style}`}">${own}</span>`,
  },
  fontawesome: {
    key: "fontawesome",
    css: "@fortawesome/fontawesome-free/css/all.min.css",
    family: ({ style }) => `Font Awesome 7 ${style === "brands" ? "Brands" : "Free"}`,
    className: ({ own, style }) => `fa-${style} fa-${own}`,
  },
  bootstrap: {
    key: "bootstrap",
    css: "bootstrap-icons/font/bootstrap-icons.min.css",
    family: () => "bootstrap-icons",
    className: ({ own }) => `bi bi-${own}`,
  },
  tabler: {
    key: "tabler",
    css: "@tabler/icons-webfont/dist/tabler-icons.min.css",
    family: () => "tabler-icons",
    className: ({ own, style }) => style === "outline" && `ti ti-${own}`,
  },
  remix: {
    key: "remixicon",
    css: "remixicon/fonts/remixicon.css",
    family: () => "remixicon",
    className: ({ own }) => `ri-${own}`,
  },
  lucide: {
    key: "lucide",
    css: "lucide-static/font/lucide.css",
    family: () => "lucide",
    className: ({ own }) => `icon-${own}`,
  },
};
const MATERIAL_FAMILIES = {
  filled: "",
  outlined: " Outlined",
  round: " Round",
  sharp: " Sharp",
  "two-tone": " Two Tone",
};

/** The code points and names of all fonts, by family and name. */
const codes = new Map();
const names = new Map();
for (const { family, code, name } of glyphs()) {
  const all = names.get(`${family} ${code}`) ?? new Set();
  names.set(`${family} ${code}`, all.add(name));
  if (!codes.has(`${family} ${name}`)) codes.set(`${family} ${name}`, code);
}

/** Removes everything that names an icon from its markup; the drawing is left. */
const bare = (svg) =>
  svg
    .replace(/<!--[^]*?-->|<title>[^]*?<\/title>|<style[^]*?<\/style>/g, "")
    .replace(/\s(?:class|id|role|focusable|(?:data|aria)-[a-z-]+)="[^"]*"/g, "")
    .replace(/\sclass='[^']*'/g, "");

/** The drawing as a symbol of a sprite. */
function symbol(icon, id) {
  const [, attributes, shapes] = /<svg([^>]*)>([^]*)<\/svg>/.exec(icon.svg);
  const box = /viewBox="[^"]*"/.exec(attributes)?.[0] ?? "";
  return `<symbol id="${id}" ${box}>${shapes}</symbol>`;
}

/**
 * The ways: each returns what stands in the button, or undefined if the set has no such form.
 * `head` is put before the buttons.
 */
const WAYS = {
  inline: { draw: ({ svg }) => svg },
  "inline, without names": { draw: ({ svg }) => bare(svg) },
  React: { draw: reactMarkup },
  "React, without names": {
    draw: async (icon) => {
      const made = await reactMarkup(icon);
      return made && bare(made);
    },
  },
  "sprite file": {
    draw: ({ set, own }) =>
      `<svg width="24" height="24"><use href="sprite-${set}.svg#${own}"></use></svg>`,
  },
  "sprite, without names": {
    head: (icons) =>
      `<svg style="display:none">${icons.map((icon, at) => symbol(icon, `s${at}`)).join("")}</svg>`,
    draw: (_, at) => `<svg width="24" height="24"><use href="#s${at}"></use></svg>`,
  },
  "font class": {
    font: true,
    draw: (icon) => {
      const className = code(icon) && FONTS[icon.set]?.className?.(icon);
      return className && `<i class="${className}"></i>`;
    },
  },
  glyph: {
    font: true,
    draw: (icon) => code(icon) && `<i style='${font(icon)}'>&#${code(icon)};</i>`,
  },
  "glyph in CSS": {
    font: true,
    head: (icons) =>
      `<style>${icons
        .map((icon, at) =>
          code(icon)
            ? `.g${at}::before{content:"\\${code(icon).toString(16)}";${font(icon)}}`
            : "",
        )
        .join("\n")}</style>`,
    draw: (icon, at) => code(icon) && `<i class="g${at}"></i>`,
  },
  ligature: { font: true, draw: (icon) => FONTS[icon.set]?.ligature?.(icon) },
  image: { draw: ({ set, own }) => `<img alt="" src="images-${set}/${own}.svg" width="24">` },
  background: {
    draw: ({ set, own }) =>
      `<span style="display:inline-block;width:24px;height:24px;background:url('images-${set}/${own}.svg')"></span>`,
  },
};

/** Returns the code point of an icon in its set's font. */
const code = ({ set, name }) => FONTS[set] && codes.get(`${FONTS[set].key} ${name}`);
const font = (icon) => `font-family:"${FONTS[icon.set].family(icon)}";font-weight:900;font-style:normal`;

const page = (title, head, buttons) =>
  `<!doctype html><title>${title}</title>${head}<main>${buttons
    .map((inner) => `<button type="button">${inner}</button>`)
    .join("\n")}</main>\n`;

/** Returns some icons, each name once. */
function sample(icons) {
  const chosen = new Map();
  while (chosen.size < Math.min(count, icons.length / 4)) {
    const icon = icons[Math.floor(next() * icons.length)];
    chosen.set(icon.own, icon);
  }
  return [...chosen.values()];
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const expected = [];
const strangers = [];
for (const [set, list] of Object.entries(SETS)) {
  const icons = sample(list());
  mkdirSync(join(folder, `images-${set}`));
  for (const { own, svg } of icons) writeFileSync(join(folder, `images-${set}/${own}.svg`), svg);
  writeFileSync(
    join(folder, `sprite-${set}.svg`),
    `<svg xmlns="http://www.w3.org/2000/svg">${icons.map((icon) => symbol(icon, icon.own)).join("")}</svg>`,
  );
  for (const [way, { draw, head, font: isFont }] of Object.entries(WAYS)) {
    const drawn = [];
    const meant = [];
    for (const [at, icon] of icons.entries()) {
      const inner = await draw(icon, at);
      if (!inner) continue;
      drawn.push(inner);
      const also = isFont ? [...(names.get(`${FONTS[set].key} ${code(icon)}`) ?? [])] : [];
      meant.push({ name: icon.name, names: also, svg: icon.svg });
    }
    if (drawn.length === 0) continue;
    const sheet = isFont ? `<link rel="stylesheet" href="../node_modules/${FONTS[set].css}">` : "";
    const file = `${set}-${way.replace(/\W+/g, "-").toLowerCase()}.html`;
    writeFileSync(join(folder, file), page(`${set}, ${way}`, sheet + (head?.(icons) ?? ""), drawn));
    expected.push({ page: file, set, way, icons: meant });
  }
  for (const icon of icons.slice(0, 20)) strangers.push(perturbed(bare(icon.svg), next));
}
writeFileSync(join(folder, "strangers.html"), page("not in the table", "", strangers));
const nothing = strangers.map((svg) => ({ name: "", names: [], svg }));
expected.push({ page: "strangers.html", set: "", way: "not in the table", icons: nothing });
writeFileSync(join(folder, "expected.json"), JSON.stringify(expected));
