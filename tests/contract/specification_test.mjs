// What of the specification has drifted from under our rules: each rule names a page and a heading,
// which must be there at the commit of conformance/catalogue/specification.json, or at another one.
//   node specification_test.mjs CLONE [COMMIT]     CLONE: of the repository named there; COMMIT: HEAD
// Without CLONE it takes PLUMBLINE_SPECIFICATION, and without that is skipped (77). Nothing of the
// specification's text is kept.

import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {rules} from './rules.mjs';

const [clone = process.env.PLUMBLINE_SPECIFICATION, wanted] = process.argv.slice(2);
if (!clone) {
  console.log('skipped: PLUMBLINE_SPECIFICATION names no clone of the specification');
  process.exit(77);
}
const catalogue = fileURLToPath(new URL('../../conformance/catalogue', import.meta.url));
const git = (...words) => execFileSync('git', ['-C', clone, ...words], {encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore']});
const pinned = JSON.parse(readFileSync(join(catalogue, 'specification.json'), 'utf8')).commit;
const commit = git('rev-parse', `${wanted ?? 'HEAD'}^{commit}`).trim();
const drifted = [];
if (commit !== pinned) drifted.push(`the commit is ${commit}, the rules are of ${pinned}`);

// anchor returns the name that the site gives a heading.
const anchor = heading => heading.replace(/\{[^}]*\}|<[^>]*>/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '')
  .trim().toLowerCase().replace(/\+/g, '-').replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s+/g, '-').replace(/-+/g, '-').replace(/^[-_]+|-$/g, '');

const files = new Set(git('ls-tree', '-r', '--name-only', commit, 'docs', 'seps').trim().split('\n'));
const pages = new Map();
// headings returns the anchors of a page; null: there is no such page.
function headings(path) {
  if (!pages.has(path)) {
    const file = ['.mdx', '.md', '/index.mdx', '/index.md'].map(end => path + end).find(name => files.has(name));
    const text = file && git('show', `${commit}:${file}`);
    pages.set(path, text === undefined ? null : new Set([
      ...[...text.matchAll(/^\s*#{1,6}\s+(.+)$/gm)].map(([, heading]) => anchor(heading)),
      ...[...text.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id), 'top']));
  }
  return pages.get(path);
}

// Rules of gateways are our own: they rest on pages, and on whole ones.
const all = rules().filter(({role}) => role !== 'gateway');
for (const {id, since, until, page: pinnedAt} of all) {
  const newest = since < '2026-07-28' ? '2025-11-25' : '2026-07-28';
  const [page, heading] = pinnedAt.split('#');
  const path = page.startsWith('seps/') ? `docs/${page}` : page.startsWith('../../') ? `docs/${page.slice(6)}`
    : page.startsWith('20') ? `docs/specification/${page}` : `docs/specification/${until || newest}/${page}`;
  const found = headings(path);
  if (found === null) drifted.push(`${id} (${since}): the page ${path} is gone`);
  else if (heading && !found.has(heading)) drifted.push(`${id} (${since}): ${path} has no heading #${heading}`);
}
for (const each of drifted) console.log(each);
console.log(`${all.length} rules, ${pages.size} pages at ${commit.slice(0, 8)}: ${drifted.length} drifted`);
process.exit(drifted.length === 0 && all.length > 800 ? 0 : 1);
