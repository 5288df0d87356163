// server-everything, recorded in use by a client of the official SDK: the same client is answered the
// same by the recording, also when the recorder was killed; a version with other tools is found out;
// no secret stands in the file. One line a step; exit status 1 when one fails.
//
//   node record_everything.mjs PLUMBLINE NODE_MODULES_PARENT

import {spawn, spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const [plumbline, modules] = process.argv.slice(2);
const node = process.execPath;
const everything = `${modules}/node_modules/@modelcontextprotocol/server-everything/dist/index.js`;
const folder = mkdtempSync(join(tmpdir(), 'record-everything-'));
process.on('exit', () => rmSync(folder, {recursive: true, force: true}));
const TOKEN = 'planted-4711-of-nobody';

let failed = 0;
function tell(ok, what, detail) {
  if (!ok) ++failed;
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${what}${ok ? '' : `\n${detail}`}`);
}

// The client: lists, calls two tools, says what it saw. Beside the packages, where Node looks for them.
const client = join(modules, `everything_client_${process.pid}.mjs`);
process.on('exit', () => rmSync(client, {force: true}));
writeFileSync(client, `
import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport} from '@modelcontextprotocol/sdk/client/stdio.js';
const [command, ...args] = process.argv.slice(2);
const client = new Client({name: 'everything', version: '1'});
await client.connect(new StdioClientTransport({command, args, env: process.env, stderr: 'ignore'}));
const seen = {tools: (await client.listTools()).tools.map(tool => tool.name)};
seen.echo = await client.callTool({name: 'echo', arguments: {message: 'hello ' + process.env.MY_TOKEN}});
seen.sum = await client.callTool({name: 'get-sum', arguments: {a: 2, b: 3}});
console.log(JSON.stringify(seen));
if (process.env.STAY) await new Promise(resolve => setTimeout(resolve, 20_000));
await client.close();
`);
const env = {...process.env, MY_TOKEN: TOKEN};
const use = (...command) => spawnSync(node, [client, ...command], {encoding: 'utf8', timeout: 60_000, env});
const run = (...words) => spawnSync(plumbline, words, {encoding: 'utf8', timeout: 60_000, env, maxBuffer: 1 << 28});

const file = join(folder, 'r.jsonl');
const live = use(plumbline, 'record', '--out', file, '--', node, everything, 'stdio');
tell(live.status === 0, 'recorded in front of server-everything', live.stderr);
tell(live.stdout.includes(TOKEN), 'what passes is unchanged', live.stdout);
tell(!readFileSync(file, 'utf8').includes(TOKEN), 'the token is nowhere in the file', '');

const again = use(plumbline, 'replay', file, '--serve', 'stdio');
const masked = live.stdout.replaceAll(TOKEN, '[secret 1]');
tell(again.status === 0 && again.stdout === masked, 'the same client sees the same of the recording', `${again.stderr}\n${again.stdout}\n${masked}`);

const same = run('replay', file, '--diff', '--stdio', '--', node, everything, 'stdio');
tell(same.status === 0, 'the same server has no difference that breaks clients', same.stdout + same.stderr);

// The next version: echo wants one argument more, get-sum is gone.
const next = join(folder, 'next.mjs');
writeFileSync(next, `
import {spawn} from 'node:child_process';
import {createInterface} from 'node:readline';
const server = spawn(process.execPath, [${JSON.stringify(everything)}, 'stdio'], {stdio: ['pipe', 'pipe', 'ignore']});
process.stdin.pipe(server.stdin);
server.on('exit', () => process.exit(0));
for await (const line of createInterface({input: server.stdout})) {
  const message = JSON.parse(line);
  const tools = message.result?.tools;
  if (tools) {
    message.result.tools = tools.filter(tool => tool.name !== 'get-sum');
    message.result.tools.find(tool => tool.name === 'echo').inputSchema.required.push('loud');
  }
  console.log(JSON.stringify(message));
}
`);
const changed = run('replay', file, '--diff', '--report', 'json=-', '--stdio', '--', node, next);
const rows = changed.stdout === '' ? [] : JSON.parse(changed.stdout).results.filter(row => row.verdict === 'fail').map(row => row.id);
tell(changed.status === 1 && rows.join() === 'diff.tool-lost:get-sum,diff.argument-required:echo/loud',
  'a version with other tools is found out', `${rows}\n${changed.stderr}`);

const cut = join(folder, 'cut.jsonl');
const user = spawn(node, [client, plumbline, 'record', '--out', cut, '--', node, everything, 'stdio'],
  {env: {...env, STAY: '1'}, stdio: ['ignore', 'pipe', 'ignore']});
for await (const piece of user.stdout) if (String(piece).includes('\n')) break;
const recorder = spawnSync('ps', ['-o', 'pid=', '--ppid', String(user.pid)], {encoding: 'utf8'}).stdout.trim().split(/\s+/)[0];
process.kill(Number(recorder), 'SIGKILL');
user.kill('SIGKILL');
const left = use(plumbline, 'replay', cut, '--serve', 'stdio', '--fast');
tell(left.status === 0 && left.stdout === masked, 'a killed recorder has left all that was said', `${left.stderr}\n${left.stdout}`);

// Our own client in front of it, and then in simulation.
const asked = join(folder, 'asked.jsonl');
writeFileSync(join(folder, 'config.json'), JSON.stringify({mcpServers: {everything: {command: plumbline,
  args: ['record', '--out', asked, '--', node, everything, 'stdio']}}}));
const request = 'Echo the message "hello"';
const answer = run('ask', request, '--config', join(folder, 'config.json'), '--approve', 'all');
const orders = run('replay', asked, '--against', 'orchestrator', '--request', request, '--seeds', '1..100');
tell(answer.status === 0 && orders.status === 0, 'the orchestrator does the same in 100 orders', answer.stdout + answer.stderr + orders.stdout + orders.stderr);
process.exit(failed === 0 ? 0 : 1);
