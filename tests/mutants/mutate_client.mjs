// Stands between `plumbline check client` and a client that is right, and makes the client wrong in
// one way: that of one mutant of client_mutants.mjs. What the judge starts is
//
//   node mutate_client.mjs MUTANT COMMAND ARGS... [URL]     (the URL comes from the judge)
//
// Over HTTP the client gets the URL of a proxy of its own; over stdio PLUMBLINE_SERVER_COMMAND
// starts this program again, with --between, before the judge's relay. A COMMAND that is a .mjs file
// is run in this process, any other as a child.

import {spawn} from 'node:child_process';
import http from 'node:http';
import {createInterface} from 'node:readline';
import {fileURLToPath, pathToFileURL} from 'node:url';

import {mutants} from './client_mutants.mjs';

const self = fileURLToPath(import.meta.url);
const clone = value => value === undefined ? undefined : JSON.parse(JSON.stringify(value));
const key = id => JSON.stringify(id);

// Conversation is what a mutant sees of the client's and the server's messages.
class Conversation {
  constructor(mutant, send, tell) {
    this.mutant = mutant;
    this.send = send;          // Says one message more to the server.
    this.tell = tell;          // Says one message more to the client.
    this.state = {};           // Of the mutant.
    this.asked = new Map();    // The client's requests, by id.
    this.renamed = new Map();  // What the client calls a request whose id was changed.
  }

  // said returns what goes to the server in place of `message`: a list of messages or {raw: text}.
  said(message) {
    if (message?.method !== undefined && message.id !== undefined) this.asked.set(key(message.id), message);
    if (!this.mutant.say) return [message];
    const instead = this.mutant.say(clone(message), this);
    if (instead === undefined) return [];
    return instead?.several ?? [instead];
  }

  // heard returns what the client gets in place of `message`.
  heard(message) {
    if (message?.id !== undefined && message.method === undefined && this.renamed.has(key(message.id))) {
      message = {...message, id: this.renamed.get(key(message.id))};
    }
    if (!this.mutant.hear) return [message];
    const instead = this.mutant.hear(clone(message), this);
    if (instead === undefined) return [];
    return instead?.several ?? [instead];
  }

  // rename gives a request another id, of which the client knows nothing.
  rename(message, id) {
    this.renamed.set(key(id), message.id);
    return {...message, id};
  }

  // request returns the client's request that `response` answers.
  request(response) { return this.asked.get(key(response?.id)); }

  later(ms, act) { setTimeout(act, ms).unref(); }
}

const bytesOf = one => one?.raw !== undefined ? Buffer.from(one.raw) : Buffer.from(JSON.stringify(one));
const parsed = text => { try { return JSON.parse(text); } catch { return undefined; } };

// between speaks with the client on its own streams and with the server that `command` starts.
function between(mutant, command) {
  const server = spawn(command[0], command.slice(1), {stdio: ['pipe', 'pipe', 'inherit']});
  const write = (stream, one) => stream.write(Buffer.concat([bytesOf(one), Buffer.from(one?.end ?? '\n')]));
  const talk = new Conversation(mutant, one => write(server.stdin, one), one => write(process.stdout, one));
  talk.leave = () => { server.kill('SIGKILL'); process.exit(0); };
  mutant.begin?.(talk);
  createInterface({input: process.stdin}).on('line', line => {
    const message = JSON.parse(line);
    for (const one of talk.said(message)) {
      if (one.answer !== undefined) write(process.stdout, {jsonrpc: '2.0', id: message.id, ...one.answer});
      else write(server.stdin, one);
    }
  }).on('close', () => mutant.close ? mutant.close(talk, server) : server.stdin.end());
  createInterface({input: server.stdout}).on('line', line => {
    const message = parsed(line);
    if (message === undefined || message === null || typeof message !== 'object') return process.stdout.write(line + '\n');
    for (const one of talk.heard(message)) write(process.stdout, one);
  });
  server.on('close', () => process.exit(0));
  server.stdin.on('error', () => {});
}

// Events takes a stream of server-sent events apart and gives each on, changed.
class Events {
  constructor(talk, write) {
    this.talk = talk;
    this.write = write;
    this.text = '';
  }
  take(chunk) {
    this.text += chunk;
    for (;;) {
      const end = /\r\n\r\n|\n\n|\r\r/.exec(this.text);
      if (!end) return;
      const block = this.text.slice(0, end.index + end[0].length);
      this.text = this.text.slice(block.length);
      this.give(block);
    }
  }
  give(block) {
    if (this.talk.mutant.event) block = this.talk.mutant.event(block, this.talk);
    if (block === undefined) return;
    const lines = block.split(/\r\n|\n|\r/);
    const data = lines.filter(line => line.startsWith('data:')).map(line => line.slice(5).replace(/^ /, '')).join('\n');
    const message = parsed(data);
    if (message === undefined || message === null || !this.talk.mutant.hear && this.talk.renamed.size === 0) return this.write(block);
    const rest = lines.filter(line => line !== '' && !line.startsWith('data:'));
    for (const one of this.talk.heard(message)) {
      this.write([...rest, `data: ${bytesOf(one)}`, '', ''].join('\n'));
    }
  }
}

const exitAtOnce = process.exit.bind(process);  // Whoever leaves does not wait for what it has said.

