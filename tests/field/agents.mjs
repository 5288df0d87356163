// Plays scenarios to agents and clients of others, and to ours: `plumbline run --client`. Reports go to build/field/agents.
//
//   node agents.mjs PLUMBLINE [PATH...]      (default: scenarios/library/failures)

import {cpSync, mkdirSync} from 'node:fs';

import {install} from './install.mjs';
import {Program} from './processes.mjs';
import {built, here, nodeOf, root} from './subjects.mjs';

const [plumbline, ...paths] = process.argv.slice(2);
const minutesMax = 20;

// Each has the kit of packages it is made with.
const agents = {sdk_1: 'sdk-1', sdk_2: 'sdk-2', ai_sdk: 'ai-sdk', mastra: 'mastra', langgraph: 'langgraph'};

const commandOf = {ours: [plumbline, 'ask', '{request}', '--config', '{config}', '--approve', 'all']};
await install('node');
for (const [name, kit] of Object.entries(agents)) {
  await install(kit);
  cpSync(`${here}/agents`, `${built}/${kit}/agents`, {recursive: true});
  commandOf[name] = [nodeOf(), `${built}/${kit}/agents/${name}.mjs`, '{config}', '{requests}'];
}
const reports = `${built}/agents`;
mkdirSync(reports, {recursive: true});
for (const [name, command] of Object.entries(commandOf)) {
  const words = [plumbline, 'run', ...(paths.length ? paths : ['scenarios/library/failures']), '--client', '--rules-only', '--jobs', '6', '--quiet',
                 '--report', `json=${reports}/${name}.json`, '--', ...command];
  const run = new Program(words, {cwd: root, keep: 200_000});
  const status = await run.status(minutesMax * 60);
  console.log(`== ${name}: exit status ${status}\n${run.stdout}`);
}
