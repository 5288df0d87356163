// What the scorer of conformance/quality/safety/likeness.cc sees of a text, written a second time
// for its training: words, sentences, features, and the texts of a list of tools.

import {conceptsOf} from './concepts.mjs';

export const kBits = 20;     // Of the number of a feature.
export const kPad = 40;      // Added to the number of features before the root is taken.
const kStem = 6;             // Letters of a word that count in a pair of words.
const kPrefix = 4;           // Letters of a longer word that count by themselves.
const kLongest = 20_000;     // Characters of a text that are looked at.

const utf8 = new TextEncoder();

// numberOf returns the number of a feature: FNV-1a, mixed so that the high bits can be taken.
const numbers = new Map();  // They're asked for over and over.
export function numberOf(feature) {
  const known = numbers.get(feature);
  if (known !== undefined) return known;
  let hash = 0x811c9dc5;
  for (const byte of utf8.encode(feature)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  hash = (hash ^ (hash >>> 15)) >>> 0;
  const number = (Math.imul(hash, 0x2c1b3c6d) >>> 0) >>> (32 - kBits);
  numbers.set(feature, number);
  return number;
}

const within = (code, ranges) => code >= ranges[0][0] && ranges.some(([first, last]) => code >= first && code <= last);
const kWide = [[0x0e00, 0x0e7f], [0x3040, 0xd7ff], [0xf900, 0xfaff], [0xff66, 0xffdc], [0x20000, 0x3ffff]];
const kLetters = [[0xc0, 0x1fff], [0x2c00, 0x2dff], [0xfe70, 0xfefe], [0xff10, 0xff19], [0xff21, 0xff3a], [0xff41, 0xff5a], ...kWide];
const kMarks = [[0xd7, 0xd7], [0xf7, 0xf7], [0x37e, 0x37e], [0x5be, 0x5be], [0x60c, 0x60c], [0x61b, 0x61b], [0x61f, 0x61f], [0x66a, 0x66d], [0x6d4, 0x6d4], [0x964, 0x965]];
const isAscii = code => (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x7a);
const isLetter = code => code < 0x80 ? isAscii(code) : within(code, kLetters) && !within(code, kMarks);

// wordsOf takes a text apart: words in small letters, and "<url>", "<mail>", "<path>", "<var>",
// "<tag>" and a few marks for what is none.
export function wordsOf(text) {
  const letters = [...text.toLowerCase().replaceAll('ς', 'σ')];
  const code = at => at >= 0 && at < letters.length ? letters[at].codePointAt(0) : 0x20;
  const words = [];
  for (let at = 0; at < letters.length;) {
    const now = letters[at], next = code(at + 1);
    if (isLetter(code(at))) {
      if (/^https?:\/\/$/.test(letters.slice(at, at + 7).join('')) || letters.slice(at, at + 8).join('') === 'https://') {
        while (at < letters.length && !' \n\t\r"\'<>)]'.includes(letters[at])) ++at;
        words.push('<url>');
        continue;
      }
      const begin = at;
      const wide = within(code(at), kWide);
      for (++at; at < letters.length && within(code(at), kWide) === wide; ++at) {
        const joins = !wide && (letters[at] === '\'' || letters[at] === '’') && isLetter(code(at + 1));
        if (!isLetter(code(at)) && !joins) break;
      }
      const word = letters.slice(begin, at).join('').replaceAll('’', '\'');
      words.push(/^[0-9]+$/.test(word) ? '0' : word);
    } else {
      const before = isLetter(code(at - 1));
      if (now === '@' && before && isAscii(next)) {
        words[words.length - 1] = '<mail>';
        for (++at; isAscii(code(at)) || ((letters[at] === '.' || letters[at] === '-') && isAscii(code(at + 1)));) ++at;
        continue;
      }
      if ((now === '~' && letters[at + 1] === '/') || (!before && (now === '/' || now === '.') && isAscii(next))) words.push('<path>');
      else if (now === '$' && (isAscii(next) || letters[at + 1] === '{')) words.push('<var>');
      else if (now === '<' && (isAscii(next) || '/|!'.includes(letters[at + 1] ?? ' '))) words.push('<tag>');
      else if ('!?:"`{[%'.includes(now)) words.push(now);
      ++at;
    }
  }
  return words;
}

// featuresOf returns the numbers of the features of one sentence of a text of the kind `kind`. What
// an honest description says may be odd for an argument, so a word of another kind counts twice. So do
// the concepts that the sentence has, and each two of them.
export function featuresOf(sentence, kind) {
  const concepts = conceptsOf(sentence);
  const numbers = concepts.map(one => numberOf('C' + one));
  concepts.forEach((one, i) => concepts.slice(0, i).forEach(other => numbers.push(numberOf(`C${other}+${one}`))));
  let before = '';
  for (const word of wordsOf(sentence)) {
    const letters = [...word];
    if (within(letters[0].codePointAt(0), kWide)) {
      for (const size of [2, 3]) {
        for (let i = 0; i + size <= letters.length; ++i) numbers.push(numberOf('c' + letters.slice(i, i + size).join('')));
      }
      before = '';
      continue;
    }
    numbers.push(numberOf('w' + word));
    if (kind !== 'description') numbers.push(numberOf(`k${kind} ${word}`));
    if (letters.length > kPrefix) numbers.push(numberOf('p' + letters.slice(0, kPrefix).join('')));
    const stem = letters.slice(0, kStem).join('');
    if (before !== '') numbers.push(numberOf('b' + before + ' ' + stem));
    before = stem;
  }
  return numbers;
}

// namesOnly returns whether a sentence does nothing but list names.
function namesOnly(sentence) {
  const items = sentence.split(', ');
  return items.length >= 30 && items.filter(one => !one.includes(' ')).length * 10 >= items.length * 9;
}

export function sentencesOf(text) {
  const sentences = [];
  let begin = 0;
  for (let i = 0; i < text.length; ++i) {
    const ends = text[i] === '\n' || '。！？।؟'.includes(text[i]) || ('.!?;'.includes(text[i]) && (i + 1 === text.length || text[i + 1] === ' ' || text[i + 1] === '\n'));
    if (!ends && i + 1 < text.length) continue;
    const one = text.slice(begin, i + 1);
    if (/[^ \t\r\n.!?;]/.test(one) && !namesOnly(one)) sentences.push(one);
    begin = i + 1;
  }
  return sentences;
}

// passagesOf returns what of a text is weighed: each sentence, and each with the one before it.
export function passagesOf({kind, text}) {
  const plain = kind === 'name' ? text.replaceAll('_', ' ') : text;
  const sentences = sentencesOf(plain.slice(0, kLongest)).map(text => ({text, numbers: featuresOf(text, kind)}));
  const passages = [];
  const add = (text, numbers) => passages.push({text, x: Int32Array.from(new Set([...numbers, numberOf('k' + kind)]))});
  sentences.forEach(({text, numbers}, i) => {
    add(text, numbers);
    if (i > 0) add(sentences[i - 1].text + text, [...sentences[i - 1].numbers, ...numbers]);
  });
  return passages;
}

const kOfMachines = new Set(['$schema', '$id', '$ref', 'icons']);

function kindOf(at) {
  const key = at.slice(at.lastIndexOf('/') + 1);
  if (at.includes('/properties/')) return key === 'description' || key === 'title' ? 'argument' : 'value';
  if (at.includes('/arguments/')) return 'argument';
  return ['name', 'title', 'uri', 'description', 'instructions'].includes(key) ? 'description' : 'value';
}

// textsOf returns every text of a list of tools, and every name of an argument.
export function textsOf(value, at = '', texts = []) {
  if (typeof value === 'string') {
    texts.push({kind: kindOf(at), text: value});
  } else if (Array.isArray(value)) {
    value.forEach((one, i) => textsOf(one, `${at}/${i}`, texts));
  } else if (value && typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) {
      if (kOfMachines.has(key)) continue;
      if (at.endsWith('/properties')) texts.push({kind: 'name', text: key});
      textsOf(member, `${at}/${key}`, texts);
    }
  }
  return texts.filter(({text}) => !(text.length < 10 && /^[\x00-\x7f]*$/.test(text)));
}
