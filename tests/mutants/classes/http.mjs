// Headers that mirror the body, where a request comes from, sessions, and types of content.

import {H03, H06, H11, H26, heals, parsed, reply, status} from './hooks.mjs';

const mismatch = 'http.header-body-mismatch-rejected';
const required = 'http.missing-required-header-rejected';
const refusal = (request, code) => ({jsonrpc: '2.0', id: parsed(request)?.id ?? null, error: {code, message: 'Header mismatch'}});
const nameOf = message => message.params?.name ?? message.params?.uri;
// trusts makes one header fit before the server looks, where `which` says so.
const trusts = (header, which) => ({
  request: request => {
    const message = parsed(request);
    if (!message?.method || message.id === undefined) return;
    const right = header === 'mcp-method' ? message.method : header === 'mcp-name' ? nameOf(message)
        : message.params?._meta?.['io.modelcontextprotocol/protocolVersion'];
    const found = request.headers[header];
    if (right !== undefined && typeof right === 'string' && /^[!-~ ]*$/.test(right) && which(found, right, message)) request.headers[header] = right;
  }});
const differs = (found, right) => found !== undefined && found !== right;
const lacking = found => found === undefined;
const of = (method, which) => (found, right, message) => message.method === method && which(found, right);
const params = (change, method = 'tools/call') => ({request: (request, c) => {
  const message = parsed(request);
  return message?.method === method ? change(request, message, c) : undefined;
}});
const region = 'mcp-param-region';
const plain = text => /^[!-~]*$/.test(text);
const fitsRegion = (request, message) => {
  const value = message.params?.arguments?.region;
  if (typeof value === 'string') request.headers[region] = plain(value) ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
  else delete request.headers[region];
};
// inExactCase refuses requests that spell a header otherwise.
const inExactCase = spelled => ({
  request: request => spelled.toLowerCase() in request.headers && !request.raw.includes(spelled) ? reply(400, refusal(request, -32020)) : undefined});

