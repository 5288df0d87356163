// A client of the official SDK meets a server through `plumbline record`, then the recording alone:
// it sees the same. One line a combination; exit status 1 when one fails.
//
//   node record_replay.mjs PLUMBLINE NODE_MODULES_PARENT

import {spawnSync} from 'node:child_process';
import {copyFileSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const [plumbline, modules] = process.argv.slice(2);
// Node looks for packages beside the script.
const script = `${modules}/sdk_client.mjs`;
copyFileSync(fileURLToPath(new URL('sdk_client.mjs', import.meta.url)), script);
const everything = `${modules}/node_modules/@modelcontextprotocol/server-everything/dist/index.js`;
const folder = mkdtempSync(join(tmpdir(), 'record-replay-'));
process.on('exit', () => rmSync(folder, {recursive: true, force: true}));

let failed = 0;
function tell(ok, what, detail) {
  if (!ok) ++failed;
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${what}${ok ? '' : ` ${detail}`}`);
}

function client(sdk, ...command) {
  return spawnSync(process.execPath, [script, sdk, 'stdio', ...command], {encoding: 'utf8', timeout: 60_000});
}

for (const sdk of ['1', '2', '2-modern']) {
  const file = join(folder, `${sdk}.jsonl`);
  const live = client(sdk, plumbline, 'record', '--out', file, '--', plumbline, 'serve', '--reference', '--stdio');
  tell(live.status === 0, `SDK ${sdk}, recorded`, live.stderr);
  const played = client(sdk, plumbline, 'replay', file, '--serve', 'stdio');
  tell(played.status === 0 && played.stdout === live.stdout, `SDK ${sdk}, replayed`,
    `${played.stderr}\nsaw ${played.stdout}then ${live.stdout}`);
  const count = readFileSync(file, 'utf8').split('\n').length - 1;
  console.log(`     ${count} lines`);
}

// Our judge is a client of thousands of requests: what it finds of server-everything, through the recorder, is what it finds without.
function findings(...command) {
  const judged = spawnSync(plumbline, ['check', 'server', '--revision', '2025-06-18', '--quiet', '--report', 'json=-', '--stdio', '--', ...command],
    {encoding: 'utf8', timeout: 120_000, maxBuffer: 1 << 28});
  return JSON.parse(judged.stdout).results.filter(result => ['fail', 'xfail'].includes(result.verdict)).map(result => result.id).join();
}
const bare = findings(process.execPath, everything);
const through = findings(plumbline, 'record', '--out', join(folder, 'judged.jsonl'), '--', process.execPath, everything);
tell(bare === through, 'server-everything is judged through the recorder as without', `${through} instead of ${bare}`);
process.exit(failed === 0 ? 0 : 1);
