// A line of each command, for privacy_test.mjs.
//
//   line    its words; {page} is the address of a reference server, {folder} the folder of the row
//   tries   what the line names, and may be tried: each must be, so that a row is no empty proof
//   may     what it may try besides
//   leaves  the files that it leaves in the folder where it is started, by their beginnings; nothing else may be
//   keeps   the same below the folder of the user's state
//   keyring it may ask the keyring, whose address is a variable, whether there is a token
//   status  how it ends (0)
//   serves  it runs until it is told to end; true, or a path that is asked for before that
//   input   what it reads from stdin

const reference = ['--stdio', '--', 'plumbline', 'serve', '--reference', '--stdio'];
const one = ['--only', 'ping.empty-result', '--quiet'];
const basics = '{root}/scenarios/library/basics';
const happy = `${basics}/list-files-happy-path.json`;
const listing = 'Summarize the open high-priority support tickets.';
const initialize = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'initialize', params: {
  protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 'x', version: '1'}}}) + '\n';
const nobody = '127.0.0.1:9';
const store = ['--store', 'sqlite:{folder}/t.db'];

export const rows = [
  {line: ['--version', '--verbose']},
  ...['checks', 'scenarios', 'revisions', 'agents', 'faults', 'situations', 'errors', 'settings'].map(what => ({line: ['list', what]})),
  {line: ['explain', 'ping.empty-result']},
  ...['bash', 'zsh', 'fish', 'ids', 'checks'].map(what => ({line: ['completion', what]})),
  {line: ['graph', '--format', 'mermaid']},
  {line: ['demo'], leaves: ['plumbline-report.html']},
  {line: ['run', happy, '--seeds', '1..3', '--report', 'json=out.json'], leaves: ['out.json']},
  {line: ['run', happy, '--real']},
  {line: ['run', happy, '--real', '--transport', 'http']},
  {line: ['run', happy, '--client', '--rules-only', '--', 'plumbline', 'ask', '{request}', '--config', '{config}']},
  {line: ['sweep', basics, '--seeds', '1..20', '--quiet']},
  {line: ['sweep', basics, '--seeds', '1..300', '--quiet', '--plant', 'retry-unknown-outcome'], status: 1},
  {line: ['shrink', `${basics}/ambiguous-success-crash.json`, '--seed', '1', '--plant', 'retry-unknown-outcome', '--out', 's.json'],
   status: 1, leaves: ['s.json']},
  {line: ['lint', '--quiet', ...reference]},
  {line: ['lint', '--quiet', '--url', 'http://{page}/mcp'], tries: ['{page}'], keyring: true},
  {line: ['check', 'server', ...one, ...reference]},
  {line: ['check', 'server', ...one, '--url', 'http://{page}/mcp'], tries: ['{page}'], keyring: true},
  {line: ['check', 'server', ...one, '--url', 'http://203.0.113.50:81/mcp'], tries: ['203.0.113.50:81'], status: 3, keyring: true},
  {line: ['check', 'server', ...one, '--url', 'https://mcp.example.invalid/mcp'], tries: ['dns:mcp.example.invalid'], status: 3, keyring: true},
  {line: ['check', 'client', '--quiet', '--', 'true'], status: 1},
  {line: ['check', 'gateway', '--listen', '127.0.0.1:0', '--url', `http://${nobody}/mcp`, '--quiet'], tries: [nobody], status: 3, keyring: true},
  {line: ['check', 'auth', '--url', `http://${nobody}`, '--quiet'], tries: [nobody], status: 3},
  {line: ['test', '--new', 'x.mcptest.json', ...reference], leaves: ['x.mcptest.json', 'x.mcptest.snap.json']},
  {line: ['test', '{root}/examples/reference.mcptest.json', '--quiet']},
  {line: ['test', '{root}/examples/reference.mcptest.json', '--url', `http://${nobody}/mcp`, '--quiet'], tries: [nobody], status: 3, keyring: true},
  {line: ['fuzz', 'server', '--runs', '2', '--quiet', ...reference]},
  {line: ['mcp', ...reference.slice(1)], input: initialize},
  {line: ['relay', nobody], tries: [nobody], status: 3},
  {line: ['record', '--out', 'r.jsonl', ...reference.slice(1)], input: initialize, leaves: ['r.jsonl']},
  {line: ['record', '--out', 'r.jsonl', '--listen', '127.0.0.1:0', '--url', 'http://{page}/mcp'], serves: '/mcp', tries: ['{page}'], keyring: true,
   leaves: ['r.jsonl']},
  {line: ['replay', '{folder}/session.jsonl', '--serve', 'stdio'], input: initialize, status: 1},
  {line: ['replay', '{folder}/session.jsonl', '--against', 'server', '--quiet', ...reference]},
  {line: ['replay', '{folder}/session.jsonl', '--diff', '--quiet', ...reference]},
  {line: ['ask', listing, '--config', '{folder}/tickets.json']},
  {line: ['ask', listing, '--config', '{folder}/tickets.json', '--otlp', 'spans.jsonl'], leaves: ['spans.jsonl']},
  {line: ['ask', listing, '--config', '{folder}/tickets.json', '--otlp', 'http://127.0.0.1:4319'], tries: ['127.0.0.1:4319']},
  {line: ['ask', listing, '--config', '{folder}/tickets.json', '--thread', 't', '--store', 'sqlite:t.db'], leaves: ['t.db']},
  {line: ['ask', listing, '--config', '{folder}/page.json'], tries: ['{page}'], keyring: true, status: 5},
  {line: ['ask', listing, '--registry', `http://${nobody}/agents`], tries: [nobody], status: 3},
  {line: ['thread', 'list', ...store]},
  {line: ['thread', 'list', '--store', 'postgres://127.0.0.1:9/none'], tries: [nobody], status: 3},
  {line: ['thread', 'list', '--store', 'postgres:///none?host=127.0.0.1&port=9'], tries: [nobody], status: 3},
  {line: ['thread', 'list', '--store', 'postgres:host=127.0.0.1 port=9'], tries: [nobody], status: 3},
  {line: ['thread', 'show', 't', ...store]},
  {line: ['thread', 'resume', 't', '--answer', '{"approve": true}', ...store], status: 2},
  {line: ['thread', 'fork', 't', '--step', '1', ...store]},
  {line: ['thread', 'delete', 't', ...store]},
  {line: ['login', '--url', `http://${nobody}/mcp`, '--no-browser'], tries: [nobody], status: 3, keyring: true, keeps: ['secrets.key']},
  {line: ['logout', '--url', `http://${nobody}/mcp`], keyring: true},
  {line: ['tokens'], keyring: true},
  {line: ['serve', '--reference', '--stdio'], input: initialize},
  {line: ['serve', '--reference', '--http', '127.0.0.1:0'], serves: true},
  {line: ['serve', `${basics}/email-needs-approval.json`, '--sse', '127.0.0.1:0'], serves: true},
  {line: ['connect', 'list', '{folder}/tickets.json']},
  {line: ['connect', 'status', '{folder}/tickets.json']},
  {line: ['connect', 'test', '{folder}/tickets.json', '--quiet']},
  {line: ['connect', 'validate', `http://${nobody}/agents`], tries: [nobody], status: 3},
  {line: ['registry', '--listen', '127.0.0.1:0', '--file', '{root}/examples/registry.json'], serves: '/agents'},
  {line: ['sessions', '--listen', '127.0.0.1:0'], serves: '/healthz'},
  {line: ['chat-api', '--listen', '127.0.0.1:0', '--config', '{folder}/chat.json'], serves: '/'},
  {line: ['chat-api', '--listen', '127.0.0.1:0', '--config', '{folder}/real-chat.json'], serves: '/'},
  {line: ['agents', 'serve', '--stdio', '--model-script', '{root}/examples/chat-model.json'], input: initialize},
  {line: ['agents', 'serve', '--stdio'], input: initialize},
  {line: ['agents', 'serve', '--http', '127.0.0.1:0', '--model-script', '{root}/examples/chat-model.json'], serves: true},
  {line: ['report', 'merge', '{folder}/a.json', '{folder}/b.json', '--out', 'm.json'], leaves: ['m.json']},
  {line: ['report', 'compare', '{folder}/a.json', '{folder}/b.json']},
  {line: ['report', 'view', '{folder}/a.json', '--listen', '127.0.0.1:0'], serves: '/'},
];
