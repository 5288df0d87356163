// Ten servers with one fault each: a right server, and the place where it is made wrong.

export const right = `import {createInterface} from 'node:readline';

const tools = [{
  name: 'measure_text',
  description: 'Counts the letters and the words of a text that the caller gives.',
  inputSchema: {type: 'object', properties: {text: {type: 'string', description: 'What is counted'}}, required: ['text']},
  outputSchema: {type: 'object', properties: {letters: {type: 'integer'}}, required: ['letters']},
  annotations: {readOnlyHint: true},
}];

function measured(text) {
  const found = {letters: text.length};
  return {content: [{type: 'text', text: JSON.stringify(found)}], structuredContent: found};
}

function called({name, arguments: given}) {
  if (name !== 'measure_text') return {error: {code: -32602, message: 'there is no such tool'}};
  if (typeof given?.text !== 'string') return {result: {content: [{type: 'text', text: 'text has to be a string'}], isError: true}};
  return {result: measured(given.text)};
}

const known = ['2025-06-18', '2025-11-25'];

function answer({method, params = {}}) {
  switch (method) {
    case 'initialize':
      return {result: {protocolVersion: known.includes(params.protocolVersion) ? params.protocolVersion : '2025-11-25',
        capabilities: {tools: {}}, serverInfo: {name: 'measure', version: '1.0.0'}}};
    case 'ping': return {result: {}};
    case 'tools/list': return {result: {tools}};
    case 'tools/call': return called(params);
    default: return {error: {code: -32601, message: 'there is no such method'}};
  }
}

createInterface({input: process.stdin}).on('line', line => {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return console.log(JSON.stringify({jsonrpc: '2.0', id: null, error: {code: -32700, message: 'this is no JSON'}}));
  }
  const {id, method} = message;
  if (id === undefined && typeof method === 'string') return;
  const asks = (typeof id === 'string' || Number.isInteger(id)) && typeof method === 'string' && message.jsonrpc === '2.0';
  const refused = {id: null, error: {code: -32600, message: 'this is no request'}};
  console.log(JSON.stringify({jsonrpc: '2.0', ...asks ? {id, ...answer(message)} : refused}));
});
`;

export const faults = [
  {name: 'schema-type', from: "inputSchema: {type: 'object'", to: "inputSchema: {type: 'dict'"},
  {name: 'schema-without-type', from: "inputSchema: {type: 'object', ", to: 'inputSchema: {'},
  {name: 'unknown-method-code', from: 'code: -32601', to: 'code: -32000'},
  {name: 'ids-as-text', from: '{id, ...answer', to: '{id: String(id), ...answer'},
  {name: 'server-without-version', from: ", version: '1.0.0'", to: ''},
  {name: 'undeclared-tools', from: 'capabilities: {tools: {}}', to: 'capabilities: {}'},
  {name: 'content-type', from: "return {content: [{type: 'text'", to: "return {content: [{type: 'string'"},
  {name: 'output-not-as-declared', from: 'letters: text.length', to: 'letters: String(text.length)'},
  {name: 'error-flag-as-text', from: 'isError: true', to: "isError: 'true'"},
  {name: 'pong', from: "case 'ping': return {result: {}}", to: "case 'ping': return {result: 'pong'}"},
];
