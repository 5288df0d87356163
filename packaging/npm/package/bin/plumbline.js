#!/usr/bin/env node
// Starts the program that this platform's package holds, and ends as it ends.

import {spawn} from "node:child_process";
import {programPath} from "../lib/program.js";

function start() {
  let program;
  try {
    program = programPath();
  } catch (wrong) {
    console.error(`plumbline: ${wrong.message}`);
    process.exit(3);
  }
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

start();
