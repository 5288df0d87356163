#!/usr/bin/env node
// plumbline, as its WebAssembly module. Where Node lets a module wait (JSPI) it runs here, else in a
// thread of its own: docs/wasm.md.
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { MessageChannel, Worker } from 'node:worker_threads';

import { ownBuffers } from './events.mjs';
import { canSuspend, giveBackAll, slashed, slashedWord } from './files.mjs';
import { run } from './module.mjs';
import { Streams } from './streams.mjs';

const kLookMs = 50;  // How often a module that computes lets signals be heard.
const kStackMb = 8;  // Of V8's own, below which the module's 4 MiB are not reached.

// wordsGiven returns our arguments. Behind -- is the command of somebody else.
function wordsGiven() {
  const words = process.argv.slice(2);
  if (process.platform !== 'win32') return words;
  const own = words.includes('--') ? words.indexOf('--') : words.length;
  return words.map((word, i) => (i < own ? slashedWord(word) : word));
}

// Each function of the module is checked when it is first called, and not all of them at each start:
// that is a quarter of it. Later versions of Node may not know the word.
const [major] = process.versions.node.split('.').map(Number);
if (major >= 20 && major <= 24) setFlagsFromString('--wasm-lazy-validation');

const args = ['plumbline', ...wordsGiven()];
const env = { ...process.env };
// Where programs of Windows keep what is theirs.
if (process.platform === 'win32' && env.LOCALAPPDATA) env.XDG_STATE_HOME ??= slashed(env.LOCALAPPDATA);
const columns = process.stdout.columns ?? process.stderr.columns ?? 0;

// runHere runs it in this thread.
async function runHere(compiled) {
  const events = [];
  let wake;
  let onTheWay = 0;
  let stop = false;
  let looked = 0;
  const streams = new Streams((event) => {
    events.push(event);
    onTheWay += event.bytes?.length ?? 0;
    wake?.();
  }, () => onTheWay, (asked) => { stop = asked; });
  process.on('exit', () => streams.endAll());
  const outside = {
    tell: (message) => streams.tell(message),
    order: (message) => streams.order(message),
    wait(ms) {
      if (events.length > 0) return events.shift();
      return new Promise((resolve) => {
        if (ms === 0) setImmediate(() => wake?.());
        const timer = ms <= 0 ? undefined : setTimeout(() => wake(), Math.ceil(ms));
        const idle = ms < 0 ? setInterval(() => {}, 1 << 30) : undefined;
        wake = () => {
          clearTimeout(timer);
          clearInterval(idle);
          wake = undefined;
          resolve(events.shift());
        };
      });
    },
    stopAsked() {
      const now = performance.now();
      if (now - looked < kLookMs) return stop;
      looked = now;
      return new Promise((resolve) => { setImmediate(() => resolve(stop)); });
    },
    took(count) {
      onTheWay -= count;
      streams.keptUp();
    },
  };
  const status = await run(compiled, { args, env, columns, outside, suspends: true });
  giveBackAll();
  return status;
}

// runInThread runs it in a worker, and holds the rest of the world for it.
function runInThread(compiled) {
  const shared = new Int32Array(new SharedArrayBuffer(12));
  const { port1: ours, port2: theirs } = new MessageChannel();
  let given = 0;
  const send = (message) => {
    ours.postMessage(message, ownBuffers(message.event?.bytes));
    Atomics.add(shared, 0, 1);
    Atomics.notify(shared, 0);
  };
  const onTheWay = () => (given - Atomics.load(shared, 1)) | 0;
  const streams = new Streams((event) => {
    given = (given + (event.bytes?.length ?? 0)) | 0;
    send({ event });
  }, onTheWay, (asked) => Atomics.store(shared, 2, Number(asked)));
  process.on('exit', () => streams.endAll());
  return new Promise((resolve, reject) => {
    ours.on('message', async (message) => {
      if (message.tell) streams.tell(message.tell);
      else if (message.order) send({ reply: await streams.order(message.order) });
      else if (message.keptUp) streams.keptUp();
      else resolve(message.exit);
    });
    const worker = new Worker(new URL('./worker.mjs', import.meta.url), {
      workerData: { port: theirs, shared, compiled, args, env, columns },
      transferList: [theirs], resourceLimits: { stackSizeMb: kStackMb },
    });
    worker.on('error', reject);
  });
}

try {
  const compiled = await WebAssembly.compile(readFileSync(new URL('./plumbline.wasm', import.meta.url)));
  process.exit(await (canSuspend ? runHere(compiled) : runInThread(compiled)));
} catch (error) {
  process.stderr.write(`plumbline: a fault of ours: ${error.stack ?? error} [cli.fault]\n`);
  process.exit(3);
}
