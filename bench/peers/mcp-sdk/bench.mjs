// Round trips of tools/call echo with the official SDK at both ends, as one line of JSON.
//
//   node bench.mjs memory|stdio|http IN_FLIGHT SECONDS

import {spawn} from 'node:child_process';
import {createRequire} from 'node:module';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport} from '@modelcontextprotocol/sdk/client/stdio.js';
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {InMemoryTransport} from '@modelcontextprotocol/sdk/inMemory.js';

import {makeServer} from './echo_server.mjs';

const [transport, inFlight, seconds] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const serverFile = fileURLToPath(new URL('echo_server.mjs', import.meta.url));
const client = new Client({name: 'bench', version: '1'});
let child;

if (transport === 'memory') {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await makeServer().connect(theirs);
  await client.connect(ours);
} else if (transport === 'stdio') {
  await client.connect(new StdioClientTransport({command: process.execPath, args: [serverFile, 'serve', 'stdio']}));
} else {
  child = spawn(process.execPath, [serverFile, 'serve', 'http'], {stdio: ['ignore', 'pipe', 'inherit']});
  const lines = createInterface({input: child.stdout});
  const url = await new Promise(resolve => lines.once('line', resolve));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
}

const text = 'x'.repeat(100);
const call = () => client.callTool({name: 'echo', arguments: {text}});
for (let i = 0; i < 300; ++i) await call();

const latencies = [];
const end = performance.now() + seconds * 1000;
const start = performance.now();
async function caller() {
  for (let now = performance.now(); now < end;) {
    const result = await call();
    if (result.content[0].text !== text) throw new Error('not the echo');
    const then = performance.now();
    latencies.push(then - now);
    now = then;
  }
}
await Promise.all(Array.from({length: inFlight}, caller));
const took = performance.now() - start;

latencies.sort((a, b) => a - b);
const {version} = createRequire(import.meta.url)('./node_modules/@modelcontextprotocol/sdk/package.json');
console.log(JSON.stringify({
  peer: `@modelcontextprotocol/sdk ${version}`, transport, in_flight: inFlight,
  calls_per_second: Math.round(latencies.length / took * 1000),
  p50_us: Math.round(latencies[latencies.length >> 1] * 1000),
  p99_us: Math.round(latencies[Math.floor(latencies.length * 0.99)] * 1000),
}));
await client.close();
child?.kill();
