// Command lines as people mistype them, and what the program answers to each: mistakes.tsv.
//   node mistakes_test.mjs PLUMBLINE [--print] [PART]
//
// --print shows the table. With PLUMBLINE_UPDATE_DOCS=1 the answers are written into it: read the
// difference. "..." in an answer stands for what differs from run to run.

import {spawn} from 'node:child_process';
import {mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {meet} from './peers.mjs';

const [program, ...rest] = process.argv.slice(2);
const print = rest.includes('--print');
const part = rest.find(word => word !== '--print') ?? '';
const update = process.env.PLUMBLINE_UPDATE_DOCS === '1';
const path = fileURLToPath(new URL('mistakes.tsv', import.meta.url));
const heading = 'typed\tstatus\tanswer';
const rows = readFileSync(path, 'utf8').trimEnd().split('\n').slice(1).map(line => line.split('\t'));

const {folder, places, end} = await meet();
mkdirSync(join(folder, 'bin'));
symlinkSync(resolve(program), join(folder, 'bin/plumbline'));

// run returns what a command line is answered: its exit status, and in one line what a person reads
// of it. Of what ran that is what stands on stderr, or "it works".
function run(typed) {
  const line = typed.replace(/\{(\w+)\}/g, (all, name) => places[name] ?? all);
  const child = spawn('bash', ['-c', line], {cwd: folder, stdio: ['ignore', 'pipe', 'pipe'],
    env: {PATH: `${folder}/bin:${process.env.PATH}`, HOME: folder, LANG: 'C.UTF-8'}});
  let out = '', err = '';
  child.stdout.on('data', piece => { out += piece; });
  child.stderr.on('data', piece => { err += piece; });
  return new Promise(done => child.on('close', status => {
    let text = err.trimEnd();
    if (text === '') {
      text = status === 0 ? `it works: ${out.trimEnd().split('\n')[/^plumbline .* · /.test(out) ? out.trimEnd().split('\n').length - 1 : 0]}` : out;
    }
    text = text.split('\n').map(each => each.trim()).filter(each => each !== '').join(' | ');
    for (const [name, place] of Object.entries(places)) text = text.replaceAll(place, `{${name}}`);
    text = text.replaceAll(places.address, '{address}').replaceAll(/127\.0\.0\.1:\d{4,5}/g, '127.0.0.1:...')
      .replaceAll(folder, '/home/me').replace(/took [\d.]+ m?s/, 'took ...').replace(/within \d+ ms/, 'within ... ms').replace(/plumbline \d+\.\d+\.\d+\S*/, 'plumbline ...');
    done([String(status), text]);
  }));
}

const pattern = text => new RegExp('^' + text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('\\.\\.\\.', '.*') + '$');
const wrong = [];
// lines says what is wrong with an answer whatever it is: nobody knows what to do by it.
function lacks(typed, status, answer) {
  if (answer.length > 700) return 'is too long to be read';
  if (answer.includes('[cli.other-')) return 'has no entry in core/base/errors/errors.def';
  if (['2', '3'].includes(status) && !/\[[a-z]+\.[a-z-]+\]/.test(answer)) return 'has no id';
  return '';
}

const asked = rows.filter(([typed]) => typed.includes(part));
const answered = new Map();
const waiting = [...asked];
await Promise.all([0, 1].map(async () => {
  for (let row = waiting.shift(); row; row = waiting.shift()) answered.set(row[0], await run(row[0]));
}));
for (const row of asked) {
  const [typed, status, answer] = row;
  const [now, said] = answered.get(typed);
  if (print) console.log(`$ ${typed}\n  [${now}] ${said}`);
  const lack = lacks(typed, now, said);
  if (lack) wrong.push(`$ ${typed}\n  ${lack}: ${said}`);
  if (update) row.splice(1, 2, now, said);
  else if (now !== status || !pattern(answer).test(said)) wrong.push(`$ ${typed}\n  [${status}] ${answer}\n  now\n  [${now}] ${said}`);
}
end();
if (update) writeFileSync(path, [heading, ...rows.map(row => row.join('\t'))].join('\n') + '\n');
for (const each of wrong) console.log(each);
console.log(`${asked.length} command lines, ${wrong.length} wrong`);
process.exit(wrong.length === 0 && asked.length > 0 && (part !== '' || asked.length >= 118) ? 0 : 1);
