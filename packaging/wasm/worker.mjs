// Runs the module in a thread that may wait: whoever started it holds processes and sockets.
import { receiveMessageOnPort, workerData } from 'node:worker_threads';

import { ownBuffers } from './events.mjs';
import { giveBackAll } from './files.mjs';
import { run } from './module.mjs';

// `shared` holds: how many messages came, how many bytes of events were taken, whether to stop.
const { port, shared, compiled, args, env, columns } = workerData;
const kForever = 2 ** 31 - 1;
const kTellTaken = 1 << 20;  // Bytes, after which what was held may go on.
const events = [];
let taken = 0;

// next returns the next message, undefined when `ms` are over (below 0: never).
function next(ms) {
  const end = ms < 0 ? Infinity : performance.now() + ms;
  for (;;) {
    const seen = Atomics.load(shared, 0);
    const got = receiveMessageOnPort(port);
    if (got !== undefined) return got.message;
    const left = end - performance.now();
    if (left <= 0) return undefined;
    Atomics.wait(shared, 0, seen, Math.min(left, kForever));
  }
}

const outside = {
  tell: (message) => port.postMessage({ tell: message }, ownBuffers(message.bytes)),
  order(message) {
    port.postMessage({ order: message });
    for (;;) {
      const got = next(-1);
      if (got.reply !== undefined) return got.reply;
      events.push(got.event);
    }
  },
  stopAsked: () => Atomics.load(shared, 2) !== 0,
  wait: (ms) => events.shift() ?? next(ms)?.event,
  took(count) {
    Atomics.add(shared, 1, count);
    taken += count;
    if (taken < kTellTaken) return;
    taken = 0;
    port.postMessage({ keptUp: true });
  },
};

let status;
try {
  status = await run(compiled, { args, env, columns, outside, suspends: false });
} finally {
  giveBackAll();
}
port.postMessage({ exit: status });
