// Every command line of the manual is run, and what it prints compared with what the page says.
//   node manual_test.mjs PLUMBLINE [PAGE.md...]
//
// In a page "..." stands for anything, and alone on a line for any lines. A page has a folder of its
// own, with scenarios/ and examples/ in it; files of other programs that it speaks of are in
// `standIns`. Ports in a page become free ones; behind 3000 is the reference server, as "yours". A
// command that still runs when all of its output is there gets SIGTERM; behind "&" it runs on to the
// end of the page. Command lines that are not run must name commands and options that there are.
// With PLUMBLINE_UPDATE_DOCS=1 what is printed below a command is written into the page where a
// comment before the fence begins with "made by the program", and README's picture is drawn anew.

import {spawn} from 'node:child_process';
import {chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {freePort} from '../ports.mjs';
import {optionsOf, unknownIn} from './options.mjs';
import {pages, read} from './pages.mjs';
import {picture, shownBy} from './picture.mjs';

const [program, ...only] = process.argv.slice(2);
const plumbline = resolve(program);
const root = fileURLToPath(new URL('../..', import.meta.url));
const update = process.env.PLUMBLINE_UPDATE_DOCS === '1';
const patience_ms = 60_000;
// What runs until it is told to end.
const services = /\b(serve|sessions|chat-api|registry|report view)\b/;
const known = optionsOf(plumbline, join(root, 'plumb'));

const shell = words => `#!/bin/sh\nexec ${words} "$@"\n`;
const reference = '"plumbline", ["serve", "--reference", "--stdio"], {stdio: "inherit"}';
// What pages call yours; and npx without network, of the packages that ./plumb test has installed.
const standIns = {
  'bin/my-server': shell('plumbline serve --reference --stdio'),
  'bin/my-agent': '#!/bin/sh\nexec plumbline ask "$4" --config "$2" --approve all\n',
  'bin/npx': `#!/bin/sh
case $1 in -y | --no-install) shift ;; esac
name=\${1#@modelcontextprotocol/}
shift
case $name in
  mcp-plumbline) exec plumbline "$@" ;;
  server-*) exec "${join(root, 'build/npm/node_modules/.bin')}/mcp-$name" "$@" ;;
esac
echo "npx: $name is not here" >&2
exit 127
`,
  'plumb': shell('plumbline'),
  'my-server.js': `require("child_process").spawn(${reference});\n`,
};

// pattern returns what `expected` matches.
function pattern(expected) {
  const quoted = expected.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const lines = quoted.replace(/^ *\\.\\.\\.(\n|$)/gm, '(?:.*\n)*?');
  return new RegExp('^' + lines.replaceAll('\\.\\.\\.', '.*?') + '$');
}

// told shows the difference, for whoever mends the page.
function told(expected, printed) {
  return `  expected\n${expected.replace(/^/gm, '    ')}\n  printed\n${printed.replace(/^/gm, '    ')}`;
}

class Page {
  constructor(page, path) {
    this.page = page;
    this.path = path;
    this.folder = mkdtempSync(join(tmpdir(), 'manual-'));
    this.ports = new Map();
    this.running = [];
    for (const name of ['bin', 'build/release']) mkdirSync(join(this.folder, name), {recursive: true});
    symlinkSync(plumbline, join(this.folder, 'build/release/plumbline'));
    symlinkSync(join(root, 'scenarios'), join(this.folder, 'scenarios'));
    cpSync(join(root, 'examples'), join(this.folder, 'examples'), {recursive: true});
    symlinkSync(plumbline, join(this.folder, 'bin/plumbline'));
    copyFileSync(join(root, 'tests/manual/faulty_server.mjs'), join(this.folder, 'server.mjs'));
    for (const [name, text] of Object.entries(standIns)) {
      writeFileSync(join(this.folder, name), text);
      chmodSync(join(this.folder, name), 0o755);
    }
  }

  // withPorts returns `text` with the ports that stand for those of the page.
  async withPorts(text) {
    for (const [, port] of text.matchAll(/127\.0\.0\.1:([1-9]\d*)/g)) {
      if (this.ports.has(port)) continue;
      this.ports.set(port, String(await freePort()));
      if (port === '3000') {
        const at = `127.0.0.1:${this.ports.get(port)}`;
        await this.start(`plumbline serve --reference --http ${at} &`, 'http:...\n');
      }
    }
    return text.replace(/127\.0\.0\.1:([1-9]\d*)/g, (_, port) => `127.0.0.1:${this.ports.get(port)}`);
  }

  asInPage(printed) {
    for (const [port, free] of this.ports) {
      printed = printed.replaceAll(`127.0.0.1:${free}`, `127.0.0.1:${port}`);
    }
    return printed.replaceAll(this.folder, '/home/me');
  }

  // run returns what went wrong, '' when nothing did.
  async run({command, expected, made}) {
    const want = expected.map(line => line.trimEnd() + '\n').join('');
    const wrong = await this.start(await this.withPorts(command), want);
    if (!made || !update || wrong === '') return wrong;
    const page = readFileSync(this.path, 'utf8');
    const steady = this.printed.replace(/took [\d.]+ m?s/g, 'took ...').replace(/plumbline \d+\.\d+\.\d+/g, 'plumbline ...')
      .replace(/"id":\d+/g, '"id":...').replace(/\d+ observations/g, '... observations');
    writeFileSync(this.path, page.replace(`$ ${command}\n${want}`, () => `$ ${command}\n${steady}`));
    return '';
  }

  // start runs a command line and returns what went wrong with it.
  async start(command, want) {
    const line = command.replace(/ &$/, '');
    const child = spawn('bash', ['-c', `{ ${line}\n} 2>&1`], {
      cwd: this.folder, detached: true, stdio: ['ignore', 'pipe', 'inherit'],
      env: {...process.env, HOME: this.folder, TMPDIR: this.folder,
            PATH: `${this.folder}/bin:${process.env.PATH}`}});
    const stop = () => { try { process.kill(-child.pid, 'SIGTERM'); } catch { /* It has ended. */ } };
    let printed = '', status = null;
    child.stdout.on('data', piece => { printed += piece; });
    const ended = new Promise(done => child.on('close', (code, signal) => done(status = code ?? signal)));
    const wanted = pattern(want);
    const matches = () => wanted.test(this.asInPage(printed).replace(/[ \t]+$/gm, ''));
    const isService = command !== line || services.test(line);
    for (const began = Date.now(); status === null && !(isService && want !== '' && matches());) {
      if (Date.now() - began > patience_ms) {
        stop();
        await ended;
        return `runs on after ${patience_ms / 1000} s\n${told(want, this.asInPage(printed))}`;
      }
      await Promise.race([ended, new Promise(done => setTimeout(done, 20))]);
    }
    if (command !== line && status === null) {
      this.running.push({ended, stop});
      return '';
    }
    if (status === null) stop();
    await ended;
    this.printed = this.asInPage(printed).replace(/[ \t]+$/gm, '');
    if (!matches()) return told(want, this.asInPage(printed));
    const isTold = ![2, 3].includes(status) || want.includes('plumbline: ');
    return isTold ? '' : `exit status ${status}, of which the page does not speak`;
  }

  async all() {
    const wrong = this.page.wrong.map(each => `${this.page.name}:${each}`);
    for (const {line, command} of [...this.page.loose, ...this.page.steps.filter(step => step.command)]) {
      for (const part of command.replaceAll('\\\n', ' ').split(/\n|·/).map(each => each.trim())) {
        const what = /^(\$ )?(\.\/plumb|npx --no-install mcp-plumbline|plumbline)\s/.test(part) ? unknownIn(part, known) : '';
        if (what) wrong.push(`${this.page.name}:${line}: ${what}: ${part}`);
      }
    }
    for (const step of this.page.steps) {
      if (step.file) {
        mkdirSync(join(this.folder, step.file, '..'), {recursive: true});
        writeFileSync(join(this.folder, step.file), step.text);
        continue;
      }
      const what = await this.run(step);
      if (what) wrong.push(`${this.page.name}:${step.line}: $ ${step.command}\n${what}`);
    }
    for (const one of this.running) {
      one.stop();
      await one.ended;
    }
    rmSync(this.folder, {recursive: true, force: true, maxRetries: 3});
    return wrong;
  }
}

let ran = 0, loose = 0, bad = 0;
for (const path of pages(root)) {
  if (only.length > 0 && !only.includes(basename(path))) continue;
  const page = read(path);
  const wrong = await new Page(page, path).all();
  if (path === join(root, 'README.md')) {
    const file = join(root, 'docs/check-server.svg');
    const made = picture(shownBy(path));
    if (update) writeFileSync(file, made);
    if (readFileSync(file, 'utf8') !== made) wrong.push(`${file} shows something else than README.md`);
  }
  ran += page.steps.filter(step => step.command).length;
  loose += page.loose.length;
  bad += wrong.length;
  for (const each of wrong) console.log(each);
}
console.log(`${ran} command lines run, ${loose} held to the options that there are, ${bad} wrong`);
process.exit(bad === 0 && ran > 0 ? 0 : 1);
