// The page: an editor, what is played, and what came of it. The simulation runs in worker.js.
const byId = (id) => document.getElementById(id);
const [scenario, seed, weather, verdict] = ['scenario', 'seed', 'weather', 'verdict'].map(byId);
const kSwept = 1000;
const kQuietMs = 300;  // After the last key, before the text is read.
const kEventsShown = 2000;
const kFailedShown = 12;
const kSquare = 13;  // Pixels, two of them between.
// Kept, so that the page goes on where the network does not.
const workerAt = fetch('worker.js').then((got) => got.blob()).then((text) => URL.createObjectURL(text));
const compiling = WebAssembly.compileStreaming(fetch('playground.wasm'));
let playing;  // {worker, stop}
let swept = [];
let trace = [];

// element makes one; children that are text are only text.
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// The file must be called as its id.
const fileOf = (text) => `${/"id"\s*:\s*"([^"\\]+)"/.exec(text)?.[1] ?? 'scenario'}.json`;

// play has the simulation do one task; `hear` is called with each thing that it tells. The promise is
// of the text of a fault, or undefined.
async function play(task, hear) {
  playing?.stop();
  const [compiled, at] = await Promise.all([compiling, workerAt]);
  const worker = new Worker(at);
  return new Promise((resolve) => {
    const end = (text) => {
      worker.terminate();
      if (playing?.worker === worker) playing = undefined;
      resolve(text);
    };
    playing = { worker, stop: () => end(undefined) };
    worker.onerror = (event) => end(event.message);
    worker.onmessage = ({ data }) => {
      if (data.told) hear(data.told);
      else end(data.ended > 1 ? data.text : undefined);
    };
    worker.postMessage({ compiled, task: { scenario: scenario.value, file: fileOf(scenario.value), weather: weather.value, ...task } });
  });
}

function say(text, kind = '') {
  verdict.textContent = text;
  verdict.className = kind;
}

// The editor -------------------------------------------------------------------------------------

let wrongLine = 0;

function numberLines() {
  const count = scenario.value.split('\n').length;
  byId('lines').replaceChildren(...Array.from({ length: count }, (_, i) =>
    (i + 1 === wrongLine ? element('b', {}, `${i + 1}\n`) : `${i + 1}\n`)));
  byId('lines').scrollTop = scenario.scrollTop;
}

function showProblem(read) {
  const line = read.wrong || read.warnings[0] || '';
  byId('problem').textContent = line;
  wrongLine = Number(/^[^:]*:(\d+):/.exec(line)?.[1] ?? 0);
  numberLines();
  return read.wrong === '';
}

let quiet;
function edited() {
  numberLines();
  clearTimeout(quiet);
  quiet = setTimeout(() => {
    if (!playing) play({ kind: 'check' }, (told) => told.op === 'read' && showProblem(told));
  }, kQuietMs);
}

// What the schema says of each key, wherever it may stand.
const keys = new Map();
function learn(schema) {
  for (const [name, of] of Object.entries(schema.properties ?? {})) {
    if (of.description && !keys.has(name)) keys.set(name, of.description);
  }
  for (const value of Object.values(schema)) if (value && typeof value === 'object') learn(value);
}

function tellKey() {
  const line = scenario.value.slice(0, scenario.selectionStart).split('\n').length - 1;
  const column = scenario.selectionStart - scenario.value.lastIndexOf('\n', scenario.selectionStart - 1) - 1;
  const found = [...(scenario.value.split('\n')[line] ?? '').matchAll(/"(\w+)"\s*:/g)].filter((each) => each.index <= column).at(-1);
  byId('key').textContent = found && keys.has(found[1]) ? `${found[1]}: ${keys.get(found[1])}` : '';
}

// What came of it --------------------------------------------------------------------------------

const shown = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

function tellRun(told) {
  say(told.pass ? `pass, ${told.status}` : `fail, ${told.failures[0].check}`, told.pass ? 'pass' : 'fail');
  const rows = Object.entries(told.outcome ?? {}).flatMap(([name, value]) =>
    [element('dt', {}, name), element('dd', {}, shown(value))]);
  byId('found').replaceChildren(
    ...told.failures.map(({ check, message }) => element('p', { class: 'failure' }, element('code', {}, check), ` ${message}`)),
    element('dl', {}, ...rows),
    element('p', {}, 'Trace ', element('code', { id: 'hash' }, told.hash.slice(0, 16)), ' · again by ', element('code', {}, told.again)));
  trace = told.trace.trimEnd().split('\n').map((line) => ({ line, event: JSON.parse(line) }));
  byId('trace').hidden = false;
  showTrace();
}

