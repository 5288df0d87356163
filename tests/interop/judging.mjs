// What judged_servers.mjs and judged_clients.mjs do alike: one run of `plumbline check`, whose
// failures must be those of findings/NAME.json.

import {spawn} from 'node:child_process';
import {copyFileSync, existsSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

export const [plumbline, modules] = process.argv.slice(2);
const failed = [];

const besideThis = name => fileURLToPath(new URL(name, import.meta.url));

// besideModules copies a script to where Node finds its packages, and returns its path.
export function besideModules(name) {
  copyFileSync(besideThis(name), `${modules}/${name}`);
  return `${modules}/${name}`;
}

// judge runs `check ROLE WORDS...` and says in one line what came of it. At least `passes` rules
// must have been seen to hold, and `builtWith` be recognised, with a finding that is its doing.
export async function judge({title, findings, words, passes, env = {}, builtWith}) {
  const baseline = besideThis(`findings/${findings}.json`);
  const args = ['check', words[0], '--report', 'json=-', '--progress', 'never'];
  if (existsSync(baseline)) args.push('--baseline', baseline);
  const child = spawn(plumbline, [...args, ...words.slice(1)],
                      {stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000, env: {...process.env, ...env}});
  let said = '';
  let complained = '';
  child.stdout.setEncoding('utf8').on('data', text => said += text);
  child.stderr.setEncoding('utf8').on('data', text => complained += text);
  const status = await new Promise(resolve => child.once('close', resolve));
  let report = null;
  try { report = JSON.parse(said); } catch { /* There is none. */ }
  const count = report?.summary;
  const sdk = report?.built_with?.[0]?.name;
  const known = sdk === builtWith && (!sdk || report.results.some(row => row.fault === 'sdk'));
  const ok = status === 0 && count && count.pass > passes && count.inconclusive === 0 && known;
  const numbers = count ? `${count.pass} pass, ${count.warn} warn, ${count.skip} skip, ${count.xfail} known` : 'no report';
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${title}: ${numbers}, ${Math.round(report?.duration_ms ?? 0)} ms`);
  if (ok) return;
  failed.push(title);
  console.log(`  exit status ${status}, built with ${sdk}, expected ${builtWith}\n  ${complained}`);
  for (const row of report?.results ?? []) {
    if (row.verdict === 'fail' || row.verdict === 'inconclusive') {
      console.log(`  ${row.verdict} ${row.id} ${row.revision}: ${row.message}`);
    }
  }
}

export const end = () => process.exit(failed.length === 0 ? 0 : 1);
