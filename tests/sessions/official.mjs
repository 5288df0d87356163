// official.mjs PLUMBLINE SUITE REVISION: the official conformance suite against a session, whose
// worker has registered the tools that the suite asks for. What the suite wants of resources, prompts,
// completion and questions to the client is not of this server and is not run. Exit status 1 when
// something else fails.

import {spawn} from "node:child_process";
import {mkdtempSync, readFileSync, readdirSync, rmSync, existsSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {Serving, Worker} from "./serving.mjs";

const [plumbline, suite, revision] = process.argv.slice(2);
const runner = join(suite, "dist", "index.js");
const knowsRequirements = !JSON.parse(readFileSync(join(suite, "package.json"), "utf8")).version.startsWith("0.1.");
const NOT_OURS = /resources|prompts|completion|sampling|elicitation|sse-polling|sse-multiple|input-required|mrtr|tasks|json-schema-ref/;
// Checks, within scenarios that are, of prompts and of questions that a worker cannot put.
const NOT_OUR_CHECKS = new Set(["sep-2575-server-sends-prompts-list-changed-on-subscription",
  "sep-2575-server-rejects-undeclared-capability", "sep-2575-missing-capability-http-400",
  "sep-2575-http-server-no-independent-requests-on-stream"]);

const text = (words) => ({type: "text", text: words});
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const image = {type: "image", data: pixel, mimeType: "image/png"};
const sound = {type: "audio", data: "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=", mimeType: "audio/wav"};
const resource = (uri, mimeType, words) => ({type: "resource", resource: {uri, mimeType, text: words}});

const serving = await Serving.start(plumbline, ["--quiet"]);
const code = await serving.session();
const tools = {
  test_simple_text: () => ({content: [text("This is a simple text response for testing.")]}),
  test_image_content: () => ({content: [image]}),
  test_audio_content: () => ({content: [sound]}),
  test_embedded_resource: () => ({content: [resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")]}),
  test_multiple_content_types: () => ({content: [text("Multiple content types test:"), image,
    resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')]}),
  test_error_handling: () => ({content: [text("This tool intentionally returns an error for testing")], isError: true}),
  async test_tool_with_progress(request) {
    for (const progress of [0, 50, 100]) {
      await serving.ask("POST", "/api/progress", {sessionCode: code, requestId: request.requestId, progress, total: 100});
    }
    return {content: [text("done")]};
  },
  json_schema_2020_12_tool: () => ({content: [text("done")]}),
  test_x_mcp_header: () => ({content: [text("done")]}),
  async test_trigger_tool_change() {
    await serving.ask("POST", `/api/sessions/${code}/tools`, {tools: [{name: "newcomer", description: "Comes later.", inputSchema: {type: "object"}}]});
    return {content: [text("done")]};
  },
  test_logging_tool: (request) => tools.test_tool_with_logging(request),
  async test_tool_with_logging(request) {
    for (const message of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await serving.ask("POST", "/api/log", {sessionCode: code, requestId: request.requestId, level: "info", message});
    }
    return {content: [text("done")]};
  },
};
const schemas = {
  json_schema_2020_12_tool: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {address: {$anchor: "addressDef", type: "object", properties: {street: {type: "string"}, city: {type: "string"}}}},
    properties: {name: {type: "string"}, address: {$ref: "#/$defs/address"},
      contactMethod: {type: "string", enum: ["phone", "email"]}, phone: {type: "string"}, email: {type: "string"}},
    allOf: [{anyOf: [{required: ["phone"]}, {required: ["email"]}]}],
    if: {properties: {contactMethod: {const: "phone"}}, required: ["contactMethod"]},
    then: {required: ["phone"]},
    else: {required: ["email"]},
    additionalProperties: false,
  },
  test_x_mcp_header: {
    type: "object",
    properties: {region: {type: "string", "x-mcp-header": "Region"}, priority: {type: "integer", "x-mcp-header": "Priority"}},
    required: ["region"],
  },
};
const registered = await serving.ask("PUT", `/api/sessions/${code}/tools`, {tools: Object.keys(tools).map((name) =>
  ({name, description: `The tool ${name} of the official suite.`, inputSchema: schemas[name] ?? {type: "object"}}))});
if (registered.status !== 200) throw new Error(registered.body.error.message);
const worker = await Worker.listen(serving, code, (request) => tools[request.toolName](request));

const output = mkdtempSync(join(tmpdir(), "official-sessions-"));
function run(args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [runner, ...args], {stdio: ["ignore", "pipe", "pipe"],
      env: {...process.env, MCP_CONFORMANCE_PROTOCOL_VERSION: revision}});
    const late = setTimeout(() => child.kill("SIGKILL"), 120_000);
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => { said += data; });
    child.on("close", () => { clearTimeout(late); resolve(said); });
  });
}
const which = knowsRequirements ? ["--requirements", revision] : ["--suite", "all"];
await run(["server", "--url", `${serving.base}/api/sessions/${code}/mcp`, ...which, "-o", output]);
await worker.stop();
await serving.stop();

let failed = 0, passed = 0, left = 0;
const folders = (at, before) => readdirSync(at, {withFileTypes: true}).filter((one) => one.isDirectory()).forEach((entry) => {
  const checks = join(at, entry.name, "checks.json");
  if (!existsSync(checks)) return folders(join(at, entry.name), `${before}${entry.name}/`);
  const name = `${before}${entry.name}`.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, "");
  const found = JSON.parse(readFileSync(checks, "utf8"));
  const wrong = found.filter((check) => ["FAILURE", "WARNING"].includes(check.status) && !NOT_OUR_CHECKS.has(check.id));
  if (NOT_OURS.test(name)) { ++left; return undefined; }
  if (wrong.length === 0) ++passed; else ++failed;
  console.log(`${wrong.length === 0 ? "ok  " : "FAIL"} ${name}: ${found.filter((check) => check.status === "SUCCESS").length} passed`);
  for (const check of wrong) console.log(`       ${check.status} ${check.id}: ${check.errorMessage ?? check.description}`);
  return undefined;
});
folders(output, "");
rmSync(output, {recursive: true, force: true});
console.log(`${suite.split("/").pop()} at ${revision}: ${passed} scenarios pass, ${failed} fail, ${left} are not of this server`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
