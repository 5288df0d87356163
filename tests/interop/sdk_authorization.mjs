// The official SDK gives out tokens (mcpAuthRouter) and wants them (requireBearerAuth): our login
// goes through it, our commands meet its server, and `check auth` judges it.
//
//   node sdk_authorization.mjs PLUMBLINE MODULES

import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

import {Commands, expect, listening} from './commands.mjs';

const [program, modules] = process.argv.slice(2);
const require = createRequire(join(modules, 'package.json'));
const load = name => import(pathToFileURL(require.resolve(name)).href);
const sdk = '@modelcontextprotocol/sdk';
const {default: express} = await load('express');
const {mcpAuthRouter, mcpAuthMetadataRouter, createOAuthMetadata} = await load(`${sdk}/server/auth/router.js`);
const {requireBearerAuth} = await load(`${sdk}/server/auth/middleware/bearerAuth.js`);
const {DemoInMemoryAuthProvider} = await load(`${sdk}/examples/server/demoInMemoryOAuthProvider.js`);
const {McpServer} = await load(`${sdk}/server/mcp.js`);
const {StreamableHTTPServerTransport} = await load(`${sdk}/server/streamableHttp.js`);

const commands = new Commands(program);
const issuing = express();
const issuer = new URL(`http://127.0.0.1:${await listening(createServer(issuing))}/`);
const serving = express();
const url = new URL(`http://127.0.0.1:${await listening(createServer(serving))}/mcp`);

// The demo's provider gives out no refresh tokens; its tokens are revoked by forgetting them.
const provider = new DemoInMemoryAuthProvider(resource => resource?.href === url.href);
const given = new Set();
const exchange = provider.exchangeAuthorizationCode.bind(provider);
provider.exchangeAuthorizationCode = async (client, code, ...more) => {
  const tokens = await exchange(client, code, ...more);
  given.add(code).add(tokens.access_token);
  return tokens;
};
provider.revokeToken = async (client, {token}) => { provider.tokens.delete(token); };
const unlimited = {rateLimit: false};
const about = {provider, issuerUrl: issuer, scopesSupported: ['mcp:tools']};
issuing.use(mcpAuthRouter({...about, authorizationOptions: unlimited, tokenOptions: unlimited,
                           clientRegistrationOptions: unlimited, revocationOptions: unlimited}));

serving.use(mcpAuthMetadataRouter({oauthMetadata: createOAuthMetadata(about), resourceServerUrl: url,
                                   scopesSupported: ['mcp:tools']}));
const resourceMetadataUrl = new URL('/.well-known/oauth-protected-resource/mcp', url).href;
serving.all('/mcp', express.json(),
            requireBearerAuth({verifier: provider, requiredScopes: ['mcp:tools'], resourceMetadataUrl}),
            async (req, res) => {
              const server = new McpServer({name: 'behind', version: '1'});
              server.registerTool('one', {description: 'One.'},
                                  () => ({content: [{type: 'text', text: '1'}]}));
              const transport = new StreamableHTTPServerTransport({sessionIdGenerator: undefined});
              res.on('close', () => { transport.close(); server.close(); });
              await server.connect(transport);
              await transport.handleRequest(req, res, req.body);
            });

const follow = async address => {
  const there = await fetch(address, {redirect: 'manual'});
  return fetch(there.headers.get('Location'));
};
const one = ['--only', 'tools.capability-declared'];

expect((await commands.run(['check', 'server', '--url', url.href, ...one])).status === 3,
       'nobody comes in without a token');
const first = await commands.login(url.href, [], follow);
if (first.status !== 0) console.error(first);
expect(first.status === 0 && first.page.status === 200, 'login, as a client that has registered');
expect(new URL(first.address).searchParams.get('scope') === 'mcp:tools', 'the scope that it names');
const inside = await commands.run(['check', 'server', '--url', url.href, ...one]);
if (inside.status !== 0) console.error(inside.out.slice(-2000), inside.err);
expect(inside.status === 0, 'the token comes in');

const report = join(commands.folder, 'authority.json');
const judged = await commands.run(['check', 'auth', '--url', url.href, '--report', `json=${report}`]);
const results = JSON.parse(readFileSync(report, 'utf8')).results;
for (const row of results.filter(row => row.verdict === 'fail' || row.verdict === 'warn')) {
  console.log(`     ${row.verdict} ${row.id}: ${row.message}`);
}
const failed = results.filter(row => row.verdict === 'fail').map(row => row.id).sort();
// The router of the SDK has them all: its provider here throws, takes what is registered as it comes, and
// forgets the query of a redirect.
const expected = ['auth.as-redirect-query-kept', 'auth.as-registration-errors', 'auth.as-registration-redirects', 'auth.as-unknown-grants'];
if (JSON.stringify(failed) !== JSON.stringify(expected)) console.error(judged.out, failed);
expect(JSON.stringify(failed) === JSON.stringify(expected), `check auth finds ${failed.length} rules broken`);

// check auth has had tokens as well.
const before = provider.tokens.size;
const out = await commands.run(['logout', '--url', url.href]);
expect(out.status === 0 && provider.tokens.size === before - 1, 'logout: it knows the token no more');
const said = [first, inside, judged, out].map(one => one.out + one.err).join('\n');
expect(given.size > 1 && [...given].every(secret => !said.includes(secret)), 'no secret is told');
process.exit(0);
