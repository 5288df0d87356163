// Every place of cli/ that complains has words that cli/known/errors.tsv knows, and so has what the
// system says of processes and connections; every variable that is asked for stands in
// cli/known/variables.tsv.
//   node errors_test.mjs

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const table = name => readFileSync(join(root, 'cli/known', name), 'utf8').trimEnd().split('\n').slice(1)
  .map(line => line.split('\t'));
const quoted = text => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
const errors = table('errors.tsv')
  .map(([, wording]) => new RegExp(`^${wording.split('*').map(quoted).join('.*').replaceAll('#', '[*\\d]')}$`));

const sources = ['cli', 'core/os/child', 'core/os/net'].flatMap(room => readdirSync(join(root, room), {recursive: true})
  .filter(name => name.endsWith('.cc') && !name.endsWith('_test.cc'))
  .map(name => ({name: join(room, name), text: readFileSync(join(root, room, name), 'utf8')})));

// Words that have a name of their own are put where the name is used.
for (const source of sources) {
  for (const [, name, words] of source.text.matchAll(/\b(k[A-Z]\w*)\s*=\s*((?:"(?:[^"\\]|\\.)*"\s*)+);/g)) {
    source.text = source.text.replace(new RegExp(`\\b(usage|complain)\\(${name}\\b`, 'g'), (_, call) => `${call}(${words}`);
  }
}

// firstArgument returns the words of the argument that begins at `from`, with * for what is not
// written there; null when nothing is.
function firstArgument(text, from) {
  let depth = 1, wording = '', between = '';
  for (let at = from; at < text.length && depth > 0; ++at) {
    const c = text[at];
    if (c === '"') {
      const literal = /"((?:[^"\\]|\\.)*)"/y;
      literal.lastIndex = at;
      const [whole, inside] = literal.exec(text);
      if (between.replace(/std::string\(?$/, '').trim() !== '') wording += '*';
      wording += inside.replace(/\\(.)/g, '$1');
      between = '';
      at += whole.length - 1;
    } else if (c === ',' && depth === 1) break;
    else {
      depth += '({'.includes(c) ? 1 : ')}'.includes(c) ? -1 : 0;
      if (depth > 0) between += c;
    }
  }
  if (wording === '') return null;
  return between.replaceAll(')', '').trim() === '' ? wording : wording + '*';
}

const wrong = [];
let seen = 0;
for (const {name, text} of sources) {
  // Functions that make an error of the words that they are given.
  const makers = [...text.matchAll(/\bError (\w+)\((?:const )?std::string&? (\w+)\) *\{\s*return (?:Error)?\{ErrorCode::\w+, (?:std::move\()?\2\)?\};/g)]
    .map(([, maker]) => maker);
  const complaint = new RegExp(`\\b(?:${['usage', 'complain', ...makers].join('|')})\\(|(?:Error\\{|posix_error\\()(?:ErrorCode::k\\w+|code),`, 'g');
  for (const found of text.matchAll(complaint)) {
    const words = firstArgument(text, found.index + found[0].length);
    const wording = words !== null && found[0].startsWith('posix_error') ? words + ': *' : words;
    if (wording === null || /^[*:, ]+$/.test(wording)) continue;  // The words of somebody else.
    ++seen;
    if (!errors.some(error => error.test(wording) || error.test(wording.replace(/\*$/, '')))) {
      wrong.push(`${name}: errors.tsv knows no "${wording}"`);
    }
  }
}
const variables = new Set(table('variables.tsv').map(([name]) => name));
for (const {name, text} of sources) {
  for (const [, variable] of text.matchAll(/(?:environment_variable|is_set)\("([A-Z_]+)"\)/g)) {
    if (variables.has(variable) || variable === 'HOME') continue;
    wrong.push(`${name}: variables.tsv knows no ${variable}`);
  }
}
for (const each of wrong) console.log(each);
console.log(`${seen} complaints, ${errors.length} errors, ${variables.size} variables`);
process.exit(wrong.length === 0 && seen > 100 ? 0 : 1);
