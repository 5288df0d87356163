#!/usr/bin/env node
// Starts the program that this platform's package holds, and ends as it ends. Where there is none
// the module runs in this very process.

import {spawn} from "node:child_process";
import {pathToFileURL} from "node:url";
import {programCommand} from "../lib/program.js";

function start(program) {
  const child = spawn(program, process.argv.slice(2), {stdio: "inherit"});
  // Ctrl+C at a terminal reaches the program without us: passing it on would be a second one.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (wrong) => {
    console.error(`plumbline: cannot start ${program}: ${wrong.message}`);
    process.exit(3);
  });
  child.on("exit", (status, signal) => {
    if (signal === null) process.exit(status);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

async function run() {
  const {words, module, why} = programCommand();
  if (module === undefined) return start(words[0]);
  process.env.PLUMBLINE_WASM_WHY = why;
  return import(pathToFileURL(module).href);
}

run().catch((wrong) => {
  console.error(`plumbline: ${wrong.message}`);
  process.exit(3);
});
