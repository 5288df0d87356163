// The doors of core/os do the same by both halves.
import { mkdirSync } from 'node:fs';
import * as path from 'node:path';

import { expect, finish, module, native, run, same, scratch } from './compare.mjs';

const said = [];
for (const [i, program] of [native, module].entries()) {
  const folder = path.join(scratch, `doors-${i}`);
  mkdirSync(folder);
  const env = { ...process.env, SECRET_OF_OURS: 'not for children' };
  const came = await run(program, [folder], { env });
  expect(came.status === 0, `${program}: status ${came.status}: ${came.err}`);
  said.push(came.out);
}
const sqlite = process.getBuiltinModule?.('node:sqlite') !== undefined;
const lines = (text) => text.split('\n').filter((line) => sqlite || !line.startsWith('records'));
const [mine, theirs] = said.map(lines);
expect(mine.length > 50, `only ${mine.length} lines`);
mine.forEach((line, i) => same(line, theirs[i] ?? '', `door ${i + 1}`));
finish('doors');
