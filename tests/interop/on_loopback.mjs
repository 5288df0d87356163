// Preloaded into servers that choose their address themselves: whatever they ask for, they listen
// on a free port of 127.0.0.1, and say "listening on PORT" in a line on stdout.

import {Server} from 'node:net';

const listen = Server.prototype.listen;
Server.prototype.listen = function(...args) {
  const done = args.find(arg => typeof arg === 'function');
  return listen.call(this, 0, '127.0.0.1', () => {
    process.stdout.write(`listening on ${this.address().port}\n`);
    done?.call(this);
  });
};
