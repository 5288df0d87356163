// What both servers do before a request reaches the SDK.

// refusesOrigin answers 403 to pages of other hosts, and returns whether it did.
export function refusesOrigin(request, response) {
  const {origin, host} = request.headers;
  if (origin === undefined || origin === `http://${host}`) return false;
  response.writeHead(403).end();
  return true;
}

export async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
