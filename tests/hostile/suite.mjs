// The program against hostile peers.
//   node suite.mjs PLUMBLINE [--only TEXT] [--without INPUT] [--no-figures] [--times] [--table]
//
// Nothing that a peer says may end the program by a signal; SIGINT ends it; a megabyte costs at most
// 64 MB beyond the most that any command costs with a peer that behaves. --no-figures: for builds
// whose memory says nothing (sanitizers). --times: for an idle machine, by hand. SIGINT ends it in a
// second then, and a megabyte costs at most a second of CPU beyond a peer that behaves.
// --table: every row is printed, not what is wrong alone: seconds, CPU seconds, MB, milliseconds to
// SIGINT, exit status.

import {spawn} from 'node:child_process';
import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {attacks} from './attacks.mjs';
import {inputs, transportsOf} from './inputs.mjs';

const [plumbline, ...options] = process.argv.slice(2);
const option = name => options.includes(name) ? options[options.indexOf(name) + 1] : undefined;
const figures = !options.includes('--no-figures');
const times = options.includes('--times'), table = options.includes('--table');
const only = option('--only') ?? '';
const without = option('--without');  // An input that is left out.
const saidMax = 15_000, workMax = 5_000, attackMax = 20_000, floodFor = 1_000;  // Milliseconds.
const slots = 4;
const cpuMax = 1.0, mbMax = 64, interruptMax = 1000;

const script = name => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));

// look returns the CPU seconds and the peak MB of a process alone, without its children.
function look(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
    return {cpu: (Number(fields[11]) + Number(fields[12])) / 100, mb: peak ? Number(peak[1]) / 1024 : 0};
  } catch { return {cpu: 0, mb: 0}; }
}

// leftBehind returns whether a process is there that has `word` among its arguments.
function leftBehind(word) {
  return readdirSync('/proc').some(name => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'latin1').split('\0').includes(word);
    } catch { return false; }
  });
}

// untilSaid waits until the peer has said its input and the program has dealt with it: it then
// waits for something itself. What has no end goes on for a while.
async function untilSaid(made, file, flood, patience) {
  for (let waited = 0; !existsSync(file) && waited < patience; waited += 20) await pause(20);
  if (flood) return pause(floodFor);
  for (let waited = 0, before = NaN; waited < workMax && before !== made.cpu; waited += 300) {
    before = made.cpu;
    await pause(300);
  }
}

// run starts the program, lets `meanwhile` do its part, and interrupts what has not ended then.
async function run(words, meanwhile) {
  const start = Date.now();
  const child = spawn(plumbline, words, {cwd: folder, stdio: ['ignore', 'pipe', 'pipe']});
  const made = {out: '', cpu: 0, mb: 0};
  const keep = bytes => { if (made.out.length < 1 << 24) made.out += bytes; };
  child.stdout.setEncoding('latin1').on('data', keep);
  child.stderr.setEncoding('latin1').on('data', keep);
  const exited = new Promise(resolve => child.once('exit', (code, signal) => resolve({code, signal})));
  let over = false;
  exited.then(() => over = true);
  const watch = setInterval(() => {
    const now = look(child.pid);
    made.cpu = Math.max(made.cpu, now.cpu);
    made.mb = Math.max(made.mb, now.mb);
  }, 10);
  made.problem = await Promise.race([meanwhile(made, exited), exited.then(() => undefined)]);
  let interrupted = null;
  if (!over) {
    interrupted = Date.now();
    child.kill('SIGINT');
    await Promise.race([exited, pause(times ? 10_000 : 60_000)]);
    if (!over) child.kill('SIGKILL');
  }
  const end = await exited;
  clearInterval(watch);
  return {...made, ...end, seconds: (Date.now() - start) / 1000, late: interrupted === null ? null : Date.now() - interrupted};
}

// The commands. Each takes a transport and an input, and returns a run. ---------------------------

