#!/usr/bin/env node
// Breaks random lines of the product one at a time and runs the tests, to see what they catch.
// Works in a clean clone and leaves it as it was. Prints one line per broken line.
//
//   scripts/break-lines.mjs [--seed N] [--count N] [--only FOLDER] [--full]
//
// --count  broken lines per crate and in the page script (10)
// --full   runs ./test where ./test quick has not caught the fault; takes hours

import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

const { values: options } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "10" },
    only: { type: "string", default: "" },
    full: { type: "boolean", default: false },
  },
});

const FOLDERS = [
  "crates/pagesight-core/src",
  "crates/pagesight-browser/src",
  "crates/pagesight-session/src",
  "crates/pagesight-check/src",
  "crates/pagesight-team/src",
  "crates/pagesight/src",
  "page/src",
];

// Ways to break a line, tried in an order that the seed decides.
const FAULTS = [
  [/ == /, " != "],
  [/ != /, " == "],
  [/ < /, " >= "],
  [/ > /, " <= "],
  [/ <= /, " > "],
  [/ >= /, " < "],
  [/ && /, " || "],
  [/ \|\| /, " && "],
  [/ \+ /, " - "],
  [/\btrue\b/, "false"],
  [/\bfalse\b/, "true"],
  [/\bif (?!let\b)(.+) \{$/, "if !($1) {"],
  [/\bif \((.+)\) (?=\S)/, "if (!($1)) "],
  [/\b(\d+)\b/, (number) => String(Number(number) + 1)],
  [/"([^"{}\\]+)"/, '"$1x"'],
  [/^(\s*)[a-z_.]+\(.*\);$/i, "$1"],
  [/^(\s*)return\b.*;$/, "$1"],
];

// A small generator of random numbers (mulberry32), so that a seed gives the same lines everywhere.
let state = Number(options.seed);
const random = (below) => {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % below;
};

const git = (...words) => execFileSync("git", words, { encoding: "utf8" });
const passes = (command, ...words) =>
  spawnSync(command, words, { stdio: "ignore", env: process.env }).status === 0;

// The lines of a folder that are code of the product: no tests, comments, imports or attributes.
function productLines(folder) {
  const files = git("ls-files", folder).split("\n");
  const product = files.filter(
    (file) => /\.(rs|ts)$/.test(file) && !/(^|\/)(tests?|test_\w+|in_browser)(\/|\.rs$)/.test(file),
  );
  return product.flatMap((file) => {
    const lines = readFileSync(file, "utf8").split("\n");
    const end = lines.findIndex((line) => line.startsWith("#[cfg(test)]"));
    return lines
      .slice(0, end < 0 ? undefined : end)
      .map((text, index) => ({ file, index, text }))
      .filter(({ text }) => !/^\s*($|\/\/|\*|\/\*|#!?\[|use |pub use |import |export \*|mod )/.test(text));
  });
}

function broken(text) {
  const first = random(FAULTS.length);
  for (let step = 0; step < FAULTS.length; step++) {
    const [pattern, replacement] = FAULTS[(first + step) % FAULTS.length];
    const changed = text.replace(pattern, replacement);
    if (changed !== text) return changed;
  }
  return undefined;
}

function compiles(file) {
  if (file.startsWith("page/")) return passes("cargo", "xtask", "page");
  return passes("cargo", "check", "--workspace", "--quiet");
}

function verdict() {
  if (!passes("./test", "quick")) return "quick";
  if (!options.full) return "not quick";
  return passes("./test") ? "missed" : "full";
}

if (git("status", "--porcelain").trim()) {
  console.error("the clone has changes that are not committed; commit them first");
  process.exit(2);
}
console.log(`seed ${options.seed}, ${options.count} lines per folder, ${git("log", "-1", "--format=%h").trim()}`);
const totals = {};
for (const folder of FOLDERS.filter((folder) => folder.includes(options.only))) {
  const lines = productLines(folder);
  for (let done = 0; done < Number(options.count); ) {
    const { file, index, text } = lines[random(lines.length)];
    const changed = broken(text);
    if (changed === undefined) continue;
    const original = readFileSync(file, "utf8");
    const all = original.split("\n");
    all[index] = changed;
    writeFileSync(file, all.join("\n"));
    try {
      if (!compiles(file)) continue;
      done += 1;
      const caught = verdict();
      totals[folder] ??= {};
      totals[folder][caught] = (totals[folder][caught] ?? 0) + 1;
      console.log(`${caught}: ${file}:${index + 1}: ${text.trim()} -> ${changed.trim()}`);
    } finally {
      git("checkout", "--quiet", "--", ".");
    }
  }
}
console.log(JSON.stringify(totals, null, 2));
