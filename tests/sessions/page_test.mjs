// page_test.mjs PLUMBLINE CHROMIUM FOLDER: the worker page of `plumbline sessions` in a browser, as a
// teacher uses it: real EventSource, real preflight, two tabs, reload, a server that is started again.
// Writes pictures into FOLDER. Ends with 1 and the first thing that is not as it should be.

import assert from "node:assert/strict";
import {mkdirSync} from "node:fs";
import {createServer} from "node:http";
import {join} from "node:path";
import {isAccessible} from "../../reports/formats/html/axe.mjs";
import {Browser} from "../../reports/formats/html/browser.mjs";
import {Serving, until} from "./serving.mjs";

const [plumbline, chromium, folder] = process.argv.slice(2);
mkdirSync(folder, {recursive: true});
const store = ["--store", `sqlite:${join(folder, `sessions-${process.pid}.sqlite`)}`];
let serving = await Serving.start(plumbline, store);
const browser = await Browser.start(chromium);
const run = (expression, tab = browser) => tab.run(expression);
const state = (tab = browser) => run("document.getElementById('state').textContent", tab);
const code = (tab = browser) => run("document.getElementById('code').textContent", tab);
const connected = (tab = browser) => until("the page to be connected", async () => await state(tab) === "connected");
const graphs = (tab = browser) => run("[...document.querySelectorAll('svg')].map((one) => one.dataset.graph)", tab);

let id = 0;
async function call(name, args) {
  const {body} = await serving.ask("POST", `/api/sessions/${await code()}/mcp`,
    {jsonrpc: "2.0", id: ++id, method: "tools/call",
      params: {name, arguments: args, _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}}}},
    {Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "tools/call", "Mcp-Name": name});
  if (body.error) return body.error.message;
  return body.result.content[0].text;
}

