// The server whose verdict README.md shows. Two mistakes are planted in it: it does not know `ping`,
// and it answers the call of a tool that it does not have.

import {createInterface} from 'node:readline';

const known = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const tools = [{name: 'add', description: 'Adds two numbers.', annotations: {readOnlyHint: true},
                inputSchema: {type: 'object', properties: {a: {type: 'number'}, b: {type: 'number'}}, required: ['a', 'b']}}];
const text = words => ({content: [{type: 'text', text: words}]});
const methods = {
  initialize: ({protocolVersion}) => ({
    protocolVersion: known.includes(protocolVersion) ? protocolVersion : known.at(-1),
    capabilities: {tools: {}}, serverInfo: {name: 'adder', version: '1.0.0'}}),
  'tools/list': () => ({tools}),
  'tools/call': ({arguments: given = {}}) => Number.isFinite(given.a) && Number.isFinite(given.b)
    ? text(String(given.a + given.b)) : {...text('a and b have to be numbers'), isError: true},
};

// respond returns the response to one message; null: it is a notification.
function respond(message) {
  if (message.id === undefined) return null;
  const answer = body => ({jsonrpc: '2.0', id: message.id, ...body});
  const method = methods[message.method];
  if (!method) return answer({error: {code: -32601, message: 'Method not found'}});
  return answer({result: method(message.params ?? {})});
}

createInterface({input: process.stdin}).on('line', line => {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    message = null;
  }
  const isBatch = Array.isArray(message);
  const responses = message === null
    ? {jsonrpc: '2.0', id: null, error: {code: -32700, message: 'Parse error'}}
    : isBatch ? message.map(respond).filter(Boolean) : respond(message);
  if (responses !== null && (!isBatch || responses.length > 0)) console.log(JSON.stringify(responses));
});
