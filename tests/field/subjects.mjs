// What the study judges: subjects.json, with the words of its commands filled in.
//
// A command is one line, or a list of words. In it `node` and {node} are the Node of the study, `servers/X` and
// `clients/X` scripts of this folder (copied to where Node finds the packages of the subject), {modules} is the folder
// of these packages, {built} that of all, {here} this folder, {root} the project, {port} a free port, {folder} a folder of the subject's
// own, {url} the server behind a gateway.

import {cpSync, mkdirSync, readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

export const here = fileURLToPath(new URL('.', import.meta.url));
export const root = resolve(here, '../..');
export const built = resolve(root, 'build/field');

const study = JSON.parse(readFileSync(`${here}/subjects.json`, 'utf8'));

export const kits = study.kits;
export const leftOut = study.left_out;

const listed = (role, subjects) => subjects.map(subject => ({...subject, role, sdk: subject.sdk ?? kits[subject.kit].sdk}));
const all = [...listed('server', study.servers), ...listed('client', study.clients), ...listed('gateway', study.gateways)];

// matches says whether `name` is what `pattern` means: the name itself, a name with `*` in it, or `sdk:NAME`.
export function matches(subject, pattern) {
  if (pattern.startsWith('sdk:')) return subject.sdk === pattern.slice(4);
  const parts = pattern.split('*').map(part => part.replace(/[.\\+?^${}()|[\]]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(subject.name);
}

// subjects returns those that `names` choose, or all; a name chooses what begins with it, too.
export function subjects(names = []) {
  for (const name of names) {
    if (!all.some(subject => chosen(subject, name))) throw new Error(`no subject is called ${name}; they stand in tests/field/subjects.json`);
  }
  return all.filter(subject => names.length === 0 || names.some(name => chosen(subject, name)));
}

const chosen = (subject, name) => subject.role === name || subject.name.startsWith(`${name}/`) || matches(subject, name);

export const nodeOf = () => `${built}/node/node_modules/node/bin/node`;

// argv returns the words of a command of `kit`.
export function argv(command, kit, values) {
  const place = `${built}/${kit}`;
  const folder = `${built}/data/${values.name}`;
  mkdirSync(folder, {recursive: true});
  const said = {modules: `${place}/node_modules`, built, root, here, node: nodeOf(), folder, ...values};
  return (Array.isArray(command) ? command : command.split(' ')).map(word => {
    if (word === 'node') return nodeOf();
    if (/^(servers|clients)\/\w+\.mjs$/.test(word)) {
      for (const folder of ['servers', 'clients']) cpSync(`${here}/${folder}`, `${place}/${folder}`, {recursive: true});
      return `${place}/${word}`;
    }
    return word.replace(/\{(\w+)\}/g, (_, name) => said[name]);
  });
}
