// Judges clients of both generations of the official SDK, in both eras, over both transports:
// `check client` must find nothing wrong but what stands in findings/sdk-clients.json, and
// docs/findings.md tells of. One line a combination; exit status 1 when one differs.
//
//   node judged_clients.mjs PLUMBLINE FOLDER_OF_NODE_MODULES

import {besideModules, end, judge, modules} from './judging.mjs';

const client = besideModules('judged_client.mjs');
besideModules('sign_in.mjs');
// Half of the time goes into starting programs.
const env = {NODE_COMPILE_CACHE: `${modules}/compile-cache`};

for (const [sdk, transport, revision] of [
  ['1', 'http', '2025-11-25'],
  ['2', 'stdio', '2025-11-25'],
  ['2-modern', 'http', '2026-07-28'],
  ['2-modern', 'stdio', '2026-07-28'],
]) {
  await judge({
    title: `SDK ${sdk} over ${transport}`, findings: 'sdk-clients', passes: 30, env,
    words: ['client', '--transport', transport, '--revision', revision, '--', process.execPath, client, sdk],
  });
}
end();
