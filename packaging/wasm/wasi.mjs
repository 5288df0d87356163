// What the module takes of WASI: its arguments and variables, a clock, random bytes, the two streams
// that are written, and its end. No files: those are asked for by name (files.mjs).
import { writeSync } from 'node:fs';
import { randomFillSync } from 'node:crypto';

const kSuccess = 0;
const kBadDescriptor = 8;
const kNotSupported = 52;
const kCharacterDevice = 2;

// Ended is thrown where the module ends itself.
export class Ended {
  constructor(status) {
    this.status = status;
  }
}

// writeWhole writes to a descriptor that may be a full pipe of somebody who made it non-blocking.
function writeWhole(fd, bytes) {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes));
    } catch (error) {
      if (error.code !== 'EAGAIN') return false;
      Atomics.wait(pause, 0, 0, 2);
    }
  }
  return true;
}

// wasi returns the imports. `descriptors` says where what is written to 1 and 2 goes.
export function wasi(args, env, memory, descriptors) {
  const utf8 = new TextEncoder();
  const bytes = () => new Uint8Array(memory().buffer);
  const view = () => new DataView(memory().buffer);
  const words = (list) => list.map((word) => utf8.encode(`${word}\0`));
  const argWords = words(args);
  const envWords = words(Object.entries(env).map(([name, value]) => `${name}=${value}`));
  const sizes = (list) => (count, size) => {
    view().setUint32(count, list.length, true);
    view().setUint32(size, list.reduce((sum, word) => sum + word.length, 0), true);
    return kSuccess;
  };
  const strings = (list) => (pointers, at) => {
    for (const word of list) {
      view().setUint32(pointers, at, true);
      bytes().set(word, at);
      pointers += 4;
      at += word.length;
    }
    return kSuccess;
  };
  const known = {
    args_get: strings(argWords),
    args_sizes_get: sizes(argWords),
    environ_get: strings(envWords),
    environ_sizes_get: sizes(envWords),
    clock_time_get(clock, _precision, at) {
      const wall = clock === 0;
      const ms = wall ? performance.timeOrigin + performance.now() : performance.now();
      view().setBigUint64(at, BigInt(Math.round(ms * 1e6)), true);
      return kSuccess;
    },
    random_get(at, size) {
      randomFillSync(bytes(), at, size);
      return kSuccess;
    },
    fd_fdstat_get(fd, at) {
      if (fd > 2) return kBadDescriptor;
      bytes().fill(0, at, at + 24);
      view().setUint8(at, kCharacterDevice);
      view().setBigUint64(at + 8, 0xffffffffn, true);
      return kSuccess;
    },
    fd_write(fd, parts, count, at) {
      if (fd !== 1 && fd !== 2) return kBadDescriptor;
      let written = 0;
      for (let i = 0; i < count; ++i) {
        const from = view().getUint32(parts + 8 * i, true);
        const size = view().getUint32(parts + 8 * i + 4, true);
        if (!writeWhole(descriptors[fd], bytes().subarray(from, from + size))) return 64;  // EPIPE
        written += size;
      }
      view().setUint32(at, written, true);
      return kSuccess;
    },
    fd_prestat_get: () => kBadDescriptor,
    fd_close: () => kSuccess,
    sched_yield: () => kSuccess,
    proc_exit(status) {
      throw new Ended(status);
    },
  };
  return new Proxy(known, { get: (all, name) => all[name] ?? (() => kNotSupported) });
}
