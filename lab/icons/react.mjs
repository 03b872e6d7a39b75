// The React packages of the sets: the markup that each component renders for an icon.
import { createRequire } from "node:module";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";

const require = createRequire(import.meta.url);

const pascal = (name) =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");

/** Loads a module once, when it is first needed: some of them take seconds. */
const lazy = (load) => {
  let loaded;
  return () => (loaded ??= load());
};

const lucide = lazy(() => require("lucide-react"));
const tabler = lazy(() => import("@tabler/icons-react"));
const bootstrap = lazy(() => import("react-bootstrap-icons"));
const octicons = lazy(() => import("@primer/octicons-react"));
const remix = lazy(() => require("@remixicon/react"));
const ionicons = lazy(() => require("react-icons/io5"));
const mdiPaths = lazy(() => require("@mdi/js"));
const mdi = lazy(() => require("@mdi/react"));
const fontawesome = lazy(async () => {
  const { FontAwesomeIcon } = await import("@fortawesome/react-fontawesome");
  const icons = {};
  for (const style of ["solid", "regular", "brands"])
    for (const icon of Object.values(require(`@fortawesome/free-${style}-svg-icons`)))
      if (icon?.iconName) icons[`${style}/${icon.iconName}`] = icon;
  return { FontAwesomeIcon, icons };
});

const MUI_STYLES = {
  filled: "",
  outlined: "Outlined",
  round: "Rounded",
  sharp: "Sharp",
  "two-tone": "TwoTone",
};

/** The component and the properties for an icon of each set; undefined if the package lacks it. */
const COMPONENTS = {
  async mdi({ own }) {
    const { default: Icon } = mdi();
    const path = mdiPaths()[`mdi${pascal(own)}`];
    return path && [Icon?.default ?? Icon, { path, size: 1 }];
  },
  async material({ own, style }) {
    try {
      const found = require(`@mui/icons-material/${pascal(own)}${MUI_STYLES[style]}`);
      return [found.default, {}];
    } catch {
      return undefined;
    }
  },
  lucide: async ({ own }) => [lucide()[pascal(own)], {}],
  async fontawesome({ own, style }) {
    const { FontAwesomeIcon, icons } = await fontawesome();
    const icon = icons[`${style}/${own}`];
    return icon && [FontAwesomeIcon, { icon }];
  },
  bootstrap: async ({ own }) => [
    (await bootstrap())[(/^\d/.test(own) ? "Icon" : "") + pascal(own)],
    {},
  ],
  async heroicons({ own, style }) {
    try {
      return [require(`@heroicons/react/${style}/${pascal(own)}Icon.js`), {}];
    } catch {
      return undefined;
    }
  },
  tabler: async ({ own, style }) => [
    (await tabler())[`Icon${pascal(own)}${style === "filled" ? "Filled" : ""}`],
    {},
  ],
  async octicons({ own }) {
    const [, name, size] = /^(.*)-(\d+)$/.exec(own) ?? [];
    return name && [(await octicons())[`${pascal(name)}Icon`], { size: Number(size) }];
  },
  remix: async ({ own }) => [remix()[`Ri${pascal(own)}`], {}],
  ionicons: async ({ own }) => [ionicons()[`Io${pascal(own)}`], {}],
};

/** Returns the markup of an icon's React component; undefined if the package lacks the icon. */
export async function reactMarkup(icon) {
  const [component, properties] = (await COMPONENTS[icon.set]?.(icon)) ?? [];
  return component && renderToStaticMarkup(createElement(component, properties));
}
