// Has each mutant of client_mutants.mjs judged, and says which were killed: failed by the id of the
// rule that they break (of a SHOULD: warned). One line a mutant, then a table of classes. With --right
// the right clients, behind the same proxy, come first and must not fail; --first takes one set-up of each mutant.
//
//   node run_clients.mjs PLUMBLINE FOLDER_OF_NODE_MODULES [--only REGEX] [--jobs N] [--out FILE]
//                        [--before FILE] [--right] [--first] [--reference PROGRAM]

import {spawn} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';

import {mutants} from './client_mutants.mjs';

const here = name => fileURLToPath(new URL(name, import.meta.url));
const {values, positionals: [plumbline, modules]} = parseArgs({allowPositionals: true, options: {
  only: {type: 'string', default: ''}, jobs: {type: 'string', default: '2'}, out: {type: 'string'},
  before: {type: 'string'}, right: {type: 'boolean', default: false}, first: {type: 'boolean', default: false}, reference: {type: 'string', default: `${plumblineFolder()}/plumbline-reference-client`},
}});
function plumblineFolder() { return process.argv[2]?.replace(/\/[^/]*$/, '') ?? '.'; }

const nameOf = ({client, transport, revision}) => `${client}/${transport}/${revision}`;

// Hostile servers are no part of it, and take long.
const hostile = ['garbage', 'wrong-answers', 'endless-pages', 'flood', 'huge-message', 'deep-json',
                 'wrong-shapes', 'death', 'unknown-fields'].map(name => `hostile.${name}`);

// What rules of every run say is seen in a few scenarios: the others only take time.
const everywhere = new RegExp('^(' + [
  'jsonrpc\\.(conforms|version|request-id|response-result|result-is|error-(object|code-int)|notification-no-id|params|no-batching)',
  'base\\.(meta-(prefix|label|name|reserved-prefix)|utf8|trace)', 'schema\\.(messages|content)',
  'stdio\\.(newline|no-emb|stdin|single|shut)', 'http\\.(post|accept|body|single|get|session-id|header-names|protocol|mcp)',
  'lifecycle', 'versioning\\.(extension|single)', 'progress', 'cancellation\\.(ref|not|request|tasks)', 'prompts\\.arg',
].join('|') + ')');
const scenes = {
  '': ['opening', 'questions'],
  'ids': ['cancellation'], 'notifications with an id': ['cancellation'], 'cancellation': ['cancellation'],
  'what was not negotiated': ['prompts', 'tasks'], 'progress': ['cancellation', 'sampling'],
  'sampling': ['sampling'], 'elicitation': ['form'], 'roots': ['roots'],
  'shapes': ['cancellation', 'prompts', 'caching'], 'headers that mirror': ['odd-names', 'prompts', 'caching'],
  'sessions': ['expired-session'], 'Accept': ['notices'], 'opening': ['unknown-version'],
};

// Status 89 says that a scenario is not implemented.
const gate = ['sh', '-c', 'case ",$MUTANT_SCENES," in *",$PLUMBLINE_SCENARIO,"*|,,) exec "$@";; esac; exit 89', 'gate'];

// judge runs the client of `setup` as `mutant`, and returns the rows of the report, null for none.
async function judge(mutant, setup, ids) {
  const client = setup.client === 'reference' ? [values.reference] : [here('../interop/judged_client.mjs'), setup.client];
  const words = ['check', 'client', '--report', 'json=-', '--progress', 'never', '--transport', setup.transport, '--revision', setup.revision];
  words.push('--only', ids.join(','), '--skip', hostile.join(','));
  const env = {...process.env, PLUMBLINE_NODE_MODULES: modules, NODE_COMPILE_CACHE: `${modules}/compile-cache`};
  if (ids.every(id => everywhere.test(id))) env.MUTANT_SCENES = [...scenes[''], ...scenes[mutant.class] ?? []].join();
  const began = Date.now();
  const child = spawn(plumbline, [...words, '--', ...gate, process.execPath, here('mutate_client.mjs'), mutant.name, ...client],
                      {stdio: ['ignore', 'pipe', 'pipe'], timeout: 400_000, env});
  let said = '';
  let complained = '';
  child.stdout.setEncoding('utf8').on('data', text => said += text);
  child.stderr.setEncoding('utf8').on('data', text => complained += text);
  await new Promise(resolve => child.once('close', resolve));
  let rows = [];
  try { rows = JSON.parse(said).results; } catch { /* There is none. */ }
  return {rows, complained: complained.trim(), seconds: (Date.now() - began) / 1000};
}

