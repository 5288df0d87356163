// `connect test` of agents that others serve: supergateway over WebSocket, HTTP+SSE and Streamable
// HTTP, mcp-proxy with an API key, each in front of server-everything.
//
//   node connect_peers.mjs PLUMBLINE MODULES      exit status 77: they are not installed

import assert from 'node:assert';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import {shellWord} from '../shell_word.mjs';

const [plumbline, modules] = process.argv.slice(2);
const packages = path.join(modules, 'node_modules');
const onLoopback = path.join(import.meta.dirname, 'on_loopback.mjs');
const everything = path.join(packages, '@modelcontextprotocol/server-everything/dist/index.js');

// program returns the file that a package runs; nothing where it is not installed.
function program(name) {
  const manifest = path.join(packages, name, 'package.json');
  if (!fs.existsSync(manifest)) return undefined;
  const {bin} = JSON.parse(fs.readFileSync(manifest));
  return path.join(packages, name, typeof bin === 'string' ? bin : bin[name]);
}

// served starts a server on a free port of 127.0.0.1 and returns it with that.
async function served(script, args) {
  const child = spawn(process.execPath, ['--import', onLoopback, script, ...args],
                      {stdio: ['ignore', 'pipe', 'ignore'], detached: true});
  let said = '';
  child.stdout.setEncoding('utf8').on('data', text => said += text);
  for (let i = 0; i < 200 && !/listening on \d+/.test(said); ++i) await new Promise(resolve => setTimeout(resolve, 50));
  const port = said.match(/listening on (\d+)/)?.[1];
  assert(port, `${script} does not listen: ${said}`);
  return {child, port};
}

// end ends a server and what it has started.
async function end(child) {
  const closed = once(child, 'close');
  process.kill(-child.pid, 'SIGTERM');
  const late = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), 5000);
  await closed;
  clearTimeout(late);
}

async function verdicts(agent) {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'plumbline-peers-'));
  const files = [path.join(scratch, 'agent.json'), path.join(scratch, 'settings.json')];
  fs.writeFileSync(files[0], JSON.stringify({agentId: 'theirs', ...agent}));
  fs.writeFileSync(files[1], JSON.stringify({mcp: {maxConcurrentConnections: 3}}));
  const child = spawn(plumbline, ['connect', 'test', ...files, '--report', 'json=-'],
                      {stdio: ['ignore', 'pipe', 'inherit'], timeout: 60_000});
  let said = '';
  child.stdout.setEncoding('utf8').on('data', text => said += text);
  await once(child, 'close');
  fs.rmSync(scratch, {recursive: true});
  const rows = JSON.parse(said).results;
  return {short: rows.map(row => row.verdict).join(' '),
          long: rows.map(row => `${row.id} ${row.verdict} ${row.message}`).join('\n')};
}

const key = {authentication: {type: 'api-key', key: 'sesame', header: 'X-API-Key', prefix: ''}};
const open = 'pass skip pass pass pass pass', locked = 'pass pass pass pass pass pass';
const stdio = ['--stdio', `${shellWord(process.execPath)} ${shellWord(everything)}`, '--port', '0', '--outputTransport'];
const proxied = ['--host', '127.0.0.1', '--apiKey', 'sesame', '--', process.execPath, everything];
const cases = [
  ['supergateway', [...stdio, 'ws'], port => ({endpoint: `ws://127.0.0.1:${port}/message`}), open],
  ['supergateway', [...stdio, 'sse'], port => ({endpoint: `http://127.0.0.1:${port}/sse`, type: 'sse'}), open],
  ['supergateway', [...stdio, 'streamableHttp', '--stateful'], port => ({endpoint: `http://127.0.0.1:${port}/mcp`}), open],
  ['mcp-proxy', proxied, port => ({endpoint: `http://127.0.0.1:${port}/mcp`, ...key}), locked],
  ['mcp-proxy', proxied, port => ({endpoint: `http://127.0.0.1:${port}/sse`, type: 'sse', ...key}), locked],
];

let met = 0;
for (const [name, args, agent, expected] of cases) {
  const script = program(name);
  if (!script) continue;
  ++met;
  const {child, port} = await served(script, args);
  try {
    const {short, long} = await verdicts(agent(port));
    assert.equal(short, expected, `${name} ${JSON.stringify(agent(port))}\n${long}`);
    console.log(`${name} ${agent(port).endpoint.replace(port, 'PORT')}: ${short}`);
  } finally {
    await end(child);
  }
}
if (met === 0) console.log('skipped: neither supergateway nor mcp-proxy is installed');
process.exit(met === 0 ? 77 : 0);
