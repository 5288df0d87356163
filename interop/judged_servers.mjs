// Judges servers that others have written, on every transport that each has: `check server` must
// find nothing wrong but what stands in findings/NAME.json, each with its clause, and docs/findings.md
// tells of. One line a combination; exit status 1 when one differs.
//
//   node judged_servers.mjs PLUMBLINE FOLDER_OF_NODE_MODULES

import {spawn, spawnSync} from 'node:child_process';
import {copyFileSync, existsSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

const [plumbline, modules] = process.argv.slice(2);
const official = name => `${modules}/node_modules/@modelcontextprotocol/${name}/dist/index.js`;

// Node looks for packages beside the script.
const besideModules = name => {
  copyFileSync(fileURLToPath(new URL(name, import.meta.url)), `${modules}/${name}`);
  return `${modules}/${name}`;
};
const onLoopback = besideModules('on_loopback.mjs');
const sdk2 = besideModules('sdk_server.mjs');

let failed = 0;

function judge(name, over, target, environment = {}) {
  const findings = fileURLToPath(new URL(`findings/${name}.json`, import.meta.url));
  const args = ['check', 'server', '--report', 'json=-', '--progress', 'never'];
  if (existsSync(findings)) args.push('--baseline', findings);
  const run = spawnSync(plumbline, [...args, ...target],
                        {encoding: 'utf8', timeout: 120_000, maxBuffer: 1 << 28, env: {...process.env, ...environment}});
  let report;
  try { report = JSON.parse(run.stdout); } catch { report = null; }
  const count = report?.summary;
  const ok = run.status === 0 && count && count.pass > 15 && count.inconclusive === 0;
  if (!ok) ++failed;
  const numbers = count ? `${count.pass} pass, ${count.warn} warn, ${count.skip} skip, ${count.xfail} known` : 'no report';
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name} over ${over}: ${numbers}, ${Math.round(report?.duration_ms ?? 0)} ms`);
  if (ok) return;
  console.log(`  exit status ${run.status}\n  ${run.stderr}`);
  for (const row of report?.results ?? []) {
    if (row.verdict === 'fail' || row.verdict === 'inconclusive') {
      console.log(`  ${row.verdict} ${row.id} ${row.revision}: ${row.message}`);
    }
  }
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

const node = process.execPath;
judge('reference', 'stdio', ['--stdio', '--', plumbline, 'serve', '--reference', '--stdio']);
judge('server-everything', 'stdio', ['--stdio', '--', node, official('server-everything'), 'stdio']);
judge('server-filesystem', 'stdio', ['--stdio', '--', node, official('server-filesystem'), modules]);
judge('server-memory', 'stdio', ['--stdio', '--', node, official('server-memory')],
      {MEMORY_FILE_PATH: `${modules}/memory-of-tests.jsonl`});
judge('sdk-2', 'stdio', ['--stdio', '--', node, sdk2, 'stdio']);

const loopback = ['--import', `file://${onLoopback}`, official('server-everything')];
for (const [name, over, argv, path] of [
  ['server-everything', 'Streamable HTTP', [...loopback, 'streamableHttp'], '/mcp'],
  ['server-everything', 'HTTP+SSE', [...loopback, 'sse'], '/sse'],
  ['sdk-2', 'Streamable HTTP, both eras', [sdk2, 'http'], '/mcp'],
  ['sdk-2', 'Streamable HTTP, stateless', [sdk2, 'http-modern'], '/mcp'],
]) {
  const server = await serve(argv);
  judge(name, over, ['--url', server.at + path]);
  server.stop();
}
process.exit(failed === 0 ? 0 : 1);
