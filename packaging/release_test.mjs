// release_test.mjs ROOT: the release workflow uses what there is, in an order in which nobody gets a
// package that was not tested. Its schema is that of templates/schemas_test.sh.

import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

const root = process.argv[2];
const read = name => readFileSync(join(root, name), 'utf8');
const workflow = read('.github/workflows/release.yml');
const wrong = [];
const expect = (holds, what) => { if (!holds) wrong.push(what); };

// The jobs by name, each with its text; what each waits for, directly or not.
const jobs = new Map(workflow.slice(workflow.indexOf('\njobs:\n')).split(/\n {2}(?=[a-z]+:\n)/).slice(1)
  .map(text => [text.slice(0, text.indexOf(':')), text]));
const awaited = (name, seen = new Set()) => {
  const [, next] = /^ {4}needs: (\w+)$/m.exec(jobs.get(name) ?? '') ?? [];
  return next === undefined || seen.has(next) ? seen : awaited(next, seen.add(next));
};
for (const name of ['test', 'packages', 'release', 'npm', 'pypi', 'container']) expect(jobs.has(name), `no job ${name}`);
for (const name of jobs.keys()) {
  for (const other of awaited(name)) expect(jobs.has(other), `${name} waits for ${other}, which is no job`);
}
for (const name of ['npm', 'pypi', 'container']) {
  for (const before of ['test', 'packages', 'release']) expect(awaited(name).has(before), `${name} does not wait for ${before}`);
  expect(/^ {4}environment: /m.test(jobs.get(name) ?? ''), `${name} asks no person`);
}
expect(/attest-build-provenance/.test(jobs.get('packages') ?? ''), 'packages have no provenance');
expect(/SHA256SUMS/.test(jobs.get('packages') ?? ''), 'nobody looks at the checksums');
expect(/spdx/.test(read('packaging/sums/make.sh')), 'no package has an SBOM');

// What it runs and publishes is there, by the names that are ours.
const name = read('packaging/name').split('\n')[0];
for (const [, published] of workflow.matchAll(/packages\/([a-z-]+)-(?:\*-)?"?\$version/g)) {
  expect(published === name, `${published} is no package of ours: ${name}`);
}
for (const [, file] of workflow.matchAll(/(\.ci\/run|packaging\/Containerfile)/g)) expect(existsSync(join(root, file)), `no ${file}`);
for (const [, words] of workflow.matchAll(/run: \.\/plumb (\w+ \w+)/g)) {
  expect(read('plumb').includes(`./plumb ${words}`), `./plumb ${words} is no command`);
}
for (const [, action] of workflow.matchAll(/uses: (\S+)/g)) expect(/@(v\d+|release\/v1)$/.test(action), `${action} has no version`);
expect(!/secrets\./.test(workflow), 'a secret is kept for publishing');

for (const each of wrong) console.log(each);
console.log(`${jobs.size} jobs, ${wrong.length} wrong`);
process.exit(wrong.length === 0 && jobs.size > 5 ? 0 : 1);
