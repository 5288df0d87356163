// The records of conformance/rules, for scripts: what of a rule holds in which revisions.

import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const folder = fileURLToPath(new URL('../../conformance/rules', import.meta.url));

// rules returns, for each span of revisions of each rule, {id, since, until, level, page, ...}, where
// until is empty if the rule still holds. The program's reader says what is wrong with a file; this
// one takes it to be right.
export function rules() {
  const all = [];
  for (const file of readdirSync(folder).filter(name => name.endsWith('.rules')).sort()) {
    let id, common, span;
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      if (line === '' || line.startsWith('#')) continue;
      if (!line.startsWith(' ')) {
        [id, common, span] = [line, {}, null];
      } else if (/^  \d/.test(line)) {
        const [since, until = since] = line.trim().split('..');
        all.push(span = {...common, id, since, until});
      } else {
        const [, name, value] = line.match(/^ +(\S+) +(.*)$/);
        (span ?? common)[name] = value;
      }
    }
  }
  return all;
}
