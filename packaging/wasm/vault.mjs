// The vault of the system keeps one key: that of the file of tokens. The file itself would not fit:
// `security -i` cuts a command at 4,095 bytes, and a credential of Windows holds 2,560. No key stands
// on a command line, where other users could read it.
//
// Built for macOS and Windows, not yet run there: tests/wasm/vault_test.mjs has fakes of both programs.
import { spawnSync } from 'node:child_process';
import { win32 } from 'node:path';

import { Refusal, wordsOf } from './refusals.mjs';

const kService = 'plumbline';
const kAccount = 'key-of-tokens';
const kUnlockMaxMs = 60_000;
const kKey = /^[A-Za-z0-9+/]{43}=$/;  // 32 bytes in base64: nothing in it has to be quoted.
const kNoSuchItem = 44;  // The exit status of `security`: errSecItemNotFound.

// ran returns what a program said and its exit status. Its stderr may repeat what it was given.
function ran(vault, program, args, input) {
  const { status, stdout, error } = spawnSync(program, args,
    { input, encoding: 'utf8', timeout: kUnlockMaxMs, windowsHide: true });
  if (error?.code === 'ETIMEDOUT') throw new Refusal('LATE', `${vault} is locked, and nobody unlocked it for a minute`);
  if (error) throw new Refusal('', `${vault}: ${program}: ${wordsOf(error)}`);
  return { status, said: stdout.trim() };
}

function checked(vault, key) {
  if (kKey.test(key)) return key;
  if (key === '') throw new Refusal('', `${vault} gave no key`);
  throw new Refusal('', `${vault} has another thing than a key of ours as ${kService}, ${kAccount}`);
}

// Of several processes that add one at once one does: what is there is not replaced.
function keychainKey(fresh) {
  const vault = 'the Keychain';
  const security = '/usr/bin/security';
  const item = ['-s', kService, '-a', kAccount];
  const find = () => ran(vault, security, ['find-generic-password', ...item, '-w'], '');
  let found = find();
  if (found.status === kNoSuchItem) {
    ran(vault, security, ['-i'], `add-generic-password ${item.join(' ')} -l plumbline -w ${fresh}\n`);
    found = find();
  }
  if (found.status !== 0) throw new Refusal('', `${vault} cannot be read: security ended with status ${found.status}`);
  return checked(vault, found.said);
}

// In the words of Windows PowerShell 5.1, which every Windows has; later ones know no PasswordVault.
const kScript = `
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$fresh = [Console]::In.ReadLine()
[void][Windows.Security.Credentials.PasswordVault, Windows.Security.Credentials, ContentType = WindowsRuntime]
$vault = New-Object Windows.Security.Credentials.PasswordVault
$turn = New-Object System.Threading.Mutex($false, 'Local\\plumbline-vault')
[void]$turn.WaitOne()
try {
  try { $kept = $vault.Retrieve('${kService}', '${kAccount}') } catch {
    if ($_.Exception.GetBaseException().HResult -ne -2147023728) { throw }  # 0x80070490: not found
    $new = New-Object Windows.Security.Credentials.PasswordCredential('${kService}', '${kAccount}', $fresh)
    $vault.Add($new)
    $kept = $vault.Retrieve('${kService}', '${kAccount}')
  }
  $kept.RetrievePassword()
  [Console]::Out.Write($kept.Password)
} finally { $turn.ReleaseMutex() }
`;

function credentialManagerKey(fresh) {
  const vault = 'the Credential Manager';
  const powershell = win32.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32\\WindowsPowerShell\\v1.0\\powershell.exe');
  const encoded = Buffer.from(kScript, 'utf16le').toString('base64');
  const { status, said } = ran(vault, powershell,
    ['-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand', encoded], `${fresh}\n`);
  if (status !== 0) throw new Refusal('', `${vault} cannot be read: PowerShell ended with status ${status}`);
  return checked(vault, said);
}

// keyInVault returns the key that is kept for this user; where there was none, it is `fresh` now.
export function keyInVault(fresh) {
  if (process.platform === 'darwin') return keychainKey(fresh);
  if (process.platform === 'win32') return credentialManagerKey(fresh);
  throw new Refusal('NONE', 'this system has no vault that is known here');
}
