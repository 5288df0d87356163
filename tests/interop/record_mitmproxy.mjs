// A conversation over HTTP as mitmproxy has seen it: its HAR file becomes a recording, without the
// token that was shown, and the recording answers the same client the same. One line a step; exit
// status 1 when one fails, 77 where mitmproxy is not installed.
//
//   node record_mitmproxy.mjs PLUMBLINE NODE_MODULES_PARENT

import {spawn, spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const [plumbline, modules] = process.argv.slice(2);
const ADDON = '/usr/share/doc/mitmproxy/examples/contrib/har_dump.py';
if (spawnSync('mitmdump', ['--version']).error || !existsSync(ADDON)) {
  console.log('mitmproxy is not installed');
  process.exit(77);
}
const folder = mkdtempSync(join(tmpdir(), 'record-mitmproxy-'));
const client = join(modules, `mitmproxy_client_${process.pid}.mjs`);  // Node looks for packages beside it.
const children = [];
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(client, {force: true});
  rmSync(folder, {recursive: true, force: true});
});

let failed = 0;
function tell(ok, what, detail) {
  if (!ok) ++failed;
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${what}${ok ? '' : `\n${detail}`}`);
}

const TOKEN = 'planted-4711-of-nobody';
writeFileSync(client, `
import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
const client = new Client({name: 'watched', version: '1'});
const headers = {Authorization: 'Bearer ${TOKEN}'};
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2]), {requestInit: {headers}}));
const seen = {tools: (await client.listTools()).tools.map(tool => tool.name)};
seen.text = await client.callTool({name: 'test_simple_text', arguments: {}});
console.log(JSON.stringify(seen));
await client.close();
`);
const use = url => spawnSync(process.execPath, [client, url], {encoding: 'utf8', timeout: 30_000});

// said waits until the program has printed what `pattern` matches, and goes on reading.
const said = (child, pattern) => new Promise(resolve => {
  let text = '';
  child.stdout.on('data', piece => {
    text += piece;
    if (pattern.test(text)) resolve(text.trim());
  });
});

// urlOf starts a server of ours and returns the URL that it prints.
function urlOf(...words) {
  const child = spawn(plumbline, words, {stdio: ['ignore', 'pipe', 'inherit']});
  children.push(child);
  return said(child, /\n/);
}

// mitmdump cannot say which port the system has chosen for it.
const freePort = () => new Promise(resolve => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const {port} = server.address();
    server.close(() => resolve(port));
  });
});

const url = await urlOf('serve', '--reference', '--http', '127.0.0.1:0');
const port = await freePort();
const har = join(folder, 'session.har');
const proxy = spawn('mitmdump', ['--mode', `reverse:${new URL(url).origin}`, '--listen-host', '127.0.0.1', '-p', String(port), '-s', ADDON,
  '--set', `hardump=${har}`, '--set', `confdir=${folder}`], {stdio: ['ignore', 'pipe', 'inherit']});
children.push(proxy);
await said(proxy, /listening/);

const live = use(`http://127.0.0.1:${port}/mcp`);
tell(live.status === 0, 'used through mitmproxy', live.stderr);
proxy.kill('SIGINT');
await new Promise(resolve => proxy.once('exit', resolve));
tell(readFileSync(har, 'utf8').includes(TOKEN), 'its HAR file has the token', '');

const file = join(folder, 'r.jsonl');
const imported = spawnSync(plumbline, ['record', '--import', har, '--out', file], {encoding: 'utf8', timeout: 30_000});
tell(imported.status === 0, 'the HAR file is a recording', imported.stderr);
tell(!readFileSync(file, 'utf8').includes(TOKEN), 'the token is nowhere in it', '');

const again = use(await urlOf('replay', file, '--serve', 'http', '--fast'));
tell(again.status === 0 && again.stdout === live.stdout, 'the same client is answered the same by it', `${again.stderr}\n${again.stdout}\n${live.stdout}`);
const same = spawnSync(plumbline, ['replay', file, '--diff', '--url', url], {encoding: 'utf8', timeout: 30_000});
tell(same.status === 0, 'the server has no difference to it that breaks clients', same.stdout + same.stderr);
process.exit(failed ? 1 : 0);