const steps = {
  async "the page registers and listens"() {
    await browser.visit(`${serving.base}/`);
    await connected();
    assert.match(await code(), /^[A-Z2-7]{8}$/);
    await isAccessible(browser, "a new session");
  },
  async "it makes the datasets"() {
    for (const [name, type, count] of [["numbers", "random_numbers", 80], ["class", "sample_students", 40],
      ["days", "time_series", 60]]) {
      const text = await call("create_codap_dataset", {datasetName: name, dataType: type, recordCount: count});
      assert.match(text, /^✅ Tool executed successfully\n\n\{\n/);
      assert.match(text, new RegExp(`"records": ${count}`));
    }
    assert.match(await call("create_codap_dataset", {datasetName: "own", dataType: "custom", recordCount: 3,
      records: [{fruit: "apple", n: 3}, {fruit: "pear", n: 5}, {fruit: "plum", n: 2}]}), /"fruit"/);
    assert.equal(await run("document.querySelectorAll('#datasets li').length"), 4);
  },
  async "it draws a scatter plot, a histogram, bars and a line"() {
    const asked = [
      {datasetName: "numbers", graphType: "scatterplot", xAttribute: "x", yAttribute: "y", title: "y against x"},
      {datasetName: "numbers", graphType: "histogram", xAttribute: "x", title: "How x is spread"},
      {datasetName: "class", graphType: "bar_chart", xAttribute: "grade", yAttribute: "heightCm", title: "Height by grade"},
      {datasetName: "days", graphType: "line_graph", xAttribute: "day", yAttribute: "value", title: "Sixty days"},
    ];
    const marks = [["circle.mark", 80], ["rect.mark", 5], ["rect.mark", 4], ["path.path", 1]];
    for (const [i, graph] of asked.entries()) {
      assert.match(await call("create_codap_graph", graph), /^✅/);
      const [selector, least] = marks[i];
      const drawn = await run(`document.querySelector('svg').querySelectorAll('${selector}').length`);
      assert.ok(drawn >= least, `${graph.graphType}: ${drawn} of ${least} ${selector}`);
    }
    assert.deepEqual(await graphs(), asked.map((one) => one.graphType).reverse());
    const outside = await run(`[...document.querySelectorAll('.mark')].filter((one) => {
      const box = one.getBoundingClientRect(), frame = one.ownerSVGElement.getBoundingClientRect();
      return box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
    }).length`);
    assert.equal(outside, 0, "marks outside of their graph");
    await browser.send("Emulation.setDeviceMetricsOverride", {width: 1100, height: 1750, deviceScaleFactor: 1, mobile: false});
    await browser.picture(join(folder, "graphs.png"));
    await isAccessible(browser, "graphs");
    await browser.send("Emulation.clearDeviceMetricsOverride");
  },
  async "what cannot be drawn is said"() {
    assert.match(await call("create_codap_graph", {datasetName: "none", graphType: "histogram", xAttribute: "x"}),
      /^❌ Tool execution failed: there is no dataset "none"$/);
    assert.match(await call("create_codap_graph", {datasetName: "class", graphType: "histogram", xAttribute: "name"}),
      /needs a numeric xAttribute/);
  },
  async "a reload goes on with the session and shows what was drawn"() {
    const before = await code();
    await browser.reload();
    await connected();
    assert.equal(await code(), before);
    assert.equal((await graphs()).length, 4);
    assert.match(await call("create_codap_graph", {datasetName: "numbers", graphType: "histogram", xAttribute: "y"}), /^✅/);
  },
  async "a second tab of the session takes over, and gives it back"() {
    const second = await browser.tab();
    await second.visit(`${serving.base}/#session=${await code()}`);
    await connected(second);
    await until("the first tab to know", async () => /another tab/.test(await state()));
    await new Promise((resolve) => setTimeout(resolve, 1_500));  // An EventSource would be back by now.
    assert.equal(await state(second), "connected");
    await call("create_codap_dataset", {datasetName: "there", dataType: "random_numbers", recordCount: 2});
    assert.equal(await run("document.querySelectorAll('#datasets li').length", second), 1);
    await browser.send("Target.activateTarget", {targetId: browser.target}).catch(() => {});
    await run("document.getElementById('here').click()");
    await connected();
    await until("the second tab to know", async () => /another tab/.test(await state(second)));
    await second.close();
    assert.match(await call("create_codap_graph", {datasetName: "numbers", graphType: "histogram", xAttribute: "x"}), /^✅/);
  },
  async "a page of another origin is let in after a preflight, or not at all"() {
    const page = createServer((_, answer) => answer.writeHead(200, {"Content-Type": "text/html"}).end("<title>class</title>"));
    await new Promise((resolve) => page.listen(0, "127.0.0.1", resolve));
    const tab = await browser.tab();
    const ask = (origin) => `fetch("${serving.base}/api/sessions/${"ABCDEFGH"}/mcp", {method: "POST",
      headers: {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
        "Authorization": "Bearer x", "MCP-Protocol-Version": "2025-11-25", "Mcp-Session-Id": "x"}, body: "{}"})
      .then((answer) => answer.status + " ${origin}", (wrong) => "refused")`;
    await tab.visit(`http://127.0.0.1:${page.address().port}/`);
    assert.equal(await run(ask("loopback"), tab), "404 loopback");
    assert.equal(await run(`new Promise((resolve) => {
      const source = new EventSource("${serving.base}/api/stream?sessionCode=${await code()}");
      source.addEventListener("connection", () => { source.close(); resolve("heard"); });
      source.onerror = () => { source.close(); resolve("refused"); };
    })`, tab), "heard");
    await run("document.getElementById('here').click()");
    await connected();
    // The same page under a name that is not ours: a stranger, whatever it resolves to.
    const mapped = await Browser.start(chromium, ["--host-resolver-rules=MAP evil.example 127.0.0.1"]);
    await mapped.visit(`http://evil.example:${page.address().port}/`);
    assert.equal(await mapped.run(ask("evil")), "refused");
    // And a name that was made to point to us.
    assert.equal(await mapped.run(`fetch("http://evil.example:${serving.port}/healthz").then((a) => a.type, () => "refused")`), "refused");
    await mapped.stop();
    await tab.close();
    page.close();
  },
  async "a server that is started again goes on"() {
    const before = await code();
    const {port} = serving;
    await serving.stop("SIGKILL");
    await until("the page to notice", async () => await state() !== "connected");
    serving = await Serving.start(plumbline, store, port);
    await connected();
    assert.equal(await code(), before);
    assert.match(await call("create_codap_graph", {datasetName: "numbers", graphType: "scatterplot", xAttribute: "x",
      yAttribute: "y"}), /^✅/);
  },
  async "a page that sleeps comes back"() {
    await browser.send("Network.enable");
    await browser.send("Network.emulateNetworkConditions", {offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1});
    await run(`source.close(); listen()`);
    await until("the page to be cut off", async () => await state() !== "connected");
    await browser.send("Network.emulateNetworkConditions", {offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1});
    await connected();
  },
  async "the end of the session is shown"() {
    assert.equal((await serving.ask("DELETE", `/api/sessions/${await code()}`)).status, 204);
    await until("the page to know", async () => await state() === "the session is over");
    await isAccessible(browser, "the session is over");
    await browser.click("#again");
    await connected();
    await browser.picture(join(folder, "new-session.png"));
  },
};

let failed = 0;
try {
  for (const [name, step] of Object.entries(steps)) {
    try {
      await step();
      console.log(`ok   ${name}`);
    } catch (wrong) {
      failed = 1;
      console.log(`FAIL ${name}: ${wrong.message}`);
      await browser.picture(join(folder, "failed.png"));
      break;
    }
  }
} finally {
  await browser.stop();
  await serving.stop();
}
process.exit(failed);
