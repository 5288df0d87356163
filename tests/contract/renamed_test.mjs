// An id of before works on: a baseline that has it is read, told of and migrated; explain answers.
//   node renamed_test.mjs PROGRAM

import {spawnSync} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const program = resolve(process.argv[2]);
const here = dirname(fileURLToPath(import.meta.url));
const run = ['run', 'ambiguous-success-late.json', '--quiet'];
const problems = [];
const use = (folder, words) => {
  const {status, stdout, stderr} = spawnSync(program, words, {cwd: folder, input: '', encoding: 'utf8', timeout: 60000});
  return {status, text: stdout + stderr};
};

// The renamed id stands beside the scenario's, so that nothing else depends on it.
const folder = mkdtempSync(join(tmpdir(), 'plumbline-files-'));
cpSync(join(here, '0.1.0'), folder, {recursive: true});
const file = join(folder, 'baseline.json');
writeFileSync(file, JSON.stringify({entries: [{id: 'ambiguous-success-late', reason: 'known'}, {id: 'store.cannot-be-used', reason: 'mine'}]}));
for (const [more, line] of [[[], /baseline\.json: store\.cannot-be-used is called store\.unusable now: --update-baseline writes it so$/gm],
  [['--update-baseline'], /baseline\.json: store\.cannot-be-used is called store\.unusable now$/gm]]) {
  const seen = use(folder, [...run, '--baseline', 'baseline.json', ...more]);
  if (seen.status !== 0 || seen.text.match(line)?.length !== 1) problems.push(`a renamed id: expected once ${line}:\n${seen.text}`);
}
const migrated = readFileSync(file, 'utf8');
if (!migrated.includes('{"id": "store.unusable", "reason": "mine"}') || migrated.includes('cannot-be-used')) {
  problems.push(`a renamed id was not written:\n${migrated}`);
}
const again = use(folder, [...run, '--baseline', 'baseline.json']);
if (again.status !== 0 || again.text.includes('is called')) problems.push(`told again after it was written:\n${again.text}`);
const explained = use(folder, ['explain', 'store.cannot-be-used']);
if (!explained.text.startsWith('store.unusable (error)')) problems.push(`explain of a renamed id:\n${explained.text}`);
rmSync(folder, {recursive: true});

for (const problem of problems) console.log(problem);
process.exit(problems.length === 0 ? 0 : 1);
