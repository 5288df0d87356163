// `check gateway` end to end, over real sockets: a proxy that passes everything on passes, and one
// that keeps each answer back until it is whole fails by what a stream has to bring at once.
//
//   node judged_gateways.mjs PLUMBLINE

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';

import {freePort} from '../ports.mjs';

const plumbline = process.argv[2];
const proxyScript = fileURLToPath(new URL('plain_proxy.mjs', import.meta.url));

// judge returns the exit status of one run, and its report.
async function judge(manner) {
  const port = await freePort();
  const proxy = spawn(process.execPath, [proxyScript, port, manner], {stdio: ['pipe', 'pipe', 'inherit']});
  const [line] = await once(proxy.stdout.setEncoding('utf8'), 'data');
  const url = `http://127.0.0.1:${line.match(/\d+/)[0]}/mcp`;
  const child = spawn(plumbline, ['check', 'gateway', '--listen', `127.0.0.1:${port}`, '--url', url,
                                  '--report', 'json=-', '--progress', 'never',
                                  // What is kept back for ever is not waited for as long.
                                  ...(manner === 'plain' ? [] : ['--timeout', '2s'])],
                      {stdio: ['ignore', 'pipe', 'inherit'], timeout: 110_000});
  let said = '';
  child.stdout.setEncoding('utf8').on('data', text => said += text);
  const [status] = await once(child, 'close');
  proxy.stdin.end();
  await once(proxy, 'close');
  return {status, report: status === 3 ? null : JSON.parse(said)};
}

// judgeAgain tries other ports when somebody else took the first.
async function judgeAgain(manner) {
  for (let attempt = 1; ; ++attempt) {
    const judged = await judge(manner);
    if (judged.status !== 3 || attempt === 3) return judged;
  }
}

let failed = false;
for (const [manner, expected] of [
  ['plain', []],
  ['buffered', ['gateway.asks-the-right-client', 'gateway.tells-one-client-alone', 'gateway.asks-by-elicitation', 'gateway.asks-for-roots', 'gateway.answers-pings', 'gateway.passes-listening']],
]) {
  const {status, report} = await judgeAgain(manner);
  const rows = report?.results ?? [];
  const broken = [...new Set(rows.filter(row => row.verdict === 'fail').map(row => row.id))];
  const passes = rows.filter(row => row.verdict === 'pass').length;
  const ok = passes >= 20 && String(broken) === String(expected) && status === (expected.length ? 1 : 0);
  console.log(`${ok ? 'ok  ' : 'FAIL'} a ${manner} proxy: exit ${status}, ${passes} pass, fails: ${broken.join(' ') || 'none'}`);
  if (!ok) for (const row of rows) if (row.verdict !== 'pass') console.log(`  ${row.verdict} ${row.id} ${row.revision}: ${row.message}`);
  failed ||= !ok;
}
process.exit(failed ? 1 : 0);
