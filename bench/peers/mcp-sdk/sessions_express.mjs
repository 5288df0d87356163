// The sessions of bench/sessions_load.cc as one writes them with the TypeScript SDK and Express: a
// server and a transport of Streamable HTTP for each client, workers on event streams, sessions in a
// Map. Prints its URL.

import express from "express";
import {randomBytes, randomUUID} from "node:crypto";
import {Server} from "@modelcontextprotocol/sdk/server/index.js";
import {StreamableHTTPServerTransport} from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {CallToolRequestSchema, isInitializeRequest, ListToolsRequestSchema} from "@modelcontextprotocol/sdk/types.js";

const TTL_S = 3600;
const CALL_MS = 30_000;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const TOOLS = [{name: "create_codap_graph", description: "Create a graph", inputSchema: {type: "object",
  properties: {datasetName: {type: "string"}, graphType: {type: "string"}, xAttribute: {type: "string"}},
  required: ["datasetName", "graphType", "xAttribute"]}}];

const sessions = new Map();
const app = express();
app.use(express.json({limit: "1mb"}));

app.post("/api/sessions", (_, reply) => {
  const code = [...randomBytes(8)].map((byte) => ALPHABET[byte & 31]).join("");
  sessions.set(code, {code, waiting: new Map(), transports: new Map(), stream: null});
  reply.status(201).json({code, ttl: TTL_S, expiresAt: new Date(Date.now() + TTL_S * 1000).toISOString()});
});

app.get("/api/stream", (request, reply) => {
  const session = sessions.get(request.query.sessionCode);
  if (!session) return reply.status(404).json({error: "session_not_found"});
  reply.writeHead(200, {"Content-Type": "text/event-stream", "Cache-Control": "no-cache"});
  session.stream = reply;
  reply.write(`event: connection\ndata: ${JSON.stringify({type: "connection", sessionCode: session.code})}\n\n`);
  const beat = setInterval(() => reply.write(":\n\n"), 15_000);
  request.on("close", () => clearInterval(beat));
  return undefined;
});

app.post("/api/response", (request, reply) => {
  const {sessionCode, requestId, result, error} = request.body;
  const waiting = sessions.get(sessionCode)?.waiting.get(requestId);
  if (!waiting) return reply.status(404).json({error: "no_such_request"});
  sessions.get(sessionCode).waiting.delete(requestId);
  waiting(error ? {success: false, error} : result);
  return reply.json({success: true});
});

function execute(session, name, params) {
  return new Promise((resolve) => {
    const requestId = randomUUID();
    const late = setTimeout(() => { session.waiting.delete(requestId); resolve({success: false, error: "timed out"}); }, CALL_MS);
    session.waiting.set(requestId, (result) => { clearTimeout(late); resolve(result); });
    session.stream?.write(`event: tool_request\ndata: ${JSON.stringify({type: "tool_request", requestId, toolName: name, params})}\n\n`);
  });
}

function serverOf(session) {
  const server = new Server({name: "codap-mcp-server", version: "1.0.0"}, {capabilities: {tools: {listChanged: true}}});
  server.setRequestHandler(ListToolsRequestSchema, () => ({tools: TOOLS}));
  server.setRequestHandler(CallToolRequestSchema, async ({params}) => {
    const result = await execute(session, params.name, params.arguments);
    const text = result.success ? `✅ Tool executed successfully\n\n${JSON.stringify(result.data, null, 2)}`
                                : `❌ Tool execution failed: ${result.error}`;
    return {content: [{type: "text", text}], isError: !result.success};
  });
  return server;
}

app.all("/api/sessions/:code/mcp", async (request, reply) => {
  const session = sessions.get(request.params.code);
  if (!session) return reply.status(404).json({error: "session_not_found"});
  let transport = session.transports.get(request.headers["mcp-session-id"]);
  if (!transport && isInitializeRequest(request.body)) {
    transport = new StreamableHTTPServerTransport({sessionIdGenerator: randomUUID, enableJsonResponse: true,
      onsessioninitialized: (id) => session.transports.set(id, transport)});
    await serverOf(session).connect(transport);
  }
  if (!transport) return reply.status(404).end();
  return transport.handleRequest(request, reply, request.body);
});

const listener = app.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${listener.address().port}`));
listener.keepAliveTimeout = 60_000;
