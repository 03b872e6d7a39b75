// Writes everything that the icon table is made from into a file:
// { drawings: [{source, name, svg}], glyphs: [{family, code, name}], misleading: [name] }
import { writeFileSync } from "node:fs";
import { MISLEADING } from "./names.mjs";
import { drawings, glyphs } from "./sets.mjs";

const [, , file] = process.argv;
const all = { drawings: await drawings(), glyphs: glyphs(), misleading: [...MISLEADING] };
writeFileSync(file, JSON.stringify(all));
