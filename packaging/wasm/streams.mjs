// Streams hold what speaks to the module by events: sockets, children, our own streams, signals.
import { constants } from 'node:os';

import { kinds, numbers, textBytes } from './events.mjs';
import { startChild } from './children.mjs';
import { dial, listen } from './network.mjs';
import { refusalOf, wordsOf } from './refusals.mjs';
import { watch } from './watch.mjs';

const kTakenTold = 32 << 10;  // Bytes that were taken and not told of, at most.
const kOnTheWayMax = 4 << 20;  // Bytes of events that the module has not taken yet.
const kOverdueMs = 800;
const kLingerMs = 200;

// Stream is one of them that can be read and written.
class Stream {
  #told = 0;
  #given = 0;
  #taken = 0;
  #drain = false;
  #over = false;
  #early = [];  // What came before anybody read: Node has a child that has ended flow by itself.
  #last;
  #broken;  // Why nothing more can be written.

  // `from` and `to` are streams of Node.
  constructor(id, from, to, host, drop) {
    Object.assign(this, { id, from, to, host, drop });
    to.on('error', (error) => this.broke(error));
    if (from !== to) from.on('error', (error) => this.broke(error));
    from.pause();
    from.on('data', (bytes) => (this.reads ? host.pass(kinds.bytes, this, bytes) : this.#early.push(bytes)));
    from.on('end', () => this.#ended());
    from.on('close', () => this.#ended());
  }

  read() {
    this.reads = true;
    for (const bytes of this.#early.splice(0)) this.host.pass(kinds.bytes, this, bytes);
    // What the module writes with its first breath comes before the end that waited for it.
    if (this.#last !== undefined) setImmediate(() => this.#endedEarly(...this.#last));
    this.from.resume();
  }

  #endedEarly(kind, bytes) {
    if (kind === kinds.end) this.#ended();
    else this.over(kind, bytes);
  }

  write(bytes) {
    if (this.to.destroyed && this.from !== this.to) this.#breakWriting('EPIPE');
    if (this.to.destroyed || this.to.writableEnded) return;
    this.#given += bytes.length;
    this.to.write(bytes, (error) => {
      if (error) return;
      this.#taken += bytes.length;
      this.#tellTaken();
    });
  }

  tellDrained() {
    this.#drain = true;
    this.#tellTaken();
  }

  #tellTaken() {
    const count = this.#taken - this.#told;
    const drained = this.#drain && this.to.writableLength === 0;
    if (count === 0 || (count < kTakenTold && !drained)) return;
    if (drained) this.#drain = false;
    this.#told = this.#taken;
    this.host.emit(kinds.taken, this.id, numbers(count));
  }

  end() {
    this.to.end();
  }

  get isOver() {
    return this.#over;
  }

  close() {
    this.#over = true;
    this.drop();
  }

  // broke tells that nothing more can be written or read. A child that reads no more may still speak
  // for a moment.
  broke(error) {
    if (this.from === this.to) return this.over(kinds.broken, textBytes(`the connection broke: ${wordsOf(error)}`));
    if (error.code !== 'EPIPE') return this.over(kinds.broken, textBytes(`the stream broke: ${wordsOf(error)}`));
    this.#breakWriting(error.code);
    return setTimeout(() => this.over(kinds.end), kLingerMs);
  }

  // #ended gives a child that has ended a moment, in which what was still written to it may fail:
  // Node tells of an end before or after it destroys what was written to.
  #ended() {
    if (this.#isCutOff()) this.#breakWriting('EPIPE');
    const waits = this.from !== this.to && this.#given > this.#taken;
    if (!waits || this.#broken) return this.over(kinds.end);
    return setTimeout(() => {
      if (this.#isCutOff()) this.#breakWriting('EPIPE');
      this.over(kinds.end);
    }, kLingerMs);
  }

  #isCutOff() {
    return this.from !== this.to && this.#given > this.#taken && this.to.destroyed;
  }

  #breakWriting(code) {
    this.#broken ??= textBytes(`cannot write to the peer: ${wordsOf({ code })}`);
  }

  over(kind, bytes) {
    if (this.#over) return;
    if (kind === kinds.end && this.#broken) [kind, bytes] = [kinds.broken, this.#broken];
    if (!this.reads) {
      this.#last ??= [kind, bytes];
      return;
    }
    this.#over = true;
    this.host.emit(kind, this.id, bytes);
    this.onOver?.();
  }
}

export class Streams {
  #things = new Map();
  #held = new Set();  // Streams that wait until the module has taken what is on the way.
  #overdue;
  #handlers = new Map();
  #lastOfOurs = 0x80000000;

  // `send(event)` hands an event over, `onTheWay()` returns how many bytes of them were not taken,
  // `askToStop(yes)` tells the module's StopFlag.
  constructor(send, onTheWay, askToStop) {
    Object.assign(this, { send, onTheWay, askToStop });
  }

  emit(kind, id, bytes) {
    this.send({ kind, id, bytes });
  }

  // pass hands bytes over, and holds their stream where the module does not keep up.
  pass(kind, stream, bytes) {
    this.emit(kind, stream.id, bytes);
    if (this.onTheWay() < kOnTheWayMax) return;
    stream.from.pause();
    this.#held.add(stream);
  }

  // keptUp is to be called when the module has taken events.
  keptUp() {
    if (this.#held.size === 0 || this.onTheWay() > kOnTheWayMax / 2) return;
    for (const stream of this.#held) stream.from.resume();
    this.#held.clear();
  }

  isHeld(stream) {
    return this.#held.has(stream);
  }

  get(id) {
    return this.#things.get(id);
  }

  add(id, thing) {
    this.#things.set(id, thing);
    return thing;
  }

  stream(id, from, to, drop) {
    return this.add(id, new Stream(id, from, to, this, drop));
  }

  newNumber() {
    return this.#lastOfOurs++;
  }

  tell(message) {
    const thing = this.#things.get(message.id);
    switch (message.op) {
      case 'read': return thing?.read();
      case 'write': return thing?.write(message.bytes);
      case 'drain': return thing?.tellDrained();
      case 'end': return thing?.end();
      case 'close': return this.#close(message.id);
      case 'kill': return thing?.kill(message.signal);
      case 'forget': return this.#things.delete(message.id);
      case 'dial': return dial(this, message);
      case 'standard_streams': return this.#standardStreams(message.id);
      case 'echo': return process.stdin.setRawMode?.(!message.shown);
      case 'signals': return this.#hearSignals(message.id);
      case 'no_signals': return this.#hearNone();
      case 'signal_heard': return clearTimeout(this.#overdue);
      default: throw new Error(`the module tells of ${message.op}`);
    }
  }

  async order(message) {
    try {
      switch (message.op) {
        case 'spawn': await startChild(this, message); return {};
        case 'listen': return { bytes: String(await listen(this, message)) };
        case 'watch': return { bytes: watch(this, message) };
        case 'memory_of': return { bytes: String(this.#things.get(message.id)?.memory() ?? 0) };
        case 'end_by_signal': return await this.#endBySignal(message.signal);
        default: throw new Error(`the module orders ${message.op}`);
      }
    } catch (error) {
      const { code, message: text } = refusalOf(error);
      return { refusal: { code, text } };
    }
  }

  // endAll ends what would outlive us.
  endAll() {
    for (const thing of this.#things.values()) thing.kill?.(9);
  }

  #close(id) {
    this.#things.get(id)?.close();
    this.#things.delete(id);
  }

  #standardStreams(id) {
    const { stdin, stdout } = process;
    this.stream(id, stdin, stdout, () => {
      stdin.pause();
      stdin.removeAllListeners('data');
    });
  }

  // Number 0 is a StopFlag, which waits for no events.
  #hearSignals(id) {
    if (id === 0) this.askToStop(false);
    for (const name of ['SIGINT', 'SIGTERM']) {
      const handler = () => {
        clearTimeout(this.#overdue);
        this.#overdue = setTimeout(() => this.#endOverdue(), kOverdueMs);
        if (id === 0) this.askToStop(true);
        else this.emit(kinds.signal, id, numbers(constants.signals[name]));
      };
      this.#handlers.set(name, handler);
      process.on(name, handler);
    }
  }

  #hearNone() {
    clearTimeout(this.#overdue);
    for (const [name, handler] of this.#handlers) process.off(name, handler);
    this.#handlers.clear();
  }

  #endOverdue() {
    process.stderr.write('plumbline: interrupted in the midst of a long step [cli.interrupted]\n');
    process.exit(130);
  }

  #endBySignal(number) {
    this.#hearNone();
    const name = Object.keys(constants.signals).find((each) => constants.signals[each] === number);
    this.endAll();
    process.kill(process.pid, name);
    return new Promise(() => {});
  }
}
