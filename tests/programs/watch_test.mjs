// watch_test.mjs PLUMBLINE: `--watch` of check server and of test, as somebody at work meets it:
// a server is saved wrong, then mended, and each save is answered. Ends with 1 and what is not so.

import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {once} from "node:events";
import {mkdtempSync, realpathSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {faults, right} from "../mcp_tool/planted.mjs";

const plumbline = realpathSync(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), "plumbline-watch-"));
const ENOUGH_MS = 60_000;  // Against a hang: nothing here depends on it.
const {from, to} = faults.find(({name}) => name === "unknown-method-code");
const save = (text) => writeFileSync(join(folder, "server.mjs"), text);

// Watched is a run of the program that goes on until it is ended.
class Watched {
  constructor(...words) {
    this.told = "";
    const {CI, ...env} = process.env;  // Of a person: a pipeline writes no snapshots.
    // Through one pipe: of two, the later one may be read first.
    this.child = spawn("sh", ["-c", 'exec "$0" "$@" 2>&1', plumbline, ...words], {cwd: folder, env, stdio: ["ignore", "pipe", "ignore"]});
    this.child.stdout.setEncoding("utf8").on("data", (text) => { this.told += text; this.heard?.(); });
    this.ended = once(this.child, "exit").then(([code]) => code);
    this.limit = setTimeout(() => this.child.kill("SIGKILL"), ENOUGH_MS);
  }

  // said waits until the program has said `words` so often, and returns what it said since the last time.
  async said(words) {
    while (!this.told.includes(words)) {
      const over = await Promise.race([new Promise((heard) => { this.heard = () => heard(false); }), this.ended.then(() => true)]);
      assert.ok(!over || this.told.includes(words), `it ended before it said "${words}":\n${this.told}`);
    }
    const end = this.told.indexOf(words) + words.length;
    const said = this.told.slice(0, end);
    this.told = this.told.slice(end);
    return said;
  }

  async end() {
    this.child.kill("SIGINT");
    const code = await this.ended;
    clearTimeout(this.limit);
    return code;
  }
}

async function check() {
  save(right.replace(from, to));
  const watched = new Watched("check", "server", "--watch", "--revision", "2025-11-25", "--", "node", "server.mjs");
  assert.match(await watched.said("waiting for changes"), /^FAIL [^]*unknown method|^FAIL [^]*method/);

  writeFileSync(join(folder, "server.log"), "what it writes itself is no change");
  save(right);
  const mended = await watched.said("waiting for changes");
  assert.match(mended, /changed: .*server\.mjs\n[^]*that failed, again:\n[^]*all checks, again:\n[^]*pass/);
  assert.doesNotMatch(mended, /server\.log/);

  save(right.replace(from, to));
  assert.match(await watched.said("waiting for changes"), /changed: .*server\.mjs\n[^]*FAIL/);
  assert.equal(await watched.end(), 130);
}

async function test() {
  save(right);
  writeFileSync(join(folder, "a.mcptest.json"), JSON.stringify({mcptest: 1,
    servers: {s: {command: "node", args: ["server.mjs"]}},
    tests: [{name: "counts", call: "measure_text", with: {text: "abc"}, expect: {structured: {letters: 3}}},
            {name: "tools", list: "tools", expect: {result: {$snapshot: true}}}]}));
  const watched = new Watched("test", "--watch");
  assert.match(await watched.said("waiting for changes"), /1 passed|pass/);
  save(right.replace("letters: text.length", "letters: 0"));
  const broken = await watched.said("waiting for changes");
  assert.match(broken, /changed: .*server\.mjs\n[^]*FAIL/i);
  assert.doesNotMatch(broken, /snap\.json/);  // Which it had written itself.
  save(right);
  assert.match(await watched.said("waiting for changes"), /changed: .*server\.mjs\n[^]*pass/);
  assert.equal(await watched.end(), 130);
}

try {
  await check();
  await test();
  console.log("every save was answered");
} finally {
  rmSync(folder, {recursive: true});
}
