// links.mjs SITE: every link of the site leads somewhere, to an anchor that is there, and nothing is
// fetched from elsewhere when a page is opened.

import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {dirname, join, relative, resolve} from 'node:path';

const site = resolve(process.argv[2]);
const files = readdirSync(site, {recursive: true}).filter(name => name.endsWith('.html'))
  .map(name => join(site, name));
const texts = new Map(files.map(file => [file, readFileSync(file, 'utf8')]));
const anchors = new Map([...texts].map(([file, text]) =>
  [file, new Set([...text.matchAll(/\b(?:id|name)="([^"]+)"/g)].map(found => found[1]))]));

const wrong = [];
let links = 0;
for (const [file, text] of texts) {
  const say = what => wrong.push(`${relative(site, file)}: ${what}`);
  for (const [, tag, rest] of text.matchAll(/<(a|link|script|img)\b([^>]*)>/g)) {
    const where = /\b(?:href|src)="([^"]*)"/.exec(rest)?.[1];
    if (where === undefined) continue;
    if (/^(https?:)?\/\//.test(where)) {
      if (tag !== 'a' && !/rel="canonical"/.test(rest)) say(`fetches ${where}`);
      continue;
    }
    if (/^(mailto|data|javascript):/.test(where)) continue;
    ++links;
    const [path, anchor] = where.split('#');
    const target = path === '' ? file : resolve(dirname(file), decodeURI(path));
    if (!existsSync(target)) say(`there is no ${where}`);
    else if (anchor && anchors.get(target)?.has(decodeURI(anchor)) === false) say(`there is no ${where}`);
  }
}
for (const each of new Set(wrong)) console.error(each);
console.log(`${files.length} pages, ${links} links`);
process.exit(wrong.length === 0 ? 0 : 1);
