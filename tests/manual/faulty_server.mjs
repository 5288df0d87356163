// The server whose verdict README.md shows. One mistake is planted in it: it answers the call of a tool
// that it does not have.

import {createInterface} from 'node:readline';

const known = ['2024-11-05', '2025-06-18', '2025-11-25'];
const tools = [{name: 'add', description: 'Adds two numbers.', annotations: {readOnlyHint: true},
                inputSchema: {type: 'object', properties: {a: {type: 'number'}, b: {type: 'number'}}, required: ['a', 'b']}}];
const text = words => ({content: [{type: 'text', text: words}]});
const methods = {
  initialize: ({protocolVersion}) => ({
    protocolVersion: known.includes(protocolVersion) ? protocolVersion : known.at(-1),
    capabilities: {tools: {}}, serverInfo: {name: 'adder', version: '1.0.0'}}),
  ping: () => ({}),
  'tools/list': () => ({tools}),
  'tools/call': ({name, arguments: given = {}}) => name !== 'add' ? text('There is no such tool.')
    : Number.isFinite(given.a) && Number.isFinite(given.b) ? text(String(given.a + given.b))
    : {...text('a and b have to be numbers'), isError: true},
};

const refuse = (id, code, message) => ({jsonrpc: '2.0', id, error: {code, message}});

// respond returns the response to one message; null: it is a notification, or a response.
function respond(message) {
  if (message?.jsonrpc !== '2.0' || Array.isArray(message)) return refuse(null, -32600, 'Invalid request');
  if (message.id === undefined || message.result || message.error) return null;
  if (typeof message.method !== 'string') return refuse(message.id, -32600, 'Invalid request');
  if (typeof message.id !== 'string' && !Number.isInteger(message.id)) return refuse(null, -32600, 'Invalid request');
  const method = methods[message.method];
  if (!method) return refuse(message.id, -32601, 'Method not found');
  return {jsonrpc: '2.0', id: message.id, result: method(message.params ?? {})};
}

createInterface({input: process.stdin}).on('line', line => {
  let response;
  try {
    response = respond(JSON.parse(line));
  } catch {
    response = refuse(null, -32700, 'Parse error');
  }
  if (response !== null) console.log(JSON.stringify(response));
});
