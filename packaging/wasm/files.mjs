// What the module asks and is answered at once: files, and what the process is.
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';

import { Refusal, refusalOf } from './refusals.mjs';
import { sqlite } from './sqlite.mjs';
import { keyInVault } from './vault.mjs';

export const programPath = fileURLToPath(new URL('./plumbline.mjs', import.meta.url));

// runsBy tells what runs the module, and why it is not the native program.
function runsBy() {
  const how = canSuspend ? 'by JSPI' : 'in a thread';
  return `by Node ${process.versions.node}, ${how}: ${process.env.PLUMBLINE_WASM_WHY ?? 'it was started itself'}`;
}

// Whether this Node lets a module wait. PLUMBLINE_WASM_THREAD=1 does without.
export const canSuspend = typeof WebAssembly.Suspending === 'function' && !process.env.PLUMBLINE_WASM_THREAD;

// The module joins names by slashes, which Windows takes, too.
export const slashed = (name) => (process.platform === 'win32' ? name.replaceAll('\\', '/') : name);

// slashedWord returns an argument on Windows whose path has backslashes with slashes. What is no path
// to something, or to a place for it, stays as it is.
export function slashedWord(word) {
  const option = /^--[a-z-]+=/.exec(word)?.[0] ?? '';
  const name = word.slice(option.length);
  return name.includes('\\') && fs.existsSync(path.win32.dirname(name)) ? option + slashed(name) : word;
}

// What Windows says of others is the owner's: it has lists of who may do what.
const kModeTold = process.platform === 'win32' ? 0o700 : 0o7777;

const yesOrNo = (is) => (is ? 'yes' : 'no');
const refuse = (code) => { throw refusalOf(Object.assign(new Error(code), { code })); };

function tried(action, otherwise) {
  try {
    return action();
  } catch {
    return otherwise;
  }
}

// readOpen reads a descriptor to its end.
function readOpen(fd, most) {
  const pieces = [];
  let size = 0;
  for (;;) {
    const piece = Buffer.alloc(65536);
    const count = fs.readSync(fd, piece);
    if (count === 0) return Buffer.concat(pieces);
    pieces.push(piece.subarray(0, count));
    size += count;
    if (size > most) throw new Refusal('LIMIT', 'too long');
  }
}

function readPath(name, most) {
  const fd = fs.openSync(name, 'r');
  try {
    if (fs.fstatSync(fd).isDirectory()) refuse('EISDIR');
    return readOpen(fd, most);
  } finally {
    fs.closeSync(fd);
  }
}

function readRegular(name, most) {
  const about = fs.statSync(name);
  if (about.isDirectory()) refuse('EISDIR');
  if (!about.isFile()) throw new Refusal('', 'it is no regular file');
  return readPath(name, most);
}

// readBelow follows no link below `root`.
function readBelow(root, name, most) {
  const parts = name.split('/');
  if (name === '' || path.isAbsolute(name) || parts.includes('..')) refuse('EINVAL');
  let at = root;
  for (const part of parts) {
    at = path.join(at, part);
    if (fs.lstatSync(at).isSymbolicLink()) refuse('ELOOP');
  }
  return readRegular(at, most);
}

function writeAll(fd, bytes) {
  while (bytes.length > 0) bytes = bytes.subarray(fs.writeSync(fd, bytes));
}

// writeNew makes a file that is not there yet, all of it on the disk.
function writeNew(name, bytes, mode) {
  const fd = fs.openSync(name, 'wx', mode);
  try {
    writeAll(fd, bytes);
    fs.fsyncSync(fd);
  } catch (error) {
    tried(() => fs.unlinkSync(name));
    throw error;
  } finally {
    fs.closeSync(fd);
  }
}

const streams = { '/dev/stdout': 1, '/dev/stderr': 2, '/dev/fd/1': 1, '/dev/fd/2': 2 };

// placeOf follows links, also to what is not there yet.
function placeOf(name) {
  for (let links = 0; links < 40; ++links) {
    const next = tried(() => fs.readlinkSync(name));
    if (next === undefined) return name;
    name = path.resolve(path.dirname(name), next);
  }
  return refuse('ELOOP');
}

