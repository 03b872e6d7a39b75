#!/usr/bin/env node
// Starts the program of this platform. Node is replaced by it where Node can do that; otherwise the
// program runs as a child with the same standard streams, signals are forwarded, and its exit
// status becomes that of this process.
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const name = `@pagesight/${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "pagesight.exe" : "pagesight";
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"];
// The first bytes of programs: ELF, Mach-O (also for several machines) and Windows.
const MAGIC = ["7f454c46", "cffaedfe", "cafebabe", "4d5a"];

function fail(message) {
  fs.writeSync(2, `pagesight: ${message}\n`);
  process.exit(2);
}

// Finds the program in the package of this platform. Node's own search would also take packages of
// folders above, of NODE_PATH and of the home folder, which are not part of this installation.
function find() {
  const own = path.dirname(path.dirname(fs.realpathSync(__filename)));
  const { version, optionalDependencies } = read(path.join(own, "package.json"));
  if (!Object.keys(optionalDependencies).includes(name)) {
    fail(`there is no program for ${process.platform} on ${process.arch}; build it with cargo`);
  }
  const folder = folders(own).find((folder) => fs.existsSync(path.join(folder, "package.json")));
  if (folder === undefined) {
    fail(`the package ${name} is not installed; install pagesight again with optional packages`);
  }
  const found = read(path.join(folder, "package.json"));
  if (found.name !== name || found.version !== version) {
    fail(`${folder} is not ${name} ${version}; install pagesight again`);
  }
  const program = path.join(folder, "bin", file);
  if (!MAGIC.some((magic) => first(program).startsWith(magic))) {
    fail(`${program} is not a program; install pagesight again`);
  }
  return program;
}

// Returns where a package manager puts the package: in this one, or beside it.
function folders(own) {
  if (process.versions.pnp) {
    // Yarn has no such folders. It finds only what the package depends on, by its lock file.
    try {
      return [path.dirname(require.resolve(`${name}/package.json`))];
    } catch {
      return [];
    }
  }
  const above = path.dirname(own);
  const nested = path.join(own, "node_modules");
  return [nested, ...(path.basename(above) === "node_modules" ? [above] : [])].map((folder) =>
    path.join(folder, name),
  );
}

function read(manifest) {
  try {
    return JSON.parse(fs.readFileSync(manifest, "utf8"));
  } catch (error) {
    fail(`${manifest} cannot be read: ${error.message}; install pagesight again`);
  }
}

// Returns the first bytes of a file, as digits.
function first(program) {
  try {
    const opened = fs.openSync(program, "r");
    const bytes = Buffer.alloc(4);
    fs.readSync(opened, bytes, 0, 4, 0);
    fs.closeSync(opened);
    return bytes.toString("hex");
  } catch (error) {
    fail(`${program} cannot be started: ${error.code}; install pagesight again`);
  }
}

// Reports a program that cannot be executed. Node 22 to 25 abort with a stack trace, instead of
// throwing, if the system refuses execve.
function check(program) {
  try {
    fs.accessSync(program, fs.constants.X_OK);
  } catch (error) {
    fail(`${program} cannot be started: ${error.code}; install pagesight again`);
  }
}

function run(program, args) {
  const child = require("node:child_process").spawn(program, args, { stdio: "inherit" });
  for (const signal of FORWARDED) {
    // Windows does not know all of them.
    try {
      process.on(signal, () => child.kill(signal));
    } catch {}
  }
  child.on("error", (error) => fail(`${program} cannot be started: ${error.code}`));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    // Ends as the program did, so that the caller sees the signal. 128 and more is for signals
    // that this process survives.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    setTimeout(() => process.exit(128 + require("node:os").constants.signals[signal]), 100);
  });
}

const program = find();
const args = process.argv.slice(2);
if (typeof process.execve === "function" && process.platform !== "win32") {
  check(program);
  try {
    process.execve(program, [program, ...args], process.env);
  } catch {
    // Node's permission model or the platform does not allow it: start a child instead.
    run(program, args);
  }
} else {
  run(program, args);
}