export const headerMutants = [
  {name: 'method-unchecked', id: mismatch, in: [H26], what: 'does not compare Mcp-Method', ...trusts('mcp-method', differs)},
  {name: 'method-any-case', id: mismatch, in: [H26], what: 'compares Mcp-Method without case', ...trusts('mcp-method', (found, right) => found?.toLowerCase() === right.toLowerCase())},
  {name: 'method-prefix', id: mismatch, in: [H26], what: 'compares the first part of Mcp-Method alone',
   ...trusts('mcp-method', (found, right) => differs(found, right) && found.split('/')[0] === right.split('/')[0])},
  {name: 'name-unchecked', id: mismatch, in: [H26], what: 'does not compare Mcp-Name', ...trusts('mcp-name', differs)},
  {name: 'name-unchecked-call', id: mismatch, in: [H26], what: 'does not compare Mcp-Name of tools', ...trusts('mcp-name', of('tools/call', differs))},
  {name: 'name-unchecked-read', id: mismatch, in: [H26], what: 'does not compare Mcp-Name of resources', ...trusts('mcp-name', of('resources/read', differs))},
  {name: 'name-unchecked-get', id: mismatch, in: [H26], what: 'does not compare Mcp-Name of prompts', ...trusts('mcp-name', of('prompts/get', differs))},
  {name: 'name-any-case', id: mismatch, in: [H26], what: 'compares Mcp-Name without case', ...trusts('mcp-name', (found, right) => found?.toLowerCase() === right.toLowerCase())},
  {name: 'version-unchecked', id: 'http.protocol-version-mismatch-rejected', in: [H26], what: 'does not compare the versions', ...trusts('mcp-protocol-version', differs)},
  {name: 'version-trusted', id: 'http.protocol-version-mismatch-rejected', in: [H26], what: 'believes the header with the version alone',
   request: request => {
     const message = parsed(request);
     const asked = message?.params?._meta;
     if (!asked?.['io.modelcontextprotocol/protocolVersion'] || !request.headers['mcp-protocol-version']) return;
     asked['io.modelcontextprotocol/protocolVersion'] = request.headers['mcp-protocol-version'];
     request.body = JSON.stringify(message);
   }},
  {name: 'no-method', id: required, in: [H26], what: 'does without Mcp-Method', ...trusts('mcp-method', lacking)},
  {name: 'no-name', id: required, in: [H26], what: 'does without Mcp-Name', ...trusts('mcp-name', lacking)},
  {name: 'no-name-call', id: required, in: [H26], what: 'does without Mcp-Name of tools', ...trusts('mcp-name', of('tools/call', lacking))},
  {name: 'no-name-read', id: required, in: [H26], what: 'does without Mcp-Name of resources', ...trusts('mcp-name', of('resources/read', lacking))},
  {name: 'no-name-get', id: required, in: [H26], what: 'does without Mcp-Name of prompts', ...trusts('mcp-name', of('prompts/get', lacking))},
  {name: 'no-version', id: ['http.missing-version-header-rejected', required], in: [H26], what: 'does without the version header', ...trusts('mcp-protocol-version', lacking)},
  {name: 'mismatch-32602', id: 'http.header-validation-400-32020', in: [H26], what: 'calls wrong headers invalid params',
   answer: message => message.error?.code === -32020 ? {...message, error: {...message.error, code: -32602}} : message},
  {name: 'mismatch-32600', id: 'http.header-validation-400-32020', in: [H26], what: 'calls wrong headers invalid requests',
   answer: message => message.error?.code === -32020 ? {...message, error: {...message.error, code: -32600}} : message},
  {name: 'mismatch-32001', id: 'http.header-validation-400-32020', in: [H26], what: 'has an older code for wrong headers',
   answer: message => message.error?.code === -32020 ? {...message, error: {...message.error, code: -32001}} : message},
  {name: 'mismatch-200', id: 'http.header-validation-400-32020', in: [H26], what: 'answers wrong headers with 200', ...status(-32020, 200)},
  {name: 'mismatch-409', id: 'http.header-validation-400-32020', in: [H26], what: 'answers wrong headers with 409', ...status(-32020, 409)},
  {name: 'mismatch-bare', id: 'http.header-validation-400-32020', in: [H26], what: 'answers wrong headers without a message', answer: message => message.error?.code === -32020 ? '' : message},
  {name: 'name-not-decoded', id: 'http.base64-decode-before-compare', in: [H26], what: 'decodes no Mcp-Name',
   request: request => request.headers['mcp-name']?.startsWith('=?base64?') ? reply(400, refusal(request, -32020)) : undefined},
  {name: 'name-upper-sentinel', id: 'http.base64-sentinel-exact', in: [H26], what: 'knows the sentinel in any case',
   request: request => { request.headers['mcp-name'] &&= request.headers['mcp-name'].replace(/^=\?base64\?/i, '=?base64?'); }},
  {name: 'case-method', id: 'http.header-names-case-insensitive', in: [H26], what: 'knows Mcp-Method in this case alone', ...inExactCase('Mcp-Method')},
  {name: 'case-version', id: 'http.header-names-case-insensitive', in: [H26], what: 'knows the version header in this case alone', ...inExactCase('MCP-Protocol-Version')},
  {name: 'case-session', id: 'http.header-names-case-insensitive', in: [H06, H11], what: 'knows the session header in this case alone', ...inExactCase('Mcp-Session-Id')},
  {name: 'param-unchecked', id: 'http.param-header-validated', in: [H26], guarded: true, what: 'does not compare parameters', ...params((request, message) => { if (region in request.headers) fitsRegion(request, message); })},
  {name: 'param-any-case', id: 'http.param-header-validated', in: [H26], guarded: true, what: 'compares parameters without case',
   ...params((request, message) => { if (request.headers[region]?.toLowerCase() === String(message.params?.arguments?.region).toLowerCase()) fitsRegion(request, message); })},
  {name: 'param-not-needed', id: 'http.param-header-missing-rejected', in: [H26], guarded: true, what: 'does without headers of parameters', ...params((request, message) => { if (!(region in request.headers)) fitsRegion(request, message); })},
];

const origin = 'http.origin-validated';
const believes = which => ({request: (request, c) => { if (request.headers.origin !== undefined && which(request.headers.origin, request)) delete request.headers.origin; }});
const forbids = made => ({head: (head, request) => { if (head.status === 403 && request.headers.origin !== undefined) head.status = made; }});
const own = request => `http://${request.headers.host}`;
export const originMutants = [
  {name: 'origin-any', id: origin, in: [H03, H06, H11, H26], what: 'does not look at Origin', ...believes(() => true)},
  {name: 'origin-get', id: origin, in: [H06, H11], what: 'does not look at the Origin of a GET', ...believes((_, request) => request.method === 'GET')},
  {name: 'origin-delete', id: origin, in: [H11], what: 'does not look at the Origin of a DELETE', ...believes((_, request) => request.method === 'DELETE')},
  {name: 'origin-post', id: origin, in: [H11], what: 'does not look at the Origin of a POST', ...believes((_, request) => request.method === 'POST')},
  {name: 'origin-initialize', id: origin, in: [H06, H11], what: 'does not look at Origin once there is a session', ...believes((_, request) => request.headers['mcp-session-id'] !== undefined)},
  {name: 'origin-prefix', id: origin, in: [H11, H26], what: 'takes an Origin that begins like its own', ...believes((found, request) => found.startsWith(`http://${request.headers.host.split(':')[0]}`))},
  {name: 'origin-name', id: origin, in: [H11, H26], what: 'takes an Origin that has its name in it', ...believes((found, request) => found.includes(request.headers.host.split(':')[0]))},
  {name: 'origin-null', id: origin, in: [H11, H26], what: 'takes the Origin null', ...believes(found => found === 'null')},
  {name: 'origin-400', id: 'http.origin-invalid-403', in: [H11, H26], what: 'refuses an Origin with 400', ...forbids(400)},
  {name: 'origin-401', id: 'http.origin-invalid-403', in: [H11, H26], what: 'refuses an Origin with 401', ...forbids(401)},
  {name: 'origin-200', id: ['http.origin-invalid-403', origin], in: [H11, H26], what: 'refuses an Origin with a 200 and an error',
   request: request => request.method === 'POST' && request.headers.origin !== undefined && request.headers.origin !== own(request)
       ? reply(200, {jsonrpc: '2.0', id: parsed(request)?.id ?? null, error: {code: -32000, message: 'Forbidden'}}) : undefined},
];

