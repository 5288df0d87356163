// A scripted model as OpenAI's own client meets it: whole, as a stream, with tools, and when it goes
// wrong. One line a step; exit status 1 when one fails.
//
//   node chat_clients.mjs PLUMBLINE NODE_MODULES_PARENT

import {createRequire} from 'node:module';
import {join} from 'node:path';

import {Commands, expect} from './commands.mjs';

const [program, modules] = process.argv.slice(2);
const OpenAI = createRequire(join(modules, 'package.json'))('openai').default;
const example = join(import.meta.dirname, '../../examples/model.json');
const commands = new Commands(program);
const server = commands.start(['serve', example, '--model', '--http', '127.0.0.1:0']);
const baseURL = await commands.urlOf(server);
const client = new OpenAI({baseURL, apiKey: 'any', timeout: 10_000});
const weather = {type: 'function', function: {name: 'get_weather', parameters: {type: 'object', properties: {city: {type: 'string'}}}}};
const said = (...messages) => ({model: 'gpt-any', messages, tools: [weather]});
const user = content => ({role: 'user', content});

const models = await client.models.list();
expect(models.data[0].id === 'scripted', 'lists its model');

const first = await client.chat.completions.create(said(user('What is the weather?')));
const call = first.choices[0].message.tool_calls[0];
expect(first.choices[0].finish_reason === 'tool_calls' && JSON.parse(call.function.arguments).city === 'Bern', 'calls a tool');
const second = await client.chat.completions.create(said(user('What is the weather?'), first.choices[0].message,
  {role: 'tool', tool_call_id: call.id, content: '{"celsius": 21}'}));
expect(second.choices[0].message.content === 'It is 21 degrees out.', 'uses what came of it');
expect(second.usage.total_tokens > 0, 'tells what it took');

const events = [];
const stream = client.chat.completions.stream({...said(user('What is the weather?')), stream_options: {include_usage: true}});
stream.on('content', piece => events.push(piece));
const streamed = await stream.finalChatCompletion();
expect(events.join('') === 'Let me look.' && streamed.choices[0].message.tool_calls[0].function.arguments === '{"city":"Bern"}' &&
  streamed.usage.total_tokens > 0, 'the same as a stream');

// Between pieces that come as they are said there is nothing to read for a moment. Where this machine
// is busy they may be read all at once, and are asked for again.
async function readInPieces(stream) {
  const chunks = stream[Symbol.asyncIterator]();
  for (let text = '', pauses = 0;;) {
    const next = chunks.next();
    pauses += await Promise.race([next.then(() => 0), new Promise(done => setImmediate(done, 1))]);
    const {done, value} = await next;
    if (done) return {text, pauses};
    text += value.choices[0]?.delta?.content ?? '';
  }
}
let slow = {};
for (let tries = 0; tries < 20 && !(slow.pauses > 2); ++tries) {
  slow = await readInPieces(await client.chat.completions.create({...said(user('slowly')), stream: true}));
}
expect(slow.text === 'One word after the other.' && slow.pauses > 2, 'pieces come as they are said');

const busy = await client.chat.completions.create(said(user('busy')));
expect(busy.choices[0].message.content === 'Now there is time.', 'is asked again after 429, when it said');
const impatient = new OpenAI({baseURL, apiKey: 'any', maxRetries: 0, timeout: 10_000});
const refused = async work => { try { await work(); } catch (error) { return error; } };
const cut = await refused(async () => {
  for await (const _ of await impatient.chat.completions.create({...said(user('break off')), stream: true}));
});
expect(cut !== undefined && !(cut instanceof OpenAI.APIError && cut.status), 'an answer that breaks off is an error');
const garbage = await refused(() => impatient.chat.completions.create(said(user('garbage'))));
expect(garbage !== undefined, 'garbage is an error');
const badly = await client.chat.completions.create(said(user('badly')));
expect(badly.choices[0].message.tool_calls[0].function.arguments === '{"city": ', 'arguments that are no JSON come as they are');
const unanswered = await refused(() => impatient.chat.completions.create(said(first.choices[0].message, user('and?'))));
expect(unanswered?.status === 400, 'a call without its answer is refused');
server.child.kill('SIGTERM');
expect((await server.ended).status === 0, 'it ends when it is told to');
process.exit(0);
