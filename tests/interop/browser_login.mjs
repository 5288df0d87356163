// `plumbline login` opens a browser, which is a real one: in Chromium a person signs in at
// oidc-provider, reads what is asked for, refuses once and consents then. Exit status 77: there is
// no Chromium here.
//
//   node browser_login.mjs PLUMBLINE MODULES

import {execFileSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {join} from 'node:path';

import {Browser} from '../../reports/formats/html/browser.mjs';
import {Commands, expect} from './commands.mjs';
import {openDoor} from './oidc_door.mjs';
import {shellWord} from '../shell_word.mjs';

const [program, modules] = process.argv.slice(2);
const chromium = ['chromium', 'chromium-browser', 'google-chrome']
    .flatMap(name => process.env.PATH.split(':').map(folder => join(folder, name))).find(existsSync);
if (!chromium) {
  console.log('skipped: there is no chromium; ./plumb test installs it');
  process.exit(77);
}

const commands = new Commands(program);
const {mcpUrl, issuer, provider, problems, tokensSeen, given} = await openDoor(commands, modules);
const browser = await Browser.start(chromium);

// What opens addresses on a desktop tells this test instead.
const bin = join(commands.folder, 'bin');
const opened = join(commands.folder, 'opened');
mkdirSync(bin);
execFileSync('mkfifo', [opened]);
writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" >${shellWord(opened)}\n`);
chmodSync(join(bin, 'xdg-open'), 0o755);
const screen = {DISPLAY: ':7', PATH: `${bin}:${process.env.PATH}`};

// login runs the command; `person` uses the page that it opens, and `page` is where that ends.
async function login(person) {
  const command = commands.start(['login', '--url', mcpUrl], screen);
  const fifo = await open(opened);
  const address = (await fifo.readFile('utf8')).trim();
  await fifo.close();
  await browser.visit(address);
  await person();
  const page = await browser.run('document.body.innerText');
  return {address, page, ...await command.ended};
}

const text = () => browser.run('document.body.innerText');
async function fill(selector, words) {
  await browser.click(selector);
  for (const letter of words) await browser.press(letter);
}
async function signIn() {
  await fill('input[name=login]', 'somebody');
  await fill('input[name=password]', 'x');
  await browser.until_loaded(() => browser.press('Enter'));
}

let asked;
const refused = await login(async () => {
  await signIn();
  asked = await text();
  await browser.until_loaded(() => browser.click('a[href$=abort]'));
});
expect(/mcp:use/.test(asked) && asked.includes(mcpUrl), 'the person reads which scope, and of which server');
expect(/was refused/.test(refused.page), 'the page says that Plumbline was refused');
expect(refused.status === 3 && /^plumbline: login: .*access_denied.*\n$/m.test(refused.err),
       'so does the command, exit status 3');

const consented = await login(async () => {
  if (await browser.run('document.querySelector("input[name=login]") !== null')) await signIn();
  await browser.until_loaded(() => browser.click('button[type=submit]'));
});
if (consented.status !== 0) console.error(consented, problems);
expect(consented.status === 0, 'login');
console.log(consented.out.replace(/^/gm, '       '));
expect(/You may close this page/.test(consented.page), 'the page says that it may be closed');
// The provider wants a typeface of the world outside.
const complaints = browser.complaints.filter(one => !one.startsWith('Failed to load resource'));
expect(complaints.length === 0, `and is what it is meant to be ${complaints}`);

const listed = await commands.run(['tokens']);
expect(listed.out.includes(mcpUrl) && listed.out.includes(issuer), 'tokens');
console.log(listed.out.replace(/^/gm, '       '));
const judged = await commands.run(['check', 'server', '--url', mcpUrl, '--level', 'must']);
if (judged.status !== 0) console.error(judged.out.slice(-3000), judged.err.slice(-2000));
expect(judged.status === 0, 'check server judges behind OAuth');
console.log(judged.out.trim().split('\n').at(-1).replace(/^/gm, '       '));

const written = readdirSync(commands.folder, {recursive: true, withFileTypes: true})
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1')).join('\n');
const said = [refused, consented, listed, judged].map(one => one.out + one.err).join('\n');
expect(given.size >= 3 && [...given].every(secret => !(written + said).includes(secret)),
       `none of ${given.size} tokens and codes is in anything written`);

const last = [...tokensSeen].at(-1);
const out = await commands.run(['logout', '--url', mcpUrl]);
expect(out.status === 0, 'logout');
console.log(out.out.replace(/^/gm, '       '));
expect(await provider.AccessToken.find(last) === undefined, 'the token is revoked at the provider');
await browser.stop();
process.exit(0);
