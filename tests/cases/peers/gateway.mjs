// A right reverse proxy: hands each request on to one server and its answer back, as it comes. A case changes one thing.
//
//   request(call)        before it goes out: {method, headers, body, message}, to change; true when it has answered
//   head(status, headers, call)   of the answer, to change; may return another status
//   back(answer, call)      the answer as it comes: true when it has been dealt with; call.send() sends the request again
//   message(said, call)  each message of the server, of JSON and of streams; returns what the client gets, null for nothing
//   left(call)           when the client is gone or has its answer
//   late(call)           whether the head of a stream waits for its first event
//   broken(call)         the connection to the server broke: true when nobody is told
//   path(to)             where requests go, of the address of the server
//   raw                  whether redirects of the server are handed back as they are
//
// A change may set `status` of a call whose answer is JSON.

import http from 'node:http';

const ofConnection = ['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding', 'upgrade'];
const parse = text => { try { return JSON.parse(text); } catch { return undefined; } };

// own takes out what is of one connection alone (RFC 9110, 7.6.1).
export function own(headers) {
  const named = (headers.connection ?? '').toLowerCase().split(',').map(name => name.trim());
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.includes(name) && !named.includes(name)));
}

export const textOf = message => JSON.stringify(message);

async function bodyOf(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

class Relay {
  constructor(change, to, request, response) {
    Object.assign(this, {change, to, request, response, method: request.method, headers: own(request.headers)});
  }

  async run() {
    this.body = await bodyOf(this.request);
    this.message = parse(this.body.toString('utf8'));
    if (await this.change.request?.(this)) return;
    this.response.on('close', () => { this.upstream?.destroy(); this.change.left?.(this); });
    this.send();
  }

  send() {
    const headers = {...this.headers, host: this.to.host};
    delete headers['content-length'];
    if (this.body.length || this.method === 'POST') headers['content-length'] = String(this.body.length);
    const {hostname, port, pathname, search} = this.to;
    const upstream = http.request({host: hostname, port, path: this.change.path?.(this.to) ?? pathname + search, method: this.method, headers, agent: false}, answer => this.back(answer));
    upstream.on('error', () => this.lost());
    this.upstream = upstream;
    upstream.end(this.body);
  }

  lost() {
    if (this.change.broken?.(this)) return;
    if (!this.response.headersSent) this.response.writeHead(502);
    this.response.end();
  }

  async back(answer) {
    if (await this.change.back?.(answer, this)) return undefined;
    const headers = own(answer.headers);
    const type = headers['content-type'] ?? '';
    if (!this.change.raw && headers.location?.startsWith(`${this.to.origin}/`)) headers.location = `http://${this.request.headers.host}${headers.location.slice(this.to.origin.length)}`;
    const status = this.change.head?.(answer.statusCode, headers, this) ?? answer.statusCode;
    if (!this.change.message || !/json|event-stream/.test(type)) {
      this.response.writeHead(status, headers);
      if (!this.change.late?.(this)) this.response.flushHeaders();
      answer.on('error', () => this.cut());
      return answer.pipe(this.response);
    }
    delete headers['content-length'];
    if (type.startsWith('application/json')) return this.whole(answer, status, headers);
    this.response.writeHead(status, headers);
    if (!this.change.late?.(this)) this.response.flushHeaders();
    return this.stream(answer);
  }

  cut() {
    if (!this.change.broken?.(this)) this.response.destroy();
  }

  async whole(answer, status, headers) {
    const text = (await bodyOf(answer)).toString('utf8');
    const said = parse(text);
    const made = said === undefined ? undefined : await this.change.message(said, this);
    this.response.writeHead(this.status ?? status, headers);
    this.response.end(made === undefined || made === said ? text : made === null ? '' : textOf(made));
  }

  stream(answer) {
    let rest = '';
    const one = async block => {
      const data = block.split('\n').filter(line => line.startsWith('data:')).map(line => line.slice(5).replace(/^ /, '')).join('\n');
      const said = parse(data);
      const made = said === undefined ? undefined : await this.change.message(said, this);
      if (made === null) return;
      const others = block.split('\n').filter(line => !line.startsWith('data:')).join('\n');
      this.response.write(made === undefined || made === said ? `${block}\n\n` : `${others ? `${others}\n` : ''}data: ${textOf(made)}\n\n`);
    };
    let before = Promise.resolve();
    answer.setEncoding('utf8').on('data', text => {
      const blocks = (rest + text).replaceAll('\r\n', '\n').replace(/\r(?!$)/g, '\n').split('\n\n');  // A last CR may be half of CR LF.
      rest = blocks.pop();
      for (const block of blocks) before = before.then(() => one(block));
    });
    answer.on('end', () => before.then(() => /\n\r$/.test(rest) ? one(rest.slice(0, -2)) : undefined).then(() => this.response.end()));
    answer.on('error', () => this.cut());
  }
}

export function relay(change, port, url) {
  const to = new URL(url);
  http.createServer((request, response) => new Relay(change, to, request, response).run().catch(() => response.destroy()))
      .listen(port, '127.0.0.1');
}
