// Nothing leaves the machine that the line did not ask for, and nothing is left on it: every command is
// run in a network namespace of its own, where every address is this machine and nobody listens, with
// variables set that name exporters, proxies and databases elsewhere. Prints what each tried.
//   node privacy_test.mjs PLUMBLINE [WORD]     WORD: only lines that have it
// Exit status 77: there are no namespaces here, no strace, or it may trace nothing.

import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {optionsOf} from '../manual/options.mjs';
import {rows} from './rows.mjs';
import {seen, start} from './watch.mjs';

const [program, word = ''] = process.argv.slice(2);
const plumbline = resolve(program);
const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const inside = 'PLUMBLINE_TEST_IN_NAMESPACE';

// enter goes on in a namespace with nothing but loopback, at which every address is.
function enter() {
  const skip = why => { console.log(`skipped: ${why}`); process.exit(77); };
  for (const tool of ['strace', 'ip', 'unshare']) {
    if (spawnSync(tool, ['-V'], {stdio: 'ignore'}).error) skip(`no ${tool}`);
  }
  const unshare = process.getuid() === 0 ? ['--net'] : ['--map-root-user', '--net'];
  const loopback = 'ip link set lo up && ip route add local 0.0.0.0/0 dev lo';
  if (spawnSync('unshare', [...unshare, 'sh', '-c', loopback]).status !== 0) skip('no network namespaces');
  if (spawnSync('strace', ['-f', '--seccomp-bpf', '-o', '/dev/null', 'true']).status !== 0) skip('strace may trace nothing');
  const again = `${loopback} && { ip -6 route add local ::/0 dev lo 2>/dev/null; exec "$@"; }`;
  const done = spawnSync('unshare', [...unshare, 'sh', '-c', again, '-', process.execPath, ...process.argv.slice(1)],
    {stdio: 'inherit', env: {...process.env, [inside]: '1'}});
  process.exit(done.status ?? 1);
}

// What is set on many machines, for other programs.
const ambient = {
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://203.0.113.1:4318', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://203.0.113.1:4318/v1/traces',
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://203.0.113.1:4318/v1/metrics', OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of-another',
  OTEL_TRACES_EXPORTER: 'otlp', OTEL_METRICS_EXPORTER: 'otlp', OTEL_LOGS_EXPORTER: 'otlp', OTEL_METRIC_EXPORT_INTERVAL: '50',
  HTTP_PROXY: 'http://203.0.113.2:3128', HTTPS_PROXY: 'http://203.0.113.2:3128', ALL_PROXY: 'socks5://203.0.113.2:1080',
  http_proxy: 'http://203.0.113.2:3128', https_proxy: 'http://203.0.113.2:3128', all_proxy: 'socks5://203.0.113.2:1080',
  PGHOST: '203.0.113.3', PGHOSTADDR: '203.0.113.3', PGPORT: '5433',
  OPENAI_API_KEY: 'sk-of-another', OPENAI_BASE_URL: 'http://203.0.113.4/v1', ANTHROPIC_API_KEY: 'of-another',
  MCP_BASE_URL: 'http://203.0.113.5', MCP_SERVICE_TOKEN: 'of-another', DISPLAY: '', WAYLAND_DISPLAY: '',
};

// What libraries of the system make or ask on their own, and why that is no concern.
const harmless = [
  /^unix:\/(var\/)?run\/nscd\/socket$/,  // glibc, before it looks a name up.
];

class Row {
  constructor(row, page) {
    this.row = row;
    this.page = page;
    this.folder = mkdtempSync(join(tmpdir(), 'privacy-'));
    this.given = join(this.folder, 'given');
    this.work = join(this.folder, 'work');
    for (const name of ['given', 'work', 'home', 'tmp', 'bin']) mkdirSync(join(this.folder, name));
    symlinkSync(plumbline, join(this.folder, 'bin/plumbline'));
    this.write('tickets.json', {mcpServers: {tickets: {command: plumbline,
      args: ['serve', join(root, 'scenarios/library/basics/search-tickets-with-filters.json'), '--stdio']}}});
    this.write('page.json', {mcpServers: {page: {url: `http://${page}/mcp`}}});
    this.write('chat.json', {mcpServers: {}, chat: {anonymous: 'you', model: {script: join(root, 'examples/chat-model.json')}}});
    this.write('real-chat.json', {mcpServers: {}, chat: {anonymous: 'you'}});
    for (const [name, bytes] of Object.entries(kept)) writeFileSync(join(this.given, name), bytes);
  }

  write(name, value) { writeFileSync(join(this.given, name), JSON.stringify(value)); }

  filled(text) {
    return text.replaceAll('{page}', this.page).replaceAll('{folder}', this.given).replaceAll('{root}', root);
  }

  env() {
    return {PATH: `${this.folder}/bin:${process.env.PATH}`, HOME: `${this.folder}/home`, TMPDIR: `${this.folder}/tmp`,
            XDG_STATE_HOME: `${this.folder}/home/state`, DBUS_SESSION_BUS_ADDRESS: `unix:path=${this.folder}/bus`, ...ambient};
  }

  // run returns {status, seen, left}.
  async run() {
    const log = join(this.folder, 'log');
    const child = start([plumbline, ...this.row.line.map(each => this.filled(each))], log,
      {cwd: this.work, env: this.env(), stdio: ['pipe', 'pipe', 'pipe']});
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', piece => { out += piece; });
    let first = '';
    child.stdout.on('data', piece => { first += piece; });
    child.stdin.on('error', () => {});
    child.stdin.write(this.row.input ?? '');
    const ended = once(child, 'close');
    if (this.row.serves) await this.ask(child, () => first, ended);
    else child.stdin.end();
    const [status] = await ended;
    return {status, out, ...seen(log), left: this.left()};
  }