const begun = Date.now();
let port = 0;
let marks = 0;
const newMark = () => join(folder, `said${++marks}`);
const isFlood = name => inputs[name]?.flood ?? name.endsWith('forever');
const urlOf = (kind, name, mark) => `${kind === 'ws' ? 'ws' : 'http'}://127.0.0.1:${port}/${kind}/${name}/${basename(mark)}`;
const peer = (name, mark) => [process.execPath, script('peer.mjs'), 'stdio', name, mark];
async function judged(words, name, mark, patience = saidMax) {
  const result = await run(words, made => untilSaid(made, mark, isFlood(name), patience));
  if (leftBehind(mark)) result.problem = 'it leaves processes behind';
  return result;
}
const checks = 'lifecycle.server-answers-initialize,jsonrpc.conforms-to-2-0,tools.input-schema-valid,tools.inputs-validated,tools.name-charset';

function checkServer(kind, name) {
  const mark = newMark();
  const target = kind === 'stdio' ? ['--stdio', '--', ...peer(name, mark)] : ['--url', urlOf(kind, name, mark)];
  return judged(['check', 'server', '--timeout', '5s', '--progress', 'never', '--only', checks, ...target], name, mark);
}

let configs = 0;
function ask(kind, name) {
  const mark = newMark();
  const [command, ...args] = peer(name, mark);
  const server = kind === 'stdio' ? {command, args} : {type: kind, url: urlOf(kind, name, mark)};
  const config = join(folder, `${++configs}.json`);
  writeFileSync(config, JSON.stringify({mcpServers: {files: server}}));
  return judged(['ask', 'List the files in the managed project folder', '--config', config, '--timeout', '5s'], name, mark);
}

let gateways = 20_000 + process.pid % 20_000;
function checkGateway(kind, name) {
  const mark = newMark();
  return judged(['check', 'gateway', '--timeout', '5s', '--listen', `127.0.0.1:${++gateways}`, '--url', urlOf(kind, name, mark)],
                name, mark, 3_000);
}

function checkClient(kind, name) {
  const mark = newMark();
  return judged(['check', 'client', '--transport', kind, '--progress', 'never', '--only', 'lifecycle.client-sends-initialize',
                 '--', 'env', `MARK=${mark}`, process.execPath, script('attacks.mjs'), name], name, mark);
}

const ways = {http: '--http', sse: '--sse', ws: '--ws'};
function serve(kind, name) {
  if (kind === 'stdio') return attackOverStdio(name);
  return run(['serve', '--reference', ways[kind], '127.0.0.1:0'], async (made, exited) => {
    while (!made.out.includes('\n')) {
      if (await Promise.race([exited, pause(5)])) return 'ended before it listened';
    }
    return attack([name, kind, made.out.split('\n')[0]]);
  });
}

function attack(words) {
  const child = spawn(process.execPath, [script('attacks.mjs'), ...words], {stdio: ['ignore', 'ignore', 'pipe']});
  let said = '';
  child.stderr.on('data', bytes => said += bytes);
  const timer = setTimeout(() => child.kill('SIGKILL'), isFlood(words[0]) ? floodFor : attackMax);
  return new Promise(resolve => child.once('exit', code => {
    clearTimeout(timer);
    resolve(code === 1 ? said.trim() : undefined);
  }));
}

// Over its standard streams a server ends with its input.
async function attackOverStdio(name) {
  const start = Date.now();
  const child = spawn(process.execPath, [script('attacks.mjs'), name, 'stdio', plumbline, 'serve', '--reference', '--stdio'],
                      {stdio: ['ignore', 'ignore', 'pipe']});
  const made = {out: '', cpu: 0, mb: 0, late: null};
  child.stderr.setEncoding('latin1').on('data', bytes => made.out += bytes);
  let served = 0;
  const watch = setInterval(() => {
    try { served ||= Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'latin1').split(' ')[0]); } catch { /* Gone. */ }
    const now = served ? look(served) : made;
    made.cpu = Math.max(made.cpu, now.cpu);
    made.mb = Math.max(made.mb, now.mb);
  }, 10);
  const exited = new Promise(resolve => child.once('exit', code => {
    if (code === 1) made.problem = made.out.trim();
    resolve();
  }));
  await Promise.race([exited, pause(isFlood(name) ? floodFor : attackMax)]);
  if (served) try { process.kill(served, 'SIGINT'); } catch { /* It ended. */ }
  await Promise.race([exited, pause(2_000)]);
  child.kill('SIGKILL');
  clearInterval(watch);
  await exited;
  return {...made, code: 0, signal: null, seconds: (Date.now() - start) / 1000};
}

