// Preloaded into servers that choose their address themselves: they listen on the port that they were told, or on
// FIELD_PORT where that is set, but on 127.0.0.1 alone.

import {Server} from 'node:net';

const listen = Server.prototype.listen;
Server.prototype.listen = function(...args) {
  const done = args.find(arg => typeof arg === 'function');
  const wanted = typeof args[0] === 'object' ? args[0].port : args[0];
  return listen.call(this, Number(process.env.FIELD_PORT ?? wanted ?? 0), '127.0.0.1', done);
};
