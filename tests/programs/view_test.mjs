// view_test.mjs PLUMBLINE CHROMIUM FOLDER: uses the pages of `report view` as a person would. Ends
// with 1 and the first thing that is not as it should be.

import assert from "node:assert/strict";
import {spawn, spawnSync} from "node:child_process";
import {closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync} from "node:fs";
import {join} from "node:path";
import {isAccessible} from "../../reports/formats/html/axe.mjs";
import {Browser} from "../../reports/formats/html/browser.mjs";

const [plumbline, chromium, folder] = process.argv.slice(2);
const recording = join(folder, "long.jsonl");
const LINES = 400_001;

// A recording of 100 MB; one line in it is like no other, and holds what must stay text.
function write() {
  const file = openSync(recording, "w");
  let text = '{"command":"server","plumbline":"0.1.0","recording":1,"transport":"stdio"}\n';
  for (let i = 1; i < LINES; ++i) {
    const message = i % 2 === 1
      ? {id: i, jsonrpc: "2.0", method: "tools/call", params: {name: i === 300_001 ? "<img src=x onerror=alert(1)>" : "echo", arguments: {text: "x".repeat(180)}}}
      : {id: i - 1, jsonrpc: "2.0", result: {content: [{text: "y".repeat(160), type: "text"}]}};
    text += JSON.stringify({message, ns: i * 1000, to: i % 2 === 1 ? "server" : "client"}) + "\n";
    if (text.length > 1 << 20) { writeSync(file, text); text = ""; }
  }
  writeSync(file, text);
  closeSync(file);
}

// What a sanitizer keeps of freed memory is not the program's: its quarantine is made small.
const env = {...process.env, ASAN_OPTIONS: `${process.env.ASAN_OPTIONS ?? ""}:quarantine_size_mb=1`};

async function view(file) {
  const child = spawn(plumbline, ["report", "view", file], {stdio: ["ignore", "pipe", "inherit"], env});
  let text = "";
  for await (const piece of child.stdout) {
    text += piece;
    if (text.includes("\n")) break;
  }
  return {child, url: text.trim()};
}

// until waits for the page to say `expected`.
async function until(browser, expression, expected) {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const is = await browser.run(expression);
    if (expected(is)) return is;
    assert.ok(Date.now() < deadline, `${expression} is still ${JSON.stringify(is)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

write();
const started = performance.now();
const {child, url} = await view(recording);
const opened = performance.now() - started;
const browser = await Browser.start(chromium);
let report;
try {
  // detail waits for what is shown of the chosen line, which is fetched.
  const detail = (expected) => until(browser, "document.getElementById('detail').textContent", (text) => expected.test(text));
  await browser.visit(url);
  await until(browser, "document.querySelectorAll('.event').length", (rows) => rows > 5);
  assert.equal(await browser.run("document.getElementById('shown').textContent"), `${LINES} of ${LINES} lines`);
  assert.match(await browser.run("document.querySelectorAll('.event')[1].textContent"), /tools\/call echo #1/);

  // Each row says what belongs to it, and how long it took.
  await until(browser, "document.querySelectorAll('.event')[1].textContent", (text) => /#1 · 1 µs/.test(text));
  assert.match(await browser.run("document.querySelectorAll('.event')[2].textContent"), /result #1 of tools\/call echo · 1 µs/);
  await detail(/line 1[^]*"recording": 1/);  // The first line is open.

  // By keyboard: on, to the answer, back, and to the last line.
  const press = (key) => browser.run(`document.dispatchEvent(new KeyboardEvent("keydown", {key: ${JSON.stringify(key)}, bubbles: true}))`);
  await press("j");
  await detail(/line 2[^]*line 3 · 1 µs between them/);
  assert.equal(await browser.run("document.querySelectorAll('.event.other').length"), 1, "the answer is marked");
  await press("p");
  await until(browser, "document.querySelector('.event[aria-current=true]').dataset.line", (line) => line === "2");
  await press("End");
  await detail(new RegExp(`line ${LINES}`));
  await until(browser, "document.querySelector('.event[aria-current=true]')?.dataset.line", (line) => line === String(LINES - 1));
  await press("Home");
  await detail(/line 1[^]*"recording": 1/);
  await press("t");
  assert.match(await browser.run("document.documentElement.dataset.theme"), /dark|light/);
  await press("?");
  assert.equal(await browser.run("document.getElementById('keys').open"), true);
  await browser.run("document.getElementById('close').click()");

  const searched = performance.now();
  await browser.run("document.getElementById('words').value = 'onerror'; document.querySelector('#find button').click()");
  await until(browser, "document.getElementById('shown').textContent", (text) => text === `1 of ${LINES} lines`);
  const found = performance.now() - searched;
  await until(browser, "document.querySelectorAll('.event').length", (rows) => rows === 1);
  await browser.run("document.querySelector('.event').click()");
  await detail(/line 300002[^]*<img src=x onerror/);
  assert.equal(await browser.run("document.querySelectorAll('#detail img, #rows img').length"), 0, "what is recorded is only text");

  await browser.run("document.getElementById('words').value = ''; document.getElementById('to').value = 'client'; document.getElementById('to').dispatchEvent(new Event('change'))");
  await until(browser, "document.getElementById('shown').textContent", (text) => text.startsWith("50000 of "));
  await browser.run("document.getElementById('diagram').scrollTop = 1e9");
  await until(browser, "document.querySelector('.event:last-child').textContent", (text) => /result #9[0-9]{4}/.test(text));

  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  const own = Number(/RssAnon:\s+(\d+)/.exec(status)[1]) / 1024;
  assert.ok(own < 108, `it holds ${own} MB for a file of ${statSync(recording).size} bytes`);
  const stranger = spawnSync("curl", ["-s", "-o", join(folder, "strange"), "-w", "%{http_code}", "-H", "Host: evil.example", url], {encoding: "utf8"});
  if (!stranger.error) assert.equal(stranger.stdout, "403");
  console.log(`${(statSync(recording).size / 1e6).toFixed(0)} MB opened in ${opened.toFixed(0)} ms, searched in ${found.toFixed(0)} ms, ${own.toFixed(0)} MB of memory`);
  await browser.picture(join(folder, "recording.png"));
  await isAccessible(browser, "a recording");

  writeFileSync(join(folder, "report.json"), spawnSync(plumbline, ["run", "scenarios/library/basics/list-files-happy-path.json", "--report", "json=-"],
    {encoding: "utf8", cwd: join(import.meta.dirname, "../..")}).stdout);
  report = await view(join(folder, "report.json"));
  await browser.visit(report.url);
  assert.match(await browser.run("document.body.textContent"), /list-files-happy-path/);
  assert.deepEqual(browser.complaints, []);
} finally {
  await browser.stop();
  child.kill();
  report?.child.kill();
}
