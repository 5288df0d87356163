// A person signs in at oidc-provider, for an MCP server that takes only its tokens; then our
// commands meet the server, and the person signs out.
//
//   node oidc_login.mjs PLUMBLINE MODULES
//
// The browser is fetch() with cookies, which fills in the forms of the provider.

import {readFileSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {Commands, expect} from './commands.mjs';
import {openDoor} from './oidc_door.mjs';

const [program, modules] = process.argv.slice(2);

// Tokens go into a file, but for a keyring that was made for this test.
const keyring = process.env.PLUMBLINE_TEST_KEYRING !== undefined;
const commands = new Commands(program, keyring);
const {folder} = commands;
const run = (args, env) => commands.run(args, env);
const door = await openDoor(commands, modules);
const {mcpUrl, issuer, provider, problems, tokensSeen, given} = door;

// browse goes where the provider sends it, signs in and consents, and comes back.
async function browse(first, consents = true) {
  const cookies = new Map();
  let url = first;
  let body;
  for (let step = 0; step < 30; ++step) {
    const answer = await fetch(url, {
      redirect: 'manual', method: body ? 'POST' : 'GET', body,
      headers: {Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')},
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name, value] = cookie.split(';')[0].split('=');
      cookies.set(name, value);
    }
    body = undefined;
    const to = answer.headers.get('Location');
    if (to) {
      url = new URL(to, url).href;
      continue;
    }
    const page = await answer.text();
    const form = /<form[^>]*action="([^"]+)"/.exec(page);
    if (!form) return {status: answer.status, page, url};
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    if (!consents) url = new URL(/href="([^"]*abort)"/.exec(page)[1], url).href;
    else {
      url = new URL(form[1], url).href;
      body = new URLSearchParams({prompt, login: 'somebody', password: 'x'});
    }
  }
  return {status: 0, page: 'nowhere', url};
}

const login = (args, consents = true, url = mcpUrl) =>
    commands.login(url, args, address => browse(address, consents));

const names = file => readdirSync(file, {recursive: true, withFileTypes: true})
    .filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));

const before = await run(['check', 'server', '--url', mcpUrl, '--only', 'tools.capability-declared']);
if (before.status !== 3) console.error(before);
expect(before.status === 3, 'without a token nothing can be judged: exit status 3');

const denied = await login([], false);
expect(denied.status === 3 && /access_denied/.test(denied.err),
       'who denies consent is told so in one line, exit status 3');

const first = await login([]);
if (first.status !== 0) console.error(first, problems);
expect(first.status === 0 && first.out.includes(`Signed in to ${mcpUrl}`), 'login');
expect(first.page.status === 200 && /close this page/.test(first.page.page),
       'the page says that it may be closed');
expect(/renewed by itself/.test(first.out), 'there is a refresh token');
expect(new URL(first.address).searchParams.get('code_challenge_method') === 'S256', 'PKCE with S256');

const listed = await run(['tokens']);
expect(listed.status === 0 && listed.out.includes(mcpUrl) && listed.out.includes(issuer), 'tokens');
const document = JSON.parse((await run(['tokens', '--json'])).out);
expect(document.tokens.length === 1 && document.tokens[0].renewable === true, 'tokens --json');
const secrets = names(folder).filter(name => /secrets/.test(name));
expect(keyring ? secrets.length === 0 : secrets.length === 2 && secrets.every(name => (statSync(name).mode & 0o777) === 0o600),
       keyring ? 'the token lies in the keyring' : 'the token and its key lie in files that nobody else may read');

const report = join(folder, 'report.json');
const judged = await run(['check', 'server', '--url', mcpUrl, '--report', `json=${report}`]);
if (judged.status !== 0) console.error(judged.out.slice(-3000), judged.err.slice(-2000));
expect(judged.status === 0, 'check server judges behind OAuth, and nothing fails');
const passed = JSON.parse(readFileSync(report, 'utf8')).summary.pass;
expect(passed > 100, `check server: ${passed} rules pass`);

