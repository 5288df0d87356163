// The pages of the manual, read for the command lines in them.
//
// A command line stands in a fence ```console, behind "$ ", with what it prints below it. Lines that
// are not to be run stand in any other fence, with the reason in a comment before it:
// <!-- not run: it signs in at a server of somebody -->. A fence that follows <!-- file: NAME -->
// is a file, which later lines of the page find in their folder.

import {readdirSync, readFileSync} from 'node:fs';
import {basename, join} from 'node:path';

const call = /^(?:\$ )?(?:\.\/plumb|plumbline|npx --no-install mcp-plumbline)(?=\s|$)/;
const shells = ['', 'console', 'sh', 'bash', 'text'];

// pages returns the paths of all pages: README.md, and what lies in docs/.
export function pages(root) {
  const docs = join(root, 'docs');
  const names = readdirSync(docs).filter(name => name.endsWith('.md')).sort();
  return [join(root, 'README.md'), ...names.map(name => join(docs, name))];
}

// blocks returns the fences of a page: {line, language, comment, lines}. `comment` is that of the
// line before the fence.
export function blocks(text) {
  const found = [];
  let open = null, before = '';
  text.split('\n').forEach((line, index) => {
    const fence = /^(\s*)```(\S*)\s*$/.exec(line);
    if (open && fence && fence[2] === '') {
      found.push(open);
      open = null;
    } else if (open) {
      open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
    } else if (fence) {
      open = {line: index + 1, indent: fence[1], language: fence[2], comment: before, lines: []};
    }
    if (line.trim() !== '') before = line.trim();
  });
  return found;
}

// commandsOf returns the transcript that a block is: {line, command, expected}. A line that ends in
// a backslash goes on in the next one.
function commandsOf(block) {
  const commands = [];
  let goesOn = false;
  block.lines.forEach((line, index) => {
    const last = commands.at(-1);
    if (goesOn) last.command += '\n' + line;
    else if (line.startsWith('$ ')) {
      commands.push({line: block.line + index + 1, command: line.slice(2), expected: []});
    } else if (last) last.expected.push(line);
    goesOn = (goesOn || line.startsWith('$ ')) && line.endsWith('\\');
  });
  return commands;
}

// read returns what a page holds: {name, steps, loose, wrong}. Steps are files to write and commands
// to run, in their order; `loose` command lines that are not run; `wrong` what nobody could run.
export function read(path) {
  const text = readFileSync(path, 'utf8');
  const page = {name: basename(path), steps: [], loose: [], wrong: []};
  const fenced = new Set();
  for (const block of blocks(text)) {
    block.lines.forEach((_, index) => fenced.add(block.line + index));
    const file = /^<!-- file: (\S+) -->$/.exec(block.comment);
    const why = /^<!-- not run: .+ -->$/.exec(block.comment);
    if (file) page.steps.push({file: file[1], text: block.lines.join('\n') + '\n'});
    if (file || !shells.includes(block.language)) continue;
    const isTranscript = block.language === 'console' && !why;
    // What the program has written into the page: see manual_test.mjs.
    const made = block.comment.startsWith('<!-- made by the program');
    if (isTranscript) page.steps.push(...commandsOf(block).map(step => ({...step, made})));
    block.lines.forEach((line, index) => {
      if (!call.test(line.trim()) || (isTranscript && line.startsWith('$ '))) return;
      const at = block.line + index + 1;
      if (why) page.loose.push({line: at, command: line.trim()});
      else if (!isTranscript) page.wrong.push(`${at}: neither run nor said why not: ${line.trim()}`);
    });
  }
  text.split('\n').forEach((line, index) => {
    if (fenced.has(index)) return;
    if (/^ {4}/.test(line) && call.test(line.trim())) {
      page.wrong.push(`${index + 1}: a command line belongs into a fence: ${line.trim()}`);
    }
    for (const [, code] of line.matchAll(/`([^`]+)`/g)) {
      if (call.test(code)) page.loose.push({line: index + 1, command: code});
    }
  });
  return page;
}