// writePath puts all of a file in the place of what was there, or nothing.
function writePath(name, bytes) {
  if (streams[name]) return writeAll(streams[name], bytes);
  const place = placeOf(name);
  const about = tried(() => fs.statSync(place));
  if (about?.isDirectory()) refuse('EISDIR');
  if (about && !about.isFile()) return fs.writeFileSync(place, bytes);
  if (about) fs.accessSync(place, fs.constants.W_OK);
  const temporary = `${place}.tmp-${process.pid}`;
  tried(() => fs.unlinkSync(temporary));
  writeNew(temporary, bytes, about ? about.mode & 0o777 : 0o666);
  try {
    fs.renameSync(temporary, place);
  } catch (error) {
    tried(() => fs.unlinkSync(temporary));
    throw error;
  }
}

function checkWritable(name) {
  if (streams[name]) return;
  const place = placeOf(name);
  const about = tried(() => fs.statSync(place));
  if (about?.isDirectory()) refuse('EISDIR');
  if (about) return fs.accessSync(place, fs.constants.W_OK);
  const folder = path.dirname(place);
  if (!fs.statSync(folder).isDirectory()) refuse('ENOTDIR');
  fs.accessSync(folder, fs.constants.W_OK | fs.constants.X_OK);
}

function createFile(name, bytes) {
  fs.mkdirSync(path.dirname(name), { recursive: true, mode: 0o700 });
  try {
    writeNew(name, bytes, 0o600);
    return 'yes';
  } catch (error) {
    if (error.code === 'EEXIST') return 'no';
    throw error;
  }
}

function appendFile(name, bytes) {
  const fd = fs.openSync(name, 'a', 0o600);
  try {
    writeAll(fd, bytes);
    tried(() => fs.fsyncSync(fd));
  } finally {
    fs.closeSync(fd);
  }
}

// listBelow lists files, hidden ones aside. Links to folders are not followed.
function listBelow(folder, extension, most, found) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.')) continue;
    const whole = folder.endsWith('/') ? folder + entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) listBelow(whole, extension, most, found);
    else if (entry.name.endsWith(extension) && !tried(() => fs.statSync(whole).isDirectory(), false)) found.push(whole);
    if (found.length > most) throw new Refusal('LIMIT', 'too many');
  }
  return found;
}

function listFiles({ path: name, extension, most }) {
  const found = fs.statSync(name).isDirectory() ? listBelow(name, extension, most, []) : [name];
  return found.map((each) => `${each}\0`).join('');
}

// openLog returns "FD TORN PATH". Of one that another process has open the next free name is taken;
// who has it stands in a lock beside it.
function openLog(name) {
  const { dir, name: stem, ext } = path.parse(name);
  for (let number = 1; number <= 1000; ++number) {
    const each = number === 1 ? name : path.join(dir, `${stem}-${number}${ext}`);
    const fd = fs.openSync(each, 'a+', 0o600);
    if (takeLock(`${each}.lock`) === 'no') {
      fs.closeSync(fd);
      continue;
    }
    const last = Buffer.alloc(1, '\n');
    const size = fs.fstatSync(fd).size;
    if (size > 0) fs.readSync(fd, last, 0, 1, size - 1);
    return `${fd} ${last[0] === 10 ? 0 : 1} ${each}`;
  }
  throw new Refusal('', 'as many others as there are names append to it');
}

const isAlive = (pid) => tried(() => process.kill(pid, 0), false);
const locks = new Set();

// takeLock makes the file `name` with our number in it. One of a process that has died is taken over.
function takeLock(name) {
  if (locks.has(name)) return 'no';
  for (let tries = 0; tries < 3; ++tries) {
    if (createFile(name, Buffer.from(String(process.pid))) === 'yes') {
      locks.add(name);
      return 'yes';
    }
    const owner = Number(tried(() => fs.readFileSync(name, 'utf8'), ''));
    if (owner !== 0 && owner !== process.pid && isAlive(owner)) return 'no';
    tried(() => fs.unlinkSync(name));
  }
  return 'no';
}

function giveBackLock(name) {
  if (locks.delete(name)) tried(() => fs.unlinkSync(name));
}

// giveBackAll leaves no lock behind.
export function giveBackAll() {
  for (const name of locks) giveBackLock(name);
}

const kinds = {
  is_folder: (name) => fs.statSync(name).isDirectory(),
  is_there: (name) => fs.existsSync(name),
  is_program: (name) => {
    fs.accessSync(name, fs.constants.X_OK);
    return fs.statSync(name).isFile();
  },
};

const kInterpretersMax = 4;  // Of interpreters that are scripts, as Linux has it.
const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');

