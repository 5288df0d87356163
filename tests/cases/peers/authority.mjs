// A right authorization server for MCP (OAuth 2.1): metadata, registration, a page that asks for consent, codes with PKCE,
// refresh tokens that are used once. A case changes one thing.
//
//   metadata(all)                     what is published, to change
//   http(request, response, url, body, server)  each request: returns true when it has answered
//   registered(wish, answer, status)  {status, body}: what a registration comes to
//   matches(registered, asked)        whether a redirect URI is one of the client's
//   location(url, parameters)         where the user agent is sent, to change
//   pkce(parameters)                  true: taken, without more ado
//   resource(value)                   whether a resource is known
//   page(response, error)             an error of an authorization request: true when it was answered by a page
//   token(answer)                     the answer with a token: {status, body, headers}, to change
//   refused(error, status, headers)   the answer without one: [status, body, headers]

import {createHash, randomBytes} from 'node:crypto';
import http from 'node:http';

const secret = () => randomBytes(24).toString('base64url');
const loopback = ({hostname, protocol}) => protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
const address = text => { try { return new URL(text); } catch { return undefined; } };
const redirects = value => Array.isArray(value) && value.length > 0 && value.every(text => {
  const uri = address(text);
  return uri && !uri.hash && (uri.protocol === 'https:' || loopback(uri) || /^[a-z0-9]+\.[a-z0-9.]+:$/.test(uri.protocol));
});
// Ports of loopback addresses are free (RFC 8252, 7.3); all else is compared as it is.
export const matches = (registered, asked) => registered.some(text => {
  if (text === asked) return true;
  const [one, other] = [address(text), address(asked)];
  return one && other && loopback(one) && loopback(other) && one.hostname === other.hostname && one.pathname === other.pathname &&
      one.search === other.search && !other.hash && !other.username;
});

class Authority {
  clients = new Map;
  codes = new Map;
  refreshes = new Map;
  consents = new Map;
  constructor(change, issuer) { Object.assign(this, {change, issuer}); }

