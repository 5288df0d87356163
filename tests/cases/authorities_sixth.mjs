// More of authorities.mjs: what shows with the page of consent, the second redirect and the second way to show a secret.

import {matches} from './peers/authority.mjs';

const methods = ['client_secret_post', 'client_secret_basic'];
// Clients with secrets; `body`: whether one that shows its secret by Basic has to name itself in the body as well.
const confidential = body => ({
  metadata: all => ({...all, token_endpoint_auth_methods_supported: ['none', ...methods]}),
  registered: wish => methods.includes(wish?.token_endpoint_auth_method)
      ? {body: client => Object.assign(client, {token_endpoint_auth_method: wish.token_endpoint_auth_method, client_secret: `secret-of-${client.client_id}`, client_secret_expires_at: 0})} : undefined,
  http(request, response, url, text, server) {
    if (url.pathname !== '/token' || !/^application\/x-www-form-urlencoded/.test(request.headers['content-type'] ?? '')) return false;
    const form = new URLSearchParams(text);
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const [id, secret] = basic ? Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent) : [form.get('client_id'), form.get('client_secret')];
    const client = server.clients.get(id);
    if (!client?.client_secret) return false;
    const right = secret === client.client_secret && (basic ? 'client_secret_basic' : 'client_secret_post') === client.token_endpoint_auth_method;
    if (!right || basic && body && !form.get('client_id')) { server.refuse(response, 'invalid_client', 401, basic ? {'www-authenticate': 'Basic realm="notes"'} : {}); return true; }
    form.set('client_id', id);
    server.token(response, form);
    return true;
  }});

export const cases = [
  // https://github.com/getsentry/sentry-mcp/issues/1189
  {name: 'port-refused-on-the-page', from: 'getsentry/sentry-mcp#1189', what: 'shows its page for a redirect with another port at a loopback address, and refuses it when the user has agreed',
   rules: ['auth.as-loopback-ports', 'auth.as-registered-is-served'], says: /port|redirect/,
   change: {http(request, response, url, body, server) {
     const form = new URLSearchParams(body);
     const client = server.clients.get(form.get('client_id'));
     if (url.pathname !== '/authorize' || request.method !== 'POST' || !client || !form.get('redirect_uri') || client.redirect_uris.includes(form.get('redirect_uri'))) return false;
     response.writeHead(400, {'content-type': 'text/plain'});
     response.end('Invalid redirect URI');
     return true;
   }}},
  // https://github.com/coder/coder/pull/21674
  {name: 'first-redirect-alone', from: 'coder/coder#21674', what: 'takes the first redirect that a client has registered, and none of the others',
   rules: ['auth.as-registered-is-served'], says: /redirect/, change: {matches: ([one], asked) => matches([one], asked)}},
  // https://github.com/modelcontextprotocol/python-sdk/issues/3545, metatool-ai/metamcp#342, PrefectHQ/fastmcp#4600
  {name: 'basic-wants-the-id-twice', from: 'modelcontextprotocol/python-sdk#3545', what: 'refuses clients that show their secret by Basic and do not name themselves in the body too',
   rules: ['auth.as-methods-as-listed'], says: /client_secret_basic|client_id/, change: confidential(true), right: confidential(false)},
];
