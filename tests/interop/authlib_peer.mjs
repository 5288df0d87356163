// Authlib reads what we sign, and we read what it signs: a client proves by a key of each kind who
// it is, and the tokens that it gets open our server. Exit status 77: there is no Authlib here.
//
//   node authlib_peer.mjs PLUMBLINE MODULES

import {spawn} from 'node:child_process';
import {generateKeyPairSync} from 'node:crypto';
import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

import {Commands, expect} from './commands.mjs';

const [program] = process.argv.slice(2);
const commands = new Commands(program);
// The packages of Debian are those of its own Python.
const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
const authlib = fileURLToPath(new URL('authlib_issuer.py', import.meta.url));

const kinds = {RS256: ['rsa', {modulusLength: 2048}], ES256: ['ec', {namedCurve: 'P-256'}],
               EdDSA: ['ed25519', {}]};
const keys = Object.entries(kinds).map(([name, [kind, options]]) => {
  const pair = generateKeyPairSync(kind, options);
  const file = join(commands.folder, `${name}.pem`);
  writeFileSync(file, pair.privateKey.export({type: 'pkcs8', format: 'pem'}), {mode: 0o600});
  return {name, file, jwk: pair.publicKey.export({format: 'jwk'})};
});

// issuer starts the authorization server that knows the client "machine" by these keys.
async function issuer(known) {
  const issuing = spawn(python, [authlib, 'serve', JSON.stringify({keys: known.map(key => key.jwk)})],
                       {stdio: ['ignore', 'pipe', 'inherit']});
  commands.children.push(issuing);
  issuing.on('exit', status => process.exit(status === 77 ? 77 : 1));
  return new Promise(resolve => createInterface({input: issuing.stdout}).once('line', resolve));
}

const one = ['--only', 'tools.capability-declared'];
for (const {name, file, jwk} of keys) {
  const url = await issuer([{jwk}]);
  const server = await commands.serve(['--auth', `jwks=${url}/jwks,issuer=${url},scope=mcp:use`]);
  const login = key => commands.run(['login', '--url', server, '--client-credentials', '--client-id',
                                     'machine', '--client-key', key, '--issuer', url]);
  const foreign = await login(keys.find(key => key.name !== name).file);
  expect(foreign.status === 3 && /invalid_client/.test(foreign.err),
         `${name}: another key is refused, exit status 3`);
  const signedIn = await login(file);
  if (signedIn.status !== 0) console.error(signedIn);
  expect(signedIn.status === 0, `${name}: Authlib takes our assertion`);
  const inside = await commands.run(['check', 'server', '--url', server, ...one]);
  if (inside.status !== 0) console.error(inside.out, inside.err);
  expect(inside.status === 0, `${name}: we take its token`);
  const authority = await commands.run(['check', 'auth', '--url', server]);
  if (authority.status !== 0) console.error(authority.out, authority.err);
  expect(authority.status === 0, `${name}: check auth finds it by the server, and nothing fails`);
}
process.exit(0);
