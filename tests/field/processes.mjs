// Programs of the study: each is a process group of its own, bounded in time, and ended by its own id.

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import net from 'node:net';

const running = new Set();

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

export async function listens(port) {
  const socket = net.connect(port, '127.0.0.1');
  const heard = await Promise.race([once(socket, 'connect').then(() => true, () => false), sleep(1000)]);
  socket.destroy();
  return heard === true;
}

// Program is one process with all that it starts. What it says last is kept for whoever asks why it ended.
export class Program {
  constructor(argv, {env = {}, cwd, keep = 4000} = {}) {
    this.stdout = '';
    this.stderr = '';
    this.child = spawn(argv[0], argv.slice(1),
                       {stdio: ['ignore', 'pipe', 'pipe'], detached: true, cwd, env: {...process.env, ...env}});
    this.child.stdout.setEncoding('utf8').on('data', text => this.stdout = (this.stdout + text).slice(-keep));
    this.child.stderr.setEncoding('utf8').on('data', text => this.stderr = (this.stderr + text).slice(-keep));
    this.ended = new Promise(resolve => {
      this.child.once('error', error => { this.stderr += error.message; resolve(null); });
      this.child.once('close', status => resolve(status));
    });
    this.ended.then(() => this.over = true);
    running.add(this);
  }

  // until returns once somebody listens at `port`, or throws with what the program said.
  async until(port, seconds) {
    for (const end = Date.now() + seconds * 1000; Date.now() < end && !this.over; await sleep(50)) {
      if (await listens(port)) return;
    }
    throw new Error(`${this.over ? 'it ended' : `nothing listens after ${seconds} s`}: ${this.last()}`);
  }

  // status waits for the end, at most `seconds`.
  async status(seconds) {
    const timer = setTimeout(() => this.signal('SIGKILL'), seconds * 1000);
    const status = await this.ended;
    clearTimeout(timer);
    return status;
  }

  async stop() {
    running.delete(this);
    this.signal('SIGTERM');
    await Promise.race([this.ended, sleep(1500)]);
    this.signal('SIGKILL');
    await Promise.race([this.ended, sleep(1500)]);
  }

  signal(name) {
    try { process.kill(-this.child.pid, name); } catch { /* It is gone. */ }
  }

  last() { return (this.stderr + this.stdout).trim().split('\n').slice(-4).join(' | '); }
}

process.on('exit', () => running.forEach(program => program.signal('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

// relayTo stands between the judge and a gateway that cannot start before its server does, which is the judge:
// it takes connections at once and passes them on as soon as the gateway listens at `port`.
export async function relayTo(port) {
  const sockets = new Set();
  const keep = socket => {
    sockets.add(socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket)));
    return socket;
  };
  const server = net.createServer(async front => {
    keep(front).pause();
    while (!front.destroyed && !await listens(port)) await sleep(50);
    const back = keep(net.connect(port, '127.0.0.1'));
    front.pipe(back).pipe(front);
    front.on('close', () => back.destroy());
    back.on('close', () => front.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {port: server.address().port, stop: () => { server.close(); sockets.forEach(each => each.destroy()); }};
}
