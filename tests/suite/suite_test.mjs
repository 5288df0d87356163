// `plumbline test` with several users, with a seed and a clock, and 200 tests in 200 runs.
//   node suite_test.mjs PLUMBLINE [--few]      --few: 10 runs

import {spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

import {shellWord} from '../shell_word.mjs';

const plumbline = resolve(process.argv[2]);
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'suite-'));
let failed = 0;
function expect(right, what, why = '') {
  console.log(`${right ? 'ok' : 'FAILED'}  ${what}${right ? '' : `\n${why}`}`);
  if (!right) ++failed;
}
function test(file, ...words) {
  const run = spawnSync(plumbline, ['test', file, '--progress', 'never', ...words],
    {cwd: folder, encoding: 'utf8', timeout: 300_000, env: {...process.env, ANN: 'token-of-ann'}});
  return {...run, told: run.stdout + run.stderr};
}
const write = (name, value) => writeFileSync(join(folder, name), JSON.stringify(value, null, 1));

// What one user writes the other must not see.
const notes = leaks => ({mcptest: 1,
  servers: {notes: {start: `${shellWord(process.execPath)} ${shellWord(join(root, 'tests/suite/notes_server.mjs'))} {port} ${leaks}`, url: 'http://127.0.0.1:{port}/mcp'}},
  users: {ann: {headers: {Authorization: 'Bearer {env:ANN}'}}, bob: {headers: {Authorization: 'Bearer bob'}}},
  seed: 7, clock: '2026-01-01T00:00:00Z',
  tests: [
    {name: 'notes are of who wrote them', call: 'add_note', as: 'ann', with: {note: 'pin 4711'}, then: [
      {call: 'list_notes', as: 'ann', expect: {text: {$contains: '4711'}}},
      {call: 'list_notes', as: 'bob', expect: {text: {$not: {$contains: '4711'}}}},
      {call: 'list_notes', expect: {text: 'none'}}]},
    {name: 'it knows bob', call: 'who', as: 'bob', expect: {text: 'Bearer bob 7 2026-01-01T00:00:00Z 1767225600'}},
    {name: 'it knows nobody', call: 'who', expect: {text: {$regex: '^nobody 7 '}}}]});
write('notes.mcptest.json', notes(''));
const kept = test('notes.mcptest.json');
expect(kept.status === 0 && /3 of 3/.test(kept.stdout), 'each user sees their own notes, and the server its seed and clock', kept.told);
write('leaks.mcptest.json', notes('leaks'));
const leaks = test('leaks.mcptest.json');
expect(leaks.status === 1 && /then 2 call list_notes: .*4711/.test(leaks.stdout) && /1 failed/.test(leaks.stdout), 'a server that shows the notes of others fails', leaks.told);
expect(!leaks.told.includes('token-of-ann'), 'the token of a user is shown nowhere', leaks.told);
for (const [what, change, says] of [
  ['a user that is not there', file => { file.tests[0].as = 'anne'; }, /"anne" is not one of the users, did you mean "ann"\?/],
  ['a user without headers', file => { file.users.bob = {}; }, /a user has no "headers"/],
  ['a clock that is none', file => { file.clock = 'today'; }, /"clock" is "today", expected a time such as/]]) {
  const file = notes('');
  change(file);
  write('wrong.mcptest.json', file);
  const wrong = test('wrong.mcptest.json');
  expect(wrong.status === 2 && says.test(wrong.stderr), `${what} is told`, wrong.told);
}
const piped = {...notes(''), servers: {reference: {command: plumbline, args: ['serve', '--reference', '--stdio']}}};
piped.tests = [{name: 'adds', call: 'add_numbers', as: 'bob', with: {a: 1, b: 2}}];
write('piped.mcptest.json', piped);
const skipped = test('piped.mcptest.json', '--verbose');
expect(/over stdio a server has one user/.test(skipped.stdout), 'over stdio there is one user', skipped.told);

// What a server keeps in a file changes what it answers when it is started again.
const memory = join(root, 'build/npm/node_modules/@modelcontextprotocol/server-memory/dist/index.js');
if (existsSync(memory)) {
  const server = [process.execPath, memory];
  const place = where => ['--env', `MEMORY_FILE_PATH=${where}`];
  const entities = [{name: 'Ada', entityType: 'person', observations: ['likes engines']}];
  const session = [
    {id: 1, method: 'initialize', params: {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 'me', version: '1'}}},
    {method: 'notifications/initialized'},
    {id: 2, method: 'tools/call', params: {name: 'create_entities', arguments: {entities}}}];
  const input = session.map(message => `${JSON.stringify({jsonrpc: '2.0', ...message})}\n`).join('');
  spawnSync(plumbline, ['record', '--out', 'memory.jsonl', ...place(join(folder, 'first.json')), '--', ...server], {cwd: folder, input, timeout: 60_000});
  const from = where => test('--from=memory.jsonl', '--out', 'memory.mcptest.json', '--allow-writes', ...place(where), '--', ...server);
  const created = () => JSON.stringify(JSON.parse(readFileSync(join(folder, 'memory.mcptest.json'), 'utf8')).tests[0].expect);
  const shared = from(join(folder, 'shared.json'));
  expect(created().includes('Ada') && /more than half of the answer of: create_entities; .*\{folder\}/.test(shared.stderr),
    'what is played second does not come into the answer of the first, and is told', shared.told + created());
  const fresh = from('{folder}/memory.json');
  expect(/ 0 masks/.test(fresh.stdout) && created().includes('Ada'), 'in a fresh place nothing is masked', fresh.told + created());
  const [once, again] = [test('memory.mcptest.json'), test('memory.mcptest.json')];
  expect(once.status === 0 && again.status === 0, 'and the test passes twice', once.told + again.told);
}

// 200 tests against server-everything, and the same verdicts every time.
const everything = join(root, 'build/npm/node_modules/@modelcontextprotocol/server-everything/dist/index.js');
if (existsSync(everything)) {
  const tests = Array.from({length: 200}, (_, i) => i % 4 === 3
    ? {name: `echoes ${i}`, call: 'echo', with: {message: `m${i}`}, expect: {text: `Echo: m${i}`}}
    : {name: `sums ${i}`, call: 'get-sum', with: {a: i, b: 1}, expect: {text: {$contains: `${i + 1}`}}});
  write('many.mcptest.json', {mcptest: 1, servers: {everything: {command: process.execPath, args: [everything]}}, tests});
  const began = performance.now();
  const once = test('many.mcptest.json');
  const seconds = (performance.now() - began) / 1000;
  expect(once.status === 0 && /200 of 200/.test(once.stdout), `200 tests of server-everything pass in ${seconds.toFixed(2)} s, its start included`, once.told);
  const runs = process.argv.includes('--few') ? 10 : 200;
  const many = test('many.mcptest.json', '--repeat', String(runs), '--report', 'json=many.json');
  const report = JSON.parse(readFileSync(join(folder, 'many.json'), 'utf8'));
  expect(many.status === 0 && report.results.every(row => row.verdict === 'pass'),
    `the same verdicts in ${runs} runs (${(report.duration_ms / runs / 1000).toFixed(2)} s each)`, many.told.slice(0, 2000));
}
rmSync(folder, {recursive: true});
process.exit(failed === 0 ? 0 : 1);