// proxy passes HTTP on to the judge's `url` and returns the URL that the client is to use.
async function proxy(mutant, url) {
  const target = new URL(url);
  let lastHeaders = {};  // Of the client's last POST: what the mutant says by itself goes with them.
  const post = (headers, one, answered = () => {}) => {
    const request = {method: 'POST', path: target.pathname, headers: {...headers}, message: one, body: bytesOf(one)};
    forward(request, answered);
  };
  // What a mutant says by itself arrives in the order in which it is said.
  let before = Promise.resolve();
  const say = one => {
    before = before.then(() => new Promise(done => {
      post(lastHeaders, one, answer => { answer.resume(); done(); });
    }));
  };
  const talk = new Conversation(mutant, say, () => {});
  talk.url = url;
  talk.leave = () => exitAtOnce(0);

  // forward sends `request`, changed once more by the mutant.
  function forward(request, answered, failed = () => {}) {
    if (mutant.request && mutant.request(request, talk) === false) return failed();
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([, value]) => value !== undefined));
    delete headers['content-length'];
    delete headers['transfer-encoding'];
    headers.host = target.host;
    if (request.body.length > 0) headers['content-length'] = request.body.length;
    const made = http.request({host: target.hostname, port: target.port, method: request.method, path: request.path, headers}, answered);
    made.on('error', failed);
    made.end(request.body);
    return made;
  }

  function giveBack(response, answer) {
    const headers = {...answer.headers};
    delete headers['content-length'];
    delete headers['transfer-encoding'];
    const changed = {status: answer.statusCode, headers, raw: answer.rawHeaders};
    mutant.response?.(changed, talk);
    const type = answer.headers['content-type'] ?? '';
    if (type.startsWith('text/event-stream')) {
      response.writeHead(changed.status, changed.headers);
      response.flushHeaders();
      const events = new Events(talk, text => response.write(text));
      answer.setEncoding('utf8').on('data', chunk => events.take(chunk));
      answer.on('end', () => response.end());
      answer.on('error', () => response.destroy());
      return;
    }
    const chunks = [];
    answer.on('data', chunk => chunks.push(chunk)).on('error', () => response.destroy());
    answer.on('end', () => {
      let body = Buffer.concat(chunks);
      const message = type.startsWith('application/json') ? parsed(body.toString()) : undefined;
      if (message !== undefined && message !== null) {
        const instead = talk.heard(message);
        if (instead.length === 0) return;  // The client waits.
        body = bytesOf(instead[0]);
      }
      response.writeHead(changed.status, changed.headers).end(body);
    });
  }

  const server = http.createServer((asked, response) => {
    const chunks = [];
    asked.on('data', chunk => chunks.push(chunk)).on('end', () => {
      const body = Buffer.concat(chunks);
      const headers = {...asked.headers};
      delete headers.connection;
      const message = asked.method === 'POST' ? parsed(body.toString()) : undefined;
      if (asked.method === 'POST') lastHeaders = headers;
      const all = message === undefined ? [undefined] : talk.said(message);
      if (all.length === 0) {  // Swallowed: a request waits for ever.
        if (message.method === undefined || message.id === undefined) response.writeHead(202).end();
        return;
      }
      if (all[0]?.answer !== undefined) {  // The mutant answers itself.
        response.writeHead(200, {'content-type': 'application/json', ...all[0].headers});
        return response.end(JSON.stringify({jsonrpc: '2.0', id: message.id, ...all[0].answer}));
      }
      // The answer to the client's own message is the one that it gets.
      const own = Math.max(0, all.findIndex(one => one?.method === message?.method && one?.method !== undefined));
      all.forEach((one, place) => {
        if (place !== own) return post(headers, one, answer => answer.resume());
        const request = {method: asked.method, path: asked.url, headers, message: one, body: one === undefined ? body : bytesOf(one)};
        const made = forward(request, answer => giveBack(response, answer), () => response.destroy());
        response.on('close', () => made?.destroy());
      });
    });
  });
  mutant.begin?.(talk);
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return `http://127.0.0.1:${server.address().port}${target.pathname}`;
}

// run becomes the client that `command` is.
async function run(command) {
  if (command[0].endsWith('.mjs')) {
    process.argv = [process.argv[0], ...command];
    return import(pathToFileURL(command[0]).href);
  }
  const client = spawn(command[0], command.slice(1), {stdio: 'inherit'});
  client.on('exit', (code, signal) => process.exit(signal ? 1 : code));
}

const [first, ...rest] = process.argv.slice(2);
if (first === '--between') {
  between(mutants.find(one => one.name === rest[0]), rest.slice(1));
} else {
  const mutant = mutants.find(one => one.name === first);
  const command = process.env.PLUMBLINE_SERVER_COMMAND;
  if (mutant.start) {
    mutant.start(command ? undefined : rest.at(-1));
  } else if (command) {
    process.env.PLUMBLINE_SERVER_COMMAND =
        JSON.stringify([process.execPath, self, '--between', first, ...JSON.parse(command)]);
    await run(rest);
  } else {
    // What the mutant has begun to say by itself still leaves when the client ends.
    const exit = process.exit;
    process.exit = code => setTimeout(exit, 200, code);
    await run([...rest.slice(0, -1), await proxy(mutant, rest.at(-1))]);
  }
}
