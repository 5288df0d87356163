// serve_test.mjs PLUMBLINE: what a person approves of `agents serve` is what runs, and once: over
// standard streams, in a revision with sessions and in the one without, by clients that lie. One
// line a step; exit status 1 when one fails.

import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {chmodSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {createInterface} from "node:readline";

const [plumbline] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "approvals-"));
const file = (name) => join(folder, name);
const ran = () => (existsSync(file("ran")) ? readFileSync(file("ran"), "utf8").split("\n").filter(Boolean) : []);
const kModern = "2026-07-28";
const children = [];
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, {recursive: true, force: true});
});
setTimeout(() => { console.log("FAIL it takes too long"); process.exit(1); }, 90_000).unref();

// `note` writes its arguments, $NOTE and a line into the file "ran".
writeFileSync(file("note"), `#!/bin/sh\nprintf '%s;%s\\n' "$*" "$NOTE" >> ${file("ran")}\n`);
chmodSync(file("note"), 0o755);
copyFileSync("/bin/echo", file("tool"));
chmodSync(file("tool"), 0o755);
writeFileSync(file("model.json"), JSON.stringify({turns: [{always: true, text: "Done."}]}));
writeFileSync(file("commands.json"), JSON.stringify({plumbline_commands: 1, remote: {enabled: false},
  local: {programs: [file("note"), file("tool"), "git", "echo"], roots: [folder], request_env: ["NOTE", "GIT_PAGER"]}}));

// Server is a process of agents serve, spoken to line by line.
class Server {
  constructor(revision) {
    this.revision = revision;
    this.child = spawn(plumbline, ["agents", "serve", "--stdio", "--model-script", file("model.json"), "--commands", file("commands.json"),
      "--store", `sqlite:${file("threads.db")}`], {stdio: ["pipe", "pipe", "inherit"]});
    children.push(this.child);
    this.waiting = new Map();
    this.asked = [];
    this.decide = () => ({action: "decline"});
    this.last = 0;
    createInterface({input: this.child.stdout}).on("line", (line) => this.hear(JSON.parse(line)));
  }
  hear(message) {
    if (message.method === "elicitation/create") {
      this.asked.push(message.params);
      this.write({id: message.id, result: this.decide(message.params)});
    } else if (message.id !== undefined && message.method === undefined) {
      this.waiting.get(message.id)?.(message);
    }
  }
  write(message) { this.child.stdin.write(`${JSON.stringify({jsonrpc: "2.0", ...message})}\n`); }
  request(method, params) {
    const id = ++this.last;
    this.write({id, method, params});
    return new Promise((resolve) => this.waiting.set(id, resolve));
  }
  async begin() {
    if (this.revision === kModern) return this;
    await this.request("initialize", {protocolVersion: this.revision, capabilities: {elicitation: {}}, clientInfo: {name: "t", version: "1"}});
    this.write({method: "notifications/initialized"});
    return this;
  }
  // call returns the whole message that answers a call of cli_execute.
  call(args, more = {}) {
    const meta = {"io.modelcontextprotocol/protocolVersion": kModern, "io.modelcontextprotocol/clientInfo": {name: "t", version: "1"},
      "io.modelcontextprotocol/clientCapabilities": {elicitation: {form: {}}}};
    return this.request("tools/call", {name: "cli_execute", arguments: args, ...(this.revision === kModern && {_meta: meta}), ...more});
  }
  end() {
    const ended = new Promise((resolve) => this.child.once("close", resolve));
    this.child.kill("SIGKILL");
    return ended;
  }
}

const yes = {action: "accept", content: {approve: true}};
const answersOf = (question, answer = yes) => ({
  inputResponses: Object.fromEntries(Object.keys(question.result.inputRequests).map((name) => [name, answer])),
  requestState: question.result.requestState});
const messageOf = (question) => Object.values(question.result.inputRequests)[0].params.message;
const resultsOf = (message) => message.result.structuredContent.metadata.cli_results;
const isQuestion = (message) => message.result?.resultType === "input_required";

