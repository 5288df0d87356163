// vault_test.mjs [NATIVE MODULE]: the key of tokens lies in the vault of the system, by fakes of the
// programs that reach it. With MODULE its commands are used with it; NATIVE is the server.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, finish, module, native, root, scratch } from './compare.mjs';
import { install } from './fake_vault.mjs';

const key = (letter) => `${letter.repeat(43)}=`;
const vaultFile = path.join(scratch, 'vault.json');
const put = (vault) => writeFileSync(vaultFile, JSON.stringify({ calls: [], ...vault }));
const vault = () => JSON.parse(readFileSync(vaultFile, 'utf8'));
const wordsGiven = () => vault().calls.map(({ words }) => words.join(' ')
  + words.map((word) => Buffer.from(word, 'base64').toString('utf16le')).join(' ')).join('\n');

const here = process.platform;
install(here, vaultFile);
const { keyInVault } = await import('../../packaging/wasm/vault.mjs');
const as = (platform) => Object.defineProperty(process, 'platform', { value: platform });
function refused(what, code, pattern) {
  try {
    expect(false, `${what}: got ${keyInVault(key('N'))}`);
  } catch (error) {
    expect(error.code === code && pattern.test(error.message), `${what}: ${error.code}: ${error.message}`);
    expect(!/N{43}/.test(error.message), `${what}: the message holds the key`);
  }
}

for (const [platform, name] of [['darwin', 'the Keychain'], ['win32', 'the Credential Manager']]) {
  as(platform);
  put({});
  expect(keyInVault(key('A')) === key('A'), `${name}: the first key is kept`);
  expect(keyInVault(key('B')) === key('A'), `${name}: and is there the next time`);
  expect(!/[AB]{43}/.test(wordsGiven()), `${name}: no key is on a command line`);
  expect(vault().calls.every((call) => call.env === undefined), `${name}: nor in a variable`);
  put({ item: 'swordfish' });
  refused(`${name}: another's item`, '', new RegExp(`^${name} has another thing than a key of ours`));
  expect(vault().item === 'swordfish', `${name}: another's item is left alone`);
  put({ item: '' });
  refused(`${name}: says nothing`, '', new RegExp(`^${name} gave no key$`));
  put({ item: key('A'), locked: true });
  refused(`${name}: locked`, '', new RegExp(`^${name} cannot be read: .* status \\d+$`));
  put({ hangs: true });
  refused(`${name}: nobody answers`, 'LATE', new RegExp(`^${name} is locked, and nobody unlocked it for a minute$`));
}
as('darwin');
put({ races: key('R') });
expect(keyInVault(key('A')) === key('R'), 'of two that add a key at once both take the first');
as('linux');
refused('no vault', 'NONE', /no vault/);
as(here);

// serve starts the server that a key is shown to.
function serve() {
  const server = spawn(native, ['serve', '--reference', '--http', '127.0.0.1:0']);
  return new Promise((resolve) => {
    server.stdout.once('data', (line) => resolve({ server, url: String(line).trim() }));
  });
}

// Machine is a user's, who starts the module there.
class Machine {
  constructor(platform, name, url) {
    this.home = path.join(scratch, name);
    this.state = path.join(this.home, 'plumbline');
    mkdirSync(this.home);
    writeFileSync(path.join(this.home, 'servers.json'), JSON.stringify({ mcpServers: { wiki: {
      url, authentication: { type: 'api-key', stored: true, header: 'X-Key' } } } }));
    const { HOME, XDG_STATE_HOME, DBUS_SESSION_BUS_ADDRESS, ...env } = process.env;
    this.env = { ...env, WIKI: 'planted-4711', PLUMBLINE_FAKE_PLATFORM: platform, PLUMBLINE_FAKE_VAULT: vaultFile,
      ...(platform === 'win32' ? { LOCALAPPDATA: this.home } : { XDG_STATE_HOME: this.home }) };
  }

  run(...words) {
    const fakes = pathToFileURL(path.join(root, 'tests/wasm/fake_vault.mjs')).href;
    const child = spawn(process.execPath, ['--import', fakes, module, ...words], { cwd: this.home, env: this.env });
    const said = { out: '', err: '' };
    child.stdout.on('data', (bytes) => { said.out += bytes; });
    child.stderr.on('data', (bytes) => { said.err += bytes; });
    return new Promise((resolve) => { child.on('close', (status) => resolve({ status, ...said })); });
  }

  login() { return this.run('login', '--config', 'servers.json', '--server', 'wiki', '--key', 'WIKI'); }
  has(name) { return existsSync(path.join(this.state, name)); }
}

async function useModule(url) {
  for (const platform of ['darwin', 'win32']) {
    put({});
    const one = new Machine(platform, `${platform}-open`, url);
    const kept = await one.login();
    expect(kept.status === 0 && kept.err === '', `${platform}: login: ${kept.err}`);
    expect(one.has('secrets') && !one.has('secrets.key') && vault().item !== undefined, `${platform}: the key is in the vault alone`);
    expect((await one.run('tokens')).out.includes('a key in X-Key'), `${platform}: tokens lists it`);
    expect(!wordsGiven().includes(vault().item), `${platform}: the key is on no command line`);
    put({ item: vault().item, locked: true });
    const locked = await one.run('tokens');
    expect(locked.status !== 0 && /cannot be read/.test(locked.err) && !one.has('secrets.key'), `${platform}: a locked vault: ${locked.status} ${locked.err}`);

    const other = new Machine(platform, `${platform}-locked`, url);
    const beside = await other.login();
    expect(beside.status === 0 && /^note: the key of tokens is kept in .*secrets\.key, not in the vault/m.test(beside.err), `${platform}: a note: ${beside.err}`);
    put({});
    expect((await other.run('tokens')).out.includes('a key in X-Key') && vault().calls.length === 0,
      `${platform}: a key file that is there stays in use`);
  }
}

if (module !== undefined) {
  const { server, url } = await serve();
  await useModule(url);
  server.kill();
}
finish('vault');
