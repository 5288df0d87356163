// For programs that cannot say which port the system has chosen for them.

import {once} from 'node:events';
import net from 'node:net';

// freePort returns a port of 127.0.0.1 that was free a moment ago.
export async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const {port} = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