// Files and words ----------------------------------------------------------------------------------

const server = rule => ({plumbline: 1, title: 'Much is asked for.', request: {input: 'List the files'}, expect: {status: 'ok'},
                         servers: {files: {tools: [{name: 'list_directory', description: 'List the files', does: rule}]}}});
const reply = {reply: {content: []}};
const megabyte = 'x'.repeat(1 << 20);
const files = {
  'notify-10000x1mb': server([{notify: {method: 'n', params: {text: megabyte}, times: 10_000}}, reply]),
  'notify-10000x300b': server([{notify: {method: 'n', params: {text: 'x'.repeat(300)}, times: 10_000}}, reply]),
  'garbage-4000x4mb': server([...Array.from({length: 4_000}, () => ({garbage: 'x'.repeat(100), repeat: 40_000})), reply]),
  'stderr-20000x128kb': server([...Array.from({length: 20_000}, () => ({stderr: 'x', repeat: 1_000_000})), reply]),
  'copies-1000x1mb': {...server([reply]), servers: {files: {tools: [{name: 'a', copies: 1_000, description: megabyte}]}}},
  'fill-1000x30mb': server([{reply: {content: Array.from({length: 1_000}, () => ({type: 'text', text: '{{text:30000000}}'}))}}]),
  'reply-100x8mb': {...server([{reply: {content: [{type: 'text', text: megabyte.repeat(8)}]}}]), request: {input: 'List the files', times: 100}},
  'input-100x1mb': {...server([reply]), request: {input: megabyte, times: 100}},
};

// readFile has a command read a file that asks for much: it ends by itself, or by SIGINT.
const readFile = command => (kind, name) => {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify({id: name, ...(files[name] ?? server([reply]))}));
  const seeds = command === 'sweep' ? ['--seeds', '1..20'] : ['--seed', '1'];
  return run([command, path, ...seeds], made => untilIdle(made, 3_000));
};

// untilIdle waits so long, where the program does not end before.
const untilIdle = (made, patience) => pause(patience);

const words = {'ordinary': 'lifecycle', 'x-100kb': 'x'.repeat(100_000), 'words-100kb': 'a.b-'.repeat(25_000), 'brackets-100kb': ' [a]'.repeat(25_000)};
const explain = (kind, name) => run(['explain', words[name]], made => untilIdle(made, 30_000));

// fuzz ends in its time and one answer, whatever the server does. After forty sessions at most, so
// that what it keeps of them does not depend on how fast the machine is.
function fuzz(kind, name) {
  const mark = newMark();
  return run(['fuzz', 'server', '--seconds', '2', '--runs', '40', '--timeout', '2s', '--out', join(folder, 'found'), '--stdio', '--', ...peer(name, mark)],
             made => untilIdle(made, 5_000));
}

// The rows -----------------------------------------------------------------------------------------

const rows = [];
const add = (command, start, kind, names) => {
  for (const name of names) {
    const title = `${command} ${kind} ${name}`;
    if (name !== without && (name === 'ordinary' || title.includes(only))) rows.push({command, kind, name, start});
  }
};
const saidOver = kind => Object.keys(inputs).filter(name => transportsOf(name).includes(kind));
for (const kind of ['stdio', 'http', 'sse', 'ws']) {
  // What is said in messages is read alike behind every transport: once in full will do.
  const inFull = kind === 'stdio' || kind === 'http';
  const names = saidOver(kind).filter(name => inFull || transportsOf(name).length < 4 || /ordinary|forever|version|1mb$/.test(name));
  add('check server', checkServer, kind, names);
  add('ask', ask, kind, names);
}
add('check gateway', checkGateway, 'http', ['ordinary', 'version-newline', 'pings-forever', 'headers-100000', 'silent', 'secrets-400kb', 'ids-forever']);
add('check client', checkClient, 'http', ['ordinary', 'pings-40000', 'versions', 'text-1mb', 'json-deep', 'batch-20000']);
add('check client', checkClient, 'stdio', ['ordinary', 'pings-40000', 'pings-forever', 'line-of-1mb', 'versions', 'json-deep', 'numbers-huge']);
for (const kind of ['stdio', 'http', 'sse', 'ws']) add('serve --reference', serve, kind, attacks[kind]);
for (const command of ['run', 'sweep', 'shrink']) add(command, readFile(command), 'file', ['ordinary', ...Object.keys(files)]);
add('explain', explain, 'words', Object.keys(words));
add('fuzz server', fuzz, 'stdio', ['ordinary', 'silent', 'schemas-branching-100', 'schemas-breadth-100']);

