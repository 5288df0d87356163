// Ids whose type or value changes, and notifications that have one.

import {H03, H06, H11, H26, S03, S06, S11, S26, ids, isAnswer, isAsk, isError, isNote, notes, parsed, reply} from './hooks.mjs';

const matches = 'jsonrpc.response-id-matches';
const errorMatches = 'jsonrpc.error-id-matches';
const isString = id => typeof id === 'string';
const isNumber = id => typeof id === 'number';
const errorIds = change => ({answer: message => isError(message) ? change({...message}) : message});

// asks gives the server's own requests other ids, and the answers to them the old ones.
const asks = change => ({
  answer: (message, c) => {
    if (!isAsk(message)) return message;
    const id = change(message.id, c);
    (c.memory.mine ??= []).push([JSON.stringify(id), message.id]);
    return {...message, id};
  },
  said: (message, c) => {
    const at = isAnswer(message) ? c.memory.mine?.findIndex(([id]) => id === JSON.stringify(message.id)) ?? -1 : -1;
    return at < 0 ? message : {...message, id: c.memory.mine.splice(at, 1)[0][1]};
  }});

export const idMutants = [
  {name: 'id-digits-as-number', id: matches, in: [S06, S11, H11, S26, H26], what: 'gives back ids of digits as numbers',
   ...ids(id => isString(id) && /^\d+$/.test(id), Number)},
  {name: 'id-number-as-string', id: matches, in: [S03, S11, H06, H11, S26, H26], what: 'gives back numbers as strings', ...ids(isNumber, String)},
  {name: 'id-zero-null', id: matches, in: [S11, H11, S26, H26], what: 'takes the id 0 for none', ...ids(id => id === 0, () => null)},
  {name: 'id-negative-positive', id: matches, in: [S11, S26, H26], what: 'drops the sign of ids', ...ids(id => id < 0, Math.abs)},
  {name: 'id-32-bits', id: matches, in: [S11, H11, S26, H26], what: 'keeps 32 bits of ids', ...ids(isNumber, id => id | 0)},
  {name: 'id-empty-null', id: matches, in: [S11, S26, H26], what: 'takes the id "" for none', ...ids(id => id === '', () => null)},
  {name: 'id-lower-case', id: matches, in: [S11, H11, H26], what: 'gives back ids in lower case', ...ids(isString, id => id.toLowerCase())},
  {name: 'id-cut', id: matches, in: [S11, H26], what: 'keeps 32 characters of ids', ...ids(isString, id => id.slice(0, 32))},
  {name: 'id-error-null', id: matches, in: [S03, S11, H11], what: 'has null as the id of errors', ...errorIds(message => ({...message, id: null}))},
  {name: 'id-error-null', id: errorMatches, in: [S26, H26], what: 'has null as the id of errors', ...errorIds(message => ({...message, id: null}))},
  {name: 'id-error-none', id: matches, in: [S06, H11], what: 'has no id in errors', ...errorIds(({id, ...message}) => message)},
  {name: 'id-error-none', id: errorMatches, in: [S26, H26], what: 'has no id in errors', ...errorIds(({id, ...message}) => message)},
  {name: 'id-error-string', id: matches, in: [S11, H06], what: 'has the id of errors as a string', ...errorIds(message => ({...message, id: String(message.id)}))},
  {name: 'id-error-string', id: errorMatches, in: [S26, H26], what: 'has the id of errors as a string', ...errorIds(message => ({...message, id: String(message.id)}))},
  {name: 'id-answered-twice', id: [matches, 'jsonrpc.conforms-to-2-0'], in: [S11, S26], what: 'answers calls twice',
   answer: (message, c) => c.method(message) === 'tools/call' ? [message, message] : message},
  {name: 'id-request-null', id: 'jsonrpc.request-id-not-null', in: [S11, H11], what: 'asks under the id null', ...asks(() => null)},
  {name: 'id-request-fraction', id: 'jsonrpc.request-id-string-or-integer', in: [S11, H11], what: 'asks under fractions', ...asks(id => id + 0.5)},
  {name: 'id-request-boolean', id: 'jsonrpc.request-id-string-or-integer', in: [S06], what: 'asks under the id true', ...asks(() => true)},
  {name: 'id-request-repeats', id: 'jsonrpc.request-id-unique-in-session', in: [S11, H11], what: 'asks everything under the id 1', ...asks(() => 1)},
];

const noId = 'jsonrpc.notification-no-id';
const noResponse = 'jsonrpc.notification-no-response';
const toNotification = (which, made) => ({
  said: (message, c) => {
    if (isNote(message) && which(message)) setTimeout(() => c.say(made), 5);
    return message;
  }});
const known = /^notifications\/(initialized|cancelled|progress|roots)/;
const accepted = made => ({
  request: request => {
    const message = parsed(request);
    return message && !Array.isArray(message) && isNote(message) ? made : undefined;
  }});

export const notificationMutants = [
  {name: 'note-with-id', id: noId, in: [S11, H11, S26, H26], what: 'has ids in its notifications',
   ...notes('', (message, c) => ({...message, id: c.memory.notes = (c.memory.notes ?? 9000) + 1}))},
  {name: 'note-with-null', id: noId, in: [S06, H11, S26, H26], what: 'has null as the id of notifications', ...notes('', message => ({...message, id: null}))},
  {name: 'note-log-with-id', id: noId, in: [S11, H26], what: 'has ids in its log', ...notes('notifications/message', message => ({...message, id: 'log'}))},
  {name: 'note-change-with-id', id: noId, in: [S11, S26, H26], what: 'has an id where it tells of changes',
   ...notes('', message => /updated|list_changed/.test(message.method) ? {...message, id: 0} : message)},
  {name: 'note-answered', id: noResponse, in: [S03, S11, S26], what: 'answers notifications', ...toNotification(() => true, {jsonrpc: '2.0', id: null, result: {}})},
  {name: 'note-unknown-refused', id: noResponse, in: [S06, S11, S26], what: 'answers notifications that it does not know with an error',
   ...toNotification(message => !known.test(message.method), {jsonrpc: '2.0', id: null, error: {code: -32601, message: 'Method not found'}})},
  {name: 'note-200', id: 'http.notification-202', in: [H03, H11, H26], what: 'answers notifications with 200',
   ...accepted(reply(200, undefined, ''))},
  {name: 'note-204', id: 'http.notification-202', in: [H11, H26], what: 'answers notifications with 204', ...accepted(reply(204, undefined, ''))},
  {name: 'note-body', id: 'http.notification-202', in: [H06, H11, H26], what: 'has a body in its 202', ...accepted(reply(202, {jsonrpc: '2.0', result: {}, id: null}))},
];
