// halves_test.mjs SOURCES BUILD: what the rooms above ask of core/os is defined in both of its halves.
// What they ask of the native program's stands in its libraries; what the module's defines, in the
// sources, which nothing but its own build compiles.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';

const [sources, build] = process.argv.slice(2).map((name) => path.resolve(name));
const below = (folder, ending) => readdirSync(folder, { recursive: true })
  .filter((name) => name.endsWith(ending)).map((name) => path.join(folder, name));

// symbols returns the names in `libraries`, of os alone, that nm gives this kind.
function symbols(libraries, kind) {
  const { stdout } = spawnSync('nm', ['-C', kind === 'U' ? '-u' : '--defined-only', ...libraries], { encoding: 'utf8', maxBuffer: 1 << 30 });
  const pattern = new RegExp(`^[0-9a-f ]*${kind} plumbline::os::([^(]+)\\(`, 'gm');
  return new Set([...stdout.matchAll(pattern)].map(([, name]) => name.replace(/\[abi:\w+\]/, '')));
}

const ours = path.join(build, 'core/os/libcore_os.a');
const defined = symbols([ours], 'T');
// The rooms alone: tests put copies of libraries, and links to the sources, below the same folder.
const rooms = ['cli', 'conformance', 'core', 'fakes', 'reference', 'reports', 'scenarios'];
const above = rooms.flatMap((room) => below(path.join(build, room), '.a')).filter((name) => name !== ours);
const asked = [...symbols(above, 'U')].filter((name) => defined.has(name)).sort();
const room = path.join(sources, 'core/os');
const text = below(room, '.cc').filter((name) => !/(^|[/])(posix|ssh)[/]|postgres|_test[.]cc$/.test(path.relative(room, name)))
  .map((name) => readFileSync(name, 'utf8')).join('\n');
const missing = asked.filter((name) => !new RegExp(`^([^\\s#/].*)?\\b${name}\\(`, 'm').test(text));
for (const name of missing) console.log(`FAILED: os::${name} is asked for, and core/os/node does not define it`);
console.log(`${asked.length} functions of core/os are asked for, ${missing.length} are missing in core/os/node`);
process.exit(missing.length === 0 && asked.length > 30 ? 0 : 1);
