// Installs what a subject needs below build/field, in the versions of subjects.json and no other. Scripts of packages
// do not run, but that of Node itself, which puts the program in its place.

import {cpSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';

import {Program} from './processes.mjs';
import {argv, built, here, kits} from './subjects.mjs';

const installSeconds = 600;

const readIfThere = path => { try { return readFileSync(path, 'utf8'); } catch { return ''; } };

// install makes build/field/KIT hold the packages of `kit`, once.
export async function install(kit) {
  const folder = `${built}/${kit}`;
  const specs = Object.entries(kits[kit].packages).map(([name, version]) => `${name}@${version}`);
  if (readIfThere(`${folder}/installed`) === specs.join('\n')) return;
  mkdirSync(folder, {recursive: true});
  writeFileSync(`${folder}/package.json`, '{"private": true}\n');
  const npm = new Program(['npm', 'install', '--prefix', folder, '--no-package-lock', '--no-audit', '--no-fund', '--save-exact',
                           ...(kit === 'node' ? [] : ['--ignore-scripts']), ...specs]);
  if (await npm.status(installSeconds) !== 0) throw new Error(`npm install ${specs.join(' ')}: ${npm.last()}`);
  if (kits[kit].source) await compile(kit, folder);
  writeFileSync(`${folder}/installed`, specs.join('\n'));
}

// compile makes programs of a `source` of this folder with the compiler that the packages bring.
async function compile(kit, folder) {
  cpSync(`${here}/${kits[kit].source}`, folder, {recursive: true});
  const compiler = new Program(argv(kits[kit].compile, kit, {name: kit}), {cwd: folder});
  if (await compiler.status(installSeconds) !== 0) throw new Error(`${kits[kit].compile}: ${compiler.last()}`);
}
