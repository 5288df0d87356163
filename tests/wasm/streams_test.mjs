// How a child's streams end, in each order in which Node may tell of it. The two programs are not
// asked.
import { PassThrough, Writable } from 'node:stream';

import { kinds } from '../../packaging/wasm/events.mjs';
import { Streams } from '../../packaging/wasm/streams.mjs';
import { expect, finish } from './compare.mjs';

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
const nameOf = (kind) => Object.keys(kinds).find((name) => kinds[name] === kind);

// Deaf takes nothing.
class Deaf extends Writable {
  _write() {}
}

// endOf returns how the module hears of the end of a child that `acts`.
async function endOf(acts) {
  const heard = [];
  const streams = new Streams((event) => heard.push(event), () => 0, () => {});
  const [from, to] = [new PassThrough(), new Deaf()];
  streams.stream(1, from, to, () => {});
  const does = {
    read: () => streams.tell({ op: 'read', id: 1 }),
    write: () => streams.tell({ op: 'write', id: 1, bytes: Buffer.alloc(100_000) }),
    end: () => from.end(), flow: () => from.resume(), destroy: () => to.destroy(),
    refuse: () => to.destroy(Object.assign(new Error('EPIPE'), { code: 'EPIPE' })),
    moment: () => pause(20),
  };
  for (const act of acts.split(' ')) await does[act]();
  for (let i = 0; i < 100 && heard.length === 0; ++i) await pause(10);
  const [end] = heard;
  return heard.length === 1 ? `${nameOf(end.kind)} ${Buffer.from(end.bytes ?? '')}`.trim() : `${heard.length} events`;
}

const kBroken = 'broken cannot write to the peer: Broken pipe';
const kCases = [
  ['read end', 'end'],
  ['flow end moment read', 'end'],
  ['flow end moment read write destroy', kBroken],
  ['flow end moment destroy read write', kBroken],
  ['read write end moment destroy', kBroken],
  ['read write end moment refuse', kBroken],
  ['read write destroy end', kBroken],
  ['flow end moment read write moment destroy', kBroken],
];
for (const [acts, expected] of kCases) {
  const is = await endOf(acts);
  expect(is === expected, `${acts}: ${is}, expected ${expected}`);
}
finish('streams');
