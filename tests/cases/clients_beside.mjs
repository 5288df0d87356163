// More of clients.mjs, thought of beside those of clients_sixteenth.mjs: the same kinds in other forms.

const S = '2025-11-25';
const M = '2026-07-28';
const content = '2025-11-25 and 2026-07-28 schema, ElicitResult: content: the submitted form data, only present when action is accept and mode was form';
const answers = (which, given) => ({out(message) {
  const changed = result => which.includes(result?.action) ? {...result, content: given} : result;
  if (message.result?.action) return {...message, result: changed(message.result)};
  const all = message.params?.inputResponses;
  if (!all) return message;
  return {...message, params: {...message.params, inputResponses: Object.fromEntries(Object.entries(all).map(([key, one]) => [key, changed(one)]))}};
}});
const places = made => (() => {
  let server = '';
  return {wellKnown(url, name) {
    if (name !== 'oauth-authorization-server') { server = url; return undefined; }
    return made(new URL(url), new URL(server));
  }};
})();
const issuers = '2025-11-25 basic/authorization, Authorization Server Metadata Discovery: the well-known addresses are made of the issuer URL';
const well = '/.well-known/oauth-authorization-server';
const discovery = ['auth.client-reads-as-metadata'];
const told = ['elicitation.refused-without-content', 'schema.messages-validate'];

export const cases = [
  {name: 'beside-content-of-cancel', from: 'leehack/mcp_dart#216', in: [`${S} http`, `${M} http`], what: 'sends content along when the user cancels', clause: content, rules: told, says: /content/, change: answers(['cancel'], {name: 'x'})},
  {name: 'beside-content-with-defaults', from: 'leehack/mcp_dart#216', in: [`${S} stdio`], what: 'sends empty fields along when the user declines', clause: content, rules: told, says: /content/, change: answers(['decline'], {name: '', age: 0, verified: false})},
  {name: 'beside-content-is-a-list', from: 'leehack/mcp_dart#216', in: [`${S} stdio`, `${M} http`], what: 'sends a list as content when the user declines', clause: content, rules: told, says: /content/, change: answers(['decline'], ['no'])},
  {name: 'beside-content-is-a-text', from: 'leehack/mcp_dart#216', in: [`${S} stdio`, `${M} http`], what: 'sends a text as content when the user declines', clause: content, rules: told, says: /content/, change: answers(['decline', 'cancel'], 'the user said no')},
  {name: 'beside-content-is-null', from: 'leehack/mcp_dart#216', in: [`${S} stdio`, `${M} http`], what: 'sends "content": null when the user declines', clause: content, rules: told, says: /content/, change: answers(['decline', 'cancel'], null)},

  {name: 'beside-asks-the-server', from: 'anthropics/claude-ai-mcp#376', in: [`${S} http`, `${M} http`], what: 'looks for the metadata of the issuer at the MCP server', clause: issuers, rules: discovery, says: /issuer/, change: places((_, server) => [`${server.origin}${well}`])},
  {name: 'beside-two-slashes', from: 'anthropics/claude-ai-mcp#376', in: [`${S} http`], what: 'writes two slashes before .well-known', clause: issuers, rules: discovery, says: /issuer|metadata/, change: places(issuer => [`${issuer.origin}/${well}`])},
  {name: 'beside-a-slash-behind', from: 'anthropics/claude-ai-mcp#376', in: [`${S} http`, `${M} http`], what: 'writes a slash behind the well-known place', clause: issuers, rules: discovery, says: /issuer/, change: places(issuer => [`${issuer.origin}${well}/`])},
  {name: 'beside-another-well-known', from: 'anthropics/claude-ai-mcp#376', in: [`${S} http`], what: 'looks for oauth-authorization-server.json', clause: issuers, rules: discovery, says: /issuer/, change: places(issuer => [`${issuer.origin}${well}.json`])},
  {name: 'beside-behind-the-path', from: 'anthropics/claude-ai-mcp#376', in: [`${S} http`], what: 'looks for it behind the path of the MCP server, at the issuer', clause: issuers, rules: discovery, says: /issuer/, change: places((issuer, server) => [`${issuer.origin}${server.pathname}${well}`])},
];
