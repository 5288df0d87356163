// Secrets in every form (forms.tsv) that a server, a model and a caller tell the program, in everything that it writes: none may stand
// there; and in everything that it runs and sends: each must. Prints both tables.
//   node planted_test.mjs PLUMBLINE [--few] [WORD]     --few: some forms of every kind; WORD: only the commands whose name has it

import {spawn} from 'node:child_process';
import {createServer} from 'node:http';
import {existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync, chmodSync} from 'node:fs';
import {once} from 'node:events';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {shellWord} from '../shell_word.mjs';
import {forms, placed, tells} from './forms.mjs';

const few = process.argv.includes('--few');
const [program, word = ''] = process.argv.slice(2).filter(said => said !== '--few');
const plumbline = resolve(program);
const server = fileURLToPath(new URL('planted_server.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'planted-'));
const children = new Set();
process.on('exit', () => { for (const child of children) child.kill('SIGKILL'); rmSync(folder, {recursive: true, force: true}); });

const batchSize = 12;
const batchCount = Math.ceil(forms.length / batchSize);
const batches = Array.from({length: few ? 1 : batchCount}, (_, at) => {
  // Few are one of each neighbourhood of the table, and all with quotes within quotes within quotes.
  const isOfFew = place => place % batchCount === 0 || forms[place].plain.includes("'\\''");
  const places = forms.map((_, place) => place).filter(few ? isOfFew : place => Math.floor(place / batchSize) === at);
  return {number: at, own: places.map(place => forms[place]), file: name => join(folder, `${at}-${name}`),
          server: (errors, ...words) => [server, join(folder, `${at}-got`), places.join(','), String(errors), ...words]};
});
const texts = own => own.filter(form => form.note !== undefined);
const read = path => existsSync(path) ? readFileSync(path, 'latin1') : '';
const isPlain = form => !form.note.includes('\n');

// run returns what the program has written, and its status.
async function run(args, {input = '', env = {}, until} = {}) {
  const child = spawn(plumbline, args, {cwd: folder, env: {...process.env, HOME: folder, XDG_STATE_HOME: folder, ...env}});
  children.add(child);
  const out = {stdout: '', stderr: ''};
  for (const stream of ['stdout', 'stderr']) child[stream].setEncoding('latin1').on('data', text => { out[stream] += text; });
  child.stdin.on('error', () => {});
  const ended = once(child, 'close');
  if (until) await until(child, out);
  else child.stdin.end(input);
  const patience = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const [status, signal] = await ended;
  clearTimeout(patience);
  children.delete(child);
  if (signal === 'SIGKILL') throw new Error(`${args.slice(0, 3).join(' ')} takes too long`);
  return {...out, status: status ?? signal};
}

// What says nothing of what peers say, if only it is written; and what may say nothing at all. Of the others each has to tell
// of a third of the forms that are looked for in it: an empty one proves nothing.
const tellsOfNone = /: badge$|^ask --otlp$|^thread show$|^agents serve: stderr$|^sessions: access log$/;
const mayBeEmpty = /^(check server|run|run --real): stderr$/;
const tellsTheWorst = /^check server: (sarif|markdown|github|stdout)$/;  // As much as fits, and counts of the rest.
const isSaid = (name, row) =>
  mayBeEmpty.test(name) || (tellsOfNone.test(name) ? row.bytes > 0 : tellsTheWorst.test(name) ? row.placed > 0 : row.placed * 3 >= row.looked);

const shown = new Map();  // By the name of an output: what of which forms was seen, and which was found.
const sent = new Map();   // By whom it was sent to: how many, and which are missing.
function look(name, own, text) {
  if (!shown.has(name)) shown.set(name, {looked: 0, placed: 0, bytes: 0, found: []});
  const row = shown.get(name);
  row.bytes += text.length;
  for (const form of own) {
    ++row.looked;
    if (text.includes(form.mark)) ++row.placed;
    if (tells(form, text)) row.found.push([form, text]);
  }
}
function expect(name, form, whole, got) {
  if (!sent.has(name)) sent.set(name, {planted: 0, missing: []});
  const row = sent.get(name);
  ++row.planted;
  if (!got.includes(whole)) row.missing.push(form);
}

// received returns every text that the server of a batch has got, as it stands.
function received(batch) {
  const all = [];
  const collect = value => {
    if (typeof value === 'string') all.push(value);
    else if (value && typeof value === 'object') { all.push(JSON.stringify(value)); Object.values(value).forEach(collect); }
  };
  for (const line of read(batch.file('got')).split('\n').filter(Boolean)) {
    const got = JSON.parse(Buffer.from(line, 'latin1').toString());
    collect(got);
    if (got.line) { try { collect(JSON.parse(got.line)); } catch { /* no JSON */ } }
  }
  return new Set(all);
}
const has = set => ({includes: whole => set.has(whole)});

const formats = ['json', 'junit', 'sarif', 'markdown', 'html', 'tap', 'github', 'badge', 'prompt'];
const reports = batch => formats.flatMap(format => ['--report', `${format}=${batch.file(format)}`]);
function lookAtReports(command, batch, out) {
  for (const format of formats) {
    if (!existsSync(batch.file(format))) throw new Error(`${command} writes no ${format}, and ends with ${out.status}: ${out.stderr}`);
    look(`${command}: ${format}`, batch.own, read(batch.file(format)));
    rmSync(batch.file(format));
  }
  look(`${command}: stdout`, batch.own, out.stdout);
  look(`${command}: stderr`, batch.own, out.stderr);
}

const schema = {type: 'object', properties: {priority: {type: 'string', enum: ['low', 'high']}, status: {type: 'string', enum: ['open', 'closed']}}};
const wanted = 'Summarize the open high-priority support tickets.';
const config = (batch, errors) => {
  const own = texts(batch.own);
  writeFileSync(batch.file('config.json'), JSON.stringify({mcpServers: {planted: {command: process.execPath,
    args: batch.server(errors, ...own.map(form => form.note)),
    env: Object.fromEntries(own.map(form => [`PLANTED_${form.number}`, form.note]))}}}));
  return batch.file('config.json');
};
function sentToServer(name, batch, which = () => true) {
  const got = has(received(batch));
  for (const form of texts(batch.own).filter(which)) expect(name, form, form.note, got);
}

const commands = {
  async 'check server'(batch) {
    for (const errors of [false, true]) {
      rmSync(batch.file('got'), {force: true});
      const out = await run(['check', 'server', '--verbose', '--only', 'ping.empty-result,lifecycle.server-answers-initialize,jsonrpc.error-message-concise,tools.unknown-tool-protocol-error',
        ...reports(batch), '--stdio', '--', process.execPath, ...batch.server(errors, ...texts(batch.own).map(form => form.note))]);
      lookAtReports('check server', batch, out);
      sentToServer('command line of check server', batch);
    }
  },

  async 'run'(batch) {
    const told = batch.own.map(placed);
    const said = texts(batch.own).map(form => ({type: 'text', text: `${form.mark}\n${form.note}`}));
    for (const reply of [{reply: {content: said, structuredContent: {tickets: told}}}, {tool_error: said.map(one => one.text).join('\n')}]) {
      writeFileSync(batch.file('s.json'), JSON.stringify({plumbline: 1, id: `${batch.number}-s`, title: 'Secrets are told.', request: {input: wanted},
        servers: {tickets: {tools: [{name: 'search_tickets', description: 'Search support tickets by priority and status', inputSchema: schema, does: [reply]}]}},
        expect: {status: 'answered_without_mcp', errors: 7, response_contains: 'nothing like it', effects: 3, item_count: 77}}));
      for (const real of [[], ['--real']]) {
        const out = await run(['run', batch.file('s.json'), ...real, '--verbose', ...reports(batch)]);
        lookAtReports(real.length ? 'run --real' : 'run', batch, out);
      }
    }
  },

  async 'ask'(batch) {
    for (const [json, errors] of [[true, false], [false, false], [true, true]]) {
      rmSync(batch.file('got'), {force: true});
      const out = await run(['ask', wanted, '--config', config(batch, errors), ...(json ? ['--json'] : []), '--verbose', '--trace', batch.file('trace'), '--otlp', batch.file('otlp'),
        '--thread', `t${json}${errors}`, '--store', `sqlite:${batch.file('t.db')}`]);
      look(json ? 'ask --json: stdout' : 'ask: stdout', batch.own, out.stdout);
      look('ask --verbose: stderr', batch.own, out.stderr);
      look('ask --trace', batch.own, read(batch.file('trace')));
      look('ask --otlp', batch.own, read(batch.file('otlp')));
      look('ask --store', batch.own, read(batch.file('t.db')) + read(batch.file('t.db-wal')));
      sentToServer('command line and variables of an agent', batch);
      const show = await run(['thread', 'show', `t${json}${errors}`, '--store', `sqlite:${batch.file('t.db')}`]);
      look('thread show', batch.own, show.stdout + show.stderr);
    }
    const out = await run(['connect', 'test', config(batch, true), '--quiet']);
    look('connect test', batch.own, out.stdout + out.stderr);
  },

  async 'record'(batch) {
    const calls = batch.own.map((form, at) => JSON.stringify({jsonrpc: '2.0', id: at + 10, method: 'tools/call', params: {name: 'search_tickets', arguments: placed(form)}}));
    const lines = [JSON.stringify({jsonrpc: '2.0', id: 1, method: 'initialize', params: {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 'x', version: '1'}}}), ...calls];
    rmSync(batch.file('got'), {force: true});
    const out = await run(['record', '--out', batch.file('r.jsonl'), '--', process.execPath, ...batch.server(false)], {input: lines.join('\n') + '\n'});
    look('record: file', batch.own, read(batch.file('r.jsonl')));
    const got = has(received(batch));
    for (const [at, form] of batch.own.entries()) expect('a tool, by record', form, calls[at], got);
    const answers = Buffer.from(out.stdout, 'latin1').toString();
    for (const form of batch.own) expect('a client, by record', form, JSON.stringify(placed(form)), answers);
  },

  async 'agents serve'(batch) {
    const own = texts(batch.own);
    const prompts = [];
    const model = createServer(async (request, response) => {
      let body = '';
      for await (const bytes of request) body += bytes;
      for (const message of JSON.parse(body).messages) prompts.push(typeof message.content === 'string' ? message.content : JSON.stringify(message.content));
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({id: 'a', object: 'chat.completion', model: 'm', choices: [{index: 0, finish_reason: 'stop',
        message: {role: 'assistant', content: own.map(form => `${form.mark}\n${form.note}`).join('\n')}}]}));
    }).listen(0, '127.0.0.1');
    await once(model, 'listening');
    writeFileSync(batch.file('models.json'), JSON.stringify({providers: {here: {interface: 'chat-completions', url: `http://127.0.0.1:${model.address().port}/v1`}},
      models: {m: {provider: 'here', window_tokens: 100_000}}, roles: {default: 'm'}}));
    const note = batch.file('note');
    writeFileSync(note, `#!/bin/sh\nprintf '%s\\0' "$@" >> ${batch.file('ran')}\nprintf '%s\\n' "$@" >&2\n`);
    chmodSync(note, 0o755);
    writeFileSync(batch.file('commands.json'), JSON.stringify({plumbline_commands: 1, local: {programs: [note], blocked: [], roots: [folder], approval: false}, audit: batch.file('audit')}));
    const calls = own.flatMap(form => [
      {name: 'chat', arguments: {prompt: `${form.mark}\n${form.note}`}},
      {name: 'cli_execute', arguments: {commands: [`${note} ${form.mark} ${shellWord(form.note)}`]}}]);
    const out = await run(['agents', 'serve', '--stdio', '--models', batch.file('models.json'), '--model', 'm', '--commands', batch.file('commands.json'),
      '--store', `sqlite:${batch.file('a.db')}`, '--otlp', batch.file('a-otlp')], {env: {LANGGRAPH_VERBOSE: 'true'}, until: async (child, said) => {
      const send = message => child.stdin.write(JSON.stringify({jsonrpc: '2.0', ...message}) + '\n');
      const answered = () => said.stdout.split('\n').filter(line => /"result"|"error"/.test(line)).length;
      const wait = async count => { while (answered() < count && child.exitCode === null) await new Promise(done => setTimeout(done, 5)); };
      send({id: 1, method: 'initialize', params: {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 'x', version: '1'}}});
      await wait(1);
      send({method: 'notifications/initialized'});
      for (const [at, call] of calls.entries()) { send({id: at + 2, method: 'tools/call', params: call}); await wait(at + 2); }
      child.stdin.end();
    }});
    model.close();
    model.closeAllConnections();
    look('agents serve: stderr', own, out.stderr);
    look('agents serve: audit log', own, read(batch.file('audit')));
    look('agents serve --store', own, read(batch.file('a.db')) + read(batch.file('a.db-wal')));
    look('agents serve --otlp', own, read(batch.file('a-otlp')));
    const ran = Buffer.from(read(batch.file('ran')), 'latin1').toString().split('\0');
    for (const form of own) {
      expect('a model', form, form.note, {includes: whole => prompts.some(prompt => prompt.includes(whole))});
      expect('a command', form, form.note, has(new Set(ran)));
    }
  },

  async 'sessions'(batch) {
    const own = texts(batch.own).filter(isPlain);
    const out = await run(['sessions', '--listen', '127.0.0.1:0'], {until: async (child, said) => {
      while (!said.stdout.includes('http://') && child.exitCode === null) await new Promise(done => setTimeout(done, 5));
      const url = said.stdout.match(/http:\/\/[^\s/]+/)[0];
      for (const form of own) {
        const secret = encodeURIComponent(form.secret);
        await fetch(`${url}/${form.mark}?token=${secret}&note=${encodeURIComponent(form.note)}`, {headers: {Authorization: `Token ${secret}`, 'User-Agent': encodeURIComponent(form.note)}});
      }
      child.kill('SIGTERM');
    }});
    look('sessions: access log', own, out.stderr);
  },
};

