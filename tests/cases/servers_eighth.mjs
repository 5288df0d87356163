// More of servers.mjs: streams that stay open, versions, types of structuredContent.

export const cases = [
  // https://github.com/modelcontextprotocol/java-sdk/issues/1050
  {name: 'unknown-method-stream-stays-open', from: 'modelcontextprotocol/java-sdk#1050', in: ['legacy http'],
   what: 'answers an unknown method with -32601 on an event stream that it never closes; right: the stream ends after the response',
   rules: ['http.sse-terminates-after-response'], says: /unknown method/,
   change: {http(request, response, body) {
     let message = body;
     try { if (typeof body === 'string' || Buffer.isBuffer(body)) message = JSON.parse(String(body)); } catch { return false; }
     const known = /^(initialize|ping|(tools|prompts|resources|completion|logging|tasks|notifications|resources\/templates)\/(list|call|get|read|subscribe|unsubscribe|complete|setLevel|result|cancel)|resources\/templates\/list)$/;
     if (request.method !== 'POST' || !request.headers['mcp-session-id'] || message?.id == null || typeof message.method !== 'string' || known.test(message.method)) return false;
     response.writeHead(200, {'content-type': 'text/event-stream'});
     response.write(`data: ${JSON.stringify({jsonrpc: '2.0', id: message.id, error: {code: -32601, message: 'Method not found'}})}\n\n`);
     return true;
   }}},
  // https://github.com/modelcontextprotocol/java-sdk/issues/957
  {name: 'any-version-header-taken', from: 'modelcontextprotocol/java-sdk#957', in: ['legacy http'],
   what: 'serves requests whose MCP-Protocol-Version is unknown or malformed with 200; right: 400',
   rules: ['http.protocol-version-invalid-400'], says: /version/i,
   change: {http(request) { if (request.headers['mcp-session-id'] && request.headers['mcp-protocol-version']) request.headers['mcp-protocol-version'] = '2025-11-25'; return false; }}},
  // https://github.com/finite-sample/rmcp/issues/14
  {name: 'structured-content-is-an-array', from: 'finite-sample/rmcp#14', in: ['legacy stdio', 'legacy http'],
   what: 'gives structuredContent as an array in the result of every tool; right: an object, or none',
   rules: ['tools.structured-content-object', 'schema.messages-validate'], says: /structuredContent/,
   change: {answer(made, {message}) { return message?.method === 'tools/call' && made.result?.content ? {...made, result: {...made.result, structuredContent: [made.result.content[0]?.text ?? '']}} : made; }}},
];
