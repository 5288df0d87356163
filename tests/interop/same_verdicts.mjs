// Judges the reference server many times, as it is and as a slow one, and says which verdicts were
// not the same each time. Exit status 1 when there are any.
//
//   node same_verdicts.mjs PLUMBLINE [RUNS] [MS]      MS is what the slow one takes for an answer: 300

import {spawn} from 'node:child_process';
import http from 'node:http';
import {createInterface} from 'node:readline';

const [plumbline, runs = '200', slow = '300'] = process.argv.slice(2);

// A server keeps 1,000 tasks for ten minutes and makes no more then, so it is not asked for ever.
const runsOfServer = 20;
let server, fast;
process.on('exit', () => server.kill('SIGKILL'));

async function start() {
  server?.kill('SIGKILL');
  server = spawn(plumbline, ['serve', '--reference', '--http', '127.0.0.1:0'], {stdio: ['ignore', 'pipe', 'inherit']});
  fast = new URL(await new Promise(resolve => createInterface({input: server.stdout}).once('line', resolve)));
}
await start();

// A proxy that passes each request on when `slow` milliseconds have gone by.
const proxy = http.createServer((request, response) => setTimeout(() => {
  const {method, url, headers} = request;
  const upstream = http.request({host: fast.hostname, port: fast.port, method, path: url, headers}, answer => {
    response.writeHead(answer.statusCode, answer.headers);
    response.flushHeaders();
    answer.pipe(response);
    answer.on('error', () => response.destroy());
  });
  upstream.on('error', () => response.destroy());
  response.on('close', () => upstream.destroy());
  request.pipe(upstream);
}, Number(slow)));
await new Promise(resolve => proxy.listen(0, '127.0.0.1', resolve));

// judged returns the verdict on each rule, and how long that took.
async function judged(url, revision) {
  const args = ['check', 'server', '--url', url, '--revision', revision, '--report', 'json=-', '--progress', 'never'];
  const child = spawn(plumbline, args, {stdio: ['ignore', 'pipe', 'inherit']});
  let text = '';
  child.stdout.setEncoding('utf8').on('data', part => text += part);
  await new Promise(resolve => child.once('close', resolve));
  const report = JSON.parse(text);
  return {ms: report.duration_ms, verdicts: new Map(report.results.map(row => [row.id, [row.verdict, row.message]]))};
}

let differ = 0;
const slowUrl = `http://127.0.0.1:${proxy.address().port}${fast.pathname}`;
for (const [name, url] of [['fast', () => fast.href], ['slow', () => slowUrl]]) {
  for (const revision of ['2025-11-25', '2026-07-28']) {
    const first = await judged(url(), revision);
    const odd = new Map;
    let longest = first.ms;
    for (let run = 1; run < Number(runs); ++run) {
      if (run % runsOfServer === 0) await start();
      const {ms, verdicts} = await judged(url(), revision);
      longest = Math.max(longest, ms);
      for (const id of new Set([...first.verdicts.keys(), ...verdicts.keys()])) {
        const [before, now] = [first.verdicts.get(id), verdicts.get(id)];
        if (before?.[0] !== now?.[0]) odd.set(id, `${before} | ${now}`);
      }
    }
    const counts = {};
    for (const [verdict] of first.verdicts.values()) counts[verdict] = (counts[verdict] ?? 0) + 1;
    console.log(`${name} ${revision}: ${runs} runs, ${odd.size} verdicts differ; ${JSON.stringify(counts)}, at most ${(longest / 1000).toFixed(1)} s`);
    for (const [id, what] of odd) console.log(`  ${id}: ${what}`);
    differ += odd.size;
  }
}
process.exit(differ === 0 ? 0 : 1);