  metadata() {
    const {issuer} = this;
    const all = {
      issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`, registration_endpoint: `${issuer}/register`,
      response_types_supported: ['code'], grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'], token_endpoint_auth_methods_supported: ['none'], scopes_supported: ['notes', 'offline_access'],
      authorization_response_iss_parameter_supported: true};
    return this.change.metadata?.(all) ?? all;
  }

  // openid is what OpenID Connect Discovery wants to be told beside it.
  openid() {
    return {...this.metadata(), jwks_uri: `${this.issuer}/jwks`, subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['RS256']};
  }

  json(response, status, body, headers = {}) {
    response.writeHead(status, {'content-type': 'application/json', 'cache-control': 'no-store', 'access-control-allow-origin': '*', ...headers});
    response.end(JSON.stringify(body));
  }
  refuse(response, error, status = 400, headers = {}) {
    const [other, body, more] = this.change.refused?.(error, status, headers) ?? [status, {error}, headers];
    this.json(response, other, body, more);
  }

  async take(request, response, body) {
    const url = new URL(request.url, this.issuer);
    if (await this.change.http?.(request, response, url, body, this)) return;
    const {method} = request;
    if (method === 'OPTIONS') {
      response.writeHead(204, {'access-control-allow-origin': '*', 'access-control-allow-methods': 'GET, POST', 'access-control-allow-headers': 'content-type, authorization, mcp-protocol-version'});
      return response.end();
    }
    if (method === 'GET' && url.pathname === '/.well-known/oauth-authorization-server') return this.json(response, 200, this.metadata(), {'cache-control': 'max-age=60'});
    if (method === 'GET' && url.pathname === '/.well-known/openid-configuration') return this.json(response, 200, this.openid(), {'cache-control': 'max-age=60'});
    if (method === 'GET' && url.pathname === '/jwks') return this.json(response, 200, {keys: []});
    if (method === 'POST' && url.pathname === '/register') return this.register(response, body);
    if (url.pathname === '/authorize' && ['GET', 'POST'].includes(method)) return this.authorize(request, response, method === 'GET' ? url.searchParams : new URLSearchParams(body));
    if (method === 'POST' && url.pathname === '/token') {
      if (!/^application\/x-www-form-urlencoded/.test(request.headers['content-type'] ?? '')) return this.refuse(response, 'invalid_request');
      return this.token(response, new URLSearchParams(body));
    }
    return this.json(response, 404, {error: 'not_found'});
  }

  register(response, body) {
    let wish;
    try { wish = JSON.parse(body); } catch { return this.refuse(response, 'invalid_client_metadata'); }
    const made = this.change.registered?.(wish);
    if (made?.status >= 400) return this.json(response, made.status, made.body);
    if (!made?.taken && !redirects(wish?.redirect_uris)) return this.refuse(response, 'invalid_redirect_uri');
    const several = wish.grant_types ?? ['authorization_code'];
    if (!Array.isArray(several)) return this.refuse(response, 'invalid_client_metadata');
    const grants = several.filter(grant => ['authorization_code', 'refresh_token'].includes(grant));
    const client = {client_id: secret(), client_id_issued_at: Math.floor(Date.now() / 1000), client_name: wish.client_name,
                    redirect_uris: wish.redirect_uris, grant_types: grants, response_types: ['code'], token_endpoint_auth_method: 'none'};
    this.clients.set(client.client_id, client);
    const answer = made?.body?.(client) ?? client;
    return this.json(response, made?.status ?? 201, answer);
  }

  authorize(request, response, asked) {
    const once = name => asked.getAll(name).length < 2;
    const client = this.clients.get(asked.get('client_id'));
    if (!client || !once('client_id')) return this.refuse(response, 'invalid_request');
    const redirect = asked.get('redirect_uri') ?? (client.redirect_uris.length === 1 ? client.redirect_uris[0] : undefined);
    const known = redirect && once('redirect_uri') && (this.change.matches ?? matches)(client.redirect_uris, redirect);
    if (!known) return this.refuse(response, 'invalid_request');
    const back = more => {
      if (more.error && this.change.page?.(response, more.error)) return;
      const url = new URL(redirect);
      const state = asked.get('state') === null ? {} : {state: asked.get('state')};
      for (const [name, value] of Object.entries({...more, ...state, iss: this.issuer})) url.searchParams.set(name, value);
      response.writeHead(302, {location: this.change.location?.(url, asked, redirect) ?? url.href, 'cache-control': 'no-store'});
      response.end();
    };
    if (!['response_type', 'state', 'scope', 'code_challenge', 'code_challenge_method'].every(once)) return back({error: 'invalid_request'});
    if (asked.get('response_type') === null) return back({error: 'invalid_request'});
    if (asked.get('response_type') !== 'code') return back({error: 'unsupported_response_type'});
    if (!this.change.pkce?.(asked) && (!/^[A-Za-z0-9_-]{43}$/.test(asked.get('code_challenge') ?? '') || asked.get('code_challenge_method') !== 'S256')) return back({error: 'invalid_request'});
    const resource = asked.get('resource');
    if (resource !== null && !(this.change.resource ?? (text => /^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?\//.test(text)))(resource)) return back({error: 'invalid_target'});
    if (request.method === 'GET') return this.ask(response, client, redirect, asked);
    const key = asked.get('consent');
    if (!this.consents.has(key) || !(request.headers.cookie ?? '').includes(key)) return this.refuse(response, 'access_denied', 403);
    const code = secret();
    this.codes.set(code, {client: client.client_id, redirect, challenge: asked.get('code_challenge'), resource, scope: asked.get('scope') ?? 'notes', at: Date.now()});
    return back({code});
  }

  ask(response, {client_name: name}, redirect, asked) {
    const key = secret();
    this.consents.set(key, asked.toString());
    const safe = text => String(text).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
    const fields = [...asked, ['consent', key]].map(([one, value]) => `<input type="hidden" name="${safe(one)}" value="${safe(value)}">`);
    response.writeHead(200, {'content-type': 'text/html', 'x-frame-options': 'DENY', 'content-security-policy': "frame-ancestors 'none'",
                             'set-cookie': `consent=${key}; HttpOnly; SameSite=Lax; Path=/`, 'cache-control': 'no-store'});
    response.end(`<form method="post" action="/authorize">${fields.join('')}<p>May ${safe(name ?? 'this program')} at ${safe(redirect)} read your notes?</p><button>Yes</button></form>`);
  }

  token(response, form) {
    const client = this.clients.get(form.get('client_id'));
    if (!client) return this.refuse(response, 'invalid_client', 401);
    if (form.get('grant_type') === 'authorization_code') {
      const code = this.codes.get(form.get('code'));
      this.codes.delete(form.get('code'));
      const verified = code && createHash('sha256').update(form.get('code_verifier') ?? '').digest('base64url') === code.challenge;
      if (!verified || code.client !== client.client_id || Date.now() - code.at > 60_000 || form.get('redirect_uri') !== null && form.get('redirect_uri') !== code.redirect) {
        return this.refuse(response, 'invalid_grant');
      }
      return this.give(response, code);
    }
    if (form.get('grant_type') === 'refresh_token') {
      const kept = this.refreshes.get(form.get('refresh_token'));
      if (!form.get('refresh_token')) return this.refuse(response, 'invalid_request');
      if (kept?.client !== client.client_id) return this.refuse(response, 'invalid_grant');
      this.refreshes.delete(form.get('refresh_token'));
      return this.give(response, kept);
    }
    return this.refuse(response, form.get('grant_type') ? 'unsupported_grant_type' : 'invalid_request');
  }

  give(response, kept) {
    const refresh = secret();
    this.refreshes.set(refresh, kept);
    const answer = {status: 200, headers: {}, body: {access_token: secret(), token_type: 'Bearer', expires_in: 600, refresh_token: refresh, scope: kept.scope}};
    const {status, body, headers} = this.change.token?.(answer) ?? answer;
    return this.json(response, status, body, headers);
  }
}

export function authorize(change) {
  const web = http.createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    await authority.take(request, response, Buffer.concat(chunks).toString('utf8'));
  });
  let authority;
  web.listen(0, '127.0.0.1', () => {
    authority = new Authority(change, `http://127.0.0.1:${web.address().port}`);
    process.stdout.write(`listening on ${web.address().port}\n`);
  });
}

// quiet starts one that says nothing; returns its issuer.
export function quiet(change) {
  return new Promise(resolve => {
    let authority;
    const web = http.createServer(async (request, response) => {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      await authority.take(request, response, Buffer.concat(chunks).toString('utf8'));
    });
    web.listen(0, '127.0.0.1', () => {
      authority = new Authority(change, `http://127.0.0.1:${web.address().port}`);
      resolve(authority.issuer);
    });
  });
}
