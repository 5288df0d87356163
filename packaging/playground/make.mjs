// make.mjs FOLDER: puts the page of the playground beside its module: the page, the schema of a
// scenario, and the scenarios of docs/scenario-examples.md.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = process.argv[2];
const here = fileURLToPath(new URL('.', import.meta.url));
const docs = join(here, '../../docs');
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(join(here, 'page'))) copyFileSync(join(here, 'page', name), join(folder, name));
copyFileSync(join(docs, 'scenario.schema.json'), join(folder, 'scenario.schema.json'));

const page = readFileSync(join(docs, 'scenario-examples.md'), 'utf8');
const examples = page.split(/^## (?=\d+\. )/m).slice(1).flatMap((part) => {
  const title = part.slice(0, part.indexOf('\n'));
  const text = /```jsonc\n([^]*?)```/.exec(part)?.[1];
  return text?.includes('"plumbline": 1') ? [{ title, text }] : [];
});
if (examples.length < 20) throw new Error(`docs/scenario-examples.md has ${examples.length} scenarios`);
writeFileSync(join(folder, 'examples.json'), JSON.stringify(examples));
