// verdicts.tsv: each failure of the study, read against its clause and the wire log.
//
// A line is SUBJECTS, REVISION (or *), ID, VERDICT, REASON. SUBJECTS are names, names with `*`, or sdk:NAME, with a comma and a
// space between. VERDICT is `true` (the clause says so), `arguable` (it can be read otherwise, and so has to be a warning) or `ours`
// (the judge errs).

import {readFileSync} from 'node:fs';

import {here, matches} from './subjects.mjs';

const verdicts = ['true', 'arguable', 'ours'];

export const filed = readFileSync(`${here}/verdicts.tsv`, 'utf8').split('\n').map((text, at) => ({text, at: at + 1}))
    .filter(({text}) => text && !text.startsWith('#'))
    .map(({text, at}) => {
      const [subjects, revision, id, verdict, reason] = text.split('\t');
      if (!reason || !verdicts.includes(verdict) || !/^(\*|\d{4}-\d{2}-\d{2})$/.test(revision)) throw new Error(`verdicts.tsv:${at}: expected SUBJECTS, REVISION, ID, VERDICT and REASON, with tabs between`);
      return {at, patterns: subjects.split(', '), revision, id, verdict, reason};
    });

export const covers = (line, subject) => line.patterns.some(pattern => matches(subject, pattern));
const speaksOf = (line, row) => line.id === row.id && (line.revision === '*' || line.revision === row.revision);

// Tally compares what was seen with what is filed.
export class Tally {
  constructor() {
    this.counts = {true: 0, arguable: 0, ours: 0, unfiled: 0};
    this.stale = [];
  }

  // take counts the failures in `rows` of `subject` and the warnings filed as arguable, and returns the failures that nobody
  // has filed as such.
  take(subject, rows) {
    const lines = filed.filter(line => covers(line, subject));
    const unfiled = rows.filter(row => row.verdict === 'fail').filter(row => {
      const line = lines.find(each => speaksOf(each, row) && each.verdict !== 'arguable');
      this.counts[line?.verdict ?? 'unfiled'] += 1;
      return !line;
    });
    for (const line of lines) {
      const told = rows.filter(row => speaksOf(line, row) && ['pass', 'warn', 'fail'].includes(row.verdict));
      const due = line.verdict === 'arguable' ? 'warn' : 'fail';
      const seen = told.filter(row => row.verdict === due).length;
      if (due === 'warn') this.counts.arguable += seen;
      if (told.length > 0 && seen === 0) {
        this.stale.push(`verdicts.tsv:${line.at}: ${subject.name} no longer has a ${due} of ${line.id}`);
      }
    }
    return unfiled;
  }

  get good() { return this.counts.unfiled === 0 && this.stale.length === 0; }
}
