// An MCP server over stdio that lists the tools of a file and answers every call with "ok":
//   node listed_server.mjs TOOLS CALLS
// TOOLS is the result of a tools/list; each call is appended to CALLS.

import {appendFileSync, readFileSync} from 'node:fs';
import {createInterface} from 'node:readline';

const [toolsPath, callsPath] = process.argv.slice(2);
const {tools} = JSON.parse(readFileSync(toolsPath, 'utf8'));
const say = message => process.stdout.write(`${JSON.stringify({jsonrpc: '2.0', ...message})}\n`);

function resultOf({method, params}) {
  switch (method) {
    case 'initialize':
      return {protocolVersion: params.protocolVersion, capabilities: {tools: {}}, serverInfo: {name: 'listed', version: '1'}};
    case 'tools/list':
      return {tools};
    case 'tools/call': {
      appendFileSync(callsPath, `${JSON.stringify(params)}\n`);
      const structured = tools.find(tool => tool.name === params.name)?.outputSchema;
      return {content: [{type: 'text', text: 'ok'}], ...(structured ? {structuredContent: {}} : {})};
    }
    case 'ping':
      return {};
    default:
      return undefined;
  }
}

createInterface({input: process.stdin}).on('line', line => {
  const request = JSON.parse(line);
  if (request.id === undefined || !request.method) return;
  const result = resultOf(request);
  say(result ? {id: request.id, result} : {id: request.id, error: {code: -32601, message: `no ${request.method}`}});
});
