// module_workflow_test.mjs ROOT: the workflow of the WebAssembly module runs on every system that the
// pages name, by commands and scripts that there are. Its schema is that of templates/schemas_test.sh.

import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

const root = process.argv[2];
const read = name => readFileSync(join(root, name), 'utf8');
const workflow = read('.github/workflows/module.yml');
const wrong = [];
const expect = (holds, what) => { if (!holds) wrong.push(what); };

const jobs = new Map(workflow.slice(workflow.indexOf('\njobs:\n')).split(/\n {2}(?=[a-z]+:\n)/).slice(1)
  .map(text => [text.slice(0, text.indexOf(':')), text]));
// listed returns the words of `key: [a, b]` in a job.
const listed = (job, key) => (new RegExp(`^ *${key}: \\[(.*)\\]$`, 'm').exec(jobs.get(job) ?? '')?.[1] ?? '').split(', ');

const versions = ['20', '22', '24'];  // Those of docs/wasm.md.
for (const system of ['ubuntu', 'macos', 'windows']) {
  expect(listed('systems', 'system').includes(`${system}-latest`), `nothing runs on ${system}`);
}
expect(/container: node:\$\{\{ matrix\.node \}\}-alpine/.test(jobs.get('musl') ?? ''), 'nothing runs on musl');
for (const job of ['systems', 'musl']) {
  for (const version of versions) expect(listed(job, 'node').includes(version), `${job}: nothing runs by Node ${version}`);
  expect(/^ {4}needs: build$/m.test(jobs.get(job) ?? ''), `${job} does not wait for the package`);
  expect(/fail-fast: false/.test(jobs.get(job) ?? ''), `${job}: one system that fails hides the others`);
  const test = /run: node (\S+\.mjs) packages\/mcp-plumbline-\*\.tgz - packages\/traces\.tsv/.exec(jobs.get(job) ?? '');
  expect(test && existsSync(join(root, test[1])), `${job} runs no test that there is`);
}
const build = jobs.get('build') ?? '';
const at = words => build.indexOf(words);
expect(at('./plumb wasm') > 0 && at('./plumb wasm') < at('./plumb package program npm'), 'the package is made before the module');
const [, sums] = /run: (\S+) build\/release\/plumbline >build\/packages\/traces\.tsv/.exec(build) ?? [];
expect(sums !== undefined && existsSync(join(root, sums)), 'nobody writes the native traces');
for (const [, words] of workflow.matchAll(/run: \.\/plumb (\w+)/g)) {
  expect(read('plumb').includes(`./plumb ${words}`), `./plumb ${words} is no command`);
}
for (const [, action] of workflow.matchAll(/uses: (\S+)/g)) expect(/@v\d+$/.test(action), `${action} has no version`);
expect(/^permissions:\n {2}contents: read$/m.test(workflow), 'it may do more than read');
expect(!/secrets\./.test(workflow), 'it asks for a secret');

for (const each of wrong) console.log(each);
console.log(`${jobs.size} jobs, ${wrong.length} wrong`);
process.exit(wrong.length === 0 && jobs.size === 3 ? 0 : 1);
