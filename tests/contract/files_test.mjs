// Files that earlier versions of Plumbline wrote are read by this one: each folder beside this file
// is called as the version that wrote it. They are never written again.
//   node files_test.mjs PROGRAM

import {spawnSync} from 'node:child_process';
import {cpSync, mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const program = resolve(process.argv[2]);
const here = dirname(fileURLToPath(import.meta.url));
const store = ['--store', 'sqlite:threads.db'];
const run = ['run', 'ambiguous-success-late.json', '--quiet'];

// What is done with each file, and what must be seen of it.
const uses = [
  {file: 'threads.db', words: ['thread', 'list', ...store], status: 0, says: /^t1 +waits +5 .*Email the report to finance$/m},
  {file: 'threads.db', words: ['thread', 'show', 't1', ...store], status: 0, says: /"approval_id":"call-3ae9e75c4b77"/},
  {file: 'recording.jsonl', words: ['replay', 'recording.jsonl', '--serve', 'stdio'], status: 0, says: /^replay: 0 of 4 recorded messages/m},
  {file: 'trace.jsonl', words: ['record', '--import', 'trace.jsonl', '--out', 'imported.jsonl'], status: 0, says: /^/},
  {file: 'ambiguous-success-late.json', words: run, status: 1, says: /expected 2$/m},
  {file: 'baseline.json', words: [...run, '--baseline', 'baseline.json'], status: 0, says: /1 xfail/},
  {file: 'report.json', words: ['report', 'compare', 'report.json', 'report.json'], status: 0, says: /1 same/},
  {file: 'check-report.json', words: ['report', 'compare', 'check-report.json', 'check-report.json'], status: 0, says: /1 same/},
  {file: 'agents.json', words: ['connect', 'list', 'agents.json'], status: 0, says: /^reference /m},
];

const problems = [];
const use = (folder, words) => {
  const {status, stdout, stderr} = spawnSync(program, words, {cwd: folder, input: '', encoding: 'utf8', timeout: 60000});
  return {status, text: stdout + stderr};
};

for (const version of readdirSync(here).filter(name => /^\d/.test(name))) {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-files-'));
  cpSync(join(here, version), folder, {recursive: true});
  for (const name of readdirSync(join(here, version))) {
    if (!uses.some(({file}) => file === name)) problems.push(`${version}/${name}: nothing uses it`);
  }
  for (const {file, words, status, says} of uses) {
    const seen = use(folder, words);
    if (seen.status !== status || !says.test(seen.text)) {
      problems.push(`${version}/${file}: ${words.join(' ')}: exit status ${seen.status}, expected ${status} and ${says}:\n${seen.text}`);
    }
  }
  rmSync(folder, {recursive: true});
}

for (const problem of problems) console.log(problem);
process.exit(problems.length === 0 ? 0 : 1);
