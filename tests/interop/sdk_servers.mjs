// Visits servers that others have written with our reference client: the example servers of the
// protocol's own project and servers of both generations of the official SDK, on every transport
// that each has. One line a combination; exit status 1 when one fails.
//
//   node sdk_servers.mjs REFERENCE_CLIENT FOLDER_OF_NODE_MODULES

import {spawn, spawnSync} from 'node:child_process';
import {copyFileSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

const [client, modules] = process.argv.slice(2);
const official = name => `${modules}/node_modules/@modelcontextprotocol/${name}/dist/index.js`;

// Node looks for packages beside the script.
const besideModules = name => {
  copyFileSync(fileURLToPath(new URL(name, import.meta.url)), `${modules}/${name}`);
  return `${modules}/${name}`;
};
const onLoopback = besideModules('on_loopback.mjs');
const sdk2 = besideModules('sdk_server.mjs');

let failed = 0;

// visit holds what the client says against what must be among it.
function visit(what, target, expected, environment = {}) {
  const child = spawnSync(client, target, {encoding: 'utf8', timeout: 60_000, env: {...process.env, ...environment}});
  const missing = expected.filter(line => !child.stdout.includes(line));
  const ok = child.status === 0 && missing.length === 0;
  if (!ok) ++failed;
  const calls = child.stdout.split('\n').filter(line => line.startsWith('tools/call')).length;
  console.log(ok ? `ok   ${what}: ${calls} tools called`
                 : `FAIL ${what}: status ${child.status}, missing ${JSON.stringify(missing)}\n${child.stdout}${child.stderr}`);
}

async function serve(argv) {
  const child = spawn(process.execPath, argv, {stdio: ['ignore', 'pipe', 'ignore']});
  const port = await new Promise((resolve, reject) => {
    createInterface({input: child.stdout}).on('line', line => {
      const said = /^listening on (\d+)$/.exec(line);
      if (said) resolve(said[1]);
    });
    child.once('exit', code => reject(new Error(`${argv.join(' ')} ended with ${code}`)));
  });
  return {at: `http://127.0.0.1:${port}`, stop: () => child.kill('SIGKILL')};
}

const everything = ['tools/call echo: done', 'tools/call get-sum: done', 'prompts/get simple-prompt: done'];
visit('server-everything over stdio', ['--stdio', process.execPath, official('server-everything'), 'stdio'], everything);
const loopback = ['--import', `file://${onLoopback}`, official('server-everything')];
const streamable = await serve([...loopback, 'streamableHttp']);
visit('server-everything over Streamable HTTP', [`${streamable.at}/mcp`], everything);
streamable.stop();
const sse = await serve([...loopback, 'sse']);
visit('server-everything over HTTP+SSE', [`${sse.at}/sse`], everything);
sse.stop();

visit('server-memory over stdio', ['--stdio', process.execPath, official('server-memory')],
      ['tools/call read_graph: done'], {MEMORY_FILE_PATH: `${modules}/memory-of-tests.jsonl`});

const mine = ['tools/call echo: done', 'resources/read test://note: done', 'prompts/get greet: done'];
visit('SDK 2 over stdio', ['--stdio', process.execPath, sdk2, 'stdio'], mine);
for (const kind of ['http', 'http-modern']) {
  const server = await serve([sdk2, kind]);
  for (const revision of kind === 'http' ? ['2026-07-28', '2025-11-25'] : ['2026-07-28']) {
    visit(`SDK 2 over ${kind}, ${revision} preferred`, [`${server.at}/mcp`], mine, {MCP_CONFORMANCE_PROTOCOL_VERSION: revision});
  }
  server.stop();
}
process.exit(failed === 0 ? 0 : 1);
