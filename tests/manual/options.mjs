// Which commands and options there are, as the program's own completion for fish tells it.

import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';

// optionsOf returns a Map of each command ("check server") to the Set of its options; the words that
// only the script `plumb` knows are there with any option (null).
export function optionsOf(plumbline, plumb) {
  const text = execFileSync(plumbline, ['--manual', 'plumbline.fish'], {encoding: 'utf8'});
  const known = new Map();
  const everywhere = ['--help', '-h', '--manual', '--plant'];  // The last two are shown by no help.
  const at = command => known.get(command) ?? known.set(command, new Set(everywhere)).get(command);
  at('');
  for (const [, word] of readFileSync(plumb, 'utf8').matchAll(/^\.\/plumb ([a-z]+) /gm)) known.set(word, null);
  for (const line of text.split('\n')) {
    const found = /^complete -c plumbline -n '__plumbline_at '\\''plumbline ?([^']*)'\\''' (.*)$/.exec(line);
    if (!found) continue;
    const [, command, rest] = found;
    const options = at(command);
    const below = /^-f -a (\S+) -d/.exec(rest);
    if (below) at((command + ' ' + below[1]).trim());
    for (const [, kind, name] of rest.split(' -d ')[0].matchAll(/-([ls]) (\S+)/g)) {
      options.add((kind === 'l' ? '--' : '-') + name);
    }
  }
  return known;
}

// unknownIn returns what is wrong with a command line, or with a form of one ("[--seed N]"); '' when
// there is such a command, with such options.
export function unknownIn(line, known) {
  const words = line.replace(/^\$ /, '').replace(/ -- .*$/s, '').replace(/ {2,}.*$/, '').replace(/\s#.*$/, '')
    .replace(/'[^']*'|"[^"]*"/g, 'TEXT').split(/[\s[\]|,;()]+/).filter(word => word !== '');
  words.splice(0, words[0] === 'npx' ? 3 : 1);  // npx --no-install mcp-plumbline
  while (words[0] === '--no-install') words.shift();
  let command = '';
  while (words.length > 0 && known.has((command + ' ' + words[0]).trim())) {
    command = (command + ' ' + words.shift()).trim();
  }
  if (command === '' && words.length > 0 && /^[a-z]/.test(words[0])) return `there is no command ${words[0]}`;
  if (known.get(command) === null) return '';
  const takes = option => [...known].some(([name, options]) =>
    (name === command || name.startsWith(command + ' ')) && options?.has(option));
  for (const word of words) {
    const option = /^-{1,2}[a-z][a-z-]*/.exec(word)?.[0];
    if (option && !takes(option)) return `plumbline ${command} has no ${option}`;
  }
  return '';
}
