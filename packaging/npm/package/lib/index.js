// Judges a server from JavaScript.

import {execFile} from "node:child_process";
import {mkdtemp, readFile, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {programCommand, programPath} from "./program.js";

export {programPath};

// argumentsFor returns the words of the command line that judges `target`.
function argumentsFor(target, options, report) {
  const words = ["check", "server", "--report", `json=${report}`, "--progress", "never"];
  if (options.baseline !== undefined) words.push("--baseline", options.baseline ?? "none");
  if (options.revision) words.push("--revision", options.revision);
  if (options.level) words.push("--level", options.level);
  if (options.only) words.push("--only", options.only.join(","));
  if (options.skip) words.push("--skip", options.skip.join(","));
  if (options.allowWrites) words.push("--allow-writes");
  if (options.requestTimeoutMs) words.push("--timeout", `${options.requestTimeoutMs}ms`);
  words.push(...(options.args ?? []));
  if (target?.url) {
    words.push("--url", String(target.url));
    for (const [name, value] of Object.entries(target.headers ?? {})) {
      words.push("--header", `${name}: ${value}`);
    }
    return words;
  }
  if (!Array.isArray(target?.command) || target.command.length === 0) {
    throw new TypeError('plumbline: expected {command: ["node", "server.js"]} or {url}');
  }
  for (const [name, value] of Object.entries(target.env ?? {})) words.push("--env", `${name}=${value}`);
  return [...words, "--stdio", "--", ...target.command];
}

function run(words, cwd, timeout) {
  const limits = {cwd, timeout, maxBuffer: 64 << 20};
  const [file, ...first] = programCommand().words;
  return new Promise((resolve, reject) => {
    execFile(file, [...first, ...words], limits, (wrong, stdout, stderr) => {
      if (wrong && typeof wrong.code !== "number") {
        return reject(wrong.killed ? new Error(`plumbline: no verdict within ${timeout} ms`) : wrong);
      }
      resolve({status: wrong ? wrong.code : 0, stdout, stderr});
    });
  });
}

// judge returns what the judge found. Rejects when there is no verdict: the server cannot be
// reached, an option is wrong, or the time is over.
export async function judge(target, options = {}) {
  const folder = await mkdtemp(join(tmpdir(), "plumbline-"));
  try {
    const file = join(folder, "report.json");
    const words = argumentsFor(target, options, file);
    const {status, stdout, stderr} = await run(words, target.cwd, options.timeoutMs ?? 300_000);
    if (status > 1) throw new Error(stderr.trim() || stdout.trim());
    const report = JSON.parse(await readFile(file, "utf8"));
    const failures = report.results.filter((result) => result.verdict === "fail");
    return {conforms: status === 0, failures, summary: report.summary, report, text: stdout.trim()};
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

// describe returns the failures of a judgement as text, a few lines each.
export function describe(judgement) {
  if (judgement.conforms) return "the server conforms";
  const told = judgement.failures.map(
    (failure) =>
      `${failure.id} (${failure.spec ?? failure.level}): ${failure.title}\n` +
      `    ${failure.message}\n    reproduce: ${failure.reproduce}`,
  );
  return `the server does not conform:\n  ${told.join("\n  ") || judgement.text}`;
}
