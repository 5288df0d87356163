// More of authorities.mjs: faults behind a proxy, of what is advertised, and of requests that cannot be sent back.

import {matches} from './peers/authority.mjs';

const modes = refuses => ({
  metadata: all => ({...all, response_modes_supported: ['query']}),
  http(request, response, url, body, server) {
    if (!refuses || url.pathname !== '/authorize' || request.method !== 'GET' || url.searchParams.get('response_mode') === null) return false;
    const back = new URL(url.searchParams.get('redirect_uri'));
    for (const [name, value] of Object.entries({error: 'unsupported_response_mode', state: url.searchParams.get('state') ?? '', iss: server.issuer})) back.searchParams.set(name, value);
    response.writeHead(302, {location: back.href});
    response.end();
    return true;
  }});

export const cases = [
  // https://github.com/cloudflare/workers-oauth-provider/issues/154
  {name: 'unregistered-redirect-500', from: 'cloudflare/workers-oauth-provider#154', what: 'answers 500 and a page to a redirect that was not registered',
   rules: ['auth.as-exact-redirect-match', 'auth.as-tells-the-user'], says: /500/,
   change: {http(request, response, url, body, server) {
     const client = server.clients.get(url.searchParams.get('client_id'));
     const [asked] = url.searchParams.getAll('redirect_uri');
     if (url.pathname !== '/authorize' || request.method !== 'GET' || !client || !asked || matches(client.redirect_uris, asked)) return false;
     response.writeHead(500, {'content-type': 'text/html'});
     response.end('<h1>Server Error</h1>');
     return true;
   }}},
  // https://github.com/oblien/openship/pull/540
  {name: 'sends-browsers-inside', from: 'oblien/openship#540', what: 'sends browsers on to its own authorization endpoint at a host that is behind its proxy',
   rules: ['auth.as-endpoints-exist', 'auth.as-metadata-members', 'auth.as-stays-in-reach'], says: /api\.internal|host|redirect/,
   change: {http(request, response, url) {
     if (url.pathname !== '/authorize' || request.method !== 'GET' || url.searchParams.get('prompt') === 'consent') return false;
     url.searchParams.set('prompt', 'consent');
     response.writeHead(302, {location: `http://api.internal:4000${url.pathname}${url.search}`});
     response.end();
     return true;
   }}},
  // https://github.com/usenotra/notra/pull/498, lowdefy/lowdefy#2337
  {name: 'refresh-token-never-given', from: 'usenotra/notra#498', what: 'advertises and registers the grant refresh_token, and gives no refresh token with any scope',
   rules: ['auth.as-grants-as-listed', 'auth.as-refresh-tokens-given'], says: /refresh/, change: {token: answer => ({...answer, body: (({refresh_token, ...rest}) => rest)(answer.body)})}},
  // https://github.com/Mnexa-AI/e2a/pull/725
  {name: 'response-mode-refused', from: 'Mnexa-AI/e2a#725', what: 'advertises response_modes_supported with query, and refuses a request that names it',
   rules: ['auth.as-unknown-parameters', 'auth.as-response-modes-as-listed'], says: /response_mode/, change: modes(true), right: modes(false)},
];
