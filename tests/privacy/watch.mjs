// What a program and its children try to reach, and which files they make: as the kernel is asked for
// it, by strace. No library and no child can go around that.

import {spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';

const calls = ['connect', 'sendto', 'sendmsg', 'sendmmsg', 'bind', 'listen', 'getsockname',
               'openat', 'open', 'creat', 'mkdir', 'mkdirat', 'symlinkat', 'linkat'];

// start runs `words` under strace, which writes `log`; `options` are those of spawn.
export function start(words, log, options) {
  const strace = ['-f', '--seccomp-bpf', '-qq', '-xx', '-s', '2000', '-o', log, '-e', `trace=${calls.join()}`];
  return spawn('strace', [...strace, '--', ...words], options);
}

const plain = text => text.replace(/(?:\\x[0-9a-f]{2})+/g, found =>
  Buffer.from(found.replaceAll('\\x', ''), 'hex').toString('latin1'));

// addressIn returns the socket address in a call, "HOST:PORT" or "unix:PATH"; '' when there is none.
function addressIn(call) {
  const unix = /sun_path=(@?)"([^"]*)"/.exec(call);
  if (unix) return `unix:${unix[1]}${plain(unix[2]).replace(/\0.*$/s, '')}`;
  const port = /sin6?_port=htons\((\d+)\)/.exec(call)?.[1];
  const four = /sin_addr=inet_addr\("([^"]*)"\)/.exec(call)?.[1];
  const six = /inet_pton\(AF_INET6, "([^"]*)"/.exec(call)?.[1];
  if (port === undefined) return '';
  return four !== undefined ? `${plain(four)}:${port}` : `[${plain(six ?? '')}]:${port}`;
}

// questionsIn returns the names that the packets of a call to a name server ask for.
function questionsIn(call) {
  const names = [];
  for (const [, packet] of call.matchAll(/"((?:\\x[0-9a-f]{2})+)"/g)) {
    const bytes = Buffer.from(packet.replaceAll('\\x', ''), 'hex');
    const labels = [];
    let at = 12;
    while (at < bytes.length && bytes[at] !== 0) {
      labels.push(bytes.subarray(at + 1, at + 1 + bytes[at]).toString('latin1'));
      at += bytes[at] + 1;
    }
    if (labels.length > 0) names.push(labels.join('.'));
  }
  return names;
}

const isNameServer = address => /:53$/.test(address) && !address.startsWith('unix:');

// seen reads a log: {tried, made}. `tried` are addresses, "dns:NAME" for a name that was looked up;
// not those of a socket that the program or a child listened at itself. `made` are the paths of files
// and folders that were opened to be written, or made.
export function seen(log) {
  const tried = new Set(), own = new Set(), made = new Set(), asked = new Set();
  const unfinished = new Map();
  for (let line of readFileSync(log, 'latin1').split('\n')) {
    // A call during which another process made one stands in two lines.
    const parted = /^(\d+) +(.*) <unfinished \.\.\.>$/.exec(line);
    if (parted) {
      unfinished.set(parted[1], parted[2]);
      continue;
    }
    const resumed = /^(\d+) +<\.\.\. \w+ resumed>(.*)$/.exec(line);
    if (resumed) line = `${resumed[1]} ${unfinished.get(resumed[1]) ?? ''}${resumed[2]}`;
    const found = /^(\d+) +(\w+)\((\d*)(.*)$/.exec(line);
    if (!found) continue;
    const [, process, name, descriptor, rest] = found;
    const socket = `${process} ${descriptor}`;
    const address = addressIn(rest);
    if (name === 'bind' || name === 'getsockname') {
      if (address !== '') own.add(address);
    } else if (name === 'connect') {
      if (isNameServer(address)) asked.add(socket);
      else if (address !== '') tried.add(address);
      if (!isNameServer(address)) asked.delete(socket);
    } else if (name.startsWith('send')) {
      if (asked.has(socket) || isNameServer(address)) questionsIn(rest).forEach(each => tried.add(`dns:${each}`));
      else if (address !== '') tried.add(address);
    } else if (/^(open|openat)$/.test(name) ? /O_(WRONLY|RDWR|CREAT|TRUNC)/.test(rest) : name !== 'listen') {
      const path = /"([^"]*)"/.exec(rest)?.[1];
      if (path !== undefined && !/ = -1 /.test(rest)) made.add(plain(path));
    }
  }
  for (const address of own) tried.delete(address);
  return {tried: [...tried].sort(), made: [...made].sort()};
}
