// Encodings other than UTF-8, and frames that are none.

import {H11, H26, S03, S06, S11, S26, ids, isNote, notes, result} from './hooks.mjs';

const utf8 = 'base.utf8-encoding';
const described = text => result('tools/list', message => {
  message.result.tools[0].description = text;
});
const cesu = text => Buffer.concat([...text].map(character => {
  if (character.codePointAt(0) < 0x10000) return Buffer.from(character);
  return Buffer.concat([0, 1].map(i => {
    const unit = character.charCodeAt(i);
    return Buffer.from([0xe0 | unit >> 12, 0x80 | unit >> 6 & 63, 0x80 | unit & 63]);
  }));
}));
const latin1 = text => Buffer.from(text, 'latin1');
const charset = {head: head => { if (head.headers['content-type']) head.headers['content-type'] = head.headers['content-type'].replace(/;.*|$/, '; charset=iso-8859-1'); }};

export const encodingMutants = [
  {name: 'latin1', id: utf8, in: [S03, S11, H11, S26, H26], what: 'describes a tool in Latin-1', ...described('répète'), bytes: latin1},
  {name: 'latin1-echoed', id: utf8, in: [S11, H11, S26, H26], what: 'writes Latin-1, when it has to say more than ASCII', bytes: latin1},
  {name: 'latin1-declared', id: utf8, in: [H11, H26], what: 'describes a tool in Latin-1 and says so', ...described('répète'), bytes: latin1, ...charset},
  {name: 'utf16', id: utf8, in: [S11, S26, H26], what: 'writes UTF-16', bytes: text => Buffer.from(text, 'utf16le')},
  {name: 'cesu8', id: utf8, in: [S11, H11, S26, H26], what: 'writes a character beyond 16 bits as two', ...described('says it again \u{1f600}'), bytes: cesu},
  {name: 'cesu8-echoed', id: utf8, in: [S11, H26], what: 'writes what it repeats beyond 16 bits as two', bytes: cesu},
  {name: 'overlong', id: utf8, in: [S11, S26, H26], what: 'writes a slash in two bytes', ...described('in and\u0001or out'),
   bytes: text => Buffer.concat(text.split('\\u0001').flatMap((part, i) => i ? [Buffer.from([0xc0, 0xaf]), Buffer.from(part)] : [Buffer.from(part)]))},
  {name: 'windows1252-errors', id: utf8, in: [S06, H26], what: 'writes an apostrophe of Windows in its errors',
   answer: message => message.error ? {...message, error: {...message.error, message: `it\u0092s wrong`}} : message, bytes: latin1},
  {name: 'reads-latin1', id: [utf8, 'jsonrpc.response-id-matches'], in: [S11, H11, S26, H26], what: 'reads what it gets as Latin-1',
   ...ids(id => typeof id === 'string', id => Buffer.from(id).toString('latin1'))},
];

const only = 'stdio.stdout-only-mcp';
export const framingMutants = [
  {name: 'pretty', id: 'stdio.no-embedded-newlines', in: [S11, S26], what: 'writes messages over several lines',
   bytes: text => text.startsWith('{') ? JSON.stringify(JSON.parse(text), null, 2) : text},
  {name: 'pretty-errors', id: 'stdio.no-embedded-newlines', in: [S06, S26], what: 'writes errors over several lines',
   bytes: text => /"error":/.test(text) ? JSON.stringify(JSON.parse(text), null, 2) : text},
  {name: 'banner', id: only, in: [S03, S11, S26], what: 'says hello on stdout', begin: c => c.say('Server is running on stdio')},
  {name: 'debug-line', id: only, in: [S11, S26], what: 'writes a line on stdout with each call',
   said: (message, c) => { if (message.method === 'tools/call') c.say(`calling ${message.params?.name}`); return message; }},
  {name: 'debug-json', id: only, in: [S11, S26], what: 'writes JSON that is no message with each call',
   said: (message, c) => { if (message.method === 'tools/call') c.say({tool: message.params?.name}); return message; }},
  {name: 'two-on-a-line', id: ['stdio.newline-delimited', 'stdio.single-message-lines'], in: [S06, S11], what: 'writes progress and log on one line',
   answer: (message, c) => {
     if (message.method === 'notifications/progress') { c.memory.held = message; return undefined; }
     const held = c.memory.held;
     delete c.memory.held;
     return held ? JSON.stringify(held) + JSON.stringify(message) : message;
   }},
  {name: 'array', id: ['jsonrpc.no-batching', 'stdio.single-message-lines'], in: [S06, S11], what: 'sends arrays of messages',
   answer: (message, c) => c.method(message) === 'tools/list' ? JSON.stringify([message]) : message},
  {name: 'array-notes', id: ['jsonrpc.no-batching', 'stdio.single-message-lines'], in: [S11], what: 'sends its notifications in arrays',
   ...notes('', message => JSON.stringify([message]))},
  {name: 'array', id: 'jsonrpc.no-batching', in: [H11], what: 'answers in arrays',
   answer: (message, c) => c.method(message) === 'tools/list' ? JSON.stringify([message]) : message},
];
