// clients_test.mjs PLUMBLINE NODE_MODULES_PARENT CHROMIUM FOLDER: clients of both generations of the
// official SDK call the tools of a session whose worker is our page in Chromium.
// The same by the older endpoints, with the server started again in the middle.

import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {copyFileSync, mkdirSync} from "node:fs";
import {join} from "node:path";
import {fileURLToPath} from "node:url";
import {Browser} from "../../reports/formats/html/browser.mjs";
import {Serving, until} from "./serving.mjs";

const [plumbline, modules, chromium, folder] = process.argv.slice(2);
mkdirSync(folder, {recursive: true});
const store = ["--store", `sqlite:${join(folder, `clients-${process.pid}.sqlite`)}`];
let serving = await Serving.start(plumbline, store);
// Node looks for packages beside the script.
const script = `${modules}/sdk_call.mjs`;
copyFileSync(fileURLToPath(new URL("sdk_call.mjs", import.meta.url)), script);

const browser = await Browser.start(chromium);
await browser.visit(`${serving.base}/`);
const state = () => browser.run("document.getElementById('state').textContent");
await until("the page to be connected", async () => await state() === "connected");
const code = await browser.run("code");
let failed = 0;

function check(name, ok, text) {
  if (!ok) failed = 1;
  console.log(`${ok ? "ok  " : "FAIL"} ${name}: ${text}`);
}

for (const sdk of ["1", "2", "2-modern"]) {
  for (const url of [`${serving.base}/api/sessions/${code}/mcp`, `${serving.mcp}?sessionCode=${code}`]) {
    const run = spawnSync(process.execPath, [script, sdk, url, code, serving.base], {encoding: "utf8", timeout: 60_000});
    check(`SDK ${sdk} at ${new URL(url).pathname.replace(code, ":code")}`, run.status === 0,
      run.status === 0 ? run.stdout.trim() : run.stderr.trim());
  }
}

// The older endpoints, as a program calls them.
async function older(id) {
  const queued = await serving.ask("POST", "/api/request", {sessionCode: code, requestId: id,
    toolName: "create_codap_graph", params: {datasetName: "class", graphType: "histogram", xAttribute: "score"}});
  assert.equal(queued.status, 202);
  assert.match(queued.headers.get("Deprecation"), /^@\d+$/);
  return until("the outcome", async () => {
    const said = await serving.ask("GET", `/api/response?sessionCode=${code}&requestId=${id}`);
    return said.status === 200 && said.body;
  });
}
try {
  const first = await older("one");
  check("the older endpoints", first.success, JSON.stringify(first.result));
  const {port} = serving;
  await serving.stop("SIGKILL");
  serving = await Serving.start(plumbline, store, port);
  await until("the page to be back", async () => (await serving.ask("GET", `/api/sessions/${code}`)).body.worker);
  const second = await older("two");
  check("the older endpoints after SIGKILL and a restart", second.success, JSON.stringify(second.result));
} catch (wrong) {
  check("the older endpoints", false, wrong.message);
}
await browser.picture(join(folder, "clients.png"));
await browser.stop();
await serving.stop();
process.exit(failed);
