// The simulation's module, apart from the page. A message {compiled, task} plays one task; each thing
// that the module tells comes back as {told}, its end as {ended, text}.
const decoder = new TextDecoder();
const encoder = new TextEncoder();

class Ended {
  constructor(status) {
    this.status = status;
  }
}

// imports returns what the module asks of the page: one task, a clock, random bytes, a place to print.
function imports(task, memory, printed) {
  let answer = new Uint8Array(0);
  const view = () => new DataView(memory().buffer);
  const bytes = (at, size) => new Uint8Array(memory().buffer, at, size);
  const told = (at, size) => JSON.parse(decoder.decode(bytes(at, size)));
  const zero = (...places) => {
    for (const at of places) view().setUint32(at, 0, true);
    return 0;
  };
  const known = {
    args_sizes_get: zero,
    environ_sizes_get: zero,
    args_get: () => 0,
    environ_get: () => 0,
    clock_time_get(clock, _precision, at) {
      const ms = clock === 0 ? performance.timeOrigin + performance.now() : performance.now();
      view().setBigUint64(at, BigInt(Math.round(ms * 1e6)), true);
      return 0;
    },
    random_get(at, size) {
      crypto.getRandomValues(bytes(at, size));
      return 0;
    },
    fd_write(_fd, parts, count, at) {
      let size = 0;
      for (let i = 0; i < count; ++i) {
        const part = view().getUint32(parts + 8 * i + 4, true);
        printed.push(decoder.decode(bytes(view().getUint32(parts + 8 * i, true), part)));
        size += part;
      }
      view().setUint32(at, size, true);
      return 0;
    },
    fd_prestat_get: () => 8,
    fd_close: () => 0,
    proc_exit(status) {
      throw new Ended(status);
    },
  };
  const plumbline = {
    ask(at, size) {
      answer = told(at, size).op === 'task' ? encoder.encode(JSON.stringify(task)) : new Uint8Array(0);
      return answer.length;
    },
    take: (into) => bytes(into, answer.length).set(answer),
    tell: (at, size) => self.postMessage({ told: told(at, size) }),
  };
  const orNothing = (functions, value) => new Proxy(functions, { get: (all, name) => all[name] ?? (() => value) });
  return { wasi_snapshot_preview1: orNothing(known, 52), plumbline: orNothing(plumbline, 0) };
}

self.onmessage = async ({ data: { compiled, task } }) => {
  let memory;
  const printed = [];
  let status = 0;
  try {
    const instance = await WebAssembly.instantiate(compiled, imports(task, () => memory, printed));
    memory = instance.exports.memory;
    instance.exports._start();
  } catch (error) {
    status = error instanceof Ended ? error.status : 3;
    if (status === 3) printed.push(String(error));
  }
  self.postMessage({ ended: status, text: printed.join('') });
};
