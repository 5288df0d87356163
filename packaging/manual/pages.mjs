// pages.mjs PLUMBLINE FOLDER: writes what MkDocs reads: the pages of docs/, a page a command as the
// program tells it, and mkdocs.yml, whose order is that of docs/README.md.

import {execFileSync} from 'node:child_process';
import {copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const [plumbline, folder] = process.argv.slice(2);
const root = fileURLToPath(new URL('../..', import.meta.url));
const docs = join(root, 'docs'), out = join(folder, 'pages');
const manual = name => execFileSync(plumbline, ['--manual', name], {encoding: 'utf8'});

// forPython returns a page as Python's Markdown wants it: a blank line before a list, four columns
// below a point of one, no backslash before a bar in code.
function forPython(text) {
  let fence = false, inList = false, before = '';
  const lines = [];
  for (let line of text.split('\n')) {
    const point = /^\s*([-*]|\d+\.) /;
    const edge = /^\s*```/.test(line);
    const isBelowText = before.trim() !== '' && !point.test(before) && !before.startsWith(' ');
    if (!fence && point.test(line) && isBelowText) lines.push('');
    if (/^ {2,3}\S/.test(line) && (!fence || edge || inList)) line = '    ' + line.trimStart();
    else if (fence && inList) line = ' ' + line;
    if (line.startsWith('|')) line = line.replace(/`[^`]*`/g, code => code.replaceAll('\\|', '|'));
    if (edge) {
      fence = !fence;
      if (fence) inList = line.startsWith('    ');
    }
    lines.push(line);
    before = line;
  }
  return lines.join('\n');
}

// withLinks returns `text` with links to what is no page of the site as plain words.
function withLinks(text) {
  return text.replaceAll('](../CONTRIBUTING.md', '](contributing.md')
    .replace(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1').replace(/\]\(docs\//g, '](');
}

// seenIn returns the pages whose transcripts run `command`.
function seenIn(command, pages) {
  const line = new RegExp(`^\\s*\\$ (\\./plumb|plumbline) ${command}\\b`, 'm');
  return Object.entries(pages).filter(([, text]) => line.test(text))
    .map(([name, text]) => `- [${/^# (.*)$/m.exec(text)[1]}](../${name})`);
}

// orderOf returns the navigation: each section of docs/README.md with the pages that it leads to.
function orderOf(index) {
  const sections = [{'What do you want to do?': 'README.md'}];
  let inside = null;
  const seen = new Set();
  for (const line of index.split('\n')) {
    const title = /^\*\*(.+)\*\*$/.exec(line);
    if (title) sections.push({[title[1]]: inside = []});
    for (const [, name] of line.matchAll(/\]\(([a-z-]+\.md)[^)]*\)/g)) {
      if (inside && !seen.has(name)) inside.push(name);
      seen.add(name);
    }
  }
  return {sections, seen};
}

mkdirSync(join(out, 'commands'), {recursive: true});
const pages = {'contributing.md': readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')};
for (const name of readdirSync(docs)) {
  if (name.endsWith('.md')) pages[name] = readFileSync(join(docs, name), 'utf8');
  else copyFileSync(join(docs, name), join(out, name));
}
pages['README.md'] = pages['README.md'].replaceAll('../CONTRIBUTING.md', 'contributing.md');
const {sections, seen} = orderOf(pages['README.md']);
const lost = Object.keys(pages).filter(name => name !== 'README.md' && !seen.has(name));
if (lost.length > 0) {
  console.error(`docs/README.md leads to no ${lost.join(', ')}`);
  process.exit(1);
}
// The playground, where it was built.
const playground = join(root, 'build/wasm/playground');
if (existsSync(join(playground, 'playground.wasm'))) {
  cpSync(playground, join(out, 'playground'), {recursive: true});
  pages['playground.md'] = pages['playground.md'].replace('`playground/index.html`', '[open it](playground/index.html)');
}
for (const [name, text] of Object.entries(pages)) writeFileSync(join(out, name), forPython(withLinks(text)));

const commands = manual('list').split('\n').filter(name => name.endsWith('.md'));
for (const name of commands) {
  const text = manual(name);
  const found = seenIn(/^# plumbline ?(.*)$/m.exec(text)[1], pages);
  const more = found.length > 0 && name !== 'plumbline.md' ? `\n## Seen in\n\n${found.join('\n')}\n` : '';
  writeFileSync(join(out, 'commands', name), forPython(text + more));
}

// What the program says of itself.
const known = readFileSync(join(root, 'core/base/errors/errors.def'), 'utf8');
const errors = [...known.matchAll(/^\{(.*?)\},$/gms)].map(([, row]) => JSON.parse(`[${row}]`)).map(([id, wording, advice]) =>
  `## ${id}\n\n    plumbline: ${wording}\n\n${advice.replaceAll('<', '\\<')}\n`);
writeFileSync(join(out, 'errors.md'), `# Errors\n
What the program complains of on stderr; \\* stands for any text. \`plumbline explain\` takes an id,
or the line itself.\n\n${errors.join('\n')}`);
const settings = execFileSync(plumbline, ['list', 'settings'], {encoding: 'utf8'}).trimEnd().split('\n')
  .map(line => line.split(/ {2,}/)).map(([name, what]) => `| \`${name}\` | ${what} |`);
writeFileSync(join(out, 'settings.md'), `# Settings\n\nOf [files](connect.md#files), and of the environment.\n
| | |\n|---|---|\n${settings.join('\n')}\n`);
sections.push({'Look it up': ['commands/plumbline.md', 'errors.md', 'settings.md']});
// JSON is YAML.
writeFileSync(join(folder, 'mkdocs.yml'), JSON.stringify({
  site_name: 'Plumbline', docs_dir: 'pages', site_dir: 'site', use_directory_urls: false, nav: sections,
  theme: {name: 'mkdocs', highlightjs: false, navigation_depth: 2},
  markdown_extensions: ['tables', 'sane_lists', 'pymdownx.superfences', {toc: {permalink: false}}],
  plugins: ['search'],
}, null, 1));
