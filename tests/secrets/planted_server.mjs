// A server that tells secrets wherever it can: in what it says of itself and of its tools, in results, errors, logs and on stderr.
// It writes all that it gets to a file: its command line, its variables, every line.
//   node planted_server.mjs LOG PLACES ERRORS [ANYTHING...]     the forms at these places of the table: 0,16,32; ERRORS: true, where it answers with errors

import {appendFileSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {forms, placed} from './forms.mjs';

const [log, places, errors, ...words] = process.argv.slice(2);
const own = places.split(',').map(place => forms[place]);
const told = own.map(placed);
const texts = own.flatMap(form => form.note === undefined ? [] : [`${form.mark} says\n${form.note}`]);
const write = what => appendFileSync(log, JSON.stringify(what) + '\n');
const send = message => process.stdout.write(JSON.stringify({jsonrpc: '2.0', ...message}) + '\n');
const schema = {type: 'object', properties: {priority: {type: 'string', enum: ['low', 'high']}, status: {type: 'string', enum: ['open', 'closed']}}};
write({argv: words, variables: Object.fromEntries(Object.entries(process.env).filter(([name]) => name.includes('PLANT')))});

const answers = {
  initialize: params => ({protocolVersion: params.protocolVersion, capabilities: {tools: {}, logging: {}}, serverInfo: {name: 'planted', version: '1'},
                          instructions: texts.join('\n'), told}),
  ping: () => ({told}),
  'logging/setLevel': () => ({}),
  'tools/list': () => ({tools: [
    {name: 'search_tickets', description: 'Search support tickets by priority and status', inputSchema: schema, annotations: {readOnlyHint: true}, _meta: {told}},
    ...own.map(form => ({name: `tell_${form.number}`, title: form.mark, description: `Tells ${form.note ?? form.mark}`, inputSchema: {type: 'object'}}))]}),
  'tools/call': () => ({content: texts.map(text => ({type: 'text', text})), structuredContent: {tickets: told}}),
};

for await (const line of createInterface({input: process.stdin})) {
  write({line});
  let message;
  try { message = JSON.parse(line); } catch { continue; }
  process.stderr.write(`error: ${texts.join('\n')}\n`);
  if (message.id === undefined) {
    send({method: 'notifications/message', params: {level: 'error', logger: 'planted', data: told}});
    continue;
  }
  const answer = answers[message.method];
  if (answer && !(errors === 'true' && message.method !== 'initialize')) {
    send({id: message.id, result: answer(message.params)});
  } else {
    send({id: message.id, error: {code: -32603, message: texts.join('; '), data: told}});
  }
}
