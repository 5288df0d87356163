// Faults of protected servers and of their resource metadata (RFC 9728), each one change to a right server, which a
// quiet authorization server stands beside.
//
//   node resources.mjs NAME@ERA TRANSPORT [--right]      says "listening on PORT"; the token is good-token

import {fileURLToPath} from 'node:url';

import {quiet} from './peers/authority.mjs';
import {serve} from './peers/server.mjs';
import {cases as ninth} from './resources_ninth.mjs';
import {cases as tenth} from './resources_tenth.mjs';
import {cases as twelfth} from './resources_twelfth.mjs';
import {cases as thirteenth} from './resources_thirteenth.mjs';
import {cases as fifteenth} from './resources_fifteenth.mjs';
import {cases as sixteenth} from './resources_sixteenth.mjs';
import {cases as eighteenth} from './resources_eighteenth.mjs';
import {cases as nineteenth} from './resources_nineteenth.mjs';
import {cases as seventeenth} from './resources_seventeenth.mjs';
import {cases as beside} from './resources_beside.mjs';
import {cases as fourteenth} from './resources_fourteenth.mjs';

const guard = (what = {}) => ({begin(server) { server.authority = quiet(what.authority ?? {}); }, async http(request, response, body, {server}) {
  const origin = `http://${request.headers.host}`;
  const {pathname} = new URL(request.url, origin);
  if (request.method === 'OPTIONS' && what.flight) { response.writeHead(...what.flight); response.end(); return true; }
  const place = `${what.origin?.(request) ?? origin}/.well-known/oauth-protected-resource/mcp`;
  const send = (status, value, headers = {}) => { response.writeHead(status, {'content-type': 'application/json', ...headers, ...what.flight ? {'access-control-allow-origin': '*', 'access-control-expose-headers': 'Mcp-Session-Id, WWW-Authenticate'} : {}}); response.end(JSON.stringify(value)); return true; };
  if (request.method === 'GET' && pathname === '/.well-known/oauth-protected-resource/mcp') {
    const all = {resource: `${origin}/mcp`, authorization_servers: [await server.authority], scopes_supported: ['notes'], bearer_methods_supported: ['header']};
    return send(200, what.metadata?.(all, origin) ?? all);
  }
  if (pathname !== '/mcp') return send(404, {error: 'not_found'});
  const given = request.headers.authorization;
  const bearer = (what.scheme ?? /^Bearer +([\x21-\x7e]+)$/i).exec(given ?? '')?.[1];
  if (bearer === 'good-token' || what.lets?.(bearer, body)) return false;
  const error = given === undefined ? '' : ', error="invalid_token"';
  return send(401, {error: 'unauthorized'}, what.bare ? {} : {'www-authenticate': `Bearer resource_metadata=${what.unquoted ? place : `"${place}"`}, scope="${what.scope ?? 'notes'}"${error}`});
}});

// Lets pages of other origins in; `flight` answers their browsers, which show no token.
const pages = flight => ({...guard({flight}), head(headers) { headers['Access-Control-Allow-Origin'] = '*'; headers['Access-Control-Expose-Headers'] = 'Mcp-Session-Id, WWW-Authenticate'; }});
const open = [204, {'access-control-allow-origin': '*', 'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
                      'access-control-allow-headers': 'content-type, accept, authorization, mcp-protocol-version, mcp-session-id, last-event-id, mcp-method, mcp-name'}];

export const cases = [
  {name: 'prm-names-the-origin', from: 'akutishevsky/withings-mcp#20', in: ['legacy http', 'modern http'], what: 'the metadata at .../mcp names the origin as the resource, not .../mcp',
   rules: ['auth.prm-implemented', 'auth.prm-location-mechanism'], says: /resource/, change: guard({metadata: (all, origin) => ({...all, resource: origin})}), right: guard()},
  {name: 'bare-401', from: 'InsForge/insforge-mcp#69', in: ['legacy http', 'modern http'], what: 'refuses with 401 and no WWW-Authenticate',
   rules: ['auth.www-authenticate-on-401', 'auth.validation-failure-response', 'auth.challenge-has-scope', 'auth.prm-location-mechanism'], says: /WWW-Authenticate/i, change: guard({bare: true}), right: guard()},
  {name: 'any-bearer-opens', from: 'Mnexa-AI/e2a#102', in: ['legacy http'], what: 'takes any bearer for initialize and tools/list, and looks at it when a tool is called',
   rules: ['auth.token-validated', 'auth.invalid-token-401', 'auth.validation-failure-response'], says: /token/,
   change: guard({lets: (bearer, body) => bearer !== undefined && !/"method":\s*"tools\/call"/.test(body)}), right: guard()},
  {name: 'bearer-letter-by-letter', from: 'SAP-docs/btp-integration-suite#245, coder/coder#23516', in: ['legacy http', 'modern http'], what: 'refuses a token whose scheme is written bearer, as token endpoints write it',
   rules: ['auth.scheme-in-any-case'], says: /bearer|case/, change: guard({scheme: /^Bearer +([\x21-\x7e]+)$/}), right: guard()},
  {name: 'scopes-that-are-refused', from: 'PostHog/posthog#55307', in: ['legacy http', 'modern http'], what: 'its metadata list a scope that its authorization server does not have, and refuses',
   rules: ['auth.prm-scopes-known', 'auth.scope-sets-consistent', 'auth.prm-implemented'], says: /scope|introspection/, change: guard({metadata: all => ({...all, scopes_supported: ['notes', 'introspection']})}), right: guard()},
  {name: 'metadata-at-a-forged-host', from: 'supermemoryai/supermemory#1483', in: ['legacy http', 'modern http'], what: 'builds the address of its metadata of the X-Forwarded-Host that whoever sends',
   rules: ['auth.challenge-of-its-own-host'], says: /Forwarded|host/i,
   change: guard({origin: request => request.headers['x-forwarded-host'] && `https://${request.headers['x-forwarded-host']}`}), right: guard()},
  // https://github.com/devondragon/MotionMCP/pull/143
  {name: 'preflight-wants-a-token', from: 'devondragon/MotionMCP#143', in: ['legacy http', 'modern http'], what: 'lets pages in, and refuses OPTIONS, with which browsers send no token',
   rules: ['http.preflight-answered'], says: /OPTIONS|preflight|401/i, change: pages([401, {'access-control-allow-origin': '*'}]), right: pages(open)},
  // https://github.com/better-auth/better-auth/pull/9992
  {name: 'challenge-without-quotes', from: 'better-auth/better-auth#9992', in: ['legacy http', 'modern http'], what: 'writes the address of its metadata without quotes, which a token of a challenge cannot hold',
   rules: ['auth.www-authenticate-on-401', 'auth.prm-location-mechanism', 'auth.challenge-quoted'], says: /quote/i, change: guard({unquoted: true}), right: guard()},
  ...ninth, ...tenth, ...twelfth, ...thirteenth, ...fourteenth, ...fifteenth, ...sixteenth, ...seventeenth, ...eighteenth, ...nineteenth, ...beside,
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name, transport] = process.argv.slice(2);
  const chosen = cases.find(one => one.name === name.split('@')[0]);
  serve(process.argv.includes('--right') ? chosen.right : chosen.change, name.split('@')[1], transport);
}
