// A key that somebody was given: `login --key` keeps it where it keeps tokens, and the commands show
// it to its server and to nobody else. All over TLS, by a certificate that only `ca_file` makes good,
// also for who gives out tokens.
//
//   node kept_key.mjs PLUMBLINE MODULES

import {execFileSync} from 'node:child_process';
import {readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {request as httpRequest} from 'node:http';
import {createServer} from 'node:https';
import {join} from 'node:path';

import {Commands, expect, listening} from './commands.mjs';

const [program] = process.argv.slice(2);
const commands = new Commands(program);
const secret = 'planted-key-of-nobody-4711';
let repeats = 0;  // Requests since it repeats the key; 0: it does not.
const inner = new URL(await commands.serve([]));
execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256',
  '-nodes', '-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost',
  '-keyout', 'tls.pem', '-out', 'ca.pem'], {cwd: commands.folder, stdio: 'ignore'});
const file = name => readFileSync(join(commands.folder, name));

// tokens answers as the authorization server of /tokens does.
let revoked = 0;
function tokens(req, res) {
  const origin = `https://${req.headers.host}`;
  const answers = {
    '/.well-known/oauth-protected-resource/tokens': {resource: `${origin}/tokens`, authorization_servers: [origin]},
    '/.well-known/oauth-authorization-server': {issuer: origin, token_endpoint: `${origin}/token`,
                                                revocation_endpoint: `${origin}/revoke`},
    '/token': {access_token: 'a-token', token_type: 'Bearer', expires_in: 3600},
    '/revoke': {},
  };
  if (req.url === '/revoke') ++revoked;
  res.writeHead(answers[req.url] ? 200 : 401, {'Content-Type': 'application/json'});
  res.end(JSON.stringify(answers[req.url] ?? {}));
}
const door = createServer({key: file('tls.pem'), cert: file('ca.pem')}, (req, res) => {
  if (req.url !== '/mcp') return tokens(req, res);
  if (req.headers['x-wiki-key'] !== `Key ${secret}`) return res.writeHead(401).end();
  // It tells everybody the key that it was shown.
  if (repeats && ++repeats % 3 === 0) {
    res.writeHead(200, {'Content-Type': 'application/json', 'X-Key': secret});
    return res.end(`{"jsonrpc":"2.0","id":${repeats},"error":{"code":-32603,"message":"not for ${secret}"}}`);
  }
  const onward = httpRequest({host: inner.hostname, port: inner.port, path: inner.pathname,
                              method: req.method, headers: {...req.headers, host: inner.host}},
                             answer => {
                               res.writeHead(answer.statusCode, answer.headers);
                               answer.pipe(res);
                             });
  res.on('close', () => onward.destroy());
  onward.on('error', () => res.destroy());
  req.pipe(onward);
});
const url = `https://localhost:${await listening(door)}/mcp`;
writeFileSync(join(commands.folder, 'servers.json'), JSON.stringify({mcpServers: {wiki: {
  url, ca_file: 'ca.pem',
  authentication: {type: 'api-key', stored: true, header: 'X-Wiki-Key', prefix: 'Key '}},
  tokens: {url: url.replace('/mcp', '/tokens'), ca_file: 'ca.pem',
           authentication: {type: 'oauth2', clientId: 'machine', issuer: new URL(url).origin}}}}));

const wiki = ['--config', 'servers.json', '--server', 'wiki'];
const check = () => commands.run(['check', 'server', ...wiki, '--only', 'tools.capability-declared']);
const login = key => commands.run(['login', ...wiki, '--key', 'WIKI'], {WIKI: key});

expect((await check()).status === 3, 'without the key nothing can be judged');
const unset = await login('');
expect(unset.status === 2 && /the variable WIKI is not set/.test(unset.err), 'a variable that is not set');
const wrong = await login('another');
expect(wrong.status === 3 && /refuses this key in the header X-Wiki-Key \(HTTP 401\)/.test(wrong.err),
       'a key that the server refuses is not kept');
const kept = await login(secret);
if (kept.status !== 0) console.error(kept);
expect(kept.status === 0 && /by a key in the header X-Wiki-Key/.test(kept.out), 'login --key');
const listed = await commands.run(['tokens']);
expect(listed.out.startsWith(`${url}  a key in X-Wiki-Key  until it is refused`), `tokens: ${listed.out.trim()}`);
const json = JSON.parse((await commands.run(['tokens', '--json'])).out).tokens;
expect(json[0].header === 'X-Wiki-Key' && json[0].issuer === null, 'tokens --json');
const judged = await check();
if (judged.status !== 0) console.error(judged.out, judged.err);
expect(judged.status === 0, 'check server shows it');
const asked = await commands.run(['ask', 'list the files in the managed folder', '--config',
                                  'servers.json', '--trace', 'trace.jsonl', '--verbose']);
expect(file('trace.jsonl').includes('tools/list'), 'ask shows it');
const tested = await commands.run(['connect', 'status', 'servers.json']);

repeats = 1;
const fuzzed = await commands.run(['fuzz', 'server', ...wiki, '--runs', '30', '--seed', '7', '--out', 'fuzzed',
                                   '--report', 'json=fuzz.json']);
const again = await commands.run(['check', 'server', ...wiki, '--report', 'json=report.json',
                                  '--report', 'html=report.html', '--verbose', '--revision', '2025-11-25']);
expect(repeats > 100 && /not for/.test(file('report.json').toString()),
       `a server that repeats it is judged (${again.status}) and fuzzed (${fuzzed.status})`);

const written = readdirSync(commands.folder, {recursive: true, withFileTypes: true})
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1')).join('\n');
const said = [wrong, kept, listed, judged, asked, tested, fuzzed, again].map(one => one.out + one.err).join('\n');
expect(!(written + said).includes(secret), 'it is in nothing that was written');
const out = await commands.run(['logout', ...wiki]);
expect(out.status === 0 && /forgotten here/.test(out.out), 'logout');
expect((await check()).status === 3, 'and it is gone');

const ofTokens = ['--config', 'servers.json', '--server', 'tokens'];
const machine = await commands.run(['login', ...ofTokens, '--client-credentials'],
                                   {PLUMBLINE_CLIENT_SECRET: 'of-the-machine'});
if (machine.status !== 0) console.error(machine);
expect(machine.status === 0, 'login at an authorization server by ca_file');
const strange = await commands.run(['login', '--url', url.replace('/mcp', '/tokens'), '--client-credentials',
                                    '--client-id', 'machine', '--issuer', new URL(url).origin],
                                   {PLUMBLINE_CLIENT_SECRET: 'x'});
expect(strange.status === 3 && /certificate/.test(strange.err), 'and not without it');
expect((await commands.run(['logout', ...ofTokens])).status === 0 && revoked === 1, 'logout there, too');
process.exit(0);
