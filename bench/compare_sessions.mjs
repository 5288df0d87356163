// compare_sessions.mjs SESSIONS_LOAD NODE_MODULES_PARENT [SESSIONS [CALLS]]: our session-aware server
// beside one of the TypeScript SDK and Express, the same load on both, one after the other. Prints a
// table. Times are of a machine that does nothing else; the CPU seconds of the server hold anywhere.

import {spawn} from "node:child_process";
import {copyFileSync, readFileSync} from "node:fs";
import {createInterface} from "node:readline";
import {fileURLToPath} from "node:url";

const [load, modules, sessionsText = "10000", callsText = "20000"] = process.argv.slice(2);
const sessions = Number(sessionsText), calls = Number(callsText);
const PER_SECOND = 200, IN_FLIGHT = 64, TICKS = 100;  // Of the clock that /proc counts by.
// Node looks for packages beside the script.
const express = `${modules}/sessions_express.mjs`;
copyFileSync(fileURLToPath(new URL("peers/mcp-sdk/sessions_express.mjs", import.meta.url)), express);

const lineOf = (child) => {
  const lines = createInterface({input: child.stdout});
  const waiting = [], come = [];
  lines.on("line", (line) => (waiting.shift() ?? ((one) => come.push(one)))(line));
  return () => come.length ? Promise.resolve(come.shift()) : new Promise((resolve) => waiting.push(resolve));
};

function rss(pid) { return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]); }
function cpu(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

async function measure(name, command, args) {
  const server = spawn(command, args, {stdio: ["ignore", "pipe", "inherit"]});
  const url = await lineOf(server)();
  const before = rss(server.pid);
  const client = spawn(load, ["run", `${url}/`, String(sessions), String(PER_SECOND), String(calls), String(IN_FLIGHT)],
    {stdio: ["pipe", "pipe", "inherit"]});
  const next = lineOf(client);
  const went = () => client.stdin.write("\n");
  const ready = JSON.parse(await next());
  const held = rss(server.pid);
  const opened = cpu(server.pid);
  went();
  const called = JSON.parse(await next());
  const spent = cpu(server.pid) - opened;
  went();
  await new Promise((resolve) => client.once("exit", resolve));
  server.kill("SIGKILL");
  return {name, "KiB a session": ((held - before) / sessions).toFixed(1), "ready p50 ms": ready.p50_ms.toFixed(2),
    "ready p99 ms": ready.p99_ms.toFixed(2), "call p50 ms": called.p50_ms.toFixed(2), "call p99 ms": called.p99_ms.toFixed(2),
    "calls/s": Math.round(called.per_second), "calls/CPU s of the server": Math.round(calls / spent)};
}

const rows = [await measure("plumbline", load, ["serve"]), await measure("SDK + Express", process.execPath, [express])];
console.table(rows);