// what returns in a few words what an event is about.
function what({ kind, detail = {}, ...rest }) {
  if (kind === undefined) return JSON.stringify(rest);  // The last line: what all came to.
  const { method, id, error, result, from, to, text, state, fault, tool, outcome, path } = detail;
  const answer = error && typeof error === 'object' ? `error ${error.code}` : detail.jsonrpc && result !== undefined ? 'result' : '';
  const words = [method ?? answer, id === undefined ? '' : `#${id}`, from && to ? `${from} to ${to}` : to, text, state, fault, tool, outcome, path,
    typeof result === 'string' ? result : ''];
  return `${kind.replaceAll('_', ' ')} ${words.filter(Boolean).join(' ')}`;
}

function showTrace() {
  const words = byId('words').value.toLowerCase();
  const found = trace.filter(({ line }) => line.toLowerCase().includes(words));
  byId('shown').textContent = `${found.length} of ${trace.length} lines`;
  byId('events').replaceChildren(...found.slice(0, kEventsShown).map(({ event }) => {
    const kind = /sent|received|fault|garbage/.exec(event.kind)?.[0] ?? '';
    const made = element('details', { class: kind }, element('summary', {},
      element('span', { class: 'at' }, event.at_ns === undefined ? '' : `${(event.at_ns / 1e6).toFixed(2)} ms`),
      element('span', { class: 'who' }, event.who ?? ''), element('span', { class: 'what' }, what(event))));
    made.addEventListener('toggle', () => {
      if (made.open && made.childElementCount === 1) made.append(element('pre', {}, JSON.stringify(event, null, 2)));
    });
    return made;
  }));
}

const nameOf = ({ pass, came }) => `${pass ? 'pass' : 'fail'}: ${came}`;

