// What can go wrong at a login, at each step: one line each that names the step, the endpoint and
// what came, exit status 3, and the token of before is still there.
//
//   node login_troubles.mjs PLUMBLINE MODULES

import {createServer} from 'node:http';
import {join} from 'node:path';

import {Commands, expect, fail, listening} from './commands.mjs';
import {shellWord} from '../shell_word.mjs';

const [program] = process.argv.slice(2);
const commands = new Commands(program);

// One host is both the MCP server and the authorization server; `wrong` answers in place of it, by
// path, once a login has been right.
let wrong = {};
const host = createServer((req, res) => {
  const path = req.url.split('?')[0];
  const answer = wrong[path] ?? right[path] ?? {status: 404};
  if (answer.cut) return req.socket.destroy();
  const {status = 200, type = 'application/json', body = {}, headers = {}} = answer;
  res.writeHead(status, {'Content-Type': type, ...headers});
  res.end(typeof body === 'string' ? body : JSON.stringify(body));
});
const origin = `http://127.0.0.1:${await listening(host)}`;
const metadata = {issuer: origin, authorization_endpoint: `${origin}/authorize`,
                  token_endpoint: `${origin}/token`, registration_endpoint: `${origin}/register`,
                  code_challenge_methods_supported: ['S256']};
const about = {resource: `${origin}/mcp`, authorization_servers: [origin]};
const ofResource = '/.well-known/oauth-protected-resource/mcp';
const ofServer = '/.well-known/oauth-authorization-server';
const right = {
  '/mcp': {status: 401, headers: {'WWW-Authenticate': `Bearer resource_metadata="${origin}${ofResource}"`}},
  [ofResource]: {body: about},
  [ofServer]: {body: metadata},
  '/register': {status: 201, body: {client_id: 'ours'}},
  '/token': {body: {access_token: 'the-first-token', token_type: 'Bearer', expires_in: 3600,
                    refresh_token: 'the-first-refresh-token'}},
};
const back = (address, more) => {
  const asked = new URL(address).searchParams;
  const url = new URL(asked.get('redirect_uri'));
  url.search = new URLSearchParams({state: asked.get('state'), ...more});
  return fetch(url);
};
const consent = address => back(address, {code: 'a-code'});
const login = (person = consent, env = {}) => commands.login(`${origin}/mcp`, [], person, env);

const first = await login();
if (first.status !== 0) fail(first.err);

const oauth = (code, description) => ({status: 400, body: {error: code, error_description: description}});
const page = {type: 'text/html', body: '<p>Sign in!</p>'};
const big = {body: {issuer: 'x'.repeat(70_000)}};
const {registration_endpoint: _, ...noRegistration} = metadata;
// Each is: what it is, what answers otherwise, what the line has to say, and whether it is for who
// has not registered yet.
const troubles = [
  ['metadata of another resource', {[ofResource]: {body: {...about, resource: 'https://other.example/mcp'}}},
   ['resource metadata', 'https://other.example/mcp', `${origin}/mcp`, ofResource]],
  ['resource metadata without servers', {[ofResource]: {body: {resource: `${origin}/mcp`}}},
   ['resource metadata', ofResource, 'authorization_servers']],
  ['a page in place of metadata', {[ofServer]: page}, ['who gives out tokens', origin + ofServer, 'a page, not JSON']],
  ['metadata that never ends', {[ofServer]: big}, ['who gives out tokens', origin + ofServer, '65536 bytes']],
  ['a cut connection', {[ofServer]: {cut: true}}, ['who gives out tokens', origin + ofServer]],
  ['an issuer of another name', {[ofServer]: {body: {...metadata, issuer: 'https://other.example'}}},
   ['issuer', 'https://other.example', origin + ofServer]],
  ['an endpoint in the clear', {[ofServer]: {body: {...metadata, token_endpoint: 'http://as.example/token'}}},
   ['http://as.example/token', 'not https', origin + ofServer]],
  ['an endpoint elsewhere', {[ofServer]: {body: {...metadata, authorization_endpoint: 'http://127.0.0.1:9/a'}}},
   [origin, 'authorization_endpoint', '--endpoint-origin http://127.0.0.1:9']],
  ['no PKCE', {[ofServer]: {body: {...metadata, code_challenge_methods_supported: ['plain']}}},
   [origin, 'PKCE', 'code_challenge_methods_supported']],
  ['a server that registers nobody', {[ofServer]: {body: {...noRegistration, issuer: origin}}},
   [origin, '--client-id']],
  ['a registration that is refused', {'/register': oauth('invalid_redirect_uri', 'no loopback')},
   ['registration', `${origin}/register`, 'invalid_redirect_uri: no loopback'], true],
  ['a registration without an id', {'/register': {status: 201, body: {}}},
   ['registration', `${origin}/register`, 'client_id'], true],
  ...['invalid_request', 'invalid_grant', 'unauthorized_client', 'unsupported_grant_type',
      'invalid_scope', 'invalid_target'].map(code =>
    [code, {'/token': oauth(code, `no ${code}`)}, ['token request', `${origin}/token`, `${code}: no ${code}`]]),
  ['a token endpoint in trouble', {'/token': {status: 503, ...page}}, ['token request', `${origin}/token`, '503']],
  ['a token endpoint that leads on', {'/token': {status: 307, headers: {Location: 'https://other.example'}}},
   ['token request', `${origin}/token`, 'redirect']],
  ['a page in place of a token', {'/token': page}, ['token request', `${origin}/token`]],
  ['no token', {'/token': {body: {token_type: 'Bearer'}}}, ['token request', `${origin}/token`, 'access_token']],
  ['a token of another kind', {'/token': {body: {access_token: 'x', token_type: 'DPoP'}}},
   ['token request', `${origin}/token`, 'Bearer']],
  ['a token endpoint that hangs up', {'/token': {cut: true}}, ['token request', `${origin}/token`]],
];
const people = ['access_denied', 'invalid_scope', 'server_error', 'temporarily_unavailable',
                'unsupported_response_type'].map(error =>
    [error, address => back(address, {error, error_description: `no ${error}`}),
     ['the authorization', `${origin}/authorize`, `${error}: no ${error}`]]);

