// Commands of `agents serve` as clients of the official SDK meet them: a person is asked in the
// revisions with sessions and in the one without, a client that cannot ask is told so, what the
// rules refuse does not run, a call that is cancelled ends its command, and all of it is written
// down; then the same on another machine, over its execution API, which is lost in the middle. One
// line a step; exit status 1 when one fails.
//
//   node agents_commands.mjs PLUMBLINE NODE_MODULES_PARENT

import {createRequire} from 'node:module';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {pathToFileURL} from 'node:url';

import {Commands, expect} from './commands.mjs';

const [program, modules] = process.argv.slice(2);
const load = path => import(pathToFileURL(createRequire(join(modules, 'package.json')).resolve(path)));
const {Client} = await load('@modelcontextprotocol/client');
const {StdioClientTransport} = await load('@modelcontextprotocol/client/stdio');
const jose = await load('jose');

const commands = new Commands(program);
const file = name => join(commands.folder, name);
writeFileSync(file('model.json'), JSON.stringify({turns: [{always: true, text: 'Done.'}]}));
writeFileSync(file('commands.json'), JSON.stringify({plumbline_commands: 1,
  local: {programs: ['git', 'sleep'], roots: [commands.folder]}, remote: {enabled: false}, audit: file('audit.jsonl')}));

// connected returns a client of `mode` whose person answers `answer`; without one nobody is there.
async function connected(mode, answer) {
  const client = new Client({name: 'test', version: '1'},
    {capabilities: answer ? {elicitation: {form: {}}} : {}, versionNegotiation: {mode}});
  const asked = [];
  if (answer) {
    client.setRequestHandler('elicitation/create', request => {
      asked.push(request.params.message);
      return answer;
    });
  }
  await client.connect(new StdioClientTransport({command: program, env: {...commands.environment}, stderr: 'inherit',
    args: ['agents', 'serve', '--stdio', '--model-script', file('model.json'), '--commands', file('commands.json')]}));
  return {client, asked};
}
const execute = async (client, lines, options) => {
  const answer = await client.callTool({name: 'cli_execute', arguments: {commands: lines}}, options);
  return answer.structuredContent.metadata.cli_results;
};
// processes returns how many have these words.
const processes = words => readdirSync('/proc').filter(pid => /^\d+$/.test(pid)).filter(pid => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1).join(' ').endsWith(words);
  } catch {
    return false;
  }
}).length;
async function until(holds) {
  for (let i = 0; i < 200 && !holds(); ++i) await sleep(50);
  return holds();
}

let unique = process.pid * 100;
for (const [name, mode] of [['sessions', 'legacy'], ['no sessions', {pin: '2026-07-28'}]]) {
  const yes = await connected(mode, {action: 'accept', content: {approve: true}});
  const results = await execute(yes.client, ['git --version', 'rm -rf /', 'git status; true']);
  expect(results.map(result => result.status).join() === 'success,blocked,blocked', `${name}: what is approved runs, what the rules refuse does not: `
    + results.map(result => result.error ?? result.stdout.trim()).join(' | '));
  expect(yes.asked.length === 1 && yes.asked[0].includes('git --version'), 'a person is asked about each that may run');
  const two = await execute(yes.client, ['git --version', 'git help -g']);
  expect(two.every(result => result.status === 'success') && yes.asked.length === 3, 'and about two in one call');

  const steps = [];
  const stop = new AbortController();
  const words = `sleep ${++unique}`;
  const running = execute(yes.client, [words], {signal: stop.signal, onprogress: step => steps.push(step.message)})
    .then(() => false, () => true);
  expect(await until(() => processes(words) > 0), 'a command is at work');
  const told = await until(() => steps.length > 1);
  stop.abort();
  expect(await running && await until(() => processes(words) === 0), 'and ends when its call is cancelled');
  expect(told, `each step is progress: ${[...new Set(steps)].slice(0, 4).join(', ')} ...`);

  const found = JSON.parse((await yes.client.callTool({name: 'discover_cli_tools', arguments: {tools: ['git', 'sleep', 'jq']}})).content[0].text);
  expect(found[0].available && /^\d+\.\d+/.test(found[0].version) && found[1].path.endsWith('/sleep'), `finds git ${found[0].version}`);
  const other = await yes.client.callTool({name: 'discover_cli_tools', arguments: {tools: ['reboot']}});
  expect(other.isError, `asks nothing of what may not run: ${other.content[0].text}`);
  await yes.client.close();

  const no = await connected(mode, {action: 'decline'});
  const declined = (await execute(no.client, ['git --version']))[0];
  expect(declined.status === 'blocked' && declined.error.includes('a person refused it'), `what is declined does not run: ${declined.error}`);
  await no.client.close();

  const nobody = await connected(mode);
  const unasked = (await execute(nobody.client, ['git --version']))[0];
  expect(unasked.status === 'blocked' && unasked.error.includes('elicitation'), `nor what nobody can approve: ${unasked.error}`);
  await nobody.client.close();
}

