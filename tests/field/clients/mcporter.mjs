// A client of mcporter, used as a library.

import {createRuntime} from 'mcporter';

import {command, drive, patienceMs, url} from './drive.mjs';

await drive(async () => {
  const how = command ? {kind: 'stdio', command: command[0], args: command.slice(1), cwd: process.cwd()} : {kind: 'http', url: new URL(url)};
  const runtime = await createRuntime({servers: [{name: 'judged', command: how}]});
  return {
    tools: () => runtime.listTools('judged', {includeSchema: true, disableOAuth: true}),
    call: (name, args) => runtime.callTool('judged', name, {args, timeoutMs: patienceMs, disableOAuth: true}),
    resources: async () => (await runtime.listResources('judged', {disableOAuth: true})).resources,
    read: uri => runtime.readResource('judged', uri, {disableOAuth: true}),
    close: () => runtime.close('judged'),
  };
});
