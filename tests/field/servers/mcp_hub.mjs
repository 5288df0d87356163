// Starts mcp-hub with one server behind it:  node mcp_hub.mjs FOLDER PORT URL
// It listens before it knows its own paths, so PORT opens once they are there.
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {connect, createServer} from 'node:net';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';

const [folder, port, url] = process.argv.slice(2);
const config = join(folder, 'hub.json');
const holder = createServer().listen(0, '127.0.0.1');
await once(holder, 'listening');
const inner = holder.address().port;
holder.close();
await once(holder, 'close');
writeFileSync(config, JSON.stringify({mcpServers: {judged: {url}}}));
process.argv.splice(2, 3, '--port', inner, '--config', config);
await import('mcp-hub/dist/cli.js');
const there = async () => {
  const answer = await fetch(`http://127.0.0.1:${inner}/mcp`).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok;
};
while (!await there()) await wait(100);
createServer(socket => {
  const onward = connect(inner, '127.0.0.1');
  socket.pipe(onward).pipe(socket);
  socket.on('error', () => onward.destroy());
  onward.on('error', () => socket.destroy());
}).listen(port, '127.0.0.1');
