// A client of the official SDK calls create_codap_dataset and create_codap_graph, hears of progress
// and of a tool that comes while it listens. Prints what it got as one JSON line.
//
//   node sdk_call.mjs 1|2|2-modern URL CODE BASE

import assert from "node:assert/strict";

const [major, url, code, base] = process.argv.slice(2);

async function open(onChanged) {
  const info = {name: "teacher", version: "1"};
  if (major === "1") {
    const {Client} = await import("@modelcontextprotocol/sdk/client/index.js");
    const {StreamableHTTPClientTransport} = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
    const {ToolListChangedNotificationSchema} = await import("@modelcontextprotocol/sdk/types.js");
    const client = new Client(info, {capabilities: {}});
    client.setNotificationHandler(ToolListChangedNotificationSchema, onChanged);
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return client;
  }
  const {Client, StreamableHTTPClientTransport} = await import("@modelcontextprotocol/client");
  const mode = major === "2-modern" ? {pin: "2026-07-28"} : "legacy";
  const client = new Client(info, {capabilities: {}, versionNegotiation: {mode}});
  client.setNotificationHandler("notifications/tools/list_changed", onChanged);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

let changed = 0;
const client = await open(() => { ++changed; });
const info = client.getServerVersion?.() ?? {};
assert.equal(info.name, "codap-mcp-server");
const names = async () => (await client.listTools()).tools.map((tool) => tool.name);
assert.deepEqual(await names(), ["create_codap_dataset", "create_codap_graph"]);
assert.deepEqual((await client.listResources()).resources, []);
assert.deepEqual((await client.listPrompts()).prompts, []);

const made = await client.callTool({name: "create_codap_dataset",
  arguments: {datasetName: "class", dataType: "sample_students", recordCount: 30}});
assert.match(made.content[0].text, /^✅ Tool executed successfully\n\n/);
const drawn = await client.callTool({name: "create_codap_graph",
  arguments: {datasetName: "class", graphType: "bar_chart", xAttribute: "grade", title: "Pupils by grade"}});
assert.match(drawn.content[0].text, /^✅/);
assert.ok(!drawn.isError);
const refused = await client.callTool({name: "create_codap_dataset",
  arguments: {datasetName: "x", dataType: "none", recordCount: 0}}).catch((wrong) => wrong);
const said = refused.content?.[0].text ?? refused.message;
assert.match(said, /dataType/);
assert.match(said, /recordCount/);

// A tool that the worker registers while we are here. A stateless client has to listen for that.
if (major !== "2-modern") {
  const answer = await fetch(`${base}/api/sessions/${code}/tools`, {method: "POST",
    headers: {"Content-Type": "application/json"},
    body: JSON.stringify({tools: [{name: `late_${major}`, inputSchema: {type: "object"}}]})});
  assert.equal(answer.status, 200);
  for (let i = 0; i < 250 && changed === 0; ++i) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(changed, 1, "list_changed did not come");
  assert.ok((await names()).includes(`late_${major}`));
  await fetch(`${base}/api/sessions/${code}/tools`, {method: "DELETE"});
}
console.log(JSON.stringify({protocol: client.getNegotiatedProtocolVersion?.() ?? client.transport?.protocolVersion ?? major,
  graph: drawn.content[0].text.split("\n").slice(2).join("").replace(/\s+/g, " ")}));
await client.close();
