// Faults of clients that public reports tell of, each rebuilt small as one change to a right client.
//
//   node clients.mjs NAME [--right] [URL]      as `check client` runs it

import {fileURLToPath} from 'node:url';

import {cases as field} from './clients_field.mjs';
import {cases as forms} from './clients_forms.mjs';
import {cases as reports} from './clients_reports.mjs';
import {cases as sixth} from './clients_sixth.mjs';
import {cases as seventh} from './clients_seventh.mjs';
import {cases as ninth} from './clients_ninth.mjs';
import {cases as tenth} from './clients_tenth.mjs';
import {cases as eleventh} from './clients_eleventh.mjs';
import {cases as twelfth} from './clients_twelfth.mjs';
import {cases as fifteenth} from './clients_fifteenth.mjs';
import {cases as sixteenth} from './clients_sixteenth.mjs';
import {cases as eighteenth} from './clients_eighteenth.mjs';
import {cases as nineteenth} from './clients_nineteenth.mjs';
import {cases as seventeenth} from './clients_seventeenth.mjs';
import {cases as beside} from './clients_beside.mjs';
import {cases as thirteenth} from './clients_thirteenth.mjs';
import {live} from './peers/client.mjs';

const S = '2025-11-25';
const M = '2026-07-28';
const empty = value => value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0;

