// A recording as a sequence diagram. It asks for the lines that are on the screen and for no others,
// so a file of any length opens at once. Everything in it is data: it reaches the page as text.

const ROW_PX = 30;
const PAGE_LINES = 200;
const PAGES_KEPT = 40;
const HITS_MAX = 50_000;
const HEIGHT_PX_MAX = 10_000_000;  // Browsers give up on elements that are much higher.
const diagram = byId("diagram");
const rows = byId("rows");

let lines = 0;
let hits = null;  // Line numbers that were searched for; null: every line.
let chosen = -1;  // A line number.
let search = 0;   // Counts them: one that was overtaken says nothing.
const pages = new Map();
const pairs = new Map();  // What answers what, by the first line of a page.

const ask = async (path) => (await fetch(path)).json();
const count = () => (hits === null ? lines : hits.length);
const numberOf = (row) => (hits === null ? row : hits[row]);

function labelOf(event) {
  if (typeof event === "string") return event;
  if (event.recording) return `session over ${event.transport}: ${event.command ?? event.url ?? ""}`;
  const message = event.message;
  if (message && typeof message === "object") {
    const id = message.id === undefined ? "" : ` #${shown(message.id)}`;
    const name = message.params?.name ?? message.params?.uri;
    if (typeof message.method === "string") return message.method + (typeof name === "string" ? ` ${name}` : "") + id;
    if (message.error) return `error ${shown(message.error.code ?? "")}${id}`;
    if (message.result !== undefined) return `result${id}`;
  }
  for (const key of ["text", "base64", "request", "stderr", "exit", "signal"]) {
    if (event[key] !== undefined) return `${key === "text" ? "" : `${key} `}${event[key]}`;
  }
  if (event.status !== undefined) return `HTTP ${event.status}`;
  if (event.end !== undefined) return `nothing more to the ${event.end}`;
  return shown(event);
}

// spent says a time as people read it.
const spent = (ms) => (ms < 1 ? `${Math.round(ms * 1000)} µs` : ms < 1000 ? `${ms.toFixed(1)} ms` : `${(ms / 1000).toFixed(2)} s`);

// answered adds to what a line says what it answers, and how long the answer took.
function answered(label, event, pair) {
  if (!pair) return label;
  if (event.message?.method) return pair.line === undefined ? `${label} · no answer` : `${label} · ${spent(pair.ms)}`;
  const asked = shown(pair.method).slice(1, -1) + (pair.name ? ` ${shown(pair.name).slice(1, -1)}` : "");
  return `${label} of ${asked} · ${spent(pair.ms)}`;
}

function rowOf(row, event) {
  const number = numberOf(row);
  const pair = pairOf(number);
  const element = document.createElement("button");
  const bad = event.message?.error || event.message?.result?.isError || event.text !== undefined || event.base64 !== undefined;
  const open = pair && pair.line === undefined;
  element.className = `event ${event.to ?? "note"}${bad || open ? " bad" : ""}`;
  element.style.top = `${topOf(row)}px`;
  element.dataset.line = number;
  mark(element, number);
  const at = document.createElement("span");
  at.className = "at";
  at.textContent = event.ns === undefined ? "" : `${(event.ns / 1e6).toFixed(3)} ms`;
  const arrow = document.createElement("span");
  arrow.className = "arrow";
  const label = document.createElement("span");
  label.className = "label";
  label.textContent = answered(labelOf(event), event, pair);
  const stem = document.createElement("span");
  stem.className = "stem";
  const head = document.createElement("span");
  head.textContent = event.to === "server" ? "▶" : event.to === "client" ? "◀" : "";
  arrow.append(label, stem, head);
  element.append(at, arrow);
  element.addEventListener("click", () => choose(number));
  return element;
}

// mark shows which line is chosen, and which belongs to it.
function mark(element, number) {
  element.setAttribute("aria-current", String(number === chosen));
  element.classList.toggle("other", chosen >= 0 && pairOf(chosen)?.line === number);
}

const detailOf = (heading, event) => {
  const text = make("pre", {}, shown(event, 2));
  return make("section", {}, make("h2", {}, heading), text);
};

// choose shows a line in full, and with it what it answers or what answers it.
async function choose(number) {
  chosen = number;
  await pairsOf(number);
  const other = pairOf(number)?.line;
  const numbers = other === undefined ? [number] : [number, other].sort((a, b) => a - b);
  const events = await Promise.all(numbers.map(pageOf));
  if (number !== chosen) return;
  for (const one of rows.children) mark(one, Number(one.dataset.line));
  const took = other === undefined ? "" : ` · ${spent(pairOf(number).ms)} between them`;
  byId("detail").replaceChildren(...numbers.map((line, i) =>
    detailOf(`line ${line + 1}${i === 1 ? took : ""}`, events[i])));
}

// step chooses the line so many rows on, and scrolls to it.
function step(by) {
  const at = hits === null ? chosen : hits.indexOf(chosen);
  const row = Math.min(Math.max((at < 0 ? 0 : at + by), 0), count() - 1);
  if (row < 0) return;
  const visible = Math.floor(diagram.clientHeight / ROW_PX) - 2;
  if (row < base || row >= base + visible) scrollTo(row < base ? row : row - visible + 1);
  choose(numberOf(row));
}

