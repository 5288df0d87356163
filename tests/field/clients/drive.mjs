// What every client of the study does in a scenario of `plumbline check client`, whatever it is written with: it
// lists what is there, uses each once, and leaves. docs/porting-a-client.md says what it is told.

export const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
export const command = JSON.parse(process.env.PLUMBLINE_SERVER_COMMAND ?? 'null');
export const url = command ? undefined : process.argv.at(-1);
export const patienceMs = 4000;
const scenario = process.env.PLUMBLINE_SCENARIO ?? process.env.MCP_CONFORMANCE_SCENARIO ?? '';

export const sampled = {role: 'assistant', model: 'none', stopReason: 'endTurn', content: {type: 'text', text: 'sampled'}};

// elicited accepts a form: what it requires has its default, or something of its type.
export function elicited({requestedSchema: {properties = {}, required = []} = {}} = {}) {
  const examples = {boolean: true, integer: 1, number: 1, array: []};
  const filled = ({default: usual, enum: [first] = [], oneOf: [option] = [], type} = {}) =>
    usual ?? first ?? option?.const ?? examples[type] ?? 'filled';
  return {action: 'accept', content: Object.fromEntries(required.map(name => [name, filled(properties[name])]))};
}

async function attempt(what, work) {
  try {
    return await work();
  } catch (error) {
    console.error(`${what}: ${error?.message ?? error}`);
    return undefined;
  }
}

const made = schema => Object.fromEntries(Object.entries(schema?.properties ?? {})
    .filter(([, {type}]) => type === 'number').map(([name]) => [name, 1]));

// drive has `open` return a client: tools() with `call(name, arguments)`, and what else it can do of resources(),
// read(uri), prompts(), get(name), close().
export async function drive(open) {
  const client = await open();
  const tools = await attempt('tools', () => client.tools()) ?? [];
  const calls = context.toolCalls ?? tools.map(tool => ({name: tool.name, arguments: made(tool.inputSchema)}));
  for (const one of calls) await attempt(one.name, () => client.call(one.name, one.arguments ?? {}));
  for (let round = 0; round < (scenario === 'caching' ? 2 : 1); ++round) {
    for (const {uri} of await attempt('resources', () => client.resources?.()) ?? []) await attempt(uri, () => client.read(uri));
  }
  for (const {name} of await attempt('prompts', () => client.prompts?.()) ?? []) await attempt(name, () => client.get(name));
  await attempt('close', () => client.close?.());
  process.exit(0);
}
