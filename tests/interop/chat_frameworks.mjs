// A scripted model under agents of two frameworks that others have written: the AI SDK and
// LangChain. They call their tools, stream, and try again as they do with the provider. One line a
// step; exit status 1 when one fails.
//
//   node chat_frameworks.mjs PLUMBLINE NODE_MODULES_PARENT

import {createRequire} from 'node:module';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

import {Commands, expect} from './commands.mjs';

const [program, modules] = process.argv.slice(2);
const require = createRequire(join(modules, 'package.json'));
const load = name => import(pathToFileURL(require.resolve(name)));
const {generateText, streamText, tool, jsonSchema, isStepCount, stepCountIs} = await load('ai');
const {createOpenAI} = await load('@ai-sdk/openai');
const {ChatOpenAI} = await load('@langchain/openai');
const {HumanMessage, ToolMessage} = await load('@langchain/core/messages');

const commands = new Commands(program);
const script = join(commands.folder, 'model.json');
writeFileSync(script, JSON.stringify({turns: [
  {when: 'weather', role: 'user', always: true, text: 'Let me look.',
   calls: [{name: 'get_weather', arguments: {city: 'Bern'}}, {name: 'get_weather', arguments: {city: 'Thun'}}]},
  {role: 'tool', always: true, text: 'It is {{celsius}} degrees out.'},
  {when: 'busy', fails: {status: 429, message: 'busy', retry_after_ms: 20}},
  {when: 'busy', text: 'Now there is time.'}, {when: 'refuse', fails: {status: 401, message: 'no such key'}},
  {when: 'break off', text: 'One two three four.', cut_after: 2}, {when: 'hello', always: true, text: 'Hi, and welcome.'},
]}));
const server = commands.start(['serve', script, '--model', '--http', '127.0.0.1:0']);
const baseURL = await commands.urlOf(server);
const city = {type: 'object', properties: {city: {type: 'string'}}, required: ['city'], additionalProperties: false};
const refused = async work => { try { await work(); } catch (error) { return error; } };

// The AI SDK, over Chat Completions.
const model = createOpenAI({baseURL, apiKey: 'any'}).chat('gpt-any');
const asked = [];
const tools = {get_weather: tool({description: 'The weather in a city.', inputSchema: jsonSchema(city),
  execute: async input => { asked.push(input.city); return {celsius: 21}; }})};
const stopWhen = (isStepCount ?? stepCountIs)(4);
const agent = await generateText({model, prompt: 'What is the weather?', tools, stopWhen});
expect(agent.text === 'It is 21 degrees out.' && asked.join() === 'Bern,Thun', 'AI SDK: its agent calls both tools and answers');
expect(agent.usage.totalTokens > 0, 'AI SDK: knows what it took');
const stream = streamText({model, prompt: 'hello'});
const pieces = [];
for await (const piece of stream.textStream) pieces.push(piece);
expect(pieces.length > 1 && pieces.join('') === 'Hi, and welcome.', 'AI SDK: streams');
expect(await stream.finishReason === 'stop', 'AI SDK: knows why it ended');
const busy = await generateText({model, prompt: 'busy'});
expect(busy.text === 'Now there is time.', 'AI SDK: asks again after 429');
const key = await refused(() => generateText({model, prompt: 'refuse', maxRetries: 0}));
expect(key?.statusCode === 401 && key.message.includes('no such key'), 'AI SDK: is told of a refusal');

// LangChain.
const chat = new ChatOpenAI({model: 'gpt-any', apiKey: 'any', configuration: {baseURL}, maxRetries: 2, streamUsage: true});
const weather = {type: 'function', function: {name: 'get_weather', description: 'The weather in a city.', parameters: city}};
const bound = chat.bindTools([weather]);
const question = new HumanMessage('What is the weather?');
const first = await bound.invoke([question]);
expect(first.tool_calls.map(call => call.args.city).join() === 'Bern,Thun', 'LangChain: gets both calls');
const second = await bound.invoke([question, first,
  ...first.tool_calls.map(call => new ToolMessage({tool_call_id: call.id, content: '{"celsius": 21}'}))]);
expect(second.content === 'It is 21 degrees out.', 'LangChain: answers with what came of them');
expect(second.usage_metadata?.total_tokens > 0, 'LangChain: knows what it took');
let whole;
let chunks = 0;
for await (const chunk of await bound.stream([question])) {
  ++chunks;
  whole = whole ? whole.concat(chunk) : chunk;
}
expect(chunks > 3 && whole.content === 'Let me look.' && whole.tool_calls.map(call => call.args.city).join() === 'Bern,Thun',
  'LangChain: streams text and calls');
const cut = await refused(async () => { for await (const _ of await chat.stream([new HumanMessage('break off')])); });
expect(cut !== undefined, 'LangChain: is told of an answer that breaks off');
server.child.kill('SIGTERM');
expect((await server.ended).status === 0, 'it ends when it is told to');
process.exit(0);