export const cases = [
  {name: 'arguments-as-array', from: 'modelcontextprotocol/php-sdk#284', in: [`${S} http`, `${M} http`],
   what: 'sends [] for arguments that are {}', rules: ['tools.call-arguments-exact', 'schema.messages-validate'], says: /arguments/,
   change: {out(message) { if (message.method === 'tools/call' && empty(message.params.arguments)) message.params.arguments = []; return message; }}},
  {name: 'params-as-array', from: 'elgorro/aiquila#442', in: [`${S} http`],
   what: 'sends [] for params that are {}', rules: ['jsonrpc.params-by-name', 'jsonrpc.conforms-to-2-0', 'schema.messages-validate'], says: /params/,
   change: {out(message) { if (message.method === 'tools/list' && message.params === undefined) message.params = []; return message; }}},
  {name: 'ping-refused', from: 'vercel/ai#15701', in: [`${S} http`, `${S} stdio`],
   what: 'answers ping with -32601', rules: ['ping.empty-result'], says: /ping/,
   change: {question: ({method}) => method === 'ping' ? {error: {code: -32601, message: 'Unsupported request method'}} : undefined}},
  {name: 'gives-up-on-odd-codes', from: 'anomalyco/opencode#39354', in: [`${M} http`],
   what: 'does not fall back to initialize when discovery comes back as a parse error', rules: ['http.fallback-not-answer-specific'], says: /initialize/,
   change: {refused: (status, error) => error?.code === -32601 ? 'initialize' : 'give up'}},
  {name: 'falls-back-by-status', from: 'rahmanef63/mso#42', in: [`${M} http`],
   what: 'falls back to initialize by the status alone, and gives up at 200 with -32601', rules: ['http.fallback-not-answer-specific'], says: /initialize/,
   change: {refused: status => [400, 404, 405].includes(status) ? 'initialize' : 'give up'}},
  {name: 'one-revision-alone', from: 'just-every/code#611', in: [`${S} http`, `${S} stdio`],
   what: 'gives up when the server agrees to an older revision', rules: ['versioning.client-accepts-older-answer'], says: /older|2025-06-18/,
   change: {version: (asked, got) => asked === got}},
  {name: 'session-in-the-stateless-era', from: 'modelcontextprotocol/go-sdk#1028', in: [`${M} http`],
   what: 'sends back the Mcp-Session-Id that a server of 2026-07-28 wrongly has', rules: ['http.session-id-ignored'], says: /Mcp-Session-Id/i,
   change: {opened(answer, client) { client.told = answer.headers.get('mcp-session-id') ?? client.told; },
            headers(all, message, client) { if (client.told) all['mcp-session-id'] = client.told; return all; }}},
  {name: 'latin-1-pipe', from: 'modelcontextprotocol/java-sdk#898', in: [`${S} stdio`, `${M} stdio`],
   what: 'reads its server in the code page of its machine', rules: ['base.utf8-encoding', 'tools.call-arguments-exact', 'tools.name-case-sensitive'], says: /UTF-8|é|letter/,
   change: {bytes: 'latin1'}},
  {name: 'appends-well-known', from: 'mark3labs/mcp-go#718', in: [`${S} http`],
   what: 'looks for metadata below the path of the server alone', rules: ['auth.client-prm-well-known-fallback', 'auth.client-supports-both-as-discovery', 'auth.as-metadata-order-with-path'], says: /well-known|metadata/,
   change: {wellKnown: (url, name, pointed) => pointed ? undefined : [`${url}/.well-known/${name}`]}},
  {name: 'nests-well-known', from: 'google-gemini/gemini-cli#18798', in: [`${S} http`],
   what: 'takes the address of the metadata for the one of the server', rules: ['auth.well-known-not-nested'], says: /well-known/,
   change: {wellKnown: (url, name, pointed) => pointed ? [`${new URL(pointed).origin}/.well-known/oauth-protected-resource${new URL(pointed).pathname}`] : undefined}},
  {name: 'registers-without-a-method', from: 'onyx-dot-app/onyx#12874', in: [`${S} http`],
   what: 'registers without token_endpoint_auth_method, and then shows no secret', rules: ['auth.dcr-auth-method'], says: /token_endpoint_auth_method|secret/,
   change: {registration({token_endpoint_auth_method, ...rest}) { return rest; }}},
  {name: 'state-decoded', from: 'ai-ecoverse/slicc#1824', in: [`${S} http`],
   what: 'takes any state for its own', rules: ['auth.state-verified'], says: /state/,
   change: {state(text) { return this.mine ?? text; }, authorize(all) { this.mine = all.state; return all; }}},
  {name: 'resource-forgotten-at-token', from: 'clients that name the resource once', in: [`${S} http`],
   what: 'names the resource when it asks for authorization and not for the token', rules: ['auth.resource-in-authorization-and-token', 'auth.resource-always-sent'], says: /resource/,
   change: {token({resource, ...rest}) { return rest; }}},
  {name: 'retries-with-the-same-id', from: 'SEP-2322: retries', in: [`${M} http`, `${M} stdio`],
   what: 'asks again with the id of the request that wanted input', rules: ['mrtr.retry-new-id', 'jsonrpc.request-id-unique-in-session', 'jsonrpc.request-id-unique-in-flight'], says: /id/,
   change: {out(message) { if (message.params?.inputResponses || message.params?.requestState) message.id -= 1; return message; }}},
  {name: 'params-null', from: 'clients that write null for what is absent', in: [`${S} http`],
   what: 'writes null for params that it has not', rules: ['jsonrpc.conforms-to-2-0', 'jsonrpc.params-by-name', 'schema.messages-validate'], says: /params/,
   change: {out(message) { if (message.method && message.params === undefined) message.params = null; return message; }}},
  {name: 'first-page-alone', from: 'philschmid/mcp-cli#206', in: [`${S} http`, `${M} stdio`],
   what: 'lists the first page and takes it for all', rules: ['pagination.both-flows'], says: /page|cursor/,
   change: {more: () => false}},
  {name: 'empty-cursor-is-the-end', from: 'PrefectHQ/fastmcp#5025', in: [`${M} http`],
   what: 'takes a cursor that is an empty text for the end', rules: ['pagination.empty-cursor-not-end'], says: /empty|""/,
   change: {more: cursor => cursor !== ''}},
  {name: 'keeps-a-dead-session', from: 'zonlabs/mcp-ts#164', in: [`${S} http`],
   what: 'goes on with a session that is gone, and fails for ever', rules: ['http.session-404-reinitialize'], says: /404|initialize/,
   change: {gone: () => 'go on'}},
  {name: 'crlf-unread', from: 'modelcontextprotocol/php-sdk#401', in: [`${S} http`, `${M} http`],
   what: 'finds no event in a stream whose lines end in CR LF', rules: ['http.sse-format', 'http.client-supports-both-response-types'], says: /CR/,
   change: {lines: text => text}},
  {name: 'data-line-by-line', from: 'profullstack/sh1pt#705', in: [`${S} http`, `${M} http`],
   what: 'reads each data line of an event by itself', rules: ['http.sse-format', 'http.client-supports-both-response-types'], says: /data/,
   change: {data: all => all.find(line => { try { JSON.parse(line); return true; } catch { return false; } }) ?? ''}},
  {name: 'initialized-misspelt', from: 'app-appplayer/mcp_client#2', in: [`${S} http`, `${S} stdio`],
   what: 'sends "initialized" for notifications/initialized', rules: ['lifecycle.initialized-notification'], says: /initialized/,
   change: {out(message) { if (message.method === 'notifications/initialized') message.method = 'initialized'; return message; }}},
  {name: 'body-wanted-with-202', from: 'egoist/chatwise-releases#1360', in: [`${S} http`],
   what: 'dies when the answer to a notification has no body', rules: ['http.notification-answers-without-body', 'base.core-and-lifecycle-supported'], says: /202/,
   change: {sent: answer => answer.json()}},
  {name: 'type-of-202-unknown', from: 'modelcontextprotocol/java-sdk#748', in: [`${S} http`],
   what: 'dies when the answer to a notification is text/plain', rules: ['http.notification-answers-without-body'], says: /text\/plain/,
   change: {sent(answer) { const type = answer.headers.get('content-type'); if (type && !/json|event-stream/.test(type)) throw new Error(`Unknown media type ${type}`); return answer.arrayBuffer(); }}},
  {name: 'ids-beyond-2-53', from: 'kcaldas/genie#14', in: [`${S} http`, `${S} stdio`, `${M} http`],
   what: 'counts its ids by nanoseconds', rules: ['jsonrpc.request-id-safe'], says: /9007199254740991|2\^53/,
   change: {out(message) { if (message.method && message.id < 2 ** 53) message.id = 2 ** 60 + message.id * 4096; return message; }}},
  {name: 'scope-lost', from: 'open-webui/open-webui#29967', in: [`${S} http`],
   what: 'asks for authorization without the scope that the challenge names', rules: ['auth.scope-selection-order', 'auth.challenge-scopes-authoritative'], says: /scope/,
   change: {authorize({scope, ...rest}) { return rest; }}},
  {name: 'resource-in-registration', from: 'turnstonelabs/turnstone#1082', in: [`${S} http`],
   what: 'registers with a member "resource", which Keycloak refuses', rules: ['auth.dcr-known-members'], says: /resource/,
   change: {registration: all => ({...all, resource: 'http://127.0.0.1/mcp'})}},
  {name: 'no-state', from: 'apify/mcpc#214', in: [`${S} http`],
   what: 'asks for authorization without a state', rules: ['auth.state-sent', 'auth.state-verified'], says: /state/,
   change: {authorize({state, ...rest}) { this.mine = state; return rest; }, state(text) { return text ?? this.mine; }}},
  // What shows with the second request, the second stream, the second question.
  {name: 'id-one-always', from: 'anthropics/claude-ai-mcp#539', in: [`${S} http`],
   what: 'gives every request the id 1', rules: ['jsonrpc.request-id-unique-in-session'], says: /\b1\b/,
   change: {out(message) { if (message.method && 'id' in message) message.id = 1; return message; }}},
  {name: 'cursor-of-this-stream-alone', from: 'modelcontextprotocol/typescript-sdk#2499', in: [`${S} http`],
   what: 'forgets the last event when a resumed stream ends before another came', rules: ['http.resume-with-last-event-id', 'http.sse-client-reconnects'], says: /Last-Event-ID/i,
   change: {cursor: (last, here) => here}},
  {name: 'recovers-calls-alone', from: 'anthropics/claude-code#95018', in: [`${S} http`],
   what: 'opens a new session after 404 where it calls a tool, and nowhere else', rules: ['http.session-404-reinitialize'], says: /404/,
   change: {gone: ({method}) => method === 'tools/call' ? undefined : 'go on'}},
  {name: 'old-session-beside-initialize', from: 'diegosouzapw/OmniRoute#5957', in: [`${S} http`],
   what: 'names the session that is gone when it opens another', rules: ['http.session-404-reinitialize'], says: /session/i,
   change: {headers(all, message) { if (message.method === 'initialize' && this.before) return {...all, 'mcp-session-id': this.before}; this.before = all['mcp-session-id'] ?? this.before; return all; }}},
  {name: 'second-question-unanswered', from: 'clients with one place for a question', in: [`${S} http`, `${S} stdio`],
   what: 'answers the first question of a server and no other', rules: ['jsonrpc.client-answers-each'], says: /second/,
   change: {question({method}) { if (method !== 'elicitation/create') return undefined; this.asked = (this.asked ?? 0) + 1; return this.asked > 1 ? 'nothing' : undefined; }}},
  {name: 'state-without-padding', from: 'kerlenton/mcpsnoop#133', in: [`${M} http`, `${M} stdio`],
   what: 'cuts the = off the end of a requestState', rules: ['mrtr.request-state-echo', 'mrtr.request-state-opaque'], says: /requestState/,
   change: {out(message) { if (typeof message.params?.requestState === 'string') message.params.requestState = message.params.requestState.replace(/[=\s]+$/, ''); return message; }}},
  {name: 'state-of-another-call', from: 'clients that keep the state in one place', in: [`${M} http`, `${M} stdio`],
   what: 'sends the requestState of an earlier call with the calls that follow', rules: ['mrtr.request-state-not-invented', 'mrtr.inputs-scoped-to-retry'], says: /requestState/,
   change: {out(message) { if (message.method !== 'tools/call') return message; if (message.params.requestState !== undefined) this.kept = message.params.requestState; else if (this.kept !== undefined) message.params.requestState = this.kept; return message; }}},
  {name: 'cursor-of-another-list', from: 'clients that keep the cursor in one place', in: [`${S} http`, `${M} stdio`],
   what: 'begins a list with the cursor of the list before', rules: ['pagination.cursor-opaque', 'pagination.both-flows'], says: /cursor/,
   change: {more(cursor) { this.kept = cursor; return true; }, start() { return this.kept; }}},
  {name: 'declares-and-refuses', from: 'mastra-ai/mastra#19192', in: [`${S} http`, `${S} stdio`], what: 'declares elicitation and answers it with -32601',
   rules: ['elicitation.capability-declared', 'lifecycle.only-negotiated-capabilities', 'elicitation.result-action', 'jsonrpc.client-answers-each'], says: /elicitation/,
   change: {question: ({method}) => method === 'elicitation/create' ? {error: {code: -32601, message: 'Method not found'}} : undefined}},
  {name: 'accepts-with-nothing', from: 'openai/codex#21277', in: [`${S} http`, `${M} http`], what: 'accepts every form at once, with {} for what is required',
   rules: ['elicitation.accept-content-matches-schema'], says: /content|required/,
   change: {out(message) {
     if (message.result?.action === 'accept') message.result.content = {};
     for (const answer of Object.values(message.params?.inputResponses ?? {})) if (answer.action === 'accept') answer.content = {};
     return message;
   }}},
  {name: 'questions-dropped', from: 'agentforce314/clawcodex#526', in: [`${S} http`, `${S} stdio`], what: 'drops requests whose method it does not know, unanswered',
   rules: ['jsonrpc.client-answers-each', 'roots.unsupported-32601', 'jsonrpc.method-not-found-code', 'jsonrpc.request-answered'], says: /answer|roots|method/,
   change: {question: ({method}) => ['ping', 'elicitation/create'].includes(method) ? undefined : 'nothing'}},
  {name: 'newest-version-on-the-stream', from: 'modelcontextprotocol/java-sdk#883', in: [`${S} http`], what: 'opens its stream with the revision it asked for, not the one agreed on',
   rules: ['http.protocol-version-is-negotiated', 'http.protocol-version-header'], says: /MCP-Protocol-Version|2025/i,
   change: {headers: (all, {method}) => method === 'GET' ? {...all, 'mcp-protocol-version': S} : all}},
  {name: 'sessions-left-open', from: 'anthropics/claude-code#56456', in: [`${S} http`], what: 'never ends a session with DELETE',
   rules: ['http.session-delete'], says: /DELETE/, change: {headers(all, message, client) { client.close = async () => client.gone?.abort(); return all; }}},
  {name: 'timeouts-uncancelled', from: 'modelcontextprotocol/python-sdk#2514', in: [`${S} http`], what: 'gives up waiting and sends no notifications/cancelled',
   rules: ['cancellation.cancel-on-timeout'], says: /cancel/,
   change: {headers(all, message, client) { const {notify} = Object.getPrototypeOf(Object.getPrototypeOf(client)); client.notify = async (method, params) => method === 'notifications/cancelled' ? undefined : notify.call(client, method, params); return all; }}},
  {name: 'lists-the-undeclared', from: 'modelcontextprotocol/typescript-sdk#155', in: [`${S} http`], what: 'asks for resources and prompts of servers that declare none',
   rules: ['lifecycle.only-negotiated-capabilities', 'prompts.respect-capabilities'], says: /prompts|resources|capabilit/,
   change: {headers(all, message, client) { if (client.server) client.server.capabilities = {...client.server.capabilities, resources: {}, prompts: {}}; return all; }}},
  {name: 'resource-of-the-origin', from: 'anthropics/claude-code#52871', in: [`${S} http`], what: 'names the origin with a slash as the resource, whatever the metadata say',
   rules: ['auth.resource-identifies-server', 'auth.resource-canonical-uri', 'auth.resource-no-trailing-slash', 'auth.resource-most-specific'], says: /resource/,
   change: {authorize: all => ({...all, resource: `${new URL(all.resource).origin}/`}), token: all => ({...all, resource: `${new URL(all.resource).origin}/`}), refresh: all => ({...all, resource: `${new URL(all.resource).origin}/`})}},
  {name: 'step-up-forgets', from: 'modelcontextprotocol/typescript-sdk#1582', in: [`${M} http`], what: 'steps up with the scope of the challenge alone, and loses what it had',
   rules: ['auth.reauth-scope-union'], says: /scope/, change: {scopes: (had, now) => now ?? had}},
  {name: 'refresh-without-resource', from: 'openai/codex#33403', in: [`${S} http`], what: 'leaves the resource out when it refreshes',
   rules: ['auth.resource-in-authorization-and-token', 'auth.resource-always-sent'], says: /resource/, change: {refresh: ({resource, ...rest}) => rest}},
  ...forms,
  ...field,
  ...reports,
  ...sixth, ...seventh, ...ninth, ...tenth, ...eleventh, ...twelfth, ...thirteenth, ...fifteenth, ...sixteenth, ...seventeenth, ...eighteenth, ...nineteenth, ...beside,
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const chosen = cases.find(one => one.name === process.argv[2]);
  if (!chosen) throw new Error(`no case is called ${process.argv[2]}`);
  await live(process.argv.includes('--right') ? chosen.right ?? {} : chosen.change);
}