const asReport = join(folder, 'authority.json');
const authority = await run(['check', 'auth', '--url', mcpUrl, '--report', `json=${asReport}`]);
if (authority.status !== 0) console.error(authority);
const ofAuthority = JSON.parse(readFileSync(asReport, 'utf8'));
expect(authority.status === 0 && ofAuthority.summary.pass >= 9 && ofAuthority.duration_ms < 3000,
       `check auth finds the provider by the server: ${ofAuthority.summary.pass} rules pass`);

writeFileSync(join(folder, 'servers.json'),
              JSON.stringify({mcpServers: {reference: {url: mcpUrl, type: 'http'}}}));
const asked = await run(['ask', 'list the files in the managed folder', '--config',
                         join(folder, 'servers.json'), '--trace', join(folder, 'trace.jsonl'), '--json']);
expect(asked.status !== 2 && asked.status !== 3, 'ask meets the server');
const trace = readFileSync(join(folder, 'trace.jsonl'), 'utf8');
if (!trace.includes('tools/list')) console.error(asked, trace.slice(0, 3000));
expect(trace.includes('tools/list'), 'ask has read its tools');

// A second token, by the refresh token alone: the first is gone at the provider.
const seen = [...tokensSeen];
await (await provider.AccessToken.find(seen.at(-1))).destroy();
const again = await run(['ask', 'list the files in the managed folder', '--config',
                         join(folder, 'servers.json'), '--json']);
expect(tokensSeen.size === seen.length + 1, 'a token that is refused is renewed without a person');

const secondLogin = await login(['--scope', 'openid']);
if (secondLogin.status !== 0) console.error(secondLogin, problems);
expect(secondLogin.status === 0 && /openid/.test(secondLogin.address), 'another scope is asked for');
expect(new URL(secondLogin.address).searchParams.get('client_id') ===
       new URL(first.address).searchParams.get('client_id'), 'as the client that is registered');

const used = await run(['check', 'server', '--url', mcpUrl, '--only', 'tools.capability-declared']);
expect(used.status === 0, 'the token of the second login is shown');

const written = names(folder).map(name => readFileSync(name, 'utf8')).join('\n') + first.out +
    first.err + listed.out + judged.out + judged.err + asked.out + asked.err + again.out + again.err;
expect(given.size >= 6 && [...given].every(secret => !written.includes(secret)),
       `none of ${given.size} tokens and codes is in anything written`);

const last = [...tokensSeen].at(-1);
const out = await run(['logout', '--url', mcpUrl]);
if (out.status !== 0) console.error(out, problems);
expect(out.status === 0 && /revoked and forgotten/.test(out.out), 'logout');
expect((await run(['tokens'])).out === 'No server is signed in to.\n', 'nothing is left of it here');
expect(await provider.AccessToken.find(last) === undefined, 'nor there');
expect((await run(['logout', '--url', mcpUrl])).status === 0, 'logout twice');

// Our own server as the one that wants tokens: JSON Web Tokens, by the keys of the provider.
const guardedUrl = await commands.serve(
    ['--auth', `jwks=${issuer}/jwks,issuer=${issuer},scope=mcp:use`]);
door.trust(guardedUrl);
const one = ['--only', 'tools.capability-declared'];
expect((await run(['check', 'server', '--url', guardedUrl, ...one])).status === 3,
       'serve --auth: nobody comes in without a token');
const third = await login([], true, guardedUrl);
if (third.status !== 0) console.error(third, problems);
expect(third.status === 0, 'serve --auth: it says where tokens are');
const inside = await run(['check', 'server', '--url', guardedUrl]);
if (inside.status !== 0) console.error(inside.out.slice(-2000), inside.err);
expect(inside.status === 0, 'serve --auth: a token of the provider comes in, and nothing fails');
const foreign = await fetch(guardedUrl, {method: 'POST', body: '{}',
                                         headers: {Authorization: `Bearer ${last}`}});
expect(foreign.status === 401 && /invalid_token/.test(foreign.headers.get('WWW-Authenticate')),
       'serve --auth: a token for another server does not');
console.log(`all of it at oidc-provider; ${door.refused()} requests without a token were refused`);
process.exit(0);
