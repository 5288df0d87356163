// SQLite of Node, where it has it: databases and statements by number, values as core/os/node/store
// writes them: 'n' or 'b', a size of four bytes, and the bytes of a number or of anything.
import * as fs from 'node:fs';
import * as path from 'node:path';

import { Refusal } from './refusals.mjs';

const kHead = 5;
const kNumber = 110;  // 'n'
const kBytes = 98;    // 'b'

const things = new Map();
let last = 0;

function keep(thing) {
  things.set(String(++last), thing);
  return String(last);
}

// load returns the class, without the warning that it may still change.
function load() {
  const warn = process.emitWarning;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite').DatabaseSync;
  } catch {
    throw new Refusal('NONE', `files of SQLite need Node 22.13 or later, here is ${process.versions.node}`);
  } finally {
    process.emitWarning = warn;
  }
}

function refused(error) {
  return new Refusal(String(error.errcode ?? 1), error.message);
}

function guarded(action) {
  try {
    return action();
  } catch (error) {
    throw error instanceof Refusal ? error : refused(error);
  }
}

function valueOf(bytes, at) {
  const size = bytes.readUInt32LE(at + 1);
  const part = bytes.subarray(at + kHead, at + kHead + size);
  return { value: bytes[at] === kNumber ? part.readBigInt64LE() : Uint8Array.from(part), end: at + kHead + size };
}

function written(value) {
  const number = typeof value === 'bigint' || typeof value === 'number';
  const body = number ? Buffer.alloc(8) : Buffer.from(value ?? '');
  if (number) body.writeBigInt64LE(BigInt(value));
  const head = Buffer.alloc(kHead);
  head[0] = number ? kNumber : kBytes;
  head.writeUInt32LE(body.length, 1);
  return Buffer.concat([head, body]);
}

function run({ db, statement }, bytes) {
  const bound = [];
  const all = Buffer.from(bytes);
  for (let at = 0; at < all.length;) {
    const { value, end } = valueOf(all, at);
    bound.push(value);
    at = end;
  }
  const rows = statement.all(...bound).map((row) => Object.values(row));
  const changed = db.prepare('SELECT changes() AS n').get().n;
  return Buffer.concat([written(changed), written(rows[0]?.length ?? 1), ...rows.flat().map(written)]);
}

function open(name) {
  const Database = load();
  fs.mkdirSync(path.dirname(path.resolve(name)), { recursive: true });
  const fd = fs.openSync(name, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600);
  const regular = fs.fstatSync(fd).isFile();
  fs.closeSync(fd);
  if (!regular) throw new Refusal('1', 'cannot open it: it is no file');
  return keep(guarded(() => new Database(name)));
}

function prepare(db, sql) {
  const statement = db.prepare(sql);
  statement.setReadBigInts(true);
  return keep({ db, statement });
}

const thing = ({ number }) => things.get(number);

export const sqlite = {
  sql_open: ({ path: name }) => open(name),
  sql_exec: (what, sql) => guarded(() => thing(what).exec(Buffer.from(sql).toString())),
  sql_prepare: (what, sql) => guarded(() => prepare(thing(what), Buffer.from(sql).toString())),
  sql_run: (what, bytes) => guarded(() => run(thing(what), bytes)),
  sql_finalize: ({ number }) => { things.delete(number); },
  sql_close(what) {
    thing(what).close();
    things.delete(what.number);
  },
};
