// What fixed pieces of work cost in instructions, allocations and system calls, held to work.tsv within
// 3 in 100: a change that costs more, or less, has to say so by changing that file.
//   node guard_test.mjs GUARD [--update] [--print] [PIECE...]    GUARD: the program plumbline_guard
// Exit status 77, with a line: there is no valgrind, or the program was made with something else than
// the numbers were, which are those of one compiler.

import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const kWithin = 0.03;
const table = join(dirname(fileURLToPath(import.meta.url)), 'work.tsv');
const words = process.argv.slice(2);
const guard = resolve(words.find(word => !word.startsWith('--')));
const chosen = words.filter(word => !word.startsWith('--')).slice(1);
const [update, print] = ['--update', '--print'].map(flag => words.includes(flag));
// How deep it lies is part of what a file costs, so it is not where TMPDIR says.
const folder = mkdtempSync('/tmp/plumbline-guard-');
process.on('exit', () => rmSync(folder, {recursive: true, force: true}));

// Nothing of whoever runs the test reaches the program, and libc and OpenSSL take the ways that every
// x86-64 has: which is the fastest copy of bytes is the machine's.
const environment = {
  PATH: process.env.PATH,
  GLIBC_TUNABLES: 'glibc.cpu.hwcaps=-AVX2,-AVX,-AVX512F,-AVX512VL,-AVX512BW,-SSE4_2,-SSE4_1,-SSSE3,-ERMS,-FSRM,-BMI2,-LZCNT,-MOVBE,-RTM',
  OPENSSL_ia32cap: '~0x0:~0x0',
};

function skip(why) {
  console.log(`guard: ${why}: nothing is held`);
  process.exit(77);
}

// run runs a command in an empty folder: the pieces leave files behind.
function run(...command) {
  const cwd = mkdtempSync(join(folder, 'run-'));
  const {status, stdout, stderr, error} =
    spawnSync(command[0], command.slice(1), {cwd, env: environment, encoding: 'utf8', maxBuffer: 1 << 28});
  return {ok: !error && status === 0, stdout, stderr};
}

function must(what, {ok, stdout, stderr}) {
  if (ok) return {stdout, stderr};
  console.log(`guard: ${what} failed: ${stdout}${stderr}`);
  process.exit(1);
}

// What is kept: "# built BY WHAT", the head, and a row a piece. '-': not held.
function read() {
  const lines = readFileSync(table, 'utf8').trimEnd().split('\n');
  const built = lines.find(line => line.startsWith('# built: '))?.slice('# built: '.length);
  const rows = lines.filter(line => !line.startsWith('#')).slice(1).map(line => line.split('\t'));
  return {lines, built, rows: new Map(rows.map(([piece, ...numbers]) => [piece, numbers]))};
}

// Of one time; of small numbers with two places after the point.
function share(total, times) {
  const places = total / times < 1000 ? 100 : 1;
  return String(Math.round(total / times * places) / places);
}

const kMachines = /^(brk|mmap|munmap|mprotect|mremap|madvise|epoll_p?wait2?|futex|sched_yield|clock_\w+|gettimeofday|restart_syscall)$/;

function system_calls(piece) {
  const out = join(folder, 'calls');
  const {ok} = run('strace', '-f', '-qq', '-o', out, guard, piece);
  if (!ok) return undefined;
  const lines = readFileSync(out, 'utf8').split('\n');
  const [begin, end] = ['begin', 'end'].map(word => lines.findIndex(line => line.includes(`/plumbline-guard/${word}`)));
  const calls = lines.slice(begin + 1, end).map(line => line.match(/^\d+\s+(\w+)\(/)?.[1]);
  return calls.filter(call => call && !kMachines.test(call)).length;
}

function measured(piece, times) {
  const {stdout, stderr} = must(`${piece} under callgrind`, run(
    'valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null', '--toggle-collect=guard_measured', guard, piece));
  const instructions = Number(stderr.match(/Collected : (\d+)/)[1]);
  const calls = strace ? system_calls(piece) : undefined;
  return [share(instructions, times), share(Number(stdout), times), calls === undefined ? undefined : share(calls, times)];
}

const kept = read();
if (!run('valgrind', '--version').ok) skip('there is no valgrind');
const built = must('the program', run(guard, 'built')).stdout.trim();
if (built !== kept.built && !update) skip(`built by ${built}, and the numbers are of ${kept.built}`);
const strace = run('strace', '-qq', '-o', '/dev/null', 'true').ok;
if (!strace) console.log('guard: strace is missing or may trace nothing: system calls are not held');

const pieces = must('the program', run(guard, 'list')).stdout.trim().split('\n').map(line => line.split(' '));
const names = ['instructions', 'allocations', 'system calls'];
const found = new Map();
const problems = [];
for (const [piece, times] of pieces) {
  if (chosen.length && !chosen.includes(piece)) continue;
  const numbers = measured(piece, Number(times));
  found.set(piece, numbers);
  if (print) console.log([piece, ...numbers].join('\t'));
  const held = kept.rows.get(piece);
  if (!held) {
    problems.push(`${piece} is new`);
    continue;
  }
  names.forEach((name, at) => {
    if (held[at] === '-' || numbers[at] === undefined) return;
    const [is, was] = [Number(numbers[at]), Number(held[at])];
    if (Math.abs(is - was) <= kWithin * was) return;
    const by = was ? ` (${is > was ? '+' : ''}${((is / was - 1) * 100).toFixed(1)} %)` : '';
    problems.push(`${piece}: ${is} ${name}, and ${was} are held${by}`);
  });
}
for (const piece of kept.rows.keys()) {
  if (!pieces.some(([name]) => name === piece)) problems.push(`${piece} is no piece any more`);
}

if (update) {
  const rows = pieces.map(([piece]) => {
    const numbers = found.get(piece) ?? kept.rows.get(piece);
    const held = kept.rows.get(piece);
    return [piece, ...numbers.map((number, at) => held?.[at] === '-' ? '-' : number ?? held?.[at] ?? '-')].join('\t');
  });
  const head = kept.lines.filter(line => line.startsWith('#') && !line.startsWith('# built: '));
  writeFileSync(table, [...head, `# built: ${built}`, ['piece', ...names].join('\t'), ...rows].join('\n') + '\n');
  console.log(`guard: ${rows.length} pieces are written to ${table}`);
  process.exit(0);
}
for (const problem of problems) console.log(`guard: ${problem}`);
if (problems.length) {
  console.log('guard: if that is meant, node bench/guard/guard_test.mjs PROGRAM --update writes bench/guard/work.tsv; say why in the commit');
}
console.log(`guard: ${found.size} pieces, ${problems.length} problems`);
process.exit(problems.length ? 1 : 0);
