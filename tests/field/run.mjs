// The field study: software of others, judged one after the other, and each failure held to what verdicts.tsv says of it.
//
//   node run.mjs PLUMBLINE [NAME...]     judges all, or those with these names (`server`, `tmcp`, `tmcp/http`, `*/sse`)
//   node run.mjs PLUMBLINE --table        writes the tables of docs/findings.md from verdicts.tsv
//
// One line a subject; exit status 1 when a failure is not filed, or one that is filed no longer occurs.

import {mkdirSync, readFileSync, rmSync} from 'node:fs';
import {dirname} from 'node:path';

import {install} from './install.mjs';
import {freePort} from '../ports.mjs';
import {Program, relayTo} from './processes.mjs';
import {argv, built, here, subjects} from './subjects.mjs';
import {writeTable} from './table.mjs';
import {Tally} from './verdicts.mjs';

const startSeconds = 60;
const judgeSeconds = 900;
// Many a server takes its time to start, the more so on a busy machine, and must not be blamed for being asked much at once.
const patience = ['--timeout', '60s', '--concurrency', '4'];

// Nothing may look for a browser to download, a newer version of itself, or somebody to tell of its use.
const quiet = {NO_UPDATE_NOTIFIER: '1', DO_NOT_TRACK: '1', PUPPETEER_SKIP_DOWNLOAD: '1', npm_config_update_notifier: 'false'};
const onLoopback = {NODE_OPTIONS: `--import=file://${here}loopback.mjs`};

function reportAt(path) { try { return JSON.parse(readFileSync(path, 'utf8')); } catch { return null; } }

// judge begins `check WORDS...`; `end` waits for its report and exit status.
async function judge(program, subject, words, env) {
  const path = `${built}/reports/${subject.name}.json`;
  mkdirSync(dirname(path), {recursive: true});
  rmSync(path, {force: true});
  const [command, ...target] = words;
  const run = new Program([program, 'check', command, '--report', `json=${path}`, '--progress', 'never', '--baseline', 'none', ...target], {env});
  return {run, end: async () => {
    const status = await run.status(judgeSeconds);
    await run.stop();
    const report = reportAt(path);
    if (!report?.results.length) throw new Error(`exit status ${status}, nothing was judged: ${run.last()}`);
    return {status, report};
  }};
}

// A starter collects what has to be ended when its subject is done with.
class Starter {
  constructor(subject) { Object.assign(this, {subject, toStop: []}); }

  words(command, values, kit = this.subject.kit) { return argv(command, kit, {name: this.subject.name, ...values}); }

  async listening(command, values, kit, env) {
    const program = new Program(this.words(command, values, kit), {env: {...quiet, ...onLoopback, ...this.filled(env, values)}});
    this.toStop.push(program);
    await program.until(values.port, startSeconds);
    return program;
  }

  filled(env = {}, values) {
    return Object.fromEntries(Object.entries(env).map(([name, text]) => [name, this.words(text, values).join(' ')]));
  }

  async stop() { for (const each of this.toStop.reverse()) await each.stop(); }
}

const options = subject => (subject.options ?? '').split(' ').filter(Boolean);
const headers = subject => (subject.headers ?? []).flatMap(header => ['--header', header]);

async function judgeServer(program, subject, starter) {
  if (!subject.url) {
    const env = {...quiet, ...starter.filled(subject.env, {})};
    return (await judge(program, subject, ['server', ...patience, ...options(subject), '--stdio', '--', ...starter.words(subject.command)], env)).end();
  }
  const values = {port: await freePort()};
  await starter.listening(subject.command, values, subject.kit, subject.env);
  const [url] = starter.words(subject.url, values);
  return (await judge(program, subject, ['server', ...patience, ...options(subject), '--url', url, ...headers(subject)], {})).end();
}

async function judgeClient(program, subject, starter) {
  const words = ['client', '--transport', subject.transport, ...options(subject), '--', ...starter.words(subject.command)];
  return (await judge(program, subject, words, {...quiet, ...starter.filled(subject.env, {})})).end();
}

// A gateway is a chain of programs, the one next to the judge's server first; each learns the {url} behind it. One with
// a command of its own speaks stdio, and the judge starts it, for each client anew.
async function judgeGateway(program, subject, starter) {
  if (subject.command) {
    const words = ['gateway', '--listen', '127.0.0.1:0', ...options(subject), '--', ...starter.words(subject.command, {url: '{url}'})];
    return (await judge(program, subject, words, {...quiet, ...starter.filled(subject.env, {})})).end();
  }
  const listen = await freePort();
  const ports = [];
  for (const _ of subject.chain) ports.push(await freePort());
  const relay = await relayTo(ports.at(-1));
  starter.toStop.push(relay);
  const {run, end} = await judge(program, subject, ['gateway', ...options(subject), '--listen', `127.0.0.1:${listen}`,
                                                    '--url', `http://127.0.0.1:${relay.port}${subject.path}`], {});
  starter.toStop.push(run);
  await run.until(listen, startSeconds);
  let url = `http://127.0.0.1:${listen}/mcp`;
  for (const [at, link] of subject.chain.entries()) {
    await starter.listening(link.command, {url, port: ports[at]}, link.kit, link.env);
    url = `http://127.0.0.1:${ports[at]}${link.path ?? '/mcp'}`;
  }
  return end();
}

const judges = {server: judgeServer, client: judgeClient, gateway: judgeGateway};

async function judged(program, subject) {
  const starter = new Starter(subject);
  try {
    for (const kit of new Set(['node', subject.kit, ...(subject.needs ?? [])])) await install(kit);
    return await judges[subject.role](program, subject, starter);
  } finally {
    await starter.stop();
  }
}

// say prints one line about `subject`, and one more for each failure that is not filed.
function say(subject, {report, status}, unfiled) {
  const count = report.summary;
  const starts = report.effort?.starts ?? report.starts;
  console.log([`${(report.duration_ms / 1000).toFixed(1)} s`.padStart(8), `${count.pass} pass`.padStart(9), `${count.fail} fail`.padStart(8),
               `${count.warn} warn`.padStart(8), `${count.inconclusive} inconclusive`.padStart(16),
               starts === undefined ? '' : `${starts} starts`.padStart(11), `  exit ${status}  ${subject.name}`].join(''));
  for (const row of unfiled) console.log(`          unfiled ${row.revision} ${row.id}: ${row.message}`);
}

function wanted(names) {
  try {
    return subjects(names);
  } catch (error) {
    console.error(`field: ${error.message}`);
    process.exit(2);
  }
}

async function run(program, names) {
  const tally = new Tally();
  let broken = 0;
  for (const subject of wanted(names)) {
    try {
      const result = await judged(program, subject);
      say(subject, result, tally.take(subject, result.report.results));
    } catch (error) {
      ++broken;
      console.log(`          not judged: ${subject.name}: ${error.message}`);
    }
  }
  tally.stale.forEach(line => console.log(line));
  const {counts} = tally;
  console.log(`failures: ${counts.true} true, ${counts.arguable} arguable, ${counts.ours} ours, ${counts.unfiled} unfiled`);
  process.exit(tally.good && broken === 0 ? 0 : 1);
}

const [program, ...names] = process.argv.slice(2);
if (!program) console.error('run.mjs PLUMBLINE [NAME...] | --table');
else if (names[0] === '--table') writeTable();
else await run(program, names);