// meet goes to what belongs to the chosen line, where it is shown.
function meet() {
  const other = pairOf(chosen)?.line;
  if (other === undefined) return say("nothing belongs to this line");
  const row = hits === null ? other : hits.indexOf(other);
  if (row < 0) return say(`line ${other + 1} is filtered out`);
  scrollTo(row - Math.floor(diagram.clientHeight / ROW_PX / 2));
  choose(other);
}

// The page of a line: asked for once, and forgotten when many others were asked for since.
function pageOf(number) {
  const first = number - (number % PAGE_LINES);
  if (!pages.has(first)) {
    if (pages.size >= PAGES_KEPT) pages.delete(pages.keys().next().value);
    pages.set(first, ask(`lines?first=${first}&count=${PAGE_LINES}`));
  }
  return pages.get(first).then((page) => page[number - first]);
}

// The pairs of the page that a line is on: null until they are there.
const pageStart = (number) => number - (number % PAGE_LINES);
const pairOf = (number) => pairs.get(pageStart(number))?.[number % PAGE_LINES] ?? null;
async function pairsOf(number) {
  const first = pageStart(number);
  if (pairs.has(first)) return;
  if (pairs.size >= PAGES_KEPT) pairs.delete(pairs.keys().next().value);
  pairs.set(first, await ask(`pairs?first=${first}&count=${PAGE_LINES}`));
}

// A file with more rows than a browser can stack up is scrolled in proportion.
const height = () => Math.min(count() * ROW_PX, HEIGHT_PX_MAX);
function firstRow() {
  if (count() * ROW_PX <= HEIGHT_PX_MAX) return Math.floor(diagram.scrollTop / ROW_PX);
  const part = diagram.scrollTop / Math.max(1, height() - diagram.clientHeight);
  return Math.floor(part * Math.max(0, count() - Math.floor(diagram.clientHeight / ROW_PX)));
}
let base = 0;  // The first row that is drawn.

// scrollTo has a row be the first that is seen.
function scrollTo(row) {
  if (count() * ROW_PX <= HEIGHT_PX_MAX) {
    diagram.scrollTop = Math.max(row, 0) * ROW_PX;
    return;
  }
  const all = Math.max(1, count() - Math.floor(diagram.clientHeight / ROW_PX));
  diagram.scrollTop = (Math.max(row, 0) / all) * Math.max(1, height() - diagram.clientHeight);
}
const topOf = (row) => (count() * ROW_PX <= HEIGHT_PX_MAX ? row * ROW_PX : diagram.scrollTop + (row - base) * ROW_PX);

let drawing = 0;
async function drawRows() {
  const mine = ++drawing;
  base = firstRow();
  const last = Math.min(count(), base + Math.ceil(diagram.clientHeight / ROW_PX) + 2);
  const wanted = [];
  for (let row = base; row < last; ++row) wanted.push(row);
  const events = await Promise.all(wanted.map((row) => pageOf(numberOf(row))));
  const place = () => {
    rows.style.height = `${height()}px`;
    rows.replaceChildren(...wanted.map((row, i) => rowOf(row, events[i] ?? "")));
  };
  if (mine === drawing) place();
  const unknown = [...new Set(wanted.map((row) => pageStart(numberOf(row))))].filter((first) => !pairs.has(first));
  await Promise.all(unknown.map(pairsOf));
  if (mine === drawing && unknown.length > 0) place();
}

async function find() {
  const mine = ++search;
  const words = byId("words").value;
  const to = byId("to").value;
  hits = null;
  if (words !== "" || to !== "") {
    const found = [];
    for (let next = 0; next < lines && found.length < HITS_MAX;) {
      const part = await ask(`search?words=${encodeURIComponent(words)}&to=${to}&first=${next}`);
      if (mine !== search) return;
      for (const line of part.lines) found.push(line);
      next = part.next;
      byId("shown").textContent = `${found.length} so far`;
    }
    hits = found;
  }
  byId("shown").textContent = `${count()} of ${lines} lines`;
  diagram.scrollTop = 0;
  await drawRows();
  if (count() > 0) await choose(numberOf(0));
}

function clear() {
  byId("words").value = "";
  byId("to").value = "";
  find();
}

const KEYS = [
  [["/"], "/", "search", () => byId("words").focus()],
  [["j", "ArrowDown"], "j ↓", "to the next line", () => step(1)],
  [["k", "ArrowUp"], "k ↑", "to the one before", () => step(-1)],
  [["PageDown"], "PgDn", "a screen on", () => step(Math.floor(diagram.clientHeight / ROW_PX) - 2)],
  [["PageUp"], "PgUp", "a screen back", () => step(2 - Math.floor(diagram.clientHeight / ROW_PX))],
  [["Home"], "Home", "to the first", () => step(-count())],
  [["End"], "End", "to the last", () => step(count())],
  [["p"], "p", "to the answer, or to what it answers", meet],
  [["t"], "t", "light or dark", toggleTheme],
  [["?"], "?", "these keys", () => byId("keys").showModal()],
  [["Escape"], "Esc", "show every line", clear],
];

byId("find").addEventListener("submit", (event) => { event.preventDefault(); find(); });
byId("to").addEventListener("change", find);
diagram.addEventListener("scroll", drawRows, {passive: true});
window.addEventListener("resize", drawRows);
useKeys(KEYS, byId("words"));

ask("about").then((about) => {
  lines = about.lines;
  byId("name").textContent = about.name;
  byId("about").textContent = `${about.lines} lines, ${about.bytes} bytes`;
  document.title = `${about.name} · plumbline`;
  find();
});
