// Runs the module: its imports are WASI, files, and an outside that holds processes and sockets.
import { ask } from './files.mjs';
import { refusalOf } from './refusals.mjs';
import { Ended, wasi } from './wasi.mjs';

const kEventHead = 5;  // Kind, and the number of the thing.
const utf8 = new TextEncoder();
const text = new TextDecoder();

// then goes on with what is there now, or later.
const then = (value, next) => (value instanceof Promise ? value.then(next) : next(value));

// run returns the exit status. `outside` has
//   tell(message)     something for it to do;
//   order(message)    the same, and returns {bytes} or {refusal: {code, text}};
//   wait(ms)          the next event {kind, id, bytes}, undefined: none came; ms < 0: for ever;
//   stopAsked()       whether a signal has come (a StopFlag);
//   took(count)       so many bytes of events were taken.
// With `suspends` order, wait and stopAsked may return promises (JSPI).
// What it writes to its streams goes to these `descriptors`.
export async function run(compiled, { args, env, columns, outside, suspends, descriptors = { 1: 1, 2: 2 } }) {
  let memory;
  let answer = new Uint8Array(0);
  const queue = [];  // What did not fit.
  const string = (at, size) => text.decode(new Uint8Array(memory.buffer, at, size));
  const message = (at, size) => JSON.parse(string(at, size));
  const keep = (bytes) => {
    answer = typeof bytes === 'string' ? utf8.encode(bytes) : bytes;
    return answer.length;
  };
  const refuse = ({ code, text: words }) => -keep(`${code} ${words}`) - 1;
  const put = (into, size, event) => {
    const bytes = event.bytes ?? new Uint8Array(0);
    const part = bytes.subarray(0, size - kEventHead);
    const view = new DataView(memory.buffer, into, size);
    view.setUint8(0, event.kind);
    view.setUint32(1, event.id, true);
    new Uint8Array(memory.buffer, into + kEventHead, part.length).set(part);
    if (part.length < bytes.length) queue.unshift({ ...event, bytes: bytes.subarray(part.length) });
    outside.took(part.length);
    return kEventHead + part.length;
  };
  const imports = {
    ask(what, size, bytes, bytesSize) {
      try {
        return keep(ask(message(what, size), new Uint8Array(memory.buffer, bytes, bytesSize), columns));
      } catch (error) {
        return refuse({ code: refusalOf(error).code, text: refusalOf(error).message });
      }
    },
    order: (what, size) => then(outside.order(message(what, size)),
      (reply) => (reply.refusal ? refuse(reply.refusal) : keep(reply.bytes ?? ''))),
    take(into) {
      new Uint8Array(memory.buffer, into, answer.length).set(answer);
    },
    tell(what, size) {
      const told = message(what, size);
      // A stray print must not get into what is spoken there.
      if (told.op === 'standard_streams') descriptors[1] = 2;
      outside.tell(told);
    },
    write(number, at, size) {
      const id = number >>> 0;
      outside.tell({ op: 'write', id, bytes: new Uint8Array(memory.buffer, at, size).slice() });
    },
    stop_asked: () => then(outside.stopAsked(), Number),
    wait(patience, into, size) {
      if (queue.length > 0) return put(into, size, queue.shift());
      const ms = patience < 0n ? -1 : Number(patience) / 1e6;
      return then(outside.wait(ms), (event) => (event === undefined ? 0 : put(into, size, event)));
    },
  };
  if (suspends) {
    for (const name of ['order', 'wait', 'stop_asked']) imports[name] = new WebAssembly.Suspending(imports[name]);
  }
  const instance = await WebAssembly.instantiate(compiled, {
    wasi_snapshot_preview1: wasi(args, env, () => memory, descriptors),
    plumbline: imports,
  });
  memory = instance.exports.memory;
  const start = suspends ? WebAssembly.promising(instance.exports._start) : instance.exports._start;
  try {
    await start();
    return 0;
  } catch (error) {
    if (error instanceof Ended) return error.status;
    throw error;
  }
}
