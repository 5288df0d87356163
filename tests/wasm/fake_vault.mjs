// Fakes of `security` of macOS and of Windows PowerShell: one item, kept in the file PLUMBLINE_FAKE_VAULT
// names. Loaded before the module (--import), they stand in for spawnSync() of Node, and this
// is the platform PLUMBLINE_FAKE_PLATFORM. What programs were given is in the file, too:
// {item, locked, hangs, foreign, races, calls: [{words, input}]}.
import { readFileSync, writeFileSync } from 'node:fs';
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

const kLineMax = 4095;  // Of `security -i`.
const done = (stdout, status = 0) => ({ status, stdout, stderr: '' });
const late = () => ({ status: null, stdout: '', error: Object.assign(new Error('late'), { code: 'ETIMEDOUT' }) });

// security does as the real one: it finds, or reads commands and adds what is not there.
function security(vault, words, input) {
  if (words[0] === 'find-generic-password') {
    if (vault.locked) return done('', 36);
    if (vault.races && vault.item === undefined) {
      vault.item = vault.races;
      return done('', 44);
    }
    return vault.item === undefined ? done('', 44) : done(`${vault.item}\n`);
  }
  const line = input.split('\n')[0];
  if (words.join() !== '-i' || line.length + 1 > kLineMax) return done('', 1);
  const [command, ...options] = line.split(' ');
  const secret = options[options.indexOf('-w') + 1];
  if (command !== 'add-generic-password' || vault.item !== undefined) return done('', 45);
  vault.item = secret;
  return done('');
}

// powershell knows nothing of its language: it takes the script for the one that it is.
function powershell(vault, words, input) {
  const script = Buffer.from(words[words.indexOf('-EncodedCommand') + 1], 'base64').toString('utf16le');
  if (!/PasswordVault.*ReadLine|ReadLine.*PasswordVault/s.test(script) || vault.locked) return done('', 1);
  vault.item ??= input.trim();
  return done(vault.item);
}

// install has the vault of `platform` kept in `file`.
export function install(platform, file) {
  Object.defineProperty(process, 'platform', { value: platform });
  const real = childProcess.spawnSync;
  childProcess.spawnSync = (program, words, options) => {
    const fake = program === '/usr/bin/security' ? security
      : program.endsWith('\\WindowsPowerShell\\v1.0\\powershell.exe') ? powershell : undefined;
    if (fake === undefined) return real(program, words, options);
    const vault = JSON.parse(readFileSync(file, 'utf8'));
    vault.calls.push({ words, input: options.input, env: options.env });
    const came = vault.hangs ? late() : fake(vault, words, options.input);
    writeFileSync(file, JSON.stringify(vault));
    return came;
  };
  syncBuiltinESMExports();
}

const { PLUMBLINE_FAKE_PLATFORM, PLUMBLINE_FAKE_VAULT } = process.env;
if (PLUMBLINE_FAKE_PLATFORM) install(PLUMBLINE_FAKE_PLATFORM, PLUMBLINE_FAKE_VAULT);