for (const [name, work] of Object.entries(commands)) {
  if (!name.includes(word)) continue;
  for (let at = 0; at < batches.length; at += 2) await Promise.all(batches.slice(at, at + 2).map(work));
}

let failed = false;
const cells = (name, ...numbers) => console.log(name.padEnd(44) + numbers.map(number => String(number).padStart(10)).join(''));
cells('output', 'bytes', 'looked at', 'told of', 'found');
for (const [name, row] of shown) {
  cells(name, row.bytes, row.looked, row.placed, row.found.length);
  if (!isSaid(name, row)) { failed = true; console.log('  FAIL too little is told there to know anything by it'); }
  for (const [form, text] of new Map(row.found.map(found => [found[0].mark, found])).values()) {
    failed = true;
    const at = Math.max(0, text.indexOf(form.secret) - 120);
    console.log(`  FAIL ${form.mark} ${JSON.stringify(form.plain)} in ${JSON.stringify(text.slice(at, at + 300))}`);
  }
}
cells('sent to', 'planted', 'missing');
for (const [name, row] of sent) {
  cells(name, row.planted, row.missing.length);
  for (const form of row.missing.slice(0, 3)) { failed = true; console.log(`  FAIL ${form.mark} ${JSON.stringify(form.note ?? form.value)}`); }
}
if (shown.size === 0) { failed = true; console.log(`FAIL no command has "${word}" in its name`); }
if (forms.length < 120) failed = true;
process.exit(failed ? 1 : 0);