// picture shows what came of the worlds of a sweep.
function picture() {
  const counts = new Map();
  for (const world of swept) counts.set(nameOf(world), (counts.get(nameOf(world)) ?? 0) + 1);
  const order = [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  const classes = new Map();
  for (const kind of ['pass', 'fail']) {
    const most = kind === 'pass' ? 4 : 3;
    order.filter((name) => name.startsWith(kind)).forEach((name, i) =>
      classes.set(name, `${kind === 'pass' ? 'o' : 'f'}${Math.min(i, most)}`));
  }
  byId('picture').hidden = false;
  byId('swept').textContent = `${swept.length} worlds, ${swept.filter(({ pass }) => !pass).length} failed`;
  byId('legend').replaceChildren(...order.map((name) =>
    element('li', {}, element('i', { class: classes.get(name) }), `${counts.get(name)} ${name}`)));
  const failed = swept.filter(({ pass }) => !pass).slice(0, kFailedShown);
  byId('failed').replaceChildren(...failed.map((world) =>
    element('button', { type: 'button', 'data-seed': world.seed }, `seed ${world.seed}`)));
  draw(new Map([...byId('legend').children].map((line, i) => [order[i], getComputedStyle(line.firstChild).backgroundColor])));
}

// draw gives each world a square, in the order of the seeds.
function draw(colours) {
  const canvas = byId('worlds');
  canvas.width = canvas.parentElement.clientWidth;
  const across = Math.max(1, Math.floor(canvas.width / kSquare));
  canvas.height = Math.ceil(swept.length / across) * kSquare;
  const pen = canvas.getContext('2d');
  swept.forEach((world, i) => {
    pen.fillStyle = colours.get(nameOf(world));
    pen.fillRect((i % across) * kSquare, Math.floor(i / across) * kSquare, kSquare - 2, kSquare - 2);
  });
  canvas.dataset.across = across;
  canvas.setAttribute('aria-label', `A square for each world: ${[...byId('legend').children].map((line) => line.textContent).join(', ')}`);
}

function see(number) {
  seed.value = number;
  run();
}
byId('worlds').addEventListener('click', ({ offsetX, offsetY, target }) => {
  const world = swept[Math.floor(offsetY / kSquare) * Number(target.dataset.across) + Math.floor(offsetX / kSquare)];
  if (world) see(world.seed);
});
byId('failed').addEventListener('click', ({ target }) => target.dataset.seed && see(target.dataset.seed));
const again = () => swept.length > 0 && picture();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
addEventListener('resize', again);

// What is asked ----------------------------------------------------------------------------------

async function begin(text, task, hear) {
  say(text);
  byId('stop').hidden = false;
  document.body.setAttribute('aria-busy', 'true');
  const fault = await play(task, (told) => {
    if (told.op !== 'read') hear(told);
    else if (!showProblem(told)) say('This is no scenario yet.', 'fail');
  });
  document.body.removeAttribute('aria-busy');
  byId('stop').hidden = true;
  if (fault !== undefined) say(fault || 'The simulation has ended with a fault.', 'fail');
}

function clear() {
  byId('found').replaceChildren();
  byId('trace').hidden = true;
}

function run() {
  clear();
  return begin('Running.', { kind: 'run', seed: Number(seed.value) }, tellRun);
}

async function sweep() {
  clear();
  swept = [];
  const first = Number(seed.value);
  await begin('Sweeping.', { kind: 'sweep', seed: first, last: first + kSwept - 1 }, (told) => {
    swept.push(...told.worlds);
    say(`Sweeping: ${swept.length} of ${kSwept} worlds.`);
  });
  if (swept.length === 0) return;
  picture();
  const failed = swept.filter(({ pass }) => !pass);
  say(failed.length === 0 ? `${swept.length} worlds, all pass` : `${failed.length} of ${swept.length} worlds fail, the first by seed ${failed[0].seed}`,
    failed.length === 0 ? 'pass' : 'fail');
}

async function shrink() {
  clear();
  await begin('Making it small.', { kind: 'shrink', seed: Number(seed.value) }, (told) => {
    if (!told.failed) return say('Nothing fails under this seed.', 'pass');
    say(`Small after ${told.runs} runs`, 'fail');
    byId('found').replaceChildren(...told.lines.map((line) => element('p', {}, line)));
    if (!told.scenario) return undefined;
    scenario.value = told.scenario;
    seed.value = told.seed;
    weather.value = 'file';
    return numberLines();
  });
}

// The link holds all in its fragment, which no server is sent.
const packed = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text))).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
const unpacked = (text) => new TextDecoder().decode(Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0)));

async function link() {
  location.hash = new URLSearchParams({ seed: seed.value, weather: weather.value, scenario: packed(scenario.value) });
  try {
    await navigator.clipboard.writeText(location.href);
    say('The link is copied.');
  } catch {
    say('The link is in the address of this page.');
  }
}

// fromLink takes what the address holds. Returns whether it holds anything.
function fromLink() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (!given.has('scenario')) return false;
  try {
    scenario.value = unpacked(given.get('scenario'));
  } catch {
    return false;
  }
  seed.value = given.get('seed') ?? '1';
  weather.value = given.get('weather') === 'drawn' ? 'drawn' : 'file';
  return true;
}

const examples = await (await fetch('examples.json')).json();
byId('example').replaceChildren(...examples.map(({ title }, i) => element('option', { value: i }, title)));
byId('example').addEventListener('change', ({ target }) => {
  scenario.value = examples[target.value].text;
  edited();
});
byId('bar').addEventListener('submit', (event) => {
  event.preventDefault();
  run();
});
byId('sweep').addEventListener('click', sweep);
byId('shrink').addEventListener('click', shrink);
byId('stop').addEventListener('click', () => playing?.stop());
byId('link').addEventListener('click', link);
byId('words').addEventListener('input', showTrace);
scenario.addEventListener('input', edited);
scenario.addEventListener('scroll', () => { byId('lines').scrollTop = scenario.scrollTop; });
for (const name of ['keyup', 'click']) scenario.addEventListener(name, tellKey);
document.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run();
});
addEventListener('hashchange', () => fromLink() && edited());

if (!fromLink()) scenario.value = examples[0].text;
numberLines();
compiling.then(() => {
  say('Ready.');
  document.body.dataset.ready = Math.round(performance.now());
}, (error) => say(`This browser cannot run the simulation: ${error.message}`, 'fail'));
learn(await (await fetch('scenario.schema.json')).json());
