// The traces that the program writes, read by OpenTelemetry's own definitions of OTLP: a call over
// MCP that a client's trace goes on in, in a file; and a request of `ask`, at a collector, whose
// trace goes on in the server that it calls. One line a step; exit status 1 when one fails.
//
//   node otlp_traces.mjs PLUMBLINE NODE_MODULES_PARENT

import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {isDeepStrictEqual} from 'node:util';

import {Commands, expect, listening} from './commands.mjs';

const [program, modules] = process.argv.slice(2);
const require = createRequire(join(modules, 'package.json'));
const sdk = path => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${path}`)));
const {Client} = await sdk('client/index.js');
const {StdioClientTransport} = await sdk('client/stdio.js');
const {opentelemetry} = require('@opentelemetry/otlp-transformer/build/src/generated/root');
const Request = opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;

// read has the definitions read one request: into protobuf and out of it again, and nothing of it
// may be unknown to them. It returns the spans, their attributes as an object.
function read(text) {
  const json = JSON.parse(text);
  const spans = json.resourceSpans.flatMap(one => one.scopeSpans.flatMap(scope => scope.spans));
  for (const span of spans) {
    expect(/^[0-9a-f]{32}$/.test(span.traceId) && /^[0-9a-f]{16}$/.test(span.spanId), `ids of ${span.name}`);
  }
  const bytes = hex => Buffer.from(hex, 'hex').toString('base64');
  const asProtobuf = JSON.parse(text, (key, value) => ['traceId', 'spanId', 'parentSpanId'].includes(key) ? bytes(value) : value);
  const message = Request.fromObject(asProtobuf);
  expect(Request.verify(message) === null, `the definitions take ${spans.length} spans`);
  const again = Request.toObject(Request.decode(Request.encode(message).finish()), {longs: String, enums: Number, bytes: String});
  const filled = JSON.parse(JSON.stringify(again));
  expect(isDeepStrictEqual(without(filled), without(asProtobuf)), 'and lose nothing of them');
  for (const span of spans) span.named = Object.fromEntries(span.attributes.map(({key, value}) => [key, Object.values(value)[0]]));
  return spans;
}

// without leaves out what is empty: protobuf does not tell it from what is not there.
function without(value) {
  if (Array.isArray(value)) return value.map(without);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, without(each)])
    .filter(([, each]) => !(each === '' || (Array.isArray(each) && each.length === 0) || (each && typeof each === 'object' && Object.keys(each).length === 0))));
}

// judgeTree expects one trace, below `parent` or the first of its own.
function judgeTree(spans, parent) {
  const ids = new Map(spans.map(span => [span.spanId, span]));
  expect(new Set(spans.map(span => span.traceId)).size === 1, 'they are one trace');
  const roots = spans.filter(span => !ids.has(span.parentSpanId));
  expect(roots.length === 1 && (roots[0].parentSpanId ?? '') === parent, 'with one beginning');
  expect(spans.every(span => BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)), 'each ends after its start');
  return roots[0];
}

const commands = new Commands(program);
const script = join(commands.folder, 'model.json');
writeFileSync(script, JSON.stringify({turns: [{always: true, text: 'I looked at it.', usage: {input_tokens: 7, output_tokens: 4}}]}));
const file = join(commands.folder, 'spans.jsonl');
const client = new Client({name: 'test', version: '1'});
const transport = new StdioClientTransport({command: program, args: ['agents', 'serve', '--stdio', '--model-script', script, '--otlp', file]});
await client.connect(transport);
const caller = {trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331'};
await client.callTool({name: 'chat', arguments: {prompt: 'What do you think?'}, _meta: {traceparent: `00-${caller.trace}-${caller.span}-01`}});
await client.close();

const served = readFileSync(file, 'utf8').trim().split('\n').flatMap(read);
const root = judgeTree(served, caller.span);
expect(root.name === 'tools/call chat' && root.kind === 2 && root.traceId === caller.trace, "the client's trace goes on in the call of the tool");
const chat = served.find(span => span.named['gen_ai.operation.name'] === 'chat');
expect(chat?.kind === 3 && chat.named['gen_ai.usage.input_tokens'] === '7', 'the answer of the model tells its tokens');
expect(served.some(span => span.name === 'node simple_tool_agent'), 'nodes of the graph have spans');

const got = [];
const collector = createServer((request, response) => {
  let body = '';
  request.on('data', data => { body += data; });
  request.on('end', () => {
    if (request.url === '/v1/traces') got.push(body);
    response.end('{}');
  });
});
const port = await listening(collector);
const inner = join(commands.folder, 'inner.jsonl');
const config = join(commands.folder, 'config.json');
writeFileSync(config, JSON.stringify({mcpServers: {notes: {command: program, args: ['agents', 'serve', '--stdio', '--model-script', script, '--otlp', inner]}}}));
const answer = await commands.run(['ask', 'Which models are there? Call listmodels.', '--config', config, '--otlp', `http://127.0.0.1:${port}`, '--approve', 'all']);
expect(answer.status === 0, `asks: ${answer.out.trim().slice(0, 80)}${answer.err.slice(0, 200)}`);
const asked = got.flatMap(read);
judgeTree(asked, '');
const call = asked.find(span => span.named['mcp.method.name'] === 'tools/call');
expect(call?.kind === 3 && call.named['gen_ai.tool.name'] !== undefined, `the call of a tool has a span: ${call?.name}`);
const there = readFileSync(inner, 'utf8').trim().split('\n').flatMap(read);
expect(judgeTree(there, call.spanId).traceId === call.traceId, 'and its server goes on with the trace');
process.exit(0);
