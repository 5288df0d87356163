// A client of @ai-sdk/mcp.

import {ElicitationRequestSchema, createMCPClient} from '@ai-sdk/mcp';
import {Experimental_StdioMCPTransport} from '@ai-sdk/mcp/mcp-stdio';

import {command, drive, elicited, patienceMs, url} from './drive.mjs';

const options = {timeout: patienceMs};

async function everyPage(list, member) {
  const found = [];
  for (let cursor, page = 0; page < 100; ++page) {
    const result = await list({params: {cursor}, options});
    found.push(...result[member]);
    if (result.nextCursor === undefined || result.nextCursor === cursor) break;
    cursor = result.nextCursor;
  }
  return found;
}

await drive(async () => {
  const transport = command ? new Experimental_StdioMCPTransport({command: command[0], args: command.slice(1)}) : {type: 'http', url};
  const client = await createMCPClient({transport, capabilities: {elicitation: {}}});
  client.onElicitationRequest(ElicitationRequestSchema, ({params}) => elicited(params));
  return {
    tools: () => everyPage(params => client.listTools(params), 'tools'),
    call: (name, args) => client.callTool({name, arguments: args, options}),
    resources: () => everyPage(params => client.listResources(params), 'resources'),
    read: uri => client.readResource({uri, options}),
    prompts: () => everyPage(params => client.listPrompts(params), 'prompts'),
    get: name => client.getPrompt({name, options}),
    close: () => client.close(),
  };
});
