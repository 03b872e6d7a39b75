// The plain name of an icon: lower-case words with hyphens, without the words for the style of its
// drawing.

/** Endings for a style that all sets use, longest first. */
const STYLES = [
  "-two-tone",
  "-twotone",
  "-duotone",
  "-outlined",
  "-outline",
  "-filled",
  "-fill",
  "-solid",
  "-regular",
  "-rounded",
  "-sharp",
];

/** Endings for a style, or a size, in one set. Elsewhere they have a meaning (`chart-line`). */
const OWN_STYLES = {
  remix: ["-line"],
  octicons: ["-12", "-16", "-24", "-32", "-48", "-96"],
  "fontawesome-4": ["-o"],
};

/** Beginnings for the look of a system, or of a company's sign, in one set. */
const OWN_BEGINNINGS = { ionicons: /^logo-/, "ionicons-font": /^(ios|md|android|logo|social)-/ };

/**
 * Names that say what a set's maker once used a drawing for. They give way to any other name of
 * the same drawing, even a longer one.
 */
export const MISLEADING = new Set(
  (
    "back class drive-eta get-app grade https lens local-airport local-see mode mode-comment " +
    "paywall room tag-faces th topic try turned-in turned-in-not zoom"
  ).split(" "),
);

/** The longest name. */
export const MAX_NAME = 30;

/** Returns the plain name of an icon of a set. */
export function plainName(set, own) {
  let name = own.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  name = name.replace(OWN_BEGINNINGS[set] ?? "", "");
  const endings = [...(OWN_STYLES[set] ?? []), ...STYLES];
  for (let again = true; again; ) {
    const ending = endings.find((style) => name.endsWith(style) && name.length > style.length);
    again = ending !== undefined;
    if (again) name = name.slice(0, -ending.length);
  }
  if (set === "mdi") name = name.replace(/-outline(?=-)/, "");
  if (name.length <= MAX_NAME) return name;
  // Cut at a word.
  return name.slice(0, MAX_NAME + 1).replace(/-[^-]*$/, "");
}
