// oauth2-mock-server, which lets everybody in: our login goes through it, its tokens open our own
// server by their signature and by introspection, and `check auth` finds what it does wrong.
//
//   node mock_login.mjs PLUMBLINE MODULES

import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

import {Commands, expect} from './commands.mjs';

const [program, modules] = process.argv.slice(2);
const {OAuth2Server} = await import(pathToFileURL(
    join(modules, 'node_modules', 'oauth2-mock-server', 'dist', 'index.mjs')));

const commands = new Commands(program);
const provider = new OAuth2Server();
await provider.issuer.keys.generate('RS256');
await provider.start(0, '127.0.0.1');
const issuer = `http://127.0.0.1:${provider.address().port}`;
provider.issuer.url = issuer;

// It gives tokens for anything: that they are for a resource, and whose, is told to it here.
let audience;
provider.service.on('beforeTokenSigning', token => {
  token.payload.aud = audience;
  token.payload.scope = 'mcp:use';
});
// It finds every token active, as it does not read which one is meant.
let revoked = false;
const introspected = [];
provider.service.on('beforeIntrospect', (answer, req) => {
  introspected.push(req);
  answer.body = {active: !revoked, sub: 'johndoe', aud: audience, iss: issuer,
                 scope: 'mcp:use', token_type: 'Bearer'};
});
const follow = async address => {
  const there = await fetch(address, {redirect: 'manual'});
  const back = await fetch(there.headers.get('Location'));
  return {status: back.status, text: await back.text()};
};
const one = ['--only', 'tools.capability-declared'];

// Tokens by their signature.
const signed = await commands.serve(['--auth', `jwks=${issuer}/jwks,issuer=${issuer},scope=mcp:use`]);
audience = signed;
const first = await commands.login(signed, ['--client-id', 'ours'], follow);
if (first.status !== 0) console.error(first);
expect(first.status === 0 && first.page.status === 200, 'login');
expect(new URL(first.address).searchParams.get('scope') === 'mcp:use',
       'the scope that our server wants is asked for');
const inside = await commands.run(['check', 'server', '--url', signed]);
if (inside.status !== 0) console.error(inside.out.slice(-2000), inside.err);
expect(inside.status === 0, 'its token comes in by its signature, and nothing fails');
audience = 'https://other.example/mcp';
await commands.login(signed, ['--client-id', 'ours'], follow);
expect((await commands.run(['check', 'server', '--url', signed, ...one])).status === 3,
       'a token of it for another server does not');

// Tokens by asking it.
const auth = `introspection=${issuer}/introspect,client=door,issuer=${issuer},scope=mcp:use`;
const without = await commands.run(['serve', '--reference', '--http', '127.0.0.1:0', '--auth', auth]);
expect(without.status === 2 && /PLUMBLINE_CLIENT_SECRET/.test(without.err),
       'introspection without a secret of ours is refused');
const asking = await commands.serve(['--auth', auth], {PLUMBLINE_CLIENT_SECRET: 'of the door'});
audience = asking;
const second = await commands.login(asking, ['--client-id', 'ours'], follow);
expect(second.status === 0, 'login for a server that asks');
const asked = await commands.run(['check', 'server', '--url', asking, ...one]);
if (asked.status !== 0) console.error(asked.out.slice(-2000), asked.err);
expect(asked.status === 0, 'its token comes in by introspection');
const basic = 'Basic ' + Buffer.from('door:of%20the%20door').toString('base64');
expect(introspected.length > 0 && introspected.every(req => req.headers.authorization === basic),
       'the door says who it is');
revoked = true;
await fetch(asking, {method: 'POST', headers: {Authorization: 'Bearer unknown'}}).then(answer => {
  expect(answer.status === 401 &&
         /invalid_token.*not active/.test(answer.headers.get('WWW-Authenticate')),
         'a token that it does not know is refused');
});
await provider.stop();
await fetch(asking, {method: 'POST', headers: {Authorization: 'Bearer another'}}).then(async answer => {
  const text = await answer.text();
  expect(answer.status === 503 && text.startsWith(`the introspection at ${issuer}/introspect: `) &&
         text.split('\n').length === 2, 'while it is away nobody comes in, in one line');
});
await provider.start(Number(new URL(issuer).port), '127.0.0.1');
provider.issuer.url = issuer;

// What is wrong with it. Each is told of in docs/authorization.md, by its clause.
const report = join(commands.folder, 'authority.json');
const judged = await commands.run(['check', 'auth', '--url', issuer, '--client-id', 'ours',
                                   '--redirect-uri', 'http://127.0.0.1:7/back',
                                   '--report', `json=${report}`]);
const results = JSON.parse(readFileSync(report, 'utf8')).results;
const failed = results.filter(row => row.verdict === 'fail').map(row => row.id).sort();
const expected = ['auth.as-exact-redirect-match', 'auth.as-oauth21', 'auth.as-pkce-enforced',
                  'auth.as-pkce-required', 'auth.as-refresh-scope', 'auth.as-revoked-is-refused', 'auth.as-unknown-client',
                  'auth.as-unknown-documents',
                  'auth.as-unknown-grants', 'auth.as-unsupported-grant',
                  'auth.as-untrusted-redirect-guard', 'auth.refresh-rotation'];
if (JSON.stringify(failed) !== JSON.stringify(expected)) console.error(judged.out, failed);
expect(judged.status === 1 && JSON.stringify(failed) === JSON.stringify(expected),
       `check auth finds ${failed.length} rules broken`);
process.exit(0);
