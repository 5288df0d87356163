// `agents serve` before two judges: our own, on standard streams and over HTTP, in every revision;
// and the official suite, most of whose scenarios want tools and resources that are its own
// fixtures. One line a step; exit status 1 when one finds anything that applies.
//
//   node agents_judged.mjs PLUMBLINE NODE_MODULES_PARENT

import {spawn} from 'node:child_process';
import {existsSync, globSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {Commands, expect} from './commands.mjs';

const [program, modules] = process.argv.slice(2);
const commands = new Commands(program, false, 400_000);
const script = join(commands.folder, 'model.json');
writeFileSync(script, JSON.stringify({turns: [{always: true, text: 'said'}]}));
const serve = ['agents', 'serve', '--model-script', script];
const last = text => text.trim().split('\n').at(-1);

const judge = ['check', 'server', '--revision', 'all', '--allow-writes'];
const stdio = await commands.run([...judge, '--stdio', '--', program, ...serve, '--stdio']);
expect(stdio.status === 0, `our judge, on standard streams: ${last(stdio.out)}`);
const url = await commands.url([...serve, '--http', '127.0.0.1:0']);
const http = await commands.run([...judge, '--url', url]);
expect(http.status === 0, `our judge, over HTTP: ${last(http.out)}`);

// What the suite says when a fixture of its own is not there.
const fixture = new RegExp(['unknown prompt: test_', 'unknown tool: (test_|slow_compute|greet|failing_job|confirm_delete|protocol_error_job|multi_input)',
  'unknown method (prompts|resources|logging|completion)', "'json_schema_2020_12_tool' not found", '^Not testable: ',
  'fixture from Check 2', 'Expected InputRequiredResult', 'could not get initial InputRequiredResult',
  'for failing_job returned'].join('|'));
for (const revision of ['2025-11-25', '2026-07-28']) {
  const runner = join(modules, 'node_modules/conformance-0.2.0-alpha.12/dist/index.js');
  if (!existsSync(runner)) break;
  const results = join(commands.folder, revision);
  await new Promise(resolve => {
    spawn(process.execPath, [runner, 'server', '--url', url, '--requirements', revision, '-o', results], {stdio: 'ignore'}).on('close', resolve);
  });
  const checks = globSync(join(results, '*/checks.json')).flatMap(file => JSON.parse(readFileSync(file, 'utf8')));
  const failed = checks.filter(check => check.status === 'FAILURE').map(check => check.errorMessage ?? JSON.stringify(check.details));
  const real = failed.filter(what => !fixture.test(what));
  const passed = checks.filter(check => check.status === 'SUCCESS').length;
  expect(passed > 30 && real.length === 0, `the official suite at ${revision}: ${passed} pass, ${failed.length} want fixtures ${real.join(' | ')}`);
}
process.exit(0);
