// What children.mjs does on Windows, told that this is one. The two programs are not asked.
import { writeFileSync } from 'node:fs';

import { expect, finish, scratch } from './compare.mjs';

Object.defineProperty(process, 'platform', { value: 'win32' });
const { commandOf, findProgram } = await import('../../packaging/wasm/children.mjs');

const kQuoted = [
  ['plain', '^"plain^"'],
  ['two words', '^"two^ words^"'],
  ['a"b', '^"a\\^"b^"'],
  ['%PATH%', '^"^%PATH^%^"'],
  ['a&b|c>d', '^"a^&b^|c^>d^"'],
  ['end\\', '^"end\\\\^"'],
];
for (const [word, expected] of kQuoted) {
  const { file, args, verbatim } = commandOf('C:\\x\\npx.cmd', [word]);
  const line = args.at(-1);
  expect(verbatim && /cmd\.exe$/i.test(file), `${word}: a script of the shell is started by ${file}`);
  expect(line.endsWith(` ${expected}"`), `${word}: ${line}`);
}
expect(commandOf('C:\\x\\node.exe', ['a b']).args[0] === 'a b', 'a program gets its words as they are');

// Here a backslash is a letter of a name like any other.
process.chdir(scratch);
for (const name of ['npx.CMD', 'npx', 'tool.EXE']) writeFileSync(`bin\\${name}`, '');
const env = { Path: 'none;bin', PathExt: '.COM;.EXE;.CMD' };
const found = (name) => {
  try {
    return findProgram(name, env, '');
  } catch (error) {
    return error.code;
  }
};
expect(found('tool') === 'bin\\tool.EXE', `tool is ${found('tool')}`);
expect(found('npx') === 'bin\\npx.CMD', `npx is ${found('npx')}`);
expect(found('.\\bin\\other') === '.\\bin\\other', 'a path is taken as it is');
expect(found('nothing') === 'NONE', `nothing is ${found('nothing')}`);

// A path may be written with backslashes; what is none stays as it is.
const { slashedWord } = await import('../../packaging/wasm/files.mjs');
for (const [word, expected] of [['.\\one.json', './one.json'], ['--trace=.\\t', '--trace=./t'],
  ['a\\d+', 'a\\d+'], ['plain', 'plain']]) {
  const is = slashedWord(word);
  expect(is === expected, `${word} is ${is}`);
}
finish('Windows');
