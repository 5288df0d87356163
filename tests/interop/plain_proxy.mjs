// A plain HTTP proxy on a free port of the loopback: what `check gateway` is tried on. Prints its
// port. With "buffered" it keeps each answer back until it is whole.
//
//   node plain_proxy.mjs PORT_OF_THE_SERVER [buffered]

import http from 'node:http';

const [serverPort, manner] = process.argv.slice(2);

// own takes out what is of the client's connection alone (RFC 9110, 7.6.1).
function own({connection = '', 'keep-alive': _, 'proxy-authorization': __, te: ___, ...headers}) {
  for (const name of connection.toLowerCase().split(',')) delete headers[name.trim()];
  return headers;
}

const proxy = http.createServer((request, response) => {
  const forwarded = http.request(
    {host: '127.0.0.1', port: serverPort, method: request.method, path: request.url, headers: own(request.headers)},
    answer => {
      answer.on('error', () => response.destroy());
      if (manner !== 'buffered') {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
        return;
      }
      const chunks = [];
      answer.on('data', chunk => chunks.push(chunk));
      answer.on('end', () => response.writeHead(answer.statusCode, answer.headers).end(Buffer.concat(chunks)));
    });
  forwarded.on('error', () => response.destroy());
  response.on('close', () => forwarded.destroy());
  request.pipe(forwarded);
});
proxy.listen(0, '127.0.0.1', () => console.log(`listening on ${proxy.address().port}`));
setTimeout(() => process.exit(1), 120_000).unref();
process.stdin.resume().on('end', () => process.exit(0));
