"use strict";
// A recording as a sequence diagram. It asks for the lines that are on the screen and for no others,
// so a file of any length opens at once. Everything in it is data: it reaches the page as text.

const ROW_PX = 30;
const PAGE_LINES = 200;
const PAGES_KEPT = 40;
const HITS_MAX = 50_000;
const HEIGHT_PX_MAX = 10_000_000;  // Browsers give up on elements that are much higher.
const byId = (id) => document.getElementById(id);
const diagram = byId("diagram");
const rows = byId("rows");

let lines = 0;
let hits = null;  // Line numbers that were searched for; null: every line.
let chosen = -1;  // A line number.
let search = 0;   // Counts them: one that was overtaken says nothing.
const pages = new Map();

const ask = async (path) => (await fetch(path)).json();
const count = () => (hits === null ? lines : hits.length);
const numberOf = (row) => (hits === null ? row : hits[row]);

// shown returns JSON with what a screen would not show, or show elsewhere, as \u escapes.
function shown(value, indent) {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

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

function rowOf(row, event) {
  const number = numberOf(row);
  const element = document.createElement("button");
  const bad = event.message?.error || event.message?.result?.isError || event.text !== undefined || event.base64 !== undefined;
  element.className = `event ${event.to ?? "note"}${bad ? " bad" : ""}`;
  element.style.top = `${topOf(row)}px`;
  element.dataset.line = number;
  element.setAttribute("aria-current", String(number === chosen));
  const at = document.createElement("span");
  at.className = "at";
  at.textContent = event.ns === undefined ? "" : `${(event.ns / 1e6).toFixed(3)} ms`;
  const arrow = document.createElement("span");
  arrow.className = "arrow";
  const label = document.createElement("span");
  label.className = "label";
  label.textContent = labelOf(event);
  const stem = document.createElement("span");
  stem.className = "stem";
  const head = document.createElement("span");
  head.textContent = event.to === "server" ? "▶" : event.to === "client" ? "◀" : "";
  arrow.append(label, stem, head);
  element.append(at, arrow);
  element.addEventListener("click", () => choose(number, event));
  return element;
}

function choose(number, event) {
  chosen = number;
  for (const one of rows.children) one.setAttribute("aria-current", String(Number(one.dataset.line) === number));
  const text = document.createElement("pre");
  text.textContent = `line ${number + 1}\n${shown(event, 2)}`;
  byId("detail").replaceChildren(text);
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

// A file with more rows than a browser can stack up is scrolled in proportion.
const height = () => Math.min(count() * ROW_PX, HEIGHT_PX_MAX);
function firstRow() {
  if (count() * ROW_PX <= HEIGHT_PX_MAX) return Math.floor(diagram.scrollTop / ROW_PX);
  const part = diagram.scrollTop / Math.max(1, height() - diagram.clientHeight);
  return Math.floor(part * Math.max(0, count() - Math.floor(diagram.clientHeight / ROW_PX)));
}
let base = 0;  // The first row that is drawn.
const topOf = (row) => (count() * ROW_PX <= HEIGHT_PX_MAX ? row * ROW_PX : diagram.scrollTop + (row - base) * ROW_PX);

let drawing = 0;
async function draw() {
  const mine = ++drawing;
  base = firstRow();
  const last = Math.min(count(), base + Math.ceil(diagram.clientHeight / ROW_PX) + 2);
  const wanted = [];
  for (let row = base; row < last; ++row) wanted.push(row);
  const events = await Promise.all(wanted.map((row) => pageOf(numberOf(row))));
  if (mine !== drawing) return;
  rows.style.height = `${height()}px`;
  rows.replaceChildren(...wanted.map((row, i) => rowOf(row, events[i] ?? "")));
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
  await draw();
}

byId("find").addEventListener("submit", (event) => { event.preventDefault(); find(); });
byId("to").addEventListener("change", find);
diagram.addEventListener("scroll", draw, {passive: true});
window.addEventListener("resize", draw);
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== byId("words")) {
    event.preventDefault();
    byId("words").focus();
  }
});

ask("about").then((about) => {
  lines = about.lines;
  byId("name").textContent = about.name;
  byId("about").textContent = `${about.lines} lines, ${about.bytes} bytes`;
  document.title = `${about.name} · plumbline`;
  find();
});
