// Writes the tables of docs/findings.md between its two marks, from verdicts.tsv and subjects.json alone.

import {readFileSync, writeFileSync} from 'node:fs';

import {leftOut, root, subjects} from './subjects.mjs';
import {covers, filed} from './verdicts.mjs';

const page = `${root}/docs/findings.md`;
const begin = '<!-- written by ./plumb field --table -->';
const end = '<!-- end of what is written -->';

const unique = values => [...new Set(values)];
const row = cells => `| ${cells.join(' | ')} |`;
const table = (heads, rows) => [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n');
const software = subject => subject.name.split('/')[0];

const transport = ({url}) => !url ? 'stdio' : url.startsWith('ws') ? 'ws' : url.endsWith('/sse') ? 'sse' : 'http';

// cell says over which transports servers do it: `http` is each of them, `http 2/9` two of nine.
function cell(servers, does) {
  return ['stdio', 'http', 'sse', 'ws'].flatMap(name => {
    const there = servers.filter(server => transport(server) === name);
    const doing = there.filter(does).length;
    return doing === 0 ? [] : [doing === there.length ? `**${name}**` : `${name} ${doing}/${there.length}`];
  }).join(', ');
}

// ofEachSdk has a row for each rule that servers break, and a column for each SDK.
function ofEachSdk() {
  const servers = subjects().filter(subject => subject.role === 'server');
  const sdks = unique(servers.map(server => server.sdk));
  const lines = filed.filter(line => line.verdict !== 'ours' && servers.some(server => covers(line, server)));
  const breaks = (id, server) => lines.some(line => line.id === id && covers(line, server));
  const rows = unique(lines.map(line => line.id)).sort().map(id => [
    `\`${id}\``, ...sdks.map(sdk => cell(servers.filter(server => server.sdk === sdk), server => breaks(id, server)))]);
  return table(['rule', ...sdks], rows);
}

// ofEachRule has a row for each line of verdicts.tsv, with the software that it is about.
function ofEachRule(roles, wanted) {
  const about = line => unique(subjects().filter(subject => roles.includes(subject.role) && covers(line, subject)).map(software));
  const rows = filed.filter(line => wanted.includes(line.verdict) && about(line).length > 0)
      .sort((one, other) => one.id.localeCompare(other.id) || one.revision.localeCompare(other.revision))
      .map(line => [`\`${line.id}\``, line.revision === '*' ? 'each' : line.revision, line.verdict, about(line).join(', '), line.reason]);
  return rows.length === 0 ? 'None.' : table(['rule', 'revision', 'verdict', 'seen in', 'what it does, with the clause'], rows);
}

const setups = role => subjects().filter(subject => subject.role === role);

function text() {
  const count = verdict => filed.filter(line => line.verdict === verdict).length;
  return [
    `${setups('server').length} server set-ups (${unique(setups('server').map(software)).length} programs), ${setups('client').length} client set-ups, ` +
        `${setups('gateway').length} gateway chains. Findings: ${count('true')} true, ${count('arguable')} arguable, ${count('ours')} errors of the judge.`,
    '### Servers by SDK',
    'A bold transport means every judged server of this SDK over that transport; numbers say how many of how many.', ofEachSdk(),
    '### Servers', ofEachRule(['server'], ['true', 'arguable']),
    '### Clients', ofEachRule(['client'], ['true', 'arguable']),
    '### Gateways', ofEachRule(['gateway'], ['true', 'arguable']),
    '### Errors of the judge itself, until they are fixed', ofEachRule(['server', 'client', 'gateway'], ['ours']),
    '### Left out', table(['package', 'why'], leftOut.map(({package: name, reason}) => [name, reason])),
  ].join('\n\n');
}

export function writeTable() {
  const [before, rest] = readFileSync(page, 'utf8').split(begin);
  if (rest === undefined || !rest.includes(end)) throw new Error(`${page} has no '${begin}' with '${end}' behind it`);
  writeFileSync(page, `${before}${begin}\n\n${text()}\n\n${end}${rest.split(end)[1]}`);
}
