// What wrong gateways say and look at: gateway.mjs hands them each call, and each answer to it.

import {textOf} from './gateway.mjs';

export const json = {'content-type': 'application/json'};

export const isRequest = message => Boolean(message && message.method && 'id' in message);
export const isStream = answer => (answer.headers['content-type'] ?? '').startsWith('text/event-stream');

// uses returns whether a call is a request of one of these methods, and answers whether what is said answers it.
export const uses = (call, ...methods) => isRequest(call.message) && methods.includes(call.message.method);
export const answers = (said, call) => Boolean(said) && !said.method && said.id === call.message?.id;

// end answers instead of the server.
export function end({response}, status, value, headers = {}) {
  response.writeHead(status, {...value === undefined ? {} : json, ...headers});
  response.end(value === undefined ? undefined : textOf(value));
  return true;
}
