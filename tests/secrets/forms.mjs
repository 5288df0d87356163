// What secrets stand in (forms.tsv), with one planted in each, and whether something still tells it.

import {readFileSync} from 'node:fs';

const inHex = (text, lead) => [...Buffer.from(text)].map(byte => lead + byte.toString(16).padStart(2, '0')).join('');
const base64 = text => Buffer.from(text).toString('base64');

const encodings = {
  base64: text => `see ${base64(text)} there`,
  base64url: text => `see ${Buffer.from(text).toString('base64url')} there`,
  basic: text => `Basic ${base64(text)}`,
  percent: text => `q=${inHex(text, '%')}`,
  percent2: text => `q=${inHex(text, '%25')}`,
  unicode: text => `say ${inHex(text, '\\u00')}`,
  json: text => JSON.stringify(JSON.stringify(text)),
  '-': text => text,
};

const lines = readFileSync(new URL('forms.tsv', import.meta.url), 'utf8').split('\n').filter(line => line && !line.startsWith('#'));

export const forms = lines.map((line, at) => {
  const [where, looks, encoding, text] = line.split('\t');
  const number = 100 + at;
  const planted = `pL4n${number}Zq`;
  const secret = looks === '-' ? planted : looks.replaceAll('{S}', planted).replaceAll('{U}', `PLANTED${number}`);
  const plain = text.replaceAll('{S}', secret).replaceAll('\\n', '\n');
  return {number, mark: `placed${number}`, secret, encoding, plain,
          note: where === 'value' ? undefined : encodings[encoding](plain),
          value: where === 'text' ? undefined : JSON.parse(plain)};
});

// placed is what a peer says of a form: that it is there, the text, and the value.
export const placed = form => ({mark: form.mark, ...(form.note !== undefined && {note: form.note}), ...(form.value && {given: form.value})});

// digitsOf returns the digits of base64 that tell six bytes of the secret.
function digitsOf(form) {
  const from = Math.ceil(form.plain.indexOf(form.secret) * 8 / 6);
  return base64(form.plain).slice(from, from + 8);
}

// tells returns whether something shown still tells the secret, in any encoding that it was in.
export function tells(form, shown) {
  const plain = shown.replaceAll(/\\+/g, '\\').toLowerCase();  // However often it was escaped.
  return shown.includes(form.secret) || ['%', '%25', '\\u00'].some(lead => plain.includes(inHex(form.secret, lead))) ||
         (form.encoding.startsWith('bas') && shown.includes(digitsOf(form)));
}
