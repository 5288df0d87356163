// Serves a handler of the Fetch API (a Request in, a Response out) over HTTP, as hosts of such handlers do.

import {once} from 'node:events';
import {createServer} from 'node:http';
import {Readable} from 'node:stream';

export function serve(handler, port) {
  createServer(async (request, response) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const body = ['GET', 'HEAD'].includes(request.method) ? undefined : Readable.toWeb(request);
    const answer = await handler(new Request(`http://${request.headers.host}${request.url}`,
                                             {method: request.method, headers: request.headers, body, duplex: 'half', signal: gone.signal}));
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).flushHeaders();
    const reader = answer.body?.getReader();
    gone.signal.addEventListener('abort', () => reader?.cancel().catch(() => {}));
    for (let part; reader && !(part = await reader.read().catch(() => ({done: true}))).done;) {
      if (!response.write(part.value)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
    response.end();
  }).listen(Number(port), '127.0.0.1');
}