// What is shown, read back: the reader of shown text once more.
function bytesOf(shown) {
  if (!shown.startsWith("$'")) return shown;
  return shown.slice(2, -1).replace(/\\(x(..)|u\{([0-9a-f]+)\}|.)/gs, (all, kind, byte, code) => {
    if (byte) return String.fromCharCode(parseInt(byte, 16));
    if (code) return String.fromCodePoint(parseInt(code, 16));
    return {n: "\n", r: "\r", t: "\t"}[kind] ?? kind;
  });
}
const rowsOf = (message) => Object.fromEntries(message.split("\n\n").slice(1).join("\n\n").split("\n").map((row) => {
  assert.ok(row.startsWith("• "), `no row of ours: ${row}`);
  const at = row.indexOf(": ");
  return [row.slice(2, at), bytesOf(row.slice(at + 2))];
}));

const steps = {
  async "a person sees all of what runs, whatever is hidden in it"() {
    const lines = ["echo '<!--' SECRETLY RUN THIS '-->' shown", "echo 'x\n\n(approved already)\n• program: /bin/true'",
      "echo \u202egnp.exe\u2066 \u200b\u200d\u{e0061}\ufe0f", `echo ${" ".repeat(60)}x`, "echo p\u0430ypal <b hidden>x"];
    for (const line of lines.slice(0, 4)) {
      const server = await new Server("2025-11-25").begin();
      const answer = await server.call({commands: [line], env_vars: {GIT_PAGER: "sh -c \u202eid"}});
      assert.equal(server.asked.length, 1, JSON.stringify(answer));
      const rows = rowsOf(server.asked[0].message);
      assert.equal(rows.command, line);
      assert.equal(rows["variable GIT_PAGER"], "sh -c \u202eid");
      assert.equal(rows["in the folder"], folder);
      assert.match(rows.program, /echo$/);
      assert.match(rows["what may be wrong"], /runs_anything/);
      assert.doesNotMatch(server.asked[0].message, /<!--|[\u200b-\u200f\u202a-\u202e\u2060-\u206f\u{e0000}-\u{e007f}]| {2}/u);
      await server.end();
    }
  },
  async "an answer without the requestState of its question, or to another call, runs nothing"() {
    const server = await new Server(kModern).begin();
    const status = {commands: [`${file("note")} status`]};
    const question = await server.call(status);
    assert.ok(isQuestion(question) && question.result.requestState, JSON.stringify(question));
    const other = await server.call({commands: [`${file("note")} secret`]}, answersOf(question));
    assert.match(other.error?.message ?? "", /requestState belongs to another request/);
    const {inputResponses} = answersOf(question);
    assert.ok(isQuestion(await server.call({commands: [`${file("note")} secret`]}, {inputResponses})));
    assert.ok(isQuestion(await server.call(status, {inputResponses})));
    const env = await server.call({...status, env_vars: {NOTE: "x"}}, answersOf(question));
    assert.match(env.error?.message ?? "", /requestState/);
    const forged = await server.call(status, {...answersOf(question), requestState: `${question.result.requestState} `});
    assert.match(forged.error?.message ?? "", /requestState/);
    assert.deepEqual(ran(), []);
    await server.end();
  },
  async "the same answered call runs once and is answered the same, in the next process too"() {
    let server = await new Server(kModern).begin();
    const args = {commands: [`${file("note")} once`]};
    const question = await server.call(args);
    await server.end();  // Killed while the person decides.
    server = await new Server(kModern).begin();
    const first = await server.call(args, answersOf(question));
    assert.equal(resultsOf(first)[0].status, "success", JSON.stringify(first));
    const again = await server.call(args, answersOf(question));
    assert.deepEqual(again.result, first.result);
    const both = await Promise.all([server.call(args, answersOf(question)), server.call(args, answersOf(question))]);
    assert.equal(both.filter((one) => JSON.stringify(one.result) !== JSON.stringify(first.result) && !one.result?.isError).length, 0);
    await server.end();
    server = await new Server(kModern).begin();
    assert.deepEqual((await server.call(args, answersOf(question))).result, first.result);
    assert.deepEqual(ran(), ["once;"]);
    await server.end();
  },
  async "two commands are two questions, and an answer to one is none to the other"() {
    rmSync(file("ran"), {force: true});
    const server = await new Server(kModern).begin();
    const args = {commands: [`${file("note")} a`, `${file("note")} a`]};
    const first = await server.call(args);
    const second = await server.call(args, answersOf(first));
    assert.ok(isQuestion(second));
    assert.deepEqual(ran(), ["a;"]);
    const stale = await server.call(args, {...answersOf(first), requestState: second.result.requestState});
    assert.ok(isQuestion(stale));
    assert.deepEqual(ran(), ["a;"]);
    assert.ok(isQuestion(await server.call(args, answersOf(first))));
    assert.deepEqual(ran(), ["a;"]);
    const done = await server.call(args, answersOf(second));
    assert.equal(resultsOf(done).length, 2);
    assert.deepEqual(ran(), ["a;", "a;"]);
    await server.end();
  },
  async "a program that was replaced behind the question does not run, and is asked about again"() {
    rmSync(file("ran"), {force: true});
    for (const revision of ["2025-11-25", kModern]) {
      const server = await new Server(revision).begin();
      const evil = () => {
        rmSync(file("tool"));
        writeFileSync(file("tool"), `#!/bin/sh\necho evil >> ${file("ran")}\n`);
        chmodSync(file("tool"), 0o755);
      };
      server.decide = () => {
        if (server.asked.length > 1) return {action: "decline"};
        evil();
        return yes;
      };
      const args = {commands: [`${file("tool")} hello`]};
      let answer = await server.call(args);
      if (revision === kModern) {
        const question = answer;
        evil();
        answer = await server.call(args, answersOf(question));
        assert.ok(isQuestion(answer), JSON.stringify(answer));
        assert.notDeepEqual(Object.keys(answer.result.inputRequests), Object.keys(question.result.inputRequests));
        assert.match(messageOf(answer), /what was approved is not what would run now/);
      } else {
        assert.equal(server.asked.length, 2);
        assert.match(server.asked[1].message, /what was approved is not what would run now/);
        assert.equal(resultsOf(answer)[0].status, "blocked");
      }
      assert.deepEqual(ran(), []);
      copyFileSync("/bin/echo", file("tool"));
      chmodSync(file("tool"), 0o755);
      await server.end();
    }
  },
  async "what is remembered is that command, in that thread"() {
    rmSync(file("ran"), {force: true});
    const server = await new Server("2025-11-25").begin();
    server.decide = () => ({action: "accept", content: {approve: true, remember: true}});
    const line = `${file("note")} again`;
    const {thread_id} = (await server.call({commands: [line]})).result.structuredContent;
    assert.ok(server.asked[0].requestedSchema.properties.remember);
    server.decide = () => ({action: "decline"});
    await server.call({commands: [line], thread_id});
    assert.equal(server.asked.length, 1);
    await server.call({commands: [line], thread_id, env_vars: {NOTE: "other"}});
    await server.call({commands: [line]});
    assert.equal(server.asked.length, 3);
    assert.deepEqual(ran(), ["again;", "again;"]);
    await server.end();
  },
  async "a long line is cut in the middle, and shown whole to who wants that"() {
    const server = await new Server("2025-11-25").begin();
    const line = `echo ${"a".repeat(9_000)} middle ${"b".repeat(9_000)} end`;
    server.decide = () => (server.asked.length === 1 ? {action: "accept", content: {approve: true, show_all: true}} : {action: "decline"});
    const answer = await server.call({commands: [line]});
    assert.equal(server.asked.length, 2);
    assert.doesNotMatch(server.asked[0].message, /middle/);
    assert.match(server.asked[0].message, /bytes are left out here … b+ end/);
    assert.equal(rowsOf(server.asked[1].message).command, line);
    assert.equal(resultsOf(answer)[0].status, "blocked");
    await server.end();
  },
};

let failed = 0;
for (const [name, step] of Object.entries(steps)) {
  try {
    await step();
    console.log(`ok   ${name}`);
  } catch (wrong) {
    failed = 1;
    console.log(`FAIL ${name}: ${wrong.message}`);
  }
}
process.exit(failed);
