// Judges servers that others have written, on every transport that each has: `check server` must
// find nothing wrong but what stands in findings/NAME.json, each with its clause, and docs/findings.md
// tells of. One line a combination; exit status 1 when one differs.
//
//   node judged_servers.mjs PLUMBLINE FOLDER_OF_NODE_MODULES

import {spawn} from 'node:child_process';
import {createInterface} from 'node:readline';

import {besideModules, end, judge, modules, plumbline} from './judging.mjs';

const official = name => `${modules}/node_modules/@modelcontextprotocol/${name}/dist/index.js`;
const onLoopback = besideModules('on_loopback.mjs');
const sdk2 = besideModules('sdk_server.mjs');

const sdks = {'sdk-2': 'TypeScript SDK 2', 'server-everything': 'TypeScript SDK 1', 'server-filesystem': 'TypeScript SDK 1',
              'server-memory': 'TypeScript SDK 1'};

const judgeServer = (name, over, target, env = {}) => judge(
    {title: `${name} over ${over}`, findings: name, words: ['server', ...target], passes: 15, env, builtWith: sdks[name]});

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

const node = process.execPath;
const overStdio = (name, argv, env) => judgeServer(name, 'stdio', ['--stdio', '--', ...argv], env);
await overStdio('reference', [plumbline, 'serve', '--reference', '--stdio']);
await overStdio('server-everything', [node, official('server-everything'), 'stdio']);
await overStdio('server-filesystem', [node, official('server-filesystem'), modules]);
await overStdio('server-memory', [node, official('server-memory')],
                {MEMORY_FILE_PATH: `${modules}/memory-of-tests.jsonl`});
await overStdio('sdk-2', [node, sdk2, 'stdio']);
// A run of few rules knows the SDK as well.
await judge({title: 'server-memory, the rules of tools alone', findings: 'server-memory', passes: 5,
             env: {MEMORY_FILE_PATH: `${modules}/memory-of-tests.jsonl`}, builtWith: sdks['server-memory'],
             words: ['server', '--only', 'tools.*', '--stdio', '--', node, official('server-memory')]});

const loopback = ['--import', `file://${onLoopback}`, official('server-everything')];
for (const [name, over, argv, path] of [
  ['server-everything', 'Streamable HTTP', [...loopback, 'streamableHttp'], '/mcp'],
  ['server-everything', 'HTTP+SSE', [...loopback, 'sse'], '/sse'],
  ['sdk-2', 'Streamable HTTP, both eras', [sdk2, 'http'], '/mcp'],
  ['sdk-2', 'Streamable HTTP, stateless', [sdk2, 'http-modern'], '/mcp'],
]) {
  const server = await serve(argv);
  await judgeServer(name, over, ['--url', server.at + path]);
  server.stop();
}
end();
