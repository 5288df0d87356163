// Sockets: dialled and listened for, with TLS and without.
import * as dns from 'node:dns/promises';
import * as fs from 'node:fs';
import * as net from 'node:net';
import * as tls from 'node:tls';

import { kinds, numbers, textBytes } from './events.mjs';
import { Refusal, wordsOf } from './refusals.mjs';

const kNextAddressMs = 3000;  // How long an address may stay silent while there is another one.
const kHandshakeMs = 10000;
const kNamesShown = 3;

const day = (text) => new Date(text).toISOString().slice(0, 10);

// certificateRefusal says why a certificate is not trusted, in the words of the native program.
function certificateRefusal(error, certificate) {
  const names = (certificate?.subjectaltname ?? '').split(', ').filter((each) => /^(DNS|IP Address):/.test(each))
    .map((each) => each.replace(/^[^:]*:/, '').replace(/[^!-~]/g, '?').slice(0, 100));
  switch (error.code) {
    case 'ERR_TLS_CERT_ALTNAME_INVALID': {
      const more = names.length > kNamesShown ? ', ...' : '';
      return `it is for ${names.slice(0, kNamesShown).join(', ') || 'no host'}${more}`;
    }
    case 'CERT_HAS_EXPIRED': return `it expired on ${day(certificate.valid_to)}`;
    case 'CERT_NOT_YET_VALID': return `it is not valid before ${day(certificate.valid_from)}`;
    case 'DEPTH_ZERO_SELF_SIGNED_CERT': return 'it is signed by itself alone';
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY': case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'CERT_SIGNATURE_FAILURE': case 'SELF_SIGNED_CERT_IN_CHAIN': case 'UNABLE_TO_GET_ISSUER_CERT':
      return 'no authority that is trusted here has signed it';
    default: return undefined;
  }
}

function authorities({ authorities: file }) {
  const named = file || process.env.SSL_CERT_FILE;
  if (named) {
    try {
      return fs.readFileSync(named);
    } catch (error) {
      throw new Refusal('server.ca-file', `cannot use ${named} as certificates of authorities: ${wordsOf(error)}`);
    }
  }
  const system = tls.getCACertificates?.('system') ?? [];
  return system.length > 0 ? system : undefined;
}

// failureOf returns the payload of a dial that has failed: the id of the error, and its words.
function failureOf(error, { host, name }) {
  const first = error.errors?.[0] ?? error;
  const told = (id, words) => textBytes(`${id} ${words}`);
  if (first instanceof Refusal) return told(first.code, first.message);
  if (['ENOTFOUND', 'EAI_NONAME', 'EAI_NODATA'].includes(first.code)) return told('server.no-host', `there is no host "${host}"`);
  const failed = first.syscall === 'getaddrinfo' ? `the name "${host}" cannot be looked up` : `cannot connect to ${name}`;
  return told('server.no-connection', `${failed}: ${wordsOf(first)}`);
}

function secure(plain, message) {
  const { host, tls: wanted } = message;
  const options = {
    socket: plain, ALPNProtocols: wanted.alpn, ca: authorities(wanted), rejectUnauthorized: false,
    servername: net.isIP(host) ? undefined : host, host, allowHalfOpen: true,
  };
  return new Promise((resolve, reject) => {
    const socket = tls.connect(options, () => {
      const error = socket.authorized ? undefined : socket.authorizationError;
      if (!wanted.verify || error === undefined || error === null) return resolve(socket);
      const refused = typeof error === 'string' ? { code: error } : error;
      const why = certificateRefusal(refused, socket.getPeerCertificate()) ?? refused.message ?? refused.code;
      socket.destroy();
      return reject(new Refusal('server.not-trusted', `the certificate of "${host}" is refused: ${why}`));
    });
    socket.once('error', (error) => reject(error.code?.startsWith('ERR_SSL') || error.reason
      ? new Refusal('server.tls', `TLS with "${host}" failed: ${error.reason ?? error.message}`)
      : new Refusal('server.tls-ended', 'the peer went away during the handshake of TLS')));
  });
}

function connected({ host, port }) {
  return new Promise((resolve, reject) => {
    if (host === '') return reject(new Refusal('server.host-unnamed', 'the host has no name'));
    const socket = net.connect({
      host, port, allowHalfOpen: true, noDelay: true,
      autoSelectFamily: true, autoSelectFamilyAttemptTimeout: kNextAddressMs,
    });
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
    return undefined;
  });
}

// dial tells when the stream of this number is open, or why it is not.
export async function dial(host, message) {
  let given = false;
  const asked = host.add(message.id, { close() { given = true; } });
  try {
    let socket = await connected(message);
    if (message.tls) socket = await secure(socket, message);
    if (given) return socket.destroy();
    host.stream(message.id, socket, socket, () => socket.destroy());
    return host.emit(kinds.open, message.id, textBytes(socket.remoteAddress ?? ''));
  } catch (error) {
    if (asked && !given) host.emit(kinds.failed, message.id, failureOf(error, message));
    return undefined;
  }
}

async function ownAddress(host) {
  try {
    const found = await dns.lookup(host, { all: true });
    return (found.find(({ family }) => family === 4) ?? found[0]).address;
  } catch {
    throw new Refusal('', `there is no host "${host}" to listen at`);
  }
}

function readFor(file, what) {
  try {
    return fs.readFileSync(file);
  } catch (error) {
    throw new Refusal('', `cannot use ${file} as ${what}: ${wordsOf(error)}`);
  }
}

function secureServer({ certificate, key }) {
  const files = { cert: readFor(certificate, 'the certificate of a server'), key: readFor(key, 'the key of a server') };
  try {
    return tls.createServer({
      ...files, ALPNProtocols: ['http/1.1'], allowHalfOpen: true, handshakeTimeout: kHandshakeMs, pauseOnConnect: true,
    });
  } catch (error) {
    throw new Refusal('', `cannot use ${key} as the key of ${certificate}: ${error.reason ?? error.message}`);
  }
}

// listen returns the port.
export async function listen(host, message) {
  const server = message.tls ? secureServer(message.tls)
    : net.createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true });
  const address = await ownAddress(message.host);
  await new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new Refusal('', `cannot listen at ${message.name}: ${wordsOf(error)}`)));
    server.listen({ host: address, port: message.port }, resolve);
  });
  server.on('error', () => {});
  server.on('tlsClientError', () => {});
  server.on(message.tls ? 'secureConnection' : 'connection', (socket) => {
    const id = host.newNumber();
    host.stream(id, socket, socket, () => socket.destroy());
    const peer = textBytes(socket.remoteAddress ?? '');
    const payload = new Uint8Array(4 + peer.length);
    payload.set(numbers(id));
    payload.set(peer, 4);
    host.emit(kinds.accepted, message.id, payload);
  });
  host.add(message.id, { close: () => server.close() });
  return server.address().port;
}
