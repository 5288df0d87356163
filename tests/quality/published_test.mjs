// lint looks at servers that others have published, in the versions that npm installs: what is sure
// to be unsafe is never found there, and what is suspected at most once in a hundred texts.
//   node published_test.mjs PLUMBLINE
//
// Nothing of theirs is kept here. Without build/npm (./plumb test installs it) the test is skipped.

import {spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const plumbline = resolve(process.argv[2]);
const bin = join(fileURLToPath(new URL('../..', import.meta.url)), 'build/npm/node_modules/.bin');
const folder = mkdtempSync(join(tmpdir(), 'lint-'));
const servers = ['everything', 'filesystem', 'memory', 'sequential-thinking'].filter(name => existsSync(join(bin, `mcp-server-${name}`)));
if (servers.length === 0) {
  console.log('no published server is installed');
  process.exit(77);
}

let texts = 0, sure = 0, suspected = 0;
for (const name of servers) {
  const words = [join(bin, `mcp-server-${name}`), ...name === 'filesystem' ? [folder] : []];
  const run = spawnSync(plumbline, ['lint', '--report', 'json=-', '--', ...words], {encoding: 'utf8', timeout: 60_000});
  if (run.status !== 0) {
    console.log(`${name}: status ${run.status}\n${run.stderr}`);
    process.exit(1);
  }
  const report = JSON.parse(run.stdout);
  const safety = report.results.filter(row => row.area === 'safety');
  texts += safety.find(row => row.id === 'security.orders').observed;
  for (const row of safety.filter(row => row.verdict !== 'pass' && row.verdict !== 'skip')) {
    const found = row.evidence.map(line => line.message);
    sure += found.filter(one => one.sure).length;
    suspected += found.length;
    console.log(`${name}: ${row.id}: ${row.message}`);
  }
  console.log(`${name}: grade ${report.target.lint[0].grade}, about ${report.target.lint[0].tokens} tokens`);
}
rmSync(folder, {recursive: true});
console.log(`${texts} texts of ${servers.length} servers: ${sure} sure, ${suspected} suspected`);
process.exit(sure === 0 && suspected * 100 <= texts ? 0 : 1);
