// Drives our reference server by the official SDK's clients, both generations, over every transport
// that they have. One line a combination; exit status 1 when one fails.
//
//   node sdk_clients.mjs PLUMBLINE NODE_MODULES_PARENT

import {spawn, spawnSync} from 'node:child_process';
import {copyFileSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

const [plumbline, modules] = process.argv.slice(2);
// Node looks for packages beside the script.
const script = `${modules}/sdk_client.mjs`;
copyFileSync(fileURLToPath(new URL('sdk_client.mjs', import.meta.url)), script);

async function serve(flag) {
  const child = spawn(plumbline, ['serve', '--reference', flag, '127.0.0.1:0'], {stdio: ['ignore', 'pipe', 'inherit']});
  const lines = createInterface({input: child.stdout});
  const url = await new Promise((resolve, reject) => {
    lines.once('line', resolve);
    child.once('exit', code => reject(new Error(`serve ${flag} ended with ${code}`)));
  });
  return {url, stop: () => child.kill('SIGTERM')};
}

let failed = 0;
function run(sdk, transport, ...target) {
  const child = spawnSync(process.execPath, [script, sdk, transport, ...target], {encoding: 'utf8', timeout: 60_000});
  const ok = child.status === 0;
  if (!ok) ++failed;
  console.log(`${ok ? 'ok  ' : 'FAIL'} SDK ${sdk} over ${transport} ${ok ? child.stdout.trim() : child.stderr.trim()}`);
}

for (const sdk of ['1', '2', '2-modern']) {
  run(sdk, 'stdio', plumbline, 'serve', '--reference', '--stdio');
  const http = await serve('--http');
  run(sdk, 'http', http.url);
  http.stop();
}
for (const sdk of ['1', '2']) {
  const sse = await serve('--sse');
  run(sdk, 'sse', sse.url);
  sse.stop();
}
const ws = await serve('--ws');
run('1', 'ws', ws.url);
ws.stop();
process.exit(failed === 0 ? 0 : 1);
