// Judges our reference server over Streamable HTTP with the official conformance suite and with
// `plumbline check server`, one after the other in the same run, and prints what each looked at and
// how long it took. Whole commands are timed, from start to exit.
//
//   node compare_conformance.mjs PLUMBLINE SUITE [REVISION...]
//
// SUITE is the folder of the package @modelcontextprotocol/conformance, 0.2 or later; it needs
// Node 22.

import {spawn, spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';

const [plumbline, suite, ...named] = process.argv.slice(2);
const revisions = named.length > 0 ? named : ['2025-11-25', '2026-07-28'];

function timed(command, args) {
  const begin = process.hrtime.bigint();
  const run = spawnSync(command, args, {encoding: 'utf8', timeout: 300_000, maxBuffer: 1 << 28});
  return {stdout: run.stdout, status: run.status, ms: Number(process.hrtime.bigint() - begin) / 1e6};
}

// checksBelow returns every check that the suite wrote down.
function checksBelow(folder) {
  return readdirSync(folder, {withFileTypes: true}).flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return checksBelow(path);
    return entry.name === 'checks.json' ? JSON.parse(readFileSync(path, 'utf8')) : [];
  });
}

function official(url, revision) {
  const output = mkdtempSync(join(tmpdir(), 'compare-conformance-'));
  const {ms} = timed(process.execPath, [join(suite, 'dist', 'index.js'), 'server', '--url', url,
                                        '--requirements', revision, '-o', output]);
  const told = checksBelow(output).filter(check => check.status !== 'SKIPPED' && check.status !== 'INFO');
  rmSync(output, {recursive: true});
  return {ms, told: told.length, ids: new Set(told.map(check => check.id)).size,
          failed: told.filter(check => check.status === 'FAILURE').length};
}

function ours(url, revision) {
  const {ms, stdout} = timed(plumbline, ['check', 'server', '--url', url, '--revision', revision,
                                         '--report', 'json=-', '--progress', 'never']);
  const told = JSON.parse(stdout).results.filter(row => row.verdict !== 'skip');
  // The suite writes down a check for each thing that it looks at; so do we, as observations.
  return {ms, told: told.reduce((sum, row) => sum + row.observed, 0),
          ids: new Set(told.map(row => row.id)).size,
          failed: told.filter(row => row.verdict === 'fail').length};
}

const server = spawn(plumbline, ['serve', '--reference', '--http', '127.0.0.1:0'],
                     {stdio: ['ignore', 'pipe', 'inherit']});
const url = await new Promise((resolve, reject) => {
  createInterface({input: server.stdout}).once('line', resolve);
  server.once('error', reject);
});
if (!existsSync(join(suite, 'dist', 'index.js'))) throw new Error(`no suite at ${suite}`);
console.log('revision    judge        seen  distinct ids  failed  wall ms');
for (const revision of revisions) {
  const theirs = official(url, revision);
  const mine = ours(url, revision);
  for (const [name, one] of [['official', theirs], ['plumbline', mine]]) {
    console.log(`${revision}  ${name.padEnd(9)} ${String(one.told).padStart(7)} ${String(one.ids).padStart(13)} ` +
                `${String(one.failed).padStart(7)} ${one.ms.toFixed(0).padStart(8)}`);
  }
  console.log(`${revision}  ratio     ${(mine.told / theirs.told).toFixed(2).padStart(7)} ` +
              `${(mine.ids / theirs.ids).toFixed(2).padStart(13)}         ${(mine.ms / theirs.ms).toFixed(3).padStart(8)}`);
}
server.kill('SIGTERM');
