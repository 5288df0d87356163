// What `ask` does with requests for what usually holds secrets, at server-filesystem and
// server-everything: as the tables of docs/sensitive.md say, row by row.
//
//   node sensitive_reads.mjs PLUMBLINE FOLDER_OF_NODE_MODULES

import {spawn} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, fail} from './commands.mjs';

const [plumbline, modules] = process.argv.slice(2);
const page = fileURLToPath(new URL('../../docs/sensitive.md', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sensitive-'));
process.on('exit', () => rmSync(folder, {recursive: true, force: true}));
setTimeout(() => fail('it takes too long'), 120_000).unref();

// What could be read, were nobody asked.
const kept = 'written-in-a-file';
for (const name of ['notes.md', '.env', 'id_rsa', 'passwords.txt', 'server.pem', '.ssh/config', '.aws/credentials', 'etc/shadow', 'src/password_field.tsx']) {
  mkdirSync(dirname(join(folder, name)), {recursive: true});
  writeFileSync(join(folder, name), kept);
}
const program = name => join(modules, 'node_modules/@modelcontextprotocol', name, 'dist/index.js');
const servers = {'server-filesystem': [program('server-filesystem'), folder], 'server-everything': [program('server-everything'), 'stdio']};
for (const [name, args] of Object.entries(servers)) {
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({mcpServers: {[name]: {command: process.execPath, args}},
    plumbline: {policy: {plumbline_policy: 1, defaults: {'server-filesystem': {path: '.'}}}}}));
}

function ask(server, request) {
  return new Promise(resolve => {
    const child = spawn(plumbline, ['ask', request, '--config', join(folder, `${server}.json`), '--json'], {cwd: folder, stdio: ['ignore', 'pipe', 'inherit']});
    let out = '';
    child.stdout.on('data', text => out += text);
    child.on('close', () => resolve(JSON.parse(out)));
  });
}

const words = {ok: 'reads', needs_review: 'asks a person'};

// Rows are | `request` | `tool` | what happens |, below a heading that names the server.
const rows = [];
let server;
for (const line of readFileSync(page, 'utf8').split('\n')) {
  if (line.startsWith('#')) server = Object.keys(servers).find(name => line.includes(name));
  const row = server && /^\| `([^`]+)` \| `?([^`|]+?)`? \| ([^|]+) \|$/.exec(line);
  if (row) rows.push({server, request: row[1], tool: row[2], does: row[3]});
}
for (const name of Object.keys(servers)) expect(rows.filter(row => row.server === name).length >= 5, `rows of ${name}`);

for (let todo = rows; todo.length; todo = todo.slice(2)) {
  await Promise.all(todo.slice(0, 2).map(async row => {
    const answer = await ask(row.server, row.request);
    const does = `${answer.selected_capability?.name}: ${words[answer.status] ?? answer.status}`;
    expect(does === `${row.tool}: ${row.does}`, `${row.server}: ${row.request}: ${does}`);
    if (answer.status !== 'ok') expect(!JSON.stringify(answer).includes(kept), `${row.request}: nothing is shown`);
  }));
}
