// More of clients.mjs, by a stranger: handshakes, sessions, streams that are not there, cursors, refreshing.

const S = '2025-11-25';
const M = '2026-07-28';
let dead = false;

export const cases = [
  // https://github.com/metoro-io/mcp-golang/pull/127
  {name: 'initialized-never-sent', from: 'metoro-io/mcp-golang#127', in: [`${S} http`, `${S} stdio`],
   what: 'sends no notifications/initialized, and goes on with requests',
   rules: ['lifecycle.initialized-notification'], says: /initialized/,
   change: {tells: method => method !== 'notifications/initialized'}},
  // https://github.com/QwenLM/qwen-code/issues/8784
  {name: 'no-stream-no-connection', from: 'QwenLM/qwen-code#8784', in: [`${S} http`],
   what: 'takes 404 to the GET for the standing stream for the end of the whole connection',
   rules: ['http.get-405-tolerated'], says: /GET|stream|404/i,
   change: {standing(answer) { if (answer.status === 404) dead = true; },
            fetch(url, init) { if (dead) throw new Error('Streamable HTTP error: Failed to open SSE stream: Not Found'); return fetch(url, init); }}},
  // https://github.com/MCPJam/inspector/pull/4462
  {name: 'empty-cursor-ends-the-list', from: 'MCPJam/inspector#4462', in: [`${M} http`, `${M} stdio`],
   what: 'takes a nextCursor that is an empty text for the end of the list',
   rules: ['pagination.empty-cursor-not-end'], says: /cursor/i,
   change: {more: cursor => cursor !== ''}},
  // https://github.com/anomalyco/opencode/issues/38891
  {name: 'session-never-named', from: 'anomalyco/opencode#38891', in: [`${S} http`],
   what: 'sends no Mcp-Session-Id after initialize',
   rules: ['http.session-id-echoed'], says: /session/i,
   change: {headers({'mcp-session-id': _, ...all}) { return all; }}},
  // https://github.com/apify/mcpc/issues/3
  {name: 'refresh-looks-below-the-server', from: 'apify/mcpc#3', in: [`${S} http`],
   what: 'looks for the token endpoint to refresh at below the address of the server alone, and gives up with an expired token when it is not there',
   rules: ['auth.client-parses-www-authenticate', 'auth.client-reads-as-metadata', 'auth.well-known-not-nested', 'auth.client-forms-taken', 'auth.new-token-used'], says: /refresh|metadata|well-known|expire|token/i,
   change: {async fetch(url, init) {
     const answer = await fetch(url, init);
     if (answer.status !== 401 || !init.headers.authorization) return answer;
     for (const name of ['oauth-authorization-server', 'openid-configuration']) {
       const found = await fetch(`${url}/.well-known/${name}`);
       await found.arrayBuffer();
       if (found.ok) return answer;
     }
     await answer.arrayBuffer();
     throw new Error(`Could not find OAuth token endpoint for ${url}. Please re-authenticate`);
   }}},
];