// What an ordinary run costs. Memory is of all of them the most: one program, and some of its runs
// end before they are looked at.
const ordinary = new Map();
let mbOrdinary = 0;

function judge(row, result) {
  const wrong = [];
  if (result.problem) wrong.push(result.problem);
  if (result.signal) wrong.push(`ended by ${result.signal}`);
  if (/[\x00-\x08\x0b-\x1f\x7f]/.test(result.out)) wrong.push('control characters in its output');
  if (result.late !== null && result.late > interruptMax && times) wrong.push(`SIGINT took ${result.late} ms`);
  const base = ordinary.get(`${row.command} ${row.kind}`);
  if (!figures || !base) return wrong;
  const megabytes = Math.max(1, inputs[row.name]?.mb ?? 1);
  if (times && !isFlood(row.name) && result.cpu - base.cpu > cpuMax * megabytes) wrong.push(`${(result.cpu - base.cpu).toFixed(2)} s of CPU`);
  if (result.mb - mbOrdinary > mbMax * megabytes) wrong.push(`${Math.round(result.mb - mbOrdinary)} MB`);
  return wrong;
}

function show(row, result, wrong) {
  if (!table && wrong.length === 0) return;
  const status = result.signal ?? result.code;
  console.log([row.command.padEnd(17), row.kind.padEnd(5), row.name.padEnd(24), result.seconds.toFixed(2).padStart(6),
               result.cpu.toFixed(2).padStart(6), result.mb.toFixed(0).padStart(6), `${result.late ?? '-'}`.padStart(6), `${status}`.padStart(8),
               wrong.length ? `  FAIL ${wrong.join('; ')}` : ''].join(' ').trimEnd());
}

async function inSlots(todo, number, work) {
  const rest = [...todo];
  await Promise.all(Array.from({length: number}, async () => {
    while (rest.length) await work(rest.shift());
  }));
}

const net = spawn(process.execPath, [script('peer.mjs'), 'net', folder], {stdio: ['pipe', 'pipe', 'inherit']});
port = Number((await new Promise(resolve => net.stdout.once('data', resolve))).toString());
console.log('command           way   input                    seconds    CPU     MB SIGINT   status');
const again = [];
await inSlots(rows.filter(row => row.name === 'ordinary'), slots, async row => {
  const result = await row.start(row.kind, row.name);
  ordinary.set(`${row.command} ${row.kind}`, result);
  mbOrdinary = Math.max(mbOrdinary, result.mb);
  show(row, result, judge(row, result));
});
await inSlots(rows.filter(row => row.name !== 'ordinary'), slots, async row => {
  const result = await row.start(row.kind, row.name);
  const wrong = judge(row, result);
  if (wrong.length) again.push(row);
  else show(row, result, wrong);
});
// Once more by itself: others may have had the processor.
let failed = 0;
for (const row of again) {
  const result = await row.start(row.kind, row.name);
  const wrong = judge(row, result);
  if (wrong.length) ++failed;
  show(row, result, wrong);
}
net.kill();
rmSync(folder, {recursive: true, force: true});
console.log(`${rows.length} rows, ${failed} failed, ${Math.round((Date.now() - begun) / 1000)} s`);
process.exit(failed ? 1 : 0);