function readProgram(name) {
  if (!fs.statSync(name).isFile()) refuse('EACCES');
  const bytes = readPath(name, Infinity);
  const first = /^#![ \t]*([^ \t\r\n]+)/.exec(bytes.subarray(0, 256).toString('latin1'));
  return { digest: hashOf(bytes), interpreter: first?.[1] };
}

// digestOf is that of a program and of what runs it where it is a script.
function digestOf(name) {
  let { digest, interpreter } = readProgram(name);
  for (let i = 0; i < kInterpretersMax && interpreter; ++i) {
    const next = readProgram(interpreter);
    digest = hashOf(`${digest} by ${next.digest}`);
    interpreter = next.interpreter;
  }
  return digest;
}

// numberOf tells a folder from another one that is put in its place, as Linux numbers devices.
function numberOf(name) {
  const { dev, ino, birthtimeNs, ...about } = fs.statSync(name, { bigint: true });
  if ((Number(about.mode) & fs.constants.S_IFMT) !== fs.constants.S_IFDIR) refuse('ENOTDIR');
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
  const minor = (dev & 0xffn) | ((dev >> 12n) & ~0xffn);
  const kBillion = 1_000_000_000n;
  return `${major}:${minor} ${ino} ${birthtimeNs / kBillion}.${birthtimeNs % kBillion}`;
}

const answers = {
  ...sqlite,
  read_file: ({ path: name, most }) => readPath(name, most),
  read_below: ({ root, path: name, most }) => readBelow(root, name, most),
  read_regular: ({ path: name }) => readRegular(name, Infinity),
  write_file: ({ path: name }, bytes) => writePath(name, bytes),
  create_file: ({ path: name }, bytes) => createFile(name, bytes),
  append_file: ({ path: name }, bytes) => appendFile(name, bytes),
  remove_file({ path: name }) {
    try {
      fs.unlinkSync(name);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  },
  rename_file: ({ path: name, to }) => fs.renameSync(name, to),
  mode_of: ({ path: name }) => String(fs.statSync(name).mode & kModeTold),
  set_mode: ({ path: name, mode }) => fs.chmodSync(name, mode),
  list_files: listFiles,
  check_writable: ({ path: name }) => checkWritable(name),
  make_folder({ path: name }) {
    tried(() => fs.mkdirSync(name, { recursive: true }));
    return yesOrNo(tried(() => kinds.is_folder(name), false));
  },
  make_private_folder_of: ({ path: name }) => yesOrNo(tried(() => {
    fs.mkdirSync(path.dirname(name), { recursive: true, mode: 0o700 });
    return true;
  }, false)),
  absolute_path: ({ path: name }) => slashed(path.resolve(name)),
  is_folder: ({ path: name }) => yesOrNo(tried(() => kinds.is_folder(name), false)),
  is_there: ({ path: name }) => yesOrNo(kinds.is_there(name)),
  is_program: ({ path: name }) => yesOrNo(tried(() => kinds.is_program(name), false)),
  real_path: ({ path: name }) => slashed(fs.realpathSync(name)),
  digest_of_program: ({ path: name }) => digestOf(name),
  number_of_folder: ({ path: name }) => numberOf(name),
  make_temporary_folder: () => slashed(fs.mkdtempSync(path.join(tmpdir(), 'plumbline-'))),
  remove_folder: ({ path: name }) => fs.rmSync(name, { recursive: true, force: true }),
  copy_folder: ({ path: name, to }) =>
    fs.cpSync(name, to, { recursive: true, verbatimSymlinks: true }),
  open_log: ({ path: name }) => openLog(name),
  share_log: ({ path: name }) => String(fs.openSync(name, 'a', 0o600)),
  write_log: ({ fd }, bytes) => writeAll(fd, bytes),
  close_file: ({ fd }) => fs.closeSync(fd),
  take_lock: ({ path: name }) => takeLock(name),
  give_back_lock: ({ path: name }) => giveBackLock(name),
  key_in_vault: ({ fresh }) => keyInVault(fresh),
  process_number: () => String(process.pid),
  runs_by: () => runsBy(),
  platform: () => process.platform,
  program_path: () => programPath,
  is_terminal: ({ fd }) => yesOrNo(isatty(fd)),
  columns: ({ fd }, _bytes, columns) => String(isatty(fd) ? columns : 0),
};

// ask returns bytes or text. It throws a Refusal, or what Node throws.
export function ask(what, bytes, columns) {
  return answers[what.op](what, bytes, columns) ?? '';
}