async function judgeMutant({mutant, setup}) {
  const {rows, complained, seconds} = await judge(mutant, setup, [mutant.id]);
  const row = rows.find(one => one.id === mutant.id);
  const wanted = mutant.should ? ['fail', 'warn'] : ['fail'];
  const verdict = row?.verdict ?? 'none';
  return {name: mutant.name, class: mutant.class, id: mutant.id, setup: nameOf(setup), must: !mutant.should, seconds,
          killed: wanted.includes(verdict), verdict, why: row?.message ?? complained.split('\n')[0]};
}

// inTurn does `act` with each of `all`, several at a time, and returns what came of them in order.
async function inTurn(all, act) {
  const results = [];
  let next = 0;
  const worker = async () => {
    for (let place = next++; place < all.length; place = next++) results[place] = await act(all[place]);
  };
  await Promise.all(Array.from({length: Number(values.jobs)}, worker));
  return results;
}

const wanted = new RegExp(values.only);
const all = mutants.filter(one => wanted.test(`${one.class} ${one.name} ${one.id}`))
    .flatMap(mutant => mutant.on.slice(0, values.first ? 1 : undefined).map(setup => ({mutant, setup})));

const setups = new Map(all.map(({setup}) => [nameOf(setup), setup]));
let wrong = 0;
await inTurn(values.right ? [...setups.values()] : [], async setup => {
  const ids = [...new Set(all.filter(one => nameOf(one.setup) === nameOf(setup)).map(one => one.mutant.id))];
  const {rows, complained} = await judge({name: 'none'}, setup, ids);
  const failed = rows.filter(row => row.verdict === 'fail');
  console.log(`${failed.length || rows.length === 0 ? 'FAIL' : 'ok  '} the right client ${nameOf(setup)}: ${rows.length} rules ${complained}`);
  for (const row of failed) console.log(`       ${row.id}: ${row.message}`);
  wrong += failed.length;
});

const done = [];
const results = await inTurn(all, async one => {
  const result = await judgeMutant(one);
  console.log(`${result.killed ? 'ok  ' : 'LIVE'} ${result.name} ${result.setup}: ${result.id} ${result.verdict}` +
              `${result.killed ? '' : `: ${result.why}`} (${result.seconds.toFixed(1)} s)`);
  done.push(result);
  if (values.out) writeFileSync(values.out, JSON.stringify(done, null, 1));
  return result;
});

const before = new Map(values.before ? JSON.parse(readFileSync(values.before)).map(one => [`${one.name} ${one.setup}`, one]) : []);
const share = rows => `${rows.filter(one => one?.killed).length}/${rows.length}`;
const line = (title, rows) => console.log(`${title.padEnd(30)} ${share(rows).padStart(9)}` +
    (before.size ? `   before ${share(rows.map(one => before.get(`${one.name} ${one.setup}`)))}` : ''));
console.log('\nKilled by the id of the rule that is broken');
for (const name of new Set(results.map(one => one.class))) line(name, results.filter(one => one.class === name));
for (const transport of ['stdio', 'http']) {
  line(`MUST over ${transport}`, results.filter(one => one.must && one.setup.includes(`/${transport}/`)));
}
line('all', results);
process.exit(wrong === 0 && results.every(one => one.killed) ? 0 : 1);