const type = 'http.response-content-type';
const typed = (which, made) => ({head: head => {
  if (!which(head.headers['content-type'] ?? '')) return;
  if (made) head.headers['content-type'] = made;
  else delete head.headers['content-type'];
}});
const json = found => found.includes('json');
const events = found => found.includes('event-stream');
const getStream = 'http.get-stream-or-405';
const gets = (to, body, kind) => ({request: request => request.method === 'GET' ? reply(to, body, kind) : undefined});
const ended = 'http.session-ended-404';
// lives keeps a session that its client has ended.
const lives = made => ({
  request: (request, c) => {
    const id = request.headers['mcp-session-id'];
    if (request.method === 'DELETE' && id) {
      (c.all.ended ??= new Set).add(id);
      return reply(200, undefined, '');
    }
    return made && c.all.ended?.has(id) ? made : undefined;
  }});
// renames gives sessions other ids, and requests the old ones.
const renames = change => ({
  head: (head, request, c) => {
    const id = head.headers['mcp-session-id'];
    if (!id) return;
    c.all.names ??= new Map;
    const known = [...c.all.names].find(([, old]) => old === id)?.[0];
    const made = known ?? change(id, c.all.names.size + 1);
    c.all.names.set(made, id);
    head.headers['mcp-session-id'] = made;
  },
  request: (request, c) => {
    const id = request.headers['mcp-session-id'];
    if (id !== undefined) request.headers['mcp-session-id'] = c.all.names?.get(id) ?? id;
  }});

export const httpMutants = [
  {name: 'type-text', id: type, in: [H26], what: 'sends JSON as plain text', ...typed(json, 'text/plain')},
  {name: 'type-unsaid', id: type, in: [H26], what: 'does not say that it sends JSON', ...typed(json)},
  {name: 'type-vendor', id: type, in: [H26], what: 'has a type of its own for JSON', ...typed(json, 'application/vnd.mcp+json')},
  {name: 'type-events-json', id: type, in: [H11], what: 'calls streams of events JSON', ...typed(events, 'application/json')},
  {name: 'type-events-text', id: type, in: [H06, H26], what: 'calls streams of events plain text', ...typed(events, 'text/plain')},
  {name: 'get-json', id: getStream, in: [H03, H11], what: 'answers GET with JSON', ...gets(200, {ok: true})},
  {name: 'get-page', id: getStream, in: [H06], what: 'answers GET with a page', ...gets(200, '<html>', 'text/html')},
  {name: 'get-404', id: [getStream, 'http.single-endpoint-post-get'], in: [H11, H06], what: 'answers GET with 404', ...gets(404, undefined, '')},
  {name: 'get-400', id: [getStream, 'http.single-endpoint-post-get'], in: [H11], what: 'answers GET with 400', ...gets(400, undefined, '')},
  {name: 'get-202', id: getStream, in: [H11], what: 'answers GET with 202', ...gets(202, undefined, '')},
  {name: 'session-lives', id: ended, in: [H03, H06, H11], what: 'serves a session that was ended', ...lives()},
  {name: 'session-400', id: ended, in: [H06, H11], what: 'answers what comes too late with 400', ...lives(reply(400, {jsonrpc: '2.0', id: null, error: {code: -32000, message: 'Gone'}}))},
  {name: 'session-410', id: ended, in: [H11], what: 'answers what comes too late with 410', ...lives(reply(410, undefined, ''))},
  {name: 'session-space', id: 'http.session-id-visible-ascii', in: [H03, H11], what: 'has a space in its session ids', ...renames(id => `my ${id}`)},
  {name: 'session-tab', id: 'http.session-id-visible-ascii', in: [H11], what: 'has a tab in its session ids', ...renames(id => `my\t${id}`)},
  {name: 'session-accent', id: 'http.session-id-visible-ascii', in: [H06, H11], what: 'has an accent in its session ids', ...renames(id => `é${id}`)},
  {name: 'session-counted', id: 'security.session-ids-non-deterministic', in: [H06, H11], what: 'counts its sessions', ...renames((id, number) => `session-${number}`)},
  {name: 'session-padded', id: 'security.session-ids-non-deterministic', in: [H11], what: 'counts its sessions in 32 digits', ...renames((id, number) => String(1000 + number).padStart(32, '0'))},
  {name: 'session-clock', id: 'security.session-ids-non-deterministic', in: [H11], what: 'names sessions by the time', ...renames((id, number) => `s${Date.now() * 100 + number}`)},
];
