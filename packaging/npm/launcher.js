#!/usr/bin/env node
// Starts the program of this platform. Node is replaced by it where Node can do that; otherwise the
// program runs as a child with the same standard streams, signals are forwarded, and its exit
// status becomes that of this process.
"use strict";

const name = `@pagesight/${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "pagesight.exe" : "pagesight";
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"];

function fail(message) {
  require("node:fs").writeSync(2, `pagesight: ${message}\n`);
  process.exit(2);
}

function find() {
  try {
    return require.resolve(`${name}/bin/${file}`);
  } catch {
    const { optionalDependencies } = require("../package.json");
    if (name in optionalDependencies) {
      fail(`the package ${name} is not installed; install pagesight again with optional packages`);
    }
    fail(`there is no program for ${process.platform} on ${process.arch}; build it with cargo`);
  }
}

// Reports a program that cannot be executed. Node 22 to 25 abort with a stack trace, instead of
// throwing, if the system refuses execve.
function check(program) {
  const fs = require("node:fs");
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
