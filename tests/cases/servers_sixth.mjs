// More of servers.mjs: beats between messages, hints that are null, and arguments that a schema allows.

import {say} from './peers/server.mjs';

const readOnly = {readOnlyHint: true};

export const cases = [
  // https://github.com/PhilflowIO/dav-mcp/issues/31
  {name: 'heartbeats-as-messages', from: 'PhilflowIO/dav-mcp#31', in: ['legacy http', 'modern http'], what: 'keeps streams alive by events with data that is JSON and no message',
   rules: ['http.sse-format', 'jsonrpc.conforms-to-2-0', 'schema.messages-validate', 'http.sse-data-is-json-rpc'], says: /heartbeat|jsonrpc|message/,
   change: {http(request, response) {
     const open = response.writeHead.bind(response);
     response.writeHead = (status, headers) => {
       open(status, headers);
       if (!/event-stream/.test(headers?.['Content-Type'] ?? '')) return;
       const beat = setInterval(() => response.writableEnded || response.write(`data: {"type":"heartbeat","timestamp":"${new Date().toISOString()}"}\n\n`), 150);
       response.on('close', () => clearInterval(beat));
     };
   }}},
  // https://github.com/r33drichards/mcp-js/pull/117
  {name: 'null-hints', from: 'r33drichards/mcp-js#117', in: ['legacy stdio', 'modern http'], what: 'lists a tool whose annotations have null for the hints that were not set',
   rules: ['schema.messages-validate', 'tools.annotations-types'], says: /null|destructiveHint|title/,
   change: {tools: [{name: 'today', description: 'The day of the week', inputSchema: {type: 'object', properties: {}, additionalProperties: false},
     annotations: {title: null, readOnlyHint: true, destructiveHint: null, idempotentHint: null, openWorldHint: null}, run: () => say('Friday')}]}},
  // https://github.com/hahwul/gori/issues/1140
  {name: 'allowed-arguments-refused', from: 'hahwul/gori#1140', in: ['legacy stdio', 'modern http'], what: 'refuses arguments that its schema does not name, though the schema lets others be',
   rules: ['tools.valid-arguments-taken'], says: /additionalProperties|not nam|other argument|extra/,
   change: {tools: [{name: 'count_words', description: 'Counts the words of a text', annotations: readOnly, lax: true,
     inputSchema: {type: 'object', properties: {text: {type: 'string'}}, required: ['text']},
     run(given) {
       const odd = Object.keys(given).find(name => name !== 'text');
       if (odd) return say(`unknown argument for 'count_words': ${odd}`, {isError: true});
       return typeof given.text === 'string' ? say(String(given.text.split(' ').length)) : say('text must be a string', {isError: true});
     }}]},
   right: {tools: [{name: 'count_words', description: 'Counts the words of a text', annotations: readOnly,
     inputSchema: {type: 'object', properties: {text: {type: 'string'}}, required: ['text']},
     run: ({text}) => say(String(text.split(' ').length))}]}},
];
