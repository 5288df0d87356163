// More of servers.mjs: errors in other wrappings, and progress under another token.

import {randomUUID} from 'node:crypto';

export const cases = [
  // https://github.com/kaeawc/auto-mobile/issues/6118
  {name: 'progress-token-of-its-own', from: 'kaeawc/auto-mobile#6118', in: ['legacy stdio', 'modern http'], what: 'tells progress with a token of its own making, though the client gave one',
   rules: ['progress.only-active-tokens'], says: /token/,
   change: {said(message, call) { if (call.token !== undefined) call.token = `${message.params?.name}-${Date.now()}`; }}},
  // https://github.com/googleapis/mcp-toolbox/issues/3332
  {name: 'batch-refused-with-a-new-id', from: 'googleapis/mcp-toolbox#3332', in: ['legacy stdio', 'modern http'], what: 'refuses a batch by an error with an id that nobody has used',
   rules: ['jsonrpc.conforms-to-2-0', 'jsonrpc.response-id-matches'], says: /nobody asked/,
   change: {said: message => Array.isArray(message) ? {jsonrpc: '2.0', id: randomUUID(), error: {code: -32600, message: 'not supporting batch requests'}} : undefined}},
  // https://github.com/gensecaihq/Wazuh-MCP-Server/issues/59
  {name: 'error-null-beside-results', from: 'gensecaihq/Wazuh-MCP-Server#59', in: ['legacy stdio', 'modern http'], what: 'writes error: null beside each result',
   rules: ['jsonrpc.response-result-xor-error', 'jsonrpc.conforms-to-2-0', 'schema.messages-validate'], says: /error/,
   change: {answer(message) { return message.result ? {...message, error: null} : message; }}},
  // https://github.com/LIghtJUNction/OniMods/issues/336
  {name: 'numbers-as-wrong-headers', from: 'LIghtJUNction/OniMods#336', in: ['modern http'], what: 'answers -32020, a header that does not match, to a resources/read whose uri is a number',
   rules: ['jsonrpc.invalid-params-code', 'jsonrpc.error-code-defined-meaning'], says: /-32020/,
   change: {answer(message, {message: {method, params}}) { return method === 'resources/read' && typeof params?.uri !== 'string' && message.error ? {...message, error: {code: -32020, message: 'Mcp-Name is not what the body says'}} : message; }}},
  // https://github.com/OpenDCAI/DataFlow-WebUI/pull/81
  {name: 'errors-in-an-envelope', from: 'OpenDCAI/DataFlow-WebUI#81', in: ['legacy http', 'modern http'], what: 'wraps its errors in {success, code, message, data}',
   rules: ['jsonrpc.conforms-to-2-0', 'schema.messages-validate', 'jsonrpc.error-object-code-message', 'jsonrpc.response-result-xor-error'], says: /success|error|jsonrpc/,
   change: {answer: message => message.error ? {success: false, code: message.error.code, message: message.error.message, data: null} : message}},
];