{
  const issuer = 'https://login.example';
  const {publicKey, privateKey} = await jose.generateKeyPair('ES256');
  writeFileSync(file('keys.json'), JSON.stringify({keys: [{...await jose.exportJWK(publicKey), kid: 'k', alg: 'ES256'}]}));
  const token = await new jose.SignJWT({}).setProtectedHeader({alg: 'ES256', kid: 'k'}).setSubject('ann').setIssuer(issuer)
    .setAudience('https://agents.example').setIssuedAt().setExpirationTime('10m').sign(privateKey);
  writeFileSync(file('there.json'), JSON.stringify({plumbline_commands: 1, remote: {enabled: false},
    local: {programs: ['git', 'sleep'], roots: [commands.folder], approval: false}}));
  const there = commands.start(['agents', 'serve', '--http', '127.0.0.1:0', '--model-script', file('model.json'), '--commands', file('there.json'),
    '--execution-api', '--auth', `jwks=${file('keys.json')},issuer=${issuer},audience=https://agents.example`]);
  const {origin} = new URL(await commands.urlOf(there));
  writeFileSync(file('commands.json'), JSON.stringify({plumbline_commands: 1, local: {enabled: false},
    remote: {enabled: true, apis: [origin], programs: ['git', 'sleep']}, audit: file('remote.jsonl')}));
  commands.environment.REMOTE_CLI_API_TOKEN = token;
  const yes = await connected('legacy', {action: 'accept', content: {approve: true}});
  const remote = async (host, lines) => {
    const answer = await yes.client.callTool({name: 'remote_cli', arguments: {remote_host: host, commands: lines}});
    const said = answer.structuredContent;
    return said.metadata?.cli_results ?? [said];
  };
  const [ran, blocked] = await remote(origin, ['git --version', 'kill -9 1']);
  expect(ran.status === 'success' && ran.stdout.startsWith('git version'), `a command runs over the execution API: ${ran.stdout.trim()}`);
  expect(blocked.status === 'blocked' && yes.asked.length === 1 && yes.asked[0].includes(origin), `the stricter rules hold: ${blocked.error}`);
  const strange = (await remote('http://127.0.0.1:1', ['git --version']))[0];
  expect(strange.status === 'error' && !strange.outcome, `no other gets the token: ${strange.error}`);
  const words = `sleep ${++unique}`;
  const lost = remote(origin, [words]);
  expect(await until(() => processes(words) > 0), 'a command is at work there');
  there.child.kill('SIGKILL');
  const unknown = (await lost)[0];
  expect(unknown.outcome === 'unknown', `and its outcome is unknown when the connection is lost: ${unknown.error}`);
  await yes.client.close();
  const written = readFileSync(file('remote.jsonl'), 'utf8');
  expect(!written.includes(token) && written.includes(origin), 'all of it is written down, without the token');
}

const log = readFileSync(file('audit.jsonl'), 'utf8').trim().split('\n').map(line => JSON.parse(line));
const count = decision => log.filter(line => line.decision === decision).length;
expect(count('approved') === 8 && count('blocked') === 4 && count('refused') === 4, 'all of it is written down');
expect(log.filter(line => line.event === 'ended').length === 6, 'with what came of what has ended');
process.exit(0);
