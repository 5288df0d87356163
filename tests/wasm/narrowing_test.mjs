// narrowing_test.mjs SOURCES FOLDER: a number of 64 bits that becomes a size or an index loses its
// upper half where those have 32, as in the module. The native compiler cannot see it; this one reads
// the rooms below, in which peers and files are read, for wasm32, and makes nothing of them. What was
// found good is kept in FOLDER, and read again once a file of it has changed. Exit status 77: there is
// no library of wasm32 here.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';

const [sources, folder] = process.argv.slice(2).map((name) => path.resolve(name));
const kCompiler = 'clang++-19';
const kSlots = 2;
const kSystem = '/usr/include/wasm32-wasi';
if (!existsSync(path.join(kSystem, 'c++/v1'))) {
  console.log('skipped: libc++-19-dev-wasm32 and wasi-libc are not installed');
  process.exit(77);
}

// The headers of this system that the rooms include, and none of its libc.
const sysroot = path.join(folder, 'sysroot');
rmSync(sysroot, { recursive: true, force: true });
mkdirSync(path.join(sysroot, 'include/openssl'), { recursive: true });
for (const name of ['wasm32-wasi', 'boost', 'nlohmann', 're2', 'zlib.h', 'zconf.h']) {
  symlinkSync(path.join('/usr/include', name), path.join(sysroot, 'include', name));
}
for (const from of ['/usr/include/openssl', `/usr/include/${{ x64: 'x86_64', arm64: 'aarch64' }[process.arch]}-linux-gnu/openssl`]) {
  if (!existsSync(from)) continue;
  for (const name of readdirSync(from)) symlinkSync(path.join(from, name), path.join(sysroot, 'include/openssl', name));
}
// OpenSSL's are those of this system, which has threads.
writeFileSync(path.join(sysroot, 'include/pthread.h'), 'typedef int pthread_once_t; typedef unsigned pthread_key_t; typedef unsigned long pthread_t;\n');
const words = ['--target=wasm32-wasi', `--sysroot=${sysroot}`, '-std=c++20', '-fno-exceptions', `-I${sources}`,
  '-isystem', path.join(sources, 'cmake/wasm/shim'), '-D_WASI_EMULATED_SIGNAL', '-D_WASI_EMULATED_PROCESS_CLOCKS',
  '-D_WASI_EMULATED_MMAN', '-D_WASI_EMULATED_GETPID', '-DBOOST_NO_EXCEPTIONS', '-DBOOST_EXCEPTION_DISABLE',
  '-DBOOST_ASIO_DISABLE_THREADS', '-DJSON_NOEXCEPTION', '-Wno-everything', '-Werror=shorten-64-to-32'];

// Of a library, as cmake/plumbline.cmake takes it: one file includes all, for their names differ.
const below = (room) => readdirSync(path.join(sources, room), { recursive: true })
  .filter((name) => /\.cc$/.test(name) && !/(^|\/|_)main\.cc$|_(broken|test|fixture)\.cc$|(^|\/)(broken|posix|ssh)\/|store\/postgres/.test(name))
  .map((name) => path.join(room, name)).sort();
const rooms = ['base', 'json', 'schema', 'match', 'events', 'rpc', 'wire', 'net', 'metrics', 'trace', 'mcp', 'auth', 'store', 'connector']
  .map((name) => `core/${name}`);

const sum = (texts) => texts.reduce((hash, text) => hash.update(text).update('\0'), createHash('sha256')).digest('hex');
// stampOf is that of what was read: the words, and each file of the tree.
function stampOf(files) {
  try {
    return sum([words.join(' '), ...files.map((name) => readFileSync(path.join(sources, name)))]);
  } catch {
    return '';
  }
}

// compile runs the compiler, and returns what it complains of, and the files of the tree that it read.
function compile(more, unit) {
  const child = spawn(kCompiler, [...words, '-MD', '-MF', `${unit}.d`, '-MT', 'x', ...more, unit]);
  let said = '';
  child.stderr.on('data', (bytes) => { said += bytes; });
  return new Promise((resolve) => {
    child.on('close', (status) => {
      const files = status !== 0 ? [] : readFileSync(`${unit}.d`, 'utf8').split(/[\s\\]+/)
        .filter((name) => name.startsWith(`${sources}/`) && !name.startsWith(`${folder}/`)).map((name) => path.relative(sources, name));
      resolve({ good: status === 0, said, files });
    });
  });
}

// What nearly all include is read once.
const common = path.join(folder, 'common.h');
writeFileSync(common, ['<functional>', '<map>', '<optional>', '<set>', '<vector>', '"core/base/errors/errors.h"', '"core/base/task_group.h"', '"core/json/json.h"']
  .map((name) => `#include ${name}\n`).join(''));
let precompiled;

async function read(room) {
  const text = below(room).map((name) => `#include "${name}"\n`).join('');
  const [unit, kept] = ['cc', 'json'].map((ending) => path.join(folder, `${room.replace('/', '_')}.${ending}`));
  const before = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {};
  if (before.text === text && before.stamp === stampOf(before.files)) return { room, good: true };
  precompiled ??= compile(['-x', 'c++-header', '-o', `${common}.pch`], common);
  const headers = await precompiled;
  if (!headers.good) return { room, ...headers };
  writeFileSync(unit, text);
  const { good, said, files } = await compile(['-fsyntax-only', '-include-pch', `${common}.pch`], unit);
  const all = [...headers.files, ...files];
  if (good) writeFileSync(kept, JSON.stringify({ text, files: all, stamp: stampOf(all) }));
  return { room, good, said, anew: true };
}

const left = [...rooms];
const came = [];
await Promise.all(Array.from({ length: kSlots }, async () => {
  while (left.length > 0) came.push(await read(left.shift()));
}));
for (const { room, good, said } of came) {
  if (!good) console.log(`FAILED: ${room}\n${said.split('\n').slice(0, 40).join('\n')}\nKeep it in 64 bits, or say by static_cast why it fits.`);
}
const failed = came.filter(({ good }) => !good).length;
console.log(`${came.length} rooms, ${came.filter(({ anew }) => anew).length} read anew, ${failed} with what may be cut`);
process.exit(failed === 0 && came.length === rooms.length ? 0 : 1);
