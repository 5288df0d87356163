// A conversation over HTTP as mitmproxy has seen it: its HAR file becomes a recording, without the
// token that was shown, and the recording answers the same client the same. One line a step; exit
// status 1 when one fails, 77 where mitmproxy is not installed.
//
//   node record_mitmproxy.mjs PLUMBLINE NODE_MODULES_PARENT

import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {freePort} from '../ports.mjs';
import {Commands, expect} from './commands.mjs';

const [program, modules] = process.argv.slice(2);
const ADDON = '/usr/share/doc/mitmproxy/examples/contrib/har_dump.py';
if (spawnSync('mitmdump', ['--version']).error || !existsSync(ADDON)) {
  console.log('mitmproxy is not installed');
  process.exit(77);
}
const commands = new Commands(program);
const TOKEN = 'planted-4711-of-nobody';

const client = join(modules, `mitmproxy_client_${process.pid}.mjs`);  // Node looks for packages beside it.
process.on('exit', () => rmSync(client, {force: true}));
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

const url = await commands.serve([]);
const port = await freePort();
const har = join(commands.folder, 'session.har');
const proxy = spawn('mitmdump', ['--mode', `reverse:${new URL(url).origin}`, '--listen-host', '127.0.0.1', '-p', String(port), '-s', ADDON,
  '--set', `hardump=${har}`, '--set', `confdir=${commands.folder}`], {stdio: ['ignore', 'pipe', 'inherit']});
commands.children.push(proxy);
await new Promise(resolve => proxy.stdout.on('data', text => { if (String(text).includes('listening')) resolve(); }));

const live = use(`http://127.0.0.1:${port}/mcp`);
expect(live.status === 0, `used through mitmproxy ${live.stderr}`);
proxy.kill('SIGINT');
await once(proxy, 'exit');
expect(readFileSync(har, 'utf8').includes(TOKEN), 'its HAR file has the token');

const file = join(commands.folder, 'r.jsonl');
const imported = await commands.run(['record', '--import', har, '--out', file]);
expect(imported.status === 0, `the HAR file is a recording: ${imported.err.trim()}`);
expect(!readFileSync(file, 'utf8').includes(TOKEN), 'the token is nowhere in it');

const again = use(await commands.url(['replay', file, '--serve', 'http', '--fast']));
expect(again.status === 0 && again.stdout === live.stdout, `the same client is answered the same by it ${again.stderr}`);
const same = await commands.run(['replay', file, '--diff', '--url', url]);
expect(same.status === 0, `the server has no difference to it that breaks clients: ${same.out.trim().split('\n').at(-1)}`);
process.exit(0);