  // ask asks a service for its path, and ends it.
  async ask(child, printed, ended) {
    while (!printed().includes('\n') && child.exitCode === null) await Promise.race([once(child.stdout, 'data'), ended]);
    const origin = /https?:\/\/[^/\s]+/.exec(printed())?.[0];
    if (origin && this.row.serves !== true) await fetch(origin + this.row.serves).catch(() => {});
    // strace hands the signal on to nobody: its child gets it.
    const [pid] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ');
    if (pid) process.kill(Number(pid), 'SIGTERM');
  }

  // left returns the files that lie in the folder of work, below HOME or TMPDIR.
  left() {
    const files = [];
    for (const name of ['work', 'home', 'tmp']) {
      for (const entry of readdirSync(join(this.folder, name), {recursive: true, withFileTypes: true})) {
        if (entry.isFile()) files.push(join(entry.parentPath ?? entry.path, entry.name).slice(this.folder.length + 1));
      }
    }
    return files;
  }

  // judge returns what is wrong with what was seen.
  judge(found) {
    const wrong = [];
    const wanted = (this.row.tries ?? []).map(each => this.filled(each));
    const may = [...wanted, ...(this.row.keyring ? [`unix:${this.folder}/bus`] : [])];
    const isHarmless = address => harmless.some(each => each.test(address));
    for (const each of found.tried) if (!may.includes(each) && !isHarmless(each)) wrong.push(`tried ${each}, which its line does not name`);
    for (const each of wanted) if (!found.tried.includes(each)) wrong.push(`did not try ${each}`);
    for (const each of found.left) {
      const named = [...(this.row.leaves ?? []).map(name => `work/${name}`),
                     ...(this.row.keeps ?? []).map(name => `home/state/plumbline/${name}`)];
      if (!named.some(name => each.startsWith(name))) wrong.push(`left ${each}`);
    }
    for (const each of found.made) {
      const path = resolve(this.work, each);
      if (!path.startsWith(this.folder + '/') && !/^\/(dev|proc)\//.test(path)) wrong.push(`made ${path}`);
    }
    if (found.status !== (this.row.status ?? 0)) wrong.push(`ended with ${found.status}: ${found.out.slice(-600)}`);
    return wrong;
  }

  end() { rmSync(this.folder, {recursive: true, force: true}); }
}

// kept are files that lines read: {name: bytes}.
const kept = {};

function make(words, folder) {
  const done = spawnSync(plumbline, words, {cwd: folder, input: '', encoding: 'utf8'});
  if (done.error) throw done.error;
}

// prepare makes them.
function prepare() {
  const folder = mkdtempSync(join(tmpdir(), 'privacy-'));
  const happy = join(root, 'scenarios/library/basics/list-files-happy-path.json');
  const config = {mcpServers: {recorded: {command: plumbline, args: ['record', '--out', join(folder, 'session.jsonl'), '--',
    plumbline, 'serve', '--reference', '--stdio']}}};
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  make(['ask', 'List the tools', '--config', 'config.json'], folder);
  const tickets = join(root, 'scenarios/library/basics/search-tickets-with-filters.json');
  writeFileSync(join(folder, 'tickets.json'), JSON.stringify({mcpServers: {tickets: {command: plumbline, args: ['serve', tickets, '--stdio']}}}));
  make(['ask', 'Summarize the open high-priority support tickets.', '--config', 'tickets.json', '--thread', 't', '--store', 'sqlite:t.db'], folder);
  make(['sweep', happy, '--seeds', '1..20', '--shard', '1/2', '--report', 'json=a.json'], folder);
  make(['sweep', happy, '--seeds', '1..20', '--shard', '2/2', '--report', 'json=b.json'], folder);
  for (const name of ['session.jsonl', 'a.json', 'b.json', 't.db']) kept[name] = readFileSync(join(folder, name));
  rmSync(folder, {recursive: true});
}

// missing returns the commands of the program that no row has.
function missing() {
  const lines = rows.map(row => row.line.join(' ') + ' ');
  const commands = [...optionsOf(plumbline, join(root, 'plumb'))].filter(([name, options]) => options !== null && name !== '');
  const names = commands.map(([name]) => name);
  const ends = names.filter(name => !names.some(other => other.startsWith(name + ' ')));
  return ends.filter(name => !lines.some(line => line.startsWith(name + ' ')));
}

async function main() {
  const lost = missing();
  for (const name of lost) console.log(`no row runs: plumbline ${name}`);
  const server = spawn(plumbline, ['serve', '--reference', '--http', '127.0.0.1:0'], {stdio: ['ignore', 'pipe', 'ignore']});
  const [url] = await once(server.stdout, 'data');
  const page = new URL(String(url).trim()).host;
  prepare();
  let wrong = lost.length;
  const chosen = rows.filter(row => row.line.join(' ').includes(word));
  for (const each of chosen) {
    const row = new Row(each, page);
    const found = await row.run();
    const faults = row.judge(found);
    const short = text => text.replaceAll(row.folder, '').replaceAll(page, 'PAGE');
    const line = short(row.filled(each.line.join(' '))).replaceAll(root + '/', '');
    console.log(`plumbline ${line}\n    tried ${short(found.tried.join(' ')) || 'nothing'}; left ${found.left.join(' ') || 'nothing'}`);
    for (const fault of faults) console.log(`    WRONG: ${fault}`);
    wrong += faults.length;
    row.end();
  }
  server.kill();
  console.log(`${chosen.length} lines, ${wrong} wrong`);
  process.exit(wrong === 0 && chosen.length > 0 ? 0 : 1);
}

if (process.env[inside] === undefined) enter();
else await main();
