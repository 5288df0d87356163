// An MCP server behind a door that lets in whoever has a token of oidc-provider for it: what the
// tests of signing in there share.

import {createServer, request as httpRequest} from 'node:http';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

import {listening} from './commands.mjs';

// openDoor starts our reference server, the door before it at `mcpUrl`, and the provider at
// `issuer`, whose opaque tokens the door takes: `tokensSeen`. `given` is every token and code that
// the provider was asked for or has given. `trust` makes the provider give JSON Web Tokens for
// another server. Everything ends with this process.
export async function openDoor(commands, modules) {
  const inner = new URL(await commands.serve([]));
  const tokensSeen = new Set();
  const given = new Set();
  const problems = [];
  let jwtFor;
  let refused = 0;
  let provider;
  let mcpUrl;
  const door = createServer(async (req, res) => {
    if (req.url === '/.well-known/oauth-protected-resource/mcp') {
      res.setHeader('Content-Type', 'application/json');
      return res.end(JSON.stringify({resource: mcpUrl, authorization_servers: [issuer],
                                     scopes_supported: ['mcp:use']}));
    }
    const token = /^Bearer (.+)$/i.exec(req.headers.authorization ?? '')?.[1];
    const found = token && await provider.AccessToken.find(token);
    if (!found || !found.isValid || found.aud !== mcpUrl || !found.scopes.has('mcp:use')) {
      ++refused;
      const metadata = mcpUrl.replace('/mcp', '/.well-known/oauth-protected-resource/mcp');
      res.writeHead(401, {'WWW-Authenticate': `Bearer resource_metadata="${metadata}"`});
      return res.end();
    }
    tokensSeen.add(token);
    const onward = httpRequest({host: inner.hostname, port: inner.port, path: inner.pathname,
                                method: req.method, headers: {...req.headers, host: inner.host}},
                               answer => {
                                 res.writeHead(answer.statusCode, answer.headers);
                                 answer.pipe(res);
                               });
    onward.on('error', () => res.destroy());
    res.on('close', () => onward.destroy());
    req.pipe(onward);
  });
  mcpUrl = `http://127.0.0.1:${await listening(door)}/mcp`;

  const front = createServer((req, res) => provider.callback()(req, res));
  const issuer = `http://127.0.0.1:${await listening(front)}`;
  provider = await makeProvider(modules, issuer, resource => {
    if (resource !== mcpUrl && resource !== jwtFor) throw new Error(`a token for ${resource}`);
    return {scope: 'mcp:use', audience: resource, accessTokenTTL: 600,
            accessTokenFormat: resource === mcpUrl ? 'opaque' : 'jwt', jwt: {sign: {alg: 'RS256'}}};
  });
  provider.on('grant.success', ctx => {
    for (const name of ['access_token', 'refresh_token', 'id_token']) {
      if (ctx.body[name]) given.add(ctx.body[name]);
    }
    if (ctx.oidc.params.code) given.add(ctx.oidc.params.code);
  });
  for (const event of ['server_error', 'grant.error', 'authorization.error',
                       'registration_create.error']) {
    provider.on(event, (ctx, error) => problems.push(`${event}: ${error.error_description ?? error}`));
  }
  return {mcpUrl, issuer, provider, problems, tokensSeen, given, refused: () => refused,
          trust: url => { jwtFor = url; }};
}

async function makeProvider(modules, issuer, serverInfo) {
  const {default: Provider} = await import(pathToFileURL(
      join(modules, 'node_modules', 'oidc-provider', 'lib', 'index.js')));
  console.warn = console.info = () => {};  // It tells of what a program in use would need.
  return new Provider(issuer, {
    cookies: {keys: ['of this test']},
    scopes: ['openid', 'offline_access'],
    ttl: {AccessToken: 600, RefreshToken: 3600, Grant: 3600, Session: 3600, Interaction: 600,
          IdToken: 600},
    features: {
      registration: {enabled: true},
      revocation: {enabled: true},
      introspection: {enabled: true},
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (ctx, resource) => serverInfo(resource),
        useGrantedResource: () => true,
      },
    },
  });
}
