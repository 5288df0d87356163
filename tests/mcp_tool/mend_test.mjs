// An agent mends ten servers that it has not seen, by the tools of `plumbline mcp` alone.
//   node mend_test.mjs PLUMBLINE
//
// What it comes to is compared with mended.tsv; with PLUMBLINE_UPDATE_DOCS=1 that is written.

import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {mend} from './agent.mjs';
import {faults, right} from './planted.mjs';
import {ToolClient} from './tool_client.mjs';

const plumbline = resolve(process.argv[2]);
const table = fileURLToPath(new URL('mended.tsv', import.meta.url));
const rows = ['server\tmended\tby the findings\tleft'];
for (const {name, from, to} of [{name: 'right', from: '', to: ''}, ...faults]) {
  if (right.split(from).length < 2) throw new Error(`${name} changes nothing`);
  const folder = mkdtempSync(join(tmpdir(), 'mend-'));
  const path = join(folder, 'server.mjs');
  writeFileSync(path, right.replace(from, to));
  const client = new ToolClient(plumbline, ['--', 'node', 'server.mjs'], folder);
  await client.open();
  const source = {read: () => readFileSync(path, 'utf8'), write: text => writeFileSync(path, text)};
  const {mended, left, tries, steps} = await mend(client, source, 40);
  rows.push([name, mended ? 'yes' : 'no', steps.join(', '), left.join(', ')].join('\t'));
  console.log(`${rows.at(-1).replaceAll('\t', '  ')}  (${tries} edits tried)`);
  await client.close();
  rmSync(folder, {recursive: true, force: true});
}
const found = rows.join('\n') + '\n';
if (process.env.PLUMBLINE_UPDATE_DOCS === '1') writeFileSync(table, found);
const same = readFileSync(table, 'utf8') === found;
console.log(same ? 'as mended.tsv has it' : 'not as mended.tsv has it; PLUMBLINE_UPDATE_DOCS=1 writes it');
process.exit(same ? 0 : 1);
