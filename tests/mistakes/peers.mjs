// Whom the mistyped command lines meet: files of a folder, and servers on free ports of loopback.

import {execFileSync} from 'node:child_process';
import {chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

// The smallest right server: what it answers is all that the lines need.
const answers = `const newest = '2025-11-25';
const answer = message => {
  if (message.id === undefined) return null;
  const reply = body => ({jsonrpc: '2.0', id: message.id, ...body});
  switch (message.method) {
    case 'initialize': {
      const asked = message.params?.protocolVersion;
      const known = ['2024-11-05', '2025-03-26', '2025-06-18', newest];
      return reply({result: {protocolVersion: known.includes(asked) ? asked : newest, capabilities: {},
                             serverInfo: {name: 's', version: '1'}}});
    }
    case 'ping': return reply({result: {}});
    default: return reply({error: {code: -32601, message: 'Method not found'}});
  }
};
`;
const server = `#!/usr/bin/env node
${answers}
import {createInterface} from 'node:readline';
createInterface({input: process.stdin}).on('line', line => {
  const said = answer(JSON.parse(line));
  if (said) process.stdout.write(JSON.stringify(said) + '\\n');
});
`;
const json = value => JSON.stringify(value, null, 2) + '\n';
const started = {command: 'node', args: ['s.mjs']};
const files = {
  's.mjs': server,
  'run-me.mjs': server,
  'server.ts': 'export {};\n',
  'crash.mjs': "console.error('Error: the variable DATABASE_URL is not set');\n" +
    "console.error('    at connect (db.mjs:3:9)');\nprocess.exit(1);\n",
  'quiet.mjs': 'process.exit(0);\n',
  'servers.json': json({mcpServers: {files: started}}),
  'vscode.json': json({servers: {files: started}}),
  'misspelt.json': json({mcpServer: {files: started}}),
  'comand.json': json({mcpServers: {files: {comand: 'node', args: ['s.mjs']}}}),
  'broken.json': '{"mcpServers": {\n  "files": {"command": "node" "args": []}}}\n',
  'servers.yaml': 'mcpServers:\n  files:\n    command: node\n',
  'agents.json': json({mcpServers: {files: started}}),
  'report.json': '{}\n',
  'r.jsonl': '{}\n',
};

// handle answers over HTTP as the first part of the path says.
const answer = new Function(`${answers}; return answer;`)();
function handle(request, response) {
  const kind = request.url.split('/')[1];
  const end = (status, headers, body = '') => { response.writeHead(status, headers); response.end(body); };
  const pieces = [];
  request.on('data', piece => pieces.push(piece));
  request.on('end', () => {
    if (kind === 'html') return end(200, {'Content-Type': 'text/html'}, '<!doctype html><title>Hello</title>');
    if (kind === '200') return end(200, {'Content-Type': 'text/plain'}, 'OK');
    if (kind === '401') return end(401, {'WWW-Authenticate': 'Bearer'});
    if (kind === '302') return end(302, {Location: '/ok/mcp'});
    if (kind !== 'ok') return end(Number(kind) || 404, {'Content-Type': 'text/plain'}, 'no');
    if (request.method !== 'POST') return end(405, {});
    let message;
    try {
      message = JSON.parse(Buffer.concat(pieces));
    } catch {
      return end(400, {'Content-Type': 'application/json'},
                 JSON.stringify({jsonrpc: '2.0', id: null, error: {code: -32700, message: 'Parse error'}}));
    }
    const said = answer(message);
    if (said === null) return end(202, {});
    return end(200, {'Content-Type': 'application/json'}, JSON.stringify(said));
  });
}

const listening = server => new Promise(done => server.listen(0, '127.0.0.1', () => done(server.address().port)));

// meet makes all of it, and returns {folder, places, end}: `places` says what "{mcp}" in a line is.
export async function meet() {
  const folder = mkdtempSync(join(tmpdir(), 'mistakes-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  chmodSync(join(folder, 'run-me.mjs'), 0o755);
  mkdirSync(join(folder, 'folder'));
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes',
    '-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', 'key.pem', '-out', 'cert.pem'],
    {cwd: folder, stdio: 'ignore'});
  const plain = http.createServer(handle);
  const pem = name => readFileSync(join(folder, name));
  const secure = https.createServer({key: pem('key.pem'), cert: pem('cert.pem')}, handle);
  const gone = net.createServer();
  const refused = await listening(gone);
  gone.close();
  const port = await listening(plain);
  const places = {address: `127.0.0.1:${port}`, tls: `https://127.0.0.1:${await listening(secure)}/ok/mcp`,
                  refused: `http://127.0.0.1:${refused}/mcp`, mcp: `http://127.0.0.1:${port}/ok/mcp`};
  for (const kind of ['html', '200', '302', '401', '403', '404', '405', '429', '500']) {
    places[kind] = `http://127.0.0.1:${port}/${kind}/mcp`;
  }
  const end = () => {
    for (const server of [plain, secure]) { server.close(); server.closeAllConnections(); }
    rmSync(folder, {recursive: true, force: true});
  };
  return {folder, places, end};
}
