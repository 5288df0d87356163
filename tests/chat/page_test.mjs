// page_test.mjs PLUMBLINE CHROMIUM FOLDER: a person chats on the page: streaming, an approval that
// comes while they type, an error, attached files, a reload in the middle, and what a screen reader
// is told. Writes pictures into FOLDER.

import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {mkdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {createInterface} from "node:readline";
import {isAccessible} from "../../reports/formats/html/axe.mjs";
import {Browser} from "../../reports/formats/html/browser.mjs";
import {until} from "../sessions/serving.mjs";

const [plumbline, chromium, folder] = process.argv.slice(2);
mkdirSync(folder, {recursive: true});
const always = true;
const hidden = "gnp.\u202eexe\u200b\u{e0061}";
const model = {turns: [
  {role: "user", when: "link", always, calls: [{name: "add_mcp_server", arguments: {mcpServerId: "files"}}]},
  {role: "user", when: "many rows", always, calls: [{name: "add_mcp_server", arguments: {mcpServerId: "files",
    ...Object.fromEntries(Array.from({length: 60}, (_, at) => [`x${at}`, "harmless"])), zz: "the last row"}}]},
  {role: "user", when: "hidden", always, calls: [{name: "add_mcp_server", arguments: {mcpServerId: hidden}}]},
  {role: "user", when: "slow", always, text: "one two three four five six", piece_ms: 200},
  {role: "user", when: "long", always, text: "red orange yellow green blue violet", piece_ms: 400},
  {role: "user", when: "break", always, fails: {status: 401, message: "the key is wrong"}},
  {role: "user", when: "script", always, text: "<img src=x onerror=alert(1)>"},
  {role: "tool", always, text: "Done: {{last}}"}]};
writeFileSync(join(folder, "model.json"), JSON.stringify(model));
writeFileSync(join(folder, "chat.json"), JSON.stringify({mcpServers: {files: {command: "false"}, [hidden]: {command: "false"}},
  chat: {anonymous: "you", model: {script: "model.json"}}}));
const child = spawn(plumbline, ["chat-api", "--config", join(folder, "chat.json"), "--store", "memory:", "--listen", "127.0.0.1:0"],
  {stdio: ["ignore", "pipe", "inherit"]});
const base = await new Promise((resolve, reject) => {
  createInterface({input: child.stdout}).once("line", resolve);
  child.once("exit", (code) => reject(new Error(`it ended with ${code}`)));
});
const browser = await Browser.start(chromium);
const run = (code) => browser.run(code);
const say = (text) => run(`document.getElementById('input').value = ${JSON.stringify(text)}; document.getElementById('say').requestSubmit()`);
const last = () => run("[...document.querySelectorAll('article')].at(-1)?.innerText || ''");
const idle = () => run("document.getElementById('log').getAttribute('aria-busy') !== 'true'");
const ok = (text) => console.log(`ok   ${text}`);
let failed = 0;
try {
  await browser.visit(base);
  assert.equal(await run("document.activeElement === document.body"), true);
  assert.equal(await run("document.getElementById('log').getAttribute('role')"), "log");
  assert.equal(await run("document.getElementById('state').getAttribute('role')"), "status");
  assert.equal(await run("[...document.querySelectorAll('input, textarea')].every((one) => one.labels.length === 1)"), true);
  await isAccessible(browser, "nothing said yet");
  ok("is ready to write in, and names its parts for screen readers");

  await say("slow");
  await until("some words", async () => /one two/.test(await last()));
  assert.equal(await run("document.getElementById('send').disabled"), true);
  assert.doesNotMatch(await last(), /six/);
  await until("all words", async () => /six/.test(await last()) && await idle());
  ok("shows an answer while it comes");

  const button = (text) => `[...document.querySelectorAll('.ask .buttons button')].filter((one) => one.textContent === '${text}').at(-1)`;
  await browser.click("#input");
  await say("link files");
  await until("a question", async () => /May I do this\?/.test(await last()));
  assert.match(await last(), /tool\s+add_mcp_server/);
  assert.match(await last(), /argument "mcpServerId"\s+"files"/);
  assert.match(await last(), /what it is\s+.*"id":"files"/);
  await until("the buttons", () => run(`!${button("Approve")}.disabled`));
  await browser.picture(join(folder, "approval.png"));
  await isAccessible(browser, "a question");
  assert.equal(await run("document.activeElement.id"), "input");
  for (const key of ["a", " ", "b"]) await browser.press(key);
  assert.equal(await run("document.activeElement.id"), "input");
  assert.equal(await run("document.getElementById('input').value"), "a b");
  assert.equal(await run("/Approved/.test(document.getElementById('log').textContent)"), false);
  ok("asks for approval without taking the focus: who types approves nothing");

  await run(`${button("Approve")}.click()`);
  await until("the answer", async () => /successfully added/.test(await last()) && await idle());
  ok("goes on when the button of the question is pressed");

  await say("hidden text");
  await until("a question", async () => /May I do this\?/.test(await last()));
  const seen = await last();
  assert.match(seen, /\$'"gnp\.\\u\{202e\}exe\\u\{200b\}\\u\{e0061\}"'/);
  assert.doesNotMatch(seen, /[\u200b-\u200f\u202a-\u202e\u{e0000}-\u{e007f}]/u);
  await until("the buttons", () => run(`!${button("Refuse")}.disabled`));
  await run(`${button("Refuse")}.click()`);
  await until("the answer", async () => /Done/.test(await last()) && await idle());
  ok("shows what is hidden in an argument");

  await say("many rows");
  await until("a question", async () => /May I do this\?/.test(await last()));
  await until("the buttons", () => run(`!${button("Refuse")}.disabled`));
  assert.match(await last(), /There is more of it/);
  assert.equal(await run(`${button("Approve")}.disabled`), true);
  await run("(() => { const rows = [...document.querySelectorAll('.ask dl')].at(-1); rows.scrollTop = rows.scrollHeight; })()");
  await until("Approve", () => run(`!${button("Approve")}.disabled`));
  assert.doesNotMatch(await last(), /There is more of it/);
  await run(`${button("Refuse")}.click()`);
  await until("the answer", async () => /Done/.test(await last()) && await idle());
  ok("takes no approval before the last row was in sight");

  await say("script");
  await until("the text", async () => /onerror/.test(await last()) && await idle());
  assert.equal(await run("document.querySelectorAll('article img').length"), 0);
  ok("shows what a model says as text, whatever it is");

  await say("break");
  await until("the error", async () => /the key is wrong/.test(await last()) && await idle());
  assert.match(await run("[...document.querySelectorAll('article')].at(-1).className"), /error/);
  await isAccessible(browser, "an error");
  ok("shows an error, and can be written in again");

  await browser.picture(join(folder, "chat.png"));
  await run("document.getElementById('new').click()");
  assert.equal(await run("document.querySelectorAll('article').length"), 0);
  ok("begins a new chat");

  const words = () => run("[...document.querySelectorAll('article')].map((one) => one.innerText.replace(/\\s+/g, ' ')).join('|')");
  await say("a long one");
  await until("some words", async () => /red orange/.test(await last()));
  assert.doesNotMatch(await last(), /violet/);
  await browser.reload();
  await until("what was said so far", async () => /You a long one\|Assistant red orange/.test(await words()));
  assert.doesNotMatch(await words(), /violet/);
  assert.equal(await idle(), false);
  await until("all words", async () => /violet/.test(await last()) && await idle());
  assert.equal(await words(), "You a long one|Assistant red orange yellow green blue violet");
  ok("shows a turn so far when it is loaded again, and goes on with it");

  await say("link files again");
  await until("a question", async () => /May I do this\?/.test(await last()));
  await browser.reload();
  await until("the question", async () => /May I do this\?/.test(await last()));
  await until("the buttons", () => run(`!${button("Approve")}.disabled`));
  await run(`${button("Approve")}.click()`);
  await until("the answer", async () => /Done:/.test(await last()) && await idle());
  ok("asks again when it is loaded again, and takes the answer");

  const attach = (name, type, bytes) => run(`(() => {
    const picked = new DataTransfer();
    picked.items.add(new File([new Uint8Array(${bytes}).fill(7)], '${name}', {type: '${type}'}));
    document.getElementById('pick').files = picked.files;
    document.getElementById('pick').dispatchEvent(new Event('change'));
  })()`);
  const files = () => run("document.getElementById('files').innerText");
  const told = () => run("document.getElementById('state').textContent");
  await attach("tool.exe", "application/octet-stream", 10);
  await until("a reason", async () => /tool\.exe can't be attached: only images/.test(await told()));
  await attach("huge.png", "image/png", 7 << 20);
  await until("a reason", async () => /huge\.png can't be attached: the files of one message may have 6 MB/.test(await told()));
  assert.equal(await files(), "");
  await attach("a.png", "image/png", 3000);
  await attach("b.wav", "audio/wav", 5 << 20);
  await until("both files", async () => /a\.png \(3 KB\)[^]*b\.wav \(5120 KB\)/.test(await files()));
  await isAccessible(browser, "attached files");
  await browser.picture(join(folder, "attached.png"));
  await run("document.querySelector('#files li:last-child button').click()");
  assert.doesNotMatch(await files(), /b\.wav/);
  await say("script with a picture");
  await until("the text", async () => /onerror/.test(await last()) && await idle());
  assert.equal(await files(), "");
  const kept = await run("fetch('/api/agent/sessions/' + sessionId).then((one) => one.json()).then((one) => JSON.stringify(one.messages.at(-2)))");
  const message = JSON.parse(kept);
  assert.equal(message.content, "script with a picture");
  assert.deepEqual(message.media.map((one) => [one.mimeType, one.data.length]), [["image/png", 4000]]);
  await browser.reload();
  await until("the conversation", async () => /onerror/.test(await last()));
  assert.equal(await run("document.querySelectorAll('article.user img').length"), 1);
  ok("sends attached files with a message, and says which it cannot take");
  assert.deepEqual(browser.complaints, []);
} catch (wrong) {
  failed = 1;
  console.log(`FAIL ${wrong.message}`);
  await browser.picture(join(folder, "failed.png"));
}
await browser.stop();
child.kill("SIGTERM");
process.exit(failed);
