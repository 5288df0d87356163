// nginx_test.mjs PLUMBLINE NGINX: the server behind nginx, with buffering off and on, and where idle
// streams are cut. Ends with 1 and the first thing that is not as it should be.

import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {createServer} from "node:net";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {Serving, Worker, until} from "./serving.mjs";

const [plumbline, nginx] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "sessions-nginx-"));
const config = join(folder, "sessions.json");
writeFileSync(config, JSON.stringify({keep_alive_ms: 700}));
const serving = await Serving.start(plumbline, ["--quiet", "--config", config]);

const freePort = () => new Promise((resolve) => {
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const {port} = probe.address();
    probe.close(() => resolve(port));
  });
});

// behind returns the server as it is seen through an nginx with `lines` in its location.
async function behind(lines) {
  const port = await freePort();
  const file = join(folder, `nginx-${port}.conf`);
  const temp = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((one) => `${one}_temp_path ${folder}/${one};`).join(" ");
  writeFileSync(file, `daemon off; master_process off; pid ${folder}/nginx-${port}.pid; error_log ${folder}/error.log;
events { worker_connections 256; }
http { access_log off; ${temp}
  server { listen 127.0.0.1:${port};
    location / { proxy_pass ${serving.base}; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host localhost; ${lines} } } }
`);
  const child = spawn(nginx, ["-c", file, "-p", folder], {stdio: ["ignore", "ignore", "inherit"]});
  const base = `http://127.0.0.1:${port}`;
  await until("nginx", () => fetch(`${base}/healthz`).then((answer) => answer.ok, () => false));
  const through = Object.assign(Object.create(serving), {base});
  return {through, stop: () => new Promise((resolve) => { child.once("exit", resolve); child.kill("SIGTERM"); })};
}

// call has a worker behind the same nginx do a tool, and returns how long that took.
async function call(through, code) {
  const began = Date.now();
  const {body} = await through.ask("POST", `/api/sessions/${code}/mcp`,
    {jsonrpc: "2.0", id: 1, method: "tools/call", params: {name: "create_codap_graph",
      arguments: {datasetName: "d", graphType: "histogram", xAttribute: "x"}, _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}},
    {Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "tools/call", "Mcp-Name": "create_codap_graph"});
  assert.match(body.result.content[0].text, /^✅/);
  return Date.now() - began;
}

let failed = 0;
for (const [name, lines] of [["buffering off", "proxy_buffering off;"], ["buffering on", "proxy_buffering on;"],
  ["idle streams cut after 2 s", "proxy_read_timeout 2s;"]]) {
  const {through, stop} = await behind(lines);
  try {
    const code = await through.session();
    const worker = await Worker.listen(through, code, () => ({did: true}));
    const first = await call(through, code);
    await new Promise((resolve) => setTimeout(resolve, 3_000));  // Longer than the cut.
    assert.ok((await through.ask("GET", `/api/sessions/${code}`)).body.worker, "the idle stream was cut");
    const later = await call(through, code);
    await worker.stop();
    await until("the server to notice that the worker left", async () => !(await serving.ask("GET", `/api/sessions/${code}`)).body.worker);
    console.log(`ok   ${name}: ${first} ms, after 3 s of silence ${later} ms`);
  } catch (wrong) {
    failed = 1;
    console.log(`FAIL ${name}: ${wrong.message}`);
  }
  await stop();
}
await serving.stop();
rmSync(folder, {recursive: true, force: true});
process.exit(failed);
