// How true the simulation is: every scenario of the library in simulation, and with real processes
// over each transport. The verdicts are held against each other, and what came of each beside them.
//   node table.mjs PLUMBLINE [FOLDER-OF-SCENARIOS]      with PLUMBLINE_UPDATE_DOCS=1 it writes table.tsv
//
// Run where nothing else keeps the machine busy: real servers have real deadlines. It takes as long
// as the real runs of one transport (some minutes), and the transports go side by side.
//
// What differs stands in explained.tsv with the reason. It fails where a difference has none there,
// where a reason has no difference any more, where fewer than 97 of 100 verdicts agree, and where
// table.tsv is another one.

import {spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = resolve(here, '../..');
const plumbline = resolve(process.argv[2]);
const whole = process.argv[3] === undefined;
const library = process.argv[3] ?? 'scenarios/library';
const ways = ['stdio', 'http', 'sse', 'ws'];
const agreeing = 97;  // Of 100, at least.
const folder = mkdtempSync(join(tmpdir(), 'fidelity-'));

// What came of a scenario, in the words of `expect`. The text of an answer is not among it: real
// processes have a stderr, exit statuses and times of their own to tell of.
const counted = ['status', 'approvals_asked', 'effects', 'errors', 'requests', 'commands_run', 'users'];

// rows runs the library and returns {scenario: row of the report}.
async function rows(name, options) {
  const report = join(folder, `${name}.json`);
  const child = spawn(plumbline, ['run', library, ...options, '--quiet', '--report', `json=${report}`],
                      {cwd: root, stdio: ['ignore', 'ignore', 'inherit']});
  const code = await new Promise(ended => child.on('close', ended));
  if (code !== 0 && code !== 1 && code !== 3) throw new Error(`${name}: exit status ${code}`);
  return new Map(JSON.parse(readFileSync(report)).results.map(row => [row.id, row]));
}

const shown = value => value === undefined ? 'none' : typeof value === 'string' ? value
    : JSON.stringify(value).replace(/["{}]/g, '').replace(/,/g, ', ') || 'none';

// differs returns [what, in words] of one scenario over one transport, [] where all is the same.
function differs(simulated, real) {
  if (real.verdict === 'skip') return [];
  const verdict = real.verdict !== simulated.verdict ? [['verdict', `${real.verdict}: ${real.message.replace(/\s+/g, ' ')}`]] : [];
  const counts = counted
      .filter(key => JSON.stringify(plain(simulated, key)) !== JSON.stringify(plain(real, key)))
      .map(key => [key, `${shown(plain(real, key))}; simulated ${shown(plain(simulated, key))}`]);
  return [...verdict, ...counts];
}

// plain returns a count without the order of its keys, without the texts of answers and times.
function plain(row, key) {
  const sorted = value => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
    return Object.fromEntries(Object.keys(value).filter(name => name !== 'response' && name !== 'virtual_ms').sort()
        .map(name => [name, sorted(value[name])]));
  };
  return sorted(row.outcome?.[key]);
}

// cell returns what the table says of one transport: a verdict, that it is now this and now that, or
// that there is none.
function cell(id, way, row) {
  if (explained.get(`${id}\t${way}\tverdict`)?.when === 'sometimes') return 'varies';
  return row.verdict === 'skip' ? '-' : row.verdict;
}

// why returns the reasons why a scenario is not run for real, and why it comes to something else: one
// where all transports have the same.
function why(id, all) {
  const reasons = new Map();
  const add = (reason, way) => reasons.set(reason, [...new Set([...reasons.get(reason) ?? [], way])]);
  for (const way of ways) {
    if (all[way].verdict === 'skip') add(all[way].message.replace(/\s+/g, ' ').replace(/ than \w+$/, ''), way);
    for (const what of ['verdict', ...counted]) {
      const known = explained.get(`${id}\t${way}\t${what}`);
      if (known && known.reason !== 'As its verdict.') add(`${what} differs: ${known.reason}`, way);
    }
  }
  return [...reasons].map(([message, over]) => over.length === ways.length ? message : `${over.join(', ')}: ${message}`)
      .join('; ');
}

const table = text => text.split('\n').filter(line => line && !line.startsWith('#')).map(line => line.split('\t'));

const [simulated, ...real] = await Promise.all(
    [rows('simulated', []), ...ways.map(way => rows(way, ['--real', '--transport', way]))]);
rmSync(folder, {recursive: true});

const explained = new Map();
for (const [scenario, over, what, when, reason] of table(readFileSync(join(here, 'explained.tsv'), 'utf8')).slice(1)) {
  for (const way of over.split(', ')) explained.set(`${scenario}\t${way}\t${what}`, {when, reason});
}
const used = new Set(), wrong = [];
const sums = {real: 0, run: 0, agree: 0, alike: 0};
const lines = ['scenario\tsimulated\t' + ways.join('\t') + '\twhy not for real, or what differs and why'];
for (const [id, row] of [...simulated].sort(([a], [b]) => a < b ? -1 : 1)) {
  const all = Object.fromEntries(ways.map((way, i) => [way, real[i].get(id)]));
  lines.push([id, row.verdict, ...ways.map(way => cell(id, way, all[way])), why(id, all)].join('\t'));
  if (ways.some(way => all[way].verdict !== 'skip')) ++sums.real;
  for (const way of ways) {
    const found = differs(row, all[way]);
    if (all[way].verdict === 'skip') continue;
    ++sums.run;
    if (all[way].verdict === row.verdict) ++sums.agree;
    if (found.length === 0) ++sums.alike;
    for (const [what, words] of found) {
      const key = `${id}\t${way}\t${what}`;
      used.add(key);
      console.log(`${id} over ${way}: ${what}: ${words}\n    ${explained.get(key)?.reason ?? 'NOT EXPLAINED'}`);
      if (!explained.has(key)) wrong.push(`${id} over ${way}: ${what} differs, and explained.tsv does not say why`);
    }
  }
}
for (const [key, {when}] of explained) {
  if (whole && when !== 'sometimes' && !used.has(key)) wrong.push(`explained.tsv: ${key.replace(/\t/g, ' ')} does not differ any more`);
}
const share = (part, of) => `${(100 * part / of).toFixed(1)} of 100`;
console.log(`${simulated.size} scenarios, ${sums.real} can be run for real, ${sums.run} runs over ${ways.length} transports: ` +
            `the same verdict in ${sums.agree} (${share(sums.agree, sums.run)}), ` +
            `and all that was counted in ${sums.alike} (${share(sums.alike, sums.run)})`);
if (sums.run === 0 || 100 * sums.agree < agreeing * sums.run) wrong.push(`fewer than ${agreeing} of 100 agree`);

const path = join(here, 'table.tsv');
const text = lines.join('\n') + '\n';
if (process.env.PLUMBLINE_UPDATE_DOCS) writeFileSync(path, text);
else if (whole && readFileSync(path, 'utf8') !== text) wrong.push('table.tsv is another one');
for (const line of wrong) console.log(`wrong: ${line}`);
process.exit(wrong.length > 0 ? 1 : 0);
