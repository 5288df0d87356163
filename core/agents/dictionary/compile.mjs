// Writes words.tsv from WordNet 3.0 (Debian: wordnet-base):
//   node compile.mjs [/usr/share/wordnet] > words.tsv
//
// A line is a word, its groups as a verb, and as a noun. A group is a synset, or a verb and the noun that is made of it;
// words of one group mean the same. Only what people use is kept: the first senses of a word, where one of the
// synset's words was met in the corpora that WordNet counted (cntlist.rev). "=" leads from an irregular form to its word.

import {readFileSync} from 'node:fs';

const folder = process.argv[2] ?? '/usr/share/wordnet';
const lines = name => readFileSync(`${folder}/${name}`, 'latin1').split('\n').filter(line => line !== '' && !line.startsWith(' '));
const sensesMax = {verb: 4, noun: 1};
const plain = /^[a-z]{2,}$/;

// used[pos] maps "lemma sense" to how often it was met.
const used = {noun: new Map(), verb: new Map()};
const met = {noun: new Set(), verb: new Set()};  // In any sense.
for (const line of lines('cntlist.rev')) {
  const [key, sense, count] = line.split(' ');
  const pos = {1: 'noun', 2: 'verb'}[key.split('%')[1][0]];
  if (!pos) continue;
  used[pos].set(`${key.split('%')[0]} ${sense}`, Number(count));
  met[pos].add(key.split('%')[0]);
}

const groups = new Map();  // Key of a group -> its words.
const join = (key, pos, word) => {
  if (!groups.has(key)) groups.set(key, new Set());
  groups.get(key).add(`${pos} ${word}`);
};
const known = new Set();
const made = [];  // [verb, offset of a noun's synset, which of its words].
const sensesOf = {noun: new Map(), verb: new Map()};  // "offset word" -> sense.
for (const pos of ['verb', 'noun']) {
  for (const line of lines(`index.${pos}`)) {
    const fields = line.trim().split(' ');
    const word = fields[0], offsets = fields.slice(-Number(fields[2]));
    if (!plain.test(word)) continue;
    offsets.slice(0, sensesMax[pos]).forEach((offset, at) => sensesOf[pos].set(`${offset} ${word}`, at + 1));
    if (used[pos].has(`${word} 1`)) known.add(word);
  }
}
for (const pos of ['verb', 'noun']) {
  for (const line of lines(`data.${pos}`)) {
    const fields = line.split(' | ')[0].split(' ');
    const offset = fields[0], many = parseInt(fields[3], 16);
    const words = [];
    for (let i = 0; i < many; ++i) words.push(fields[4 + 2 * i].toLowerCase());
    const kept = words.filter(word => sensesOf[pos].has(`${offset} ${word}`) && met[pos].has(word));
    const common = kept.some(word => used[pos].has(`${word} ${sensesOf[pos].get(`${offset} ${word}`)}`));
    if (common && kept.length > 1) for (const word of kept) join(`${pos} ${offset}`, pos, word);
    if (pos !== 'verb') continue;
    // "+" leads from a word of a verb's synset to a noun that is made of it.
    const pointers = fields.slice(5 + 2 * many);
    for (let i = 0; i + 3 < pointers.length; i += 4) {
      const [sign, target, kind, which] = pointers.slice(i, i + 4);
      if (sign !== '+' || kind !== 'n') continue;
      const word = words[parseInt(which.slice(0, 2), 16) - 1];
      if (!kept.includes(word) || !plain.test(word) || !used.verb.has(`${word} ${sensesOf.verb.get(`${offset} ${word}`)}`)) continue;
      made.push([word, target, parseInt(which.slice(2), 16)]);
    }
  }
}

// A person who does something, and the like, is another thing: only what names the deed itself, by the verb's stem.
const nouns = new Map(lines('data.noun').map(line => {
  const fields = line.split(' ');
  return [fields[0], Array.from({length: parseInt(fields[3], 16)}, (_, i) => fields[4 + 2 * i].toLowerCase())];
}));
for (const [verb, offset, which] of made) {
  const noun = nouns.get(offset)[which - 1];
  const deed = /(ion|ment|ing|ance|ence|al|sis|th|ure)$/.test(noun) || noun.length <= verb.length;
  if (!plain.test(noun) || noun === verb || !deed || !sensesOf.noun.has(`${offset} ${noun}`)) continue;
  if (!used.noun.has(`${noun} ${sensesOf.noun.get(`${offset} ${noun}`)}`)) continue;
  join(`made ${verb} ${noun}`, 'verb', verb);
  join(`made ${verb} ${noun}`, 'noun', noun);
}

const rows = new Map();
for (const word of known) rows.set(word, {verb: [], noun: []});
[...groups.values()].filter(words => words.size > 1).forEach((words, at) => {
  for (const one of words) {
    const [pos, word] = one.split(' ');
    if (!rows.has(word)) rows.set(word, {verb: [], noun: []});
    rows.get(word)[pos].push(at.toString(36));
  }
});
const out = [...rows].map(([word, {verb, noun}]) => `${word}\t${verb.join(' ')}\t${noun.join(' ')}`.trimEnd());
for (const pos of ['verb', 'noun']) {
  for (const line of lines(`${pos}.exc`)) {
    const [form, word] = line.split(' ');
    if (plain.test(form) && rows.has(word) && !rows.has(form)) out.push(`${form}\t=${word}`), rows.set(form, null);
  }
}
process.stdout.write(`${out.sort((a, b) => a < b ? -1 : 1).join('\n')}\n`);