async function expectOneLine(what, said, outcome) {
  const lines = outcome.err.split('\n').filter(line => line.startsWith('plumbline: '));
  const good = outcome.status === 3 && lines.length === 1 && said.every(word => lines[0].includes(word)) &&
               lines[0].length < 500;
  if (!good) console.error(outcome.status, outcome.err, said);
  const kept = (await commands.run(['tokens'])).out;
  expect(good && kept.includes(`${origin}/mcp`), `${what}: ${lines[0]?.slice(18).replaceAll(origin, '')}`);
}
for (const [what, answers, said, anew] of troubles) {
  wrong = answers;
  const env = anew ? {XDG_STATE_HOME: join(commands.folder, 'of-a-newcomer')} : {};
  await expectOneLine(what, said, await login(consent, env));
}
wrong = {};
for (const [what, person, said] of people) await expectOneLine(what, said, await login(person));
const again = await login();
expect(again.status === 0, 'and it can be done again');

// An authorization server that has people sign in at another one, which says who it is to nobody.
const honest = createServer((req, res) => {
  const asked = new URL(req.url, origin).searchParams;
  const url = `${asked.get('redirect_uri')}?${new URLSearchParams({code: 'a-code-of-another', state: asked.get('state')})}`;
  res.writeHead(302, {Location: url}).end();
});
const elsewhere = `http://127.0.0.1:${await listening(honest)}`;
let stolen = 0;
const mixed = {...metadata, authorization_endpoint: `${elsewhere}/authorize`};
host.on('request', req => { if (req.url === '/token') ++stolen; });
const follow = address => fetch(address);
// typed runs `login` at a terminal where somebody answers.
async function typed(answer) {
  const words = [shellWord(program), 'login', '--url', `${origin}/mcp`, '--no-browser'];
  const {child, said, ended} = commands.start(['-qec', words.join(' '), '/dev/null'], {}, 'script');
  child.stdout.on('data', () => {
    if (said.out.includes('[y/N]') && answer) child.stdin.write(`${answer}\n`);
    if (said.out.includes('[y/N]')) answer = '';
    const address = /^ {2}(http\S+)\r?$/m.exec(said.out);
    if (address && !said.followed) said.followed = follow(address[1]);
  });
  return ended;
}
for (const [what, body, terminal] of [['without a promise', mixed], ['at a terminal, with no', mixed, 'n'],
    ['with a promise', {...mixed, authorization_response_iss_parameter_supported: true}]]) {
  wrong = {[ofServer]: {body}};
  stolen = 0;
  const outcome = terminal ? await typed(terminal) : await login(follow);
  const shown = !terminal || (outcome.out.includes(`issuer:                   ${origin}`) &&
                              outcome.out.includes(`authorization_endpoint:   ${elsewhere}/authorize`));
  if (outcome.status !== 3 || !shown) console.error(outcome);
  expect(outcome.status === 3 && shown && stolen === 0, `mix-up ${what}: the code goes nowhere`);
}
wrong = {[ofServer]: {body: mixed}};
expect((await typed('y')).status === 0 && stolen === 1, 'whoever says that they belong together signs in');
wrong = {[ofServer]: {body: mixed}};
const named = await commands.login(`${origin}/mcp`, ['--endpoint-origin', elsewhere], follow);
expect(named.status === 0, 'and who names the origin');

// A secret of one authorization server, and a server that leads to another one.
wrong = {};
stolen = 0;
const secret = {PLUMBLINE_CLIENT_SECRET: 'planted-4711'};
const machine = issuer => commands.run(['login', '--url', `${origin}/mcp`, '--client-credentials', '--client-id',
                                        'ours', ...issuer], secret);
const unstated = await machine([]);
expect(unstated.status === 2 && unstated.err.includes('--issuer') && stolen === 0, 'a secret of nobody: --issuer');
await expectOneLine('a secret of another', [origin, elsewhere], await machine(['--issuer', elsewhere]));
expect(stolen === 0 && (await machine(['--issuer', origin])).status === 0 && stolen === 1,
       'it is sent to the one that it is of');
process.exit(0);
