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

// wordsFor returns the words of the command line that runs the tests of `file`.
function wordsFor(file, options, report) {
  const words = ["test", String(file), "--report", `json=${report}`, "--progress", "never"];
  for (const text of options.only ?? []) words.push("--only", text);
  for (const name of options.servers ?? []) words.push("--server", name);
  if (options.revision) words.push("--revision", options.revision);
  if (options.update) words.push("--update");
  if (options.allowWrites) words.push("--allow-writes");
  if (options.requestTimeoutMs) words.push("--timeout", `${options.requestTimeoutMs}ms`);
  words.push(...(options.args ?? []));
  if (options.target?.url) words.push("--url", String(options.target.url));
  if (options.target?.command) words.push("--", ...options.target.command);
  return words;
}

// named returns results with names that differ: of several servers or revisions, each has its own.
function named(results) {
  const of = (title) => results.filter((result) => result.title === title);
  const differs = (result, member) => of(result.title).some((other) => other[member] !== result[member]);
  return results.map((result) => {
    const where = ["revision", "transport"].filter((member) => differs(result, member));
    const behind = where.map((member) => result[member]).join(" ");
    return {...result, name: behind ? `${result.title} [${behind}]` : result.title};
  });
}

// runTests runs the tests of an .mcptest.json file. Rejects when none ran: the file or an option is
// wrong, or the time is over.
export async function runTests(file, options = {}) {
  const folder = await mkdtemp(join(tmpdir(), "plumbline-"));
  try {
    const path = join(folder, "report.json");
    const {status, stdout, stderr} = await run(wordsFor(file, options, path), options.cwd, options.timeoutMs ?? 300_000);
    const text = await readFile(path, "utf8").catch(() => undefined);
    if (status === 2 || text === undefined) throw new Error(stderr.trim() || stdout.trim());
    const report = JSON.parse(text);
    if (report.results.length === 0) throw new Error(`plumbline: no test of ${file} ran: ${stdout.trim()}`);
    return {passed: status === 0, tests: named(report.results), summary: report.summary, report, text: stdout.trim()};
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

// whyNot returns why a test did not pass; nothing: it did.
export function whyNot({verdict, message, reproduce}) {
  if (verdict !== "fail" && verdict !== "inconclusive") return undefined;
  return reproduce ? `${message}\nagain: ${reproduce}` : message;
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
