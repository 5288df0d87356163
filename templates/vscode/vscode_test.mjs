// vscode_test.mjs PLUMBLINE ROOT: what VS Code is told in templates/vscode is so. The problem matcher
// finds file, line and column in what the program says of a wrong file, the tasks name commands that
// there are, and the schemas are those that the npm package holds.

import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const [plumbline, root] = process.argv.slice(2);
const read = name => JSON.parse(readFileSync(join(root, 'templates/vscode', name), 'utf8'));
const wrong = [];
const expect = (holds, what) => { if (!holds) wrong.push(what); };
const folder = mkdtempSync(join(tmpdir(), 'vscode-'));

const {tasks} = read('tasks.json');
for (const [file, text, line] of [
  ['a b.json', '{\n  "plumbline": 1,\n  "id": "a b", "serverz": {}\n}\n', '3'],
  ['wrong.mcptest.json', '{\n  "plumbline_test": 1,\n  "expects": 1\n}\n', '3'],
]) {
  writeFileSync(join(folder, file), text);
  const words = file.includes('mcptest') ? ['test', file] : ['run', file];
  const {stderr} = spawnSync(plumbline, words, {cwd: folder, encoding: 'utf8'});
  for (const {label, problemMatcher: {pattern} = {}} of tasks) {
    if (!pattern) continue;
    const found = stderr.split('\n').map(each => new RegExp(pattern.regexp).exec(each)).find(Boolean);
    expect(found?.[pattern.file] === file && found[pattern.message] !== '' && /^[a-z.-]+$/.test(found[pattern.code]),
           `${label}: no place in: ${stderr}`);
    expect(Number(found?.[pattern.line]) >= 1 && Number(found?.[pattern.line]) <= Number(line), `${label}: line ${found?.[pattern.line]}`);
  }
}
const known = execFileSync(plumbline, ['--help'], {encoding: 'utf8'});
for (const {label, args} of tasks) {
  const command = args[args.indexOf('mcp-plumbline') + 1];
  expect(new RegExp(`^ +${command}\\b`, 'm').test(known), `${label}: no command ${command}`);
}
const made = readFileSync(join(root, 'packaging/npm/make.sh'), 'utf8');
for (const {url} of read('settings.json')['json.schemas']) {
  const name = url.split('/').at(-1);
  expect(url === `./node_modules/mcp-plumbline/schemas/${name}` && existsSync(join(root, 'docs', name)) && made.includes(name.split('.')[0]),
         `${url} is not in the package`);
}
rmSync(folder, {recursive: true, force: true});
for (const each of wrong) console.log(each);
console.log(`${tasks.length} tasks, ${wrong.length} wrong`);
process.exit(wrong.length === 0 && tasks.length > 0 ? 0 : 1);
