// What a sentence says of the concepts of conformance/quality/concepts.tsv, written a second time for
// the training: as conformance/quality/safety/vocabulary.cc sees it.

import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

const table = fileURLToPath(new URL('../../conformance/quality/concepts.tsv', import.meta.url));
const kSecret = ['kept quiet', 'without consent'];
const kUndeniable = ['told to', 'to the model', 'preferred', 'against the rules', 'in the answer'];

const names = [], patterns = [], own = {};  // In the order of the table.
for (const line of readFileSync(table, 'utf8').split('\n').slice(1)) {
  if (line === '') continue;
  const [name, , pattern] = line.split('\t');
  const re = new RegExp(pattern, 'i');
  if (['denied', 'not denied', 'denied twice', 'quoted'].includes(name)) {
    own[name] = re;
    continue;
  }
  if (!names.includes(name)) names.push(name);
  patterns.push({name, re});
}
const quoted = new RegExp(own.quoted.source, 'gi');
const bits = wanted => patterns.filter(({name}) => wanted.includes(name));
const attacks = bits(['looks for attacks']), secret = bits(kSecret), undeniable = bits(kUndeniable);
const deniable = patterns.filter(one => ![attacks, secret, undeniable].some(list => list.includes(one)));

// withoutDenied returns `text` without what follows a "not", up to the end of the clause or to what
// is said nevertheless.
function withoutDenied(text) {
  let rest = '';
  for (;;) {
    const denied = own.denied.exec(text);
    if (!denied || denied[0] === '') return rest + text;
    rest += text.slice(0, denied.index) + ' ';
    const still = own['not denied'].exec(denied[0]);
    if (still) rest += denied[0].slice(still.index);
    text = text.slice(denied.index + denied[0].length);
  }
}

const known = new Map();  // They're asked for over and over.

// conceptsOf returns the names of what `sentence` says, in the order of the table.
export function conceptsOf(sentence) {
  if (known.has(sentence)) return known.get(sentence);
  const said = new Set();
  const look = (text, list) => list.forEach(({name, re}) => !said.has(name) && re.test(text) && said.add(name));
  look(sentence, attacks);
  const text = said.size > 0 ? sentence.replace(quoted, ' ') : sentence;
  if (!own['denied twice'].test(text)) look(text, secret);
  look(text, undeniable);
  look(kSecret.some(name => said.has(name)) ? text : withoutDenied(text), deniable);
  const all = names.filter(name => said.has(name));
  known.set(sentence, all);
  return all;
}
