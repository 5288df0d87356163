// playground_test.mjs NATIVE MODULE: the playground beside the module, used in headless Chromium as a
// person does. What it shows of a world is what the native program says of it. Exit status 77: there
// is no Chromium here. PLUMBLINE_PICTURES names a folder for pictures.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import * as path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

import { isAccessible } from '../../reports/formats/html/axe.mjs';
import { Browser } from '../../reports/formats/html/browser.mjs';
import { expect, finish, module, native, run, scratch } from './compare.mjs';

const folder = path.join(path.dirname(module), 'playground');
const chromium = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((name) => existsSync(name));
if (chromium === undefined) {
  console.log('skipped: the page is tested with Chromium');
  process.exit(77);
}
const kWireMax = 2e6;
const kReadyMaxMs = 1000;
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.json': 'application/json' };

// The site, as a server that compresses hands it out.
let sent = 0;
const packed = new Map();
const server = createServer((request, answer) => {
  const name = path.join(folder, request.url === '/' ? 'index.html' : path.basename(request.url));
  if (!existsSync(name)) return answer.writeHead(404).end();
  if (!packed.has(name)) packed.set(name, brotliCompressSync(readFileSync(name), { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }));
  sent += packed.get(name).length;
  return answer.writeHead(200, { 'Content-Type': types[path.extname(name)], 'Content-Encoding': 'br' }).end(packed.get(name));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${server.address().port}/`;
await Promise.all(['index.html', 'playground.wasm'].map((name) => fetch(url + name)));
sent = 0;

const browser = await Browser.start(chromium);
const text = (id) => browser.run(`document.getElementById('${id}').textContent`);

async function until(expression, expected, what) {
  const end = performance.now() + 60_000;
  for (;;) {
    const is = await browser.run(expression);
    if (expected(is)) return is;
    if (performance.now() > end) {
      expect(false, `${what}: ${expression} is still ${JSON.stringify(is)}`);
      return is;
    }
    await new Promise((resolve) => { setTimeout(resolve, 30); });
  }
}
const saysOf = (pattern, what) => until("document.getElementById('verdict').textContent", (is) => pattern.test(is), what);
const write = (scenario) => browser.run(`(() => {
  const editor = document.getElementById('scenario');
  editor.value = ${JSON.stringify(scenario)};
  editor.dispatchEvent(new Event('input'));
})()`);
async function picture(name) {
  if (process.env.PLUMBLINE_PICTURES) await browser.picture(path.join(process.env.PLUMBLINE_PICTURES, `${name}.png`));
}
const size = (width, height) => browser.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });

// traceOf returns the hash that the native program's trace ends with: of all the lines before.
async function traceOf(scenario, seed) {
  const [file, trace] = [`${JSON.parse(scenario).id}.json`, 'trace.jsonl'].map((name) => path.join(scratch, name));
  writeFileSync(file, scenario);
  await run(native, ['run', file, '--seed', `${seed}`, '--trace', trace]);
  return JSON.parse(readFileSync(trace, 'utf8').trimEnd().split('\n').at(-1)).trace_hash;
}

const one = {
  plumbline: 1, id: 'one-call', title: 'A folder is listed.', request: { input: 'List the files.' },
  servers: { files: { tools: [{ name: 'list_directory', description: 'List the files of a folder', does: [{ reply: { content: [] } }] }] } },
  expect: { status: 'ok' },
};
const good = JSON.stringify(one, null, 2);
const wrong = JSON.stringify({ ...one, expect: { status: 'failed' } }, null, 2);

try {
  await size(1280, 900);
  await browser.visit(url);
  await saysOf(/^Ready/, 'the page is ready');
  const ready = Number(await browser.run('document.body.dataset.ready'));
  console.log(`${sent} bytes over the wire, ready after ${ready} ms`);
  expect(sent < kWireMax, `${sent} bytes over the wire`);
  if (process.env.PLUMBLINE_TIMES) expect(ready <= kReadyMaxMs, `ready after ${ready} ms`);
  const examples = await browser.run("document.getElementById('example').length");
  expect(examples >= 20, `${examples} examples`);

  // Every example plays, and comes to what its page says: it passes.
  for (let i = 0; i < examples; ++i) {
    await browser.run(`(() => { const e = document.getElementById('example'); e.value = ${i}; e.dispatchEvent(new Event('change')); document.getElementById('run').click(); })()`);
    const is = await saysOf(/^(pass|fail|This)/, `example ${i + 1}`);
    expect(/^pass/.test(is), `example ${i + 1}: ${is} ${await text('problem')}`);
  }

  await write(good);
  await browser.run("document.getElementById('scenario').focus()");
  await browser.send('Input.dispatchKeyEvent', { type: 'keyDown', key: 'Enter', code: 'Enter', modifiers: 2, windowsVirtualKeyCode: 13 });
  await browser.send('Input.dispatchKeyEvent', { type: 'keyUp', key: 'Enter', modifiers: 2 });
  await saysOf(/^pass, ok/, 'Ctrl+Enter runs');
  const mine = (await traceOf(good, 1)).slice(0, 16);
  expect(await browser.run("document.getElementById('hash')?.textContent") === mine, `the trace is another than the native program's, ${mine}`);
  const lines = await browser.run("document.querySelectorAll('#events details').length");
  expect(lines > 5, `${lines} lines of the trace are shown`);
  await browser.run("document.getElementById('words').value = 'tools/call'; document.getElementById('words').dispatchEvent(new Event('input'))");
  const found = await browser.run("document.querySelectorAll('#events details').length");
  expect(found > 0 && found < lines, `${found} lines with tools/call`);
  await isAccessible(browser, 'a run');
  await picture('run');

  // A mistake is told with its line, and nothing is played.
  await write(good.replace('"servers"', '"serverz"'));
  await until("document.getElementById('problem').textContent", (is) => /unknown key "serverz"/.test(is), 'a mistake is told');
  expect(await browser.run("document.querySelectorAll('#lines b').length") === 1, 'its line is marked');

  await write(wrong);
  await browser.click('#run');
  await saysOf(/^fail, expect.status/, 'what fails');
  await picture('failing');
  await browser.click('#shrink');
  await saysOf(/^Small after \d+ runs/, 'what fails is made small');
  expect((await browser.run("document.getElementById('scenario').value")).includes('one-call'), 'the small one is in the editor');
  await picture('shrunk');

  await write(good);
  await browser.run("document.getElementById('weather').value = 'drawn'");
  await browser.click('#sweep');
  await saysOf(/^(1000 worlds, all pass|\d+ of 1000 worlds fail)/, 'a sweep ends');
  expect(/^1000 worlds/.test(await text('swept')), 'its picture says of how many worlds');
  const sum = (await browser.run("[...document.querySelectorAll('#legend li')].map((line) => parseInt(line.textContent)).reduce((a, b) => a + b)"));
  expect(sum === 1000, `the legend tells of ${sum} worlds`);
  await browser.run('scrollTo(0, 0)');
  await picture('sweep');
  await isAccessible(browser, 'a sweep');

  // The link brings all back, on a phone, in the dark; and nothing else is asked of the server.
  await browser.run("document.getElementById('seed').value = 77");
  await browser.click('#link');
  const link = await browser.run('location.href');
  expect(link.includes('#seed=77&weather=drawn&scenario='), link);
  await browser.visit('about:blank');
  await size(390, 844);
  await browser.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: 'dark' }] });
  await browser.visit(link);
  await saysOf(/^Ready/, 'the page is ready again');
  expect(await browser.run("document.getElementById('seed').value") === '77', 'the link holds the seed');
  expect(await browser.run("document.getElementById('scenario').value") === good, 'the link holds the scenario');
  server.closeAllConnections();
  await new Promise((resolve) => { server.close(resolve); });
  await browser.click('#run');
  await saysOf(/^(pass|fail)/, 'it plays without a network');
  const wide = await browser.run('document.documentElement.scrollWidth');
  expect(wide <= 390, `at 390 px it is ${wide} px wide`);
  await picture('phone-dark');
  await isAccessible(browser, 'a phone');
  expect(browser.complaints.length === 0, `the page complains: ${browser.complaints.join('; ')}`);
} finally {
  await browser.stop();
}
finish('playground');
