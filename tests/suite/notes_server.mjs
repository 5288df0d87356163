// A server of notes over Streamable HTTP, a JSON answer a request: each user, told apart by the header
// Authorization, has notes of their own. With "leaks" it shows everybody's.
//   node notes_server.mjs PORT [leaks]

import {createServer} from 'node:http';

const [port, leaks] = process.argv.slice(2);
const notes = [];
const tool = (name, properties, reads) => ({name, description: `${name} of the user`, annotations: {readOnlyHint: reads},
  inputSchema: {type: 'object', properties, required: Object.keys(properties)}});
const text = value => ({content: [{type: 'text', text: value}]});

function answer({method, params}, user) {
  if (method === 'initialize') {
    return {protocolVersion: '2025-11-25', capabilities: {tools: {}}, serverInfo: {name: 'notes', version: '1'}};
  }
  if (method === 'tools/list') {
    return {tools: [tool('add_note', {note: {type: 'string'}}, false), tool('list_notes', {}, true), tool('who', {}, true)]};
  }
  if (method !== 'tools/call') return {};
  if (params.name === 'add_note') notes.push({user, note: params.arguments.note});
  if (params.name === 'who') return text(`${user} ${process.env.PLUMBLINE_SEED} ${process.env.PLUMBLINE_CLOCK} ${process.env.SOURCE_DATE_EPOCH}`);
  return text(notes.filter(one => leaks || one.user === user).map(one => one.note).join('\n') || 'none');
}

createServer((request, response) => {
  if (request.method !== 'POST') return response.writeHead(405).end();
  let body = '';
  request.on('data', piece => { body += piece; });
  request.on('end', () => {
    const message = JSON.parse(body);
    if (message.id === undefined) return response.writeHead(202).end();
    const result = answer(message, request.headers.authorization ?? 'nobody');
    response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify({jsonrpc: '2.0', id: message.id, result}));
  });
}).listen(Number(port), '127.0.0.1');
