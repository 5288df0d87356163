// How the right client of client.mjs signs in: metadata, registration, codes with PKCE, refresh tokens.

import {createHash, randomBytes} from 'node:crypto';

const wanted = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION ?? '2025-11-25';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');

// parameter returns one of a challenge's, by RFC 9110, 11.2: blanks may stand around =, and escapes within quotes.
function parameter(challenge, name) {
  for (const [, one, quoted, token] of challenge.matchAll(/([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g)) {
    if (one.toLowerCase() === name) return token ?? quoted.replace(/\\(.)/g, '$1');
  }
  return undefined;
}

// signIn gets a token, as a program without a screen does.
export async function signIn(change, url, challenge, self) {
  const {origin, pathname} = new URL(url);
  const get = async address => {
    const answer = await fetch(address, {redirect: change.redirects ?? 'follow', headers: {accept: 'application/json', 'mcp-protocol-version': wanted}});
    if (!answer.ok) change.missing?.(answer);
    return answer.ok ? answer.json() : void await answer.arrayBuffer();
  };
  const first = async addresses => {
    for (const address of addresses) {
      const found = await get(address);
      if (found) return found;
    }
    return undefined;
  };
  const said = name => (change.challenged ?? parameter)(challenge ?? '', name);
  const pointed = said('resource_metadata');
  const places = (address, ...names) => {
    const {origin: host, pathname: path} = new URL(address);
    const below = path === '/' ? '' : path;
    return names.map(name => name.startsWith('+') ? `${host}${below}/.well-known/${name.slice(1)}` : `${host}/.well-known/${name}${below}`);
  };
  const resource = await first(change.wellKnown?.(url, 'oauth-protected-resource', pointed) ??
                               (pointed ? [pointed] : [`${origin}/.well-known/oauth-protected-resource${pathname}`, `${origin}/.well-known/oauth-protected-resource`]));
  if (!resource || resource.resource !== url && !url.startsWith(`${resource.resource}/`)) throw new Error('no metadata of this server');
  const issuer = resource.authorization_servers[0];
  const published = await first(change.wellKnown?.(issuer, 'oauth-authorization-server') ??
                                places(issuer, 'oauth-authorization-server', 'openid-configuration', '+openid-configuration'));
  const authority = change.endpoints ? change.endpoints(published, url, issuer) : published;
  if (authority?.issuer !== issuer || !authority.code_challenge_methods_supported?.includes('S256')) throw new Error('no authorization server to use');
  const union = (change.scopes ?? ((had, now) => [...new Set([...had?.split(' ') ?? [], ...now?.split(' ') ?? []])].join(' ') || undefined))(self.scope, said('scope') ?? resource.scopes_supported?.join(' '));
  self.scope = union;
  return code(change, {authority, resource, scope: union}, self);
}

async function registered(change, authority, redirect) {
  if (context.client_id) return {client_id: context.client_id, client_secret: context.client_secret};
  const wish = {client_name: 'case', redirect_uris: [redirect], grant_types: ['authorization_code', 'refresh_token'],
                response_types: ['code'], token_endpoint_auth_method: 'none', application_type: 'native'};
  const answer = await fetch(authority.registration_endpoint, {
    method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(change.registration?.(wish) ?? wish)});
  if (!answer.ok) throw new Error('registration was refused');
  return answer.json();
}

async function code(change, {authority, resource, scope}, self) {
  const redirect = 'http://127.0.0.1:33418/callback';
  const client = self.known?.issuer === authority.issuer ? self.known.client : await registered(change, authority, redirect);
  self.known = {issuer: authority.issuer, client};
  const [verifier, state] = [randomBytes(32).toString('base64url'), randomBytes(16).toString('base64url')];
  const asked = {response_type: 'code', client_id: client.client_id, redirect_uri: redirect, state, code_challenge_method: 'S256',
                 code_challenge: createHash('sha256').update(verifier).digest('base64url'), resource: resource.resource, ...scope && {scope}};
  const address = new URL(authority.authorization_endpoint);
  for (const [name, value] of Object.entries(change.authorize?.(asked) ?? asked)) address.searchParams.set(name, value);
  const answer = await fetch(change.where?.(authority.authorization_endpoint, asked) ?? address, {redirect: 'manual'});
  const back = new URL(answer.headers.get('location'));
  const given = name => back.searchParams.get(name);
  if (back.origin + back.pathname !== redirect || (change.state?.(given('state')) ?? given('state')) !== state) throw new Error('an answer to another question');
  if (given('iss') !== null ? given('iss') !== authority.issuer : authority.authorization_response_iss_parameter_supported) throw new Error('an answer of another server');
  if (!given('code')) throw new Error(`refused: ${given('error')}`);
  const secret = client.client_secret ? {client_secret: client.client_secret} : {};
  const form = {grant_type: 'authorization_code', code: given('code'), redirect_uri: redirect, client_id: client.client_id,
                code_verifier: verifier, resource: resource.resource, ...secret};
  const token = await fetch(authority.token_endpoint, {method: 'POST', body: new URLSearchParams(change.token?.(form) ?? form)});
  if (!token.ok) throw new Error('there is no token');
  const given2 = await token.json();
  change.granted?.(given2);
  self.scheme = change.scheme?.(given2);
  self.grant = {endpoint: authority.token_endpoint, client, resource: resource.resource, refresh: given2.refresh_token};
  return given2.access_token;
}

// refreshed gets another token by the refresh token, if there is one.
export async function refreshed(self) {
  const {grant, change} = self;
  if (!grant?.refresh) return false;
  const secret = grant.client.client_secret ? {client_secret: grant.client.client_secret} : {};
  const form = {grant_type: 'refresh_token', refresh_token: grant.refresh, client_id: grant.client.client_id, resource: grant.resource, ...secret};
  const token = await fetch(grant.endpoint, {method: 'POST', body: new URLSearchParams(change.refresh?.(form) ?? form)});
  if (!token.ok) { await token.arrayBuffer(); grant.refresh = undefined; return false; }
  const given = await token.json();
  change.granted?.(given);
  self.token = given.access_token;
  grant.refresh = change.kept ? change.kept(given.refresh_token, grant.refresh) : given.refresh_token ?? grant.refresh;
  return true;
}
