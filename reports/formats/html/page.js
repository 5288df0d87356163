
"use strict";
// The report as a page. Everything in the report is data: it reaches the page as text nodes and
// attribute values only, never as markup.

const report = JSON.parse(document.getElementById("report").textContent);
const results = report.results;
const VERDICTS = ["fail", "inconclusive", "warn", "xfail", "pass", "skip"];
const SHOWN_ARROWS = 60;
const LONG_MESSAGE = 200;  // Characters.
const byId = (id) => document.getElementById(id);

// make builds an element: attributes, then children, which are nodes or text.
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function draw(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// toneOf is the class of a verdict; "skip" alone is the link at the top.
const toneOf = (verdict) => (verdict === "skip" ? "skip-verdict" : verdict);
const areaOf = (result) => result.area || "general";
// What can be chosen from the lists, by the id of the list.
const CHOICES = {area: areaOf, level: (result) => result.level, server: (result) => result.server,
  revision: (result) => result.revision};
const count = (list, verdict) => list.filter((one) => one.verdict === verdict).length;
const clip = (text, length) => (text.length > length ? text.slice(0, length - 1) + "…" : text);

// shown returns JSON with what a screen would not show, or show elsewhere, as \u escapes.
function shown(value, indent) {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

// The sequence diagram --------------------------------------------------------------------------

const subject = report.command === "check client" ? "client" : "server";

// inLine returns text without quotes and with its line ends visible.
const inLine = (text) => shown(String(text)).slice(1, -1);

// What a note of the wire log tells of, by its key; the first that it has is its label.
const NOTES = {http: (what) => what, status: (what) => `HTTP ${what}`,
  failed: (what) => `failed: ${what}`, closed: (what) => `closed: ${what}`,
  event: (what) => `event: ${what}`, endpoint: (what) => `endpoint ${what}`,
  garbage: (what) => `no JSON: ${what}`};

// labelOf names one message of the wire log in a few words.
function labelOf(message) {
  if (typeof message === "string") return inLine(message);
  if (message === null || typeof message !== "object") return shown(message);
  const id = message.id === undefined ? "" : ` #${shown(message.id)}`;
  if (typeof message.method === "string") return inLine(message.method) + id;
  if (message.error) return `error ${inLine(message.error.code ?? "")}${id}`;
  if (message.result !== undefined) return `result${id}`;
  const note = Object.keys(NOTES).find((key) => key in message);
  if (note) return inLine(NOTES[note](message[note]));
  return shown(message);
}

function arrow(line, at) {
  const y = 46 + at * 34;
  const text = clip(labelOf(line.message), 32);
  const bad = Boolean(line.message && (line.message.error || line.message.garbage));
  const time = draw("text", {class: "at", x: 0, y: y + 4}, `${line.at_ms} ms`);
  const back = draw("rect", {class: "back", x: 0, y: y - 20, width: 400, height: 32, rx: 4});
  if (line.dir !== "->" && line.dir !== "<-") {
    return draw("g", {class: "note"}, back, time,
      draw("rect", {class: "pill", x: 110, y: y - 12, width: 220, height: 22, rx: 11}),
      draw("text", {x: 220, y: y + 3}, text));
  }
  const sent = line.dir === "->";
  const [from, to] = sent ? [90, 350] : [350, 90];
  const tip = sent ? -8 : 8;
  return draw("g", {class: (sent ? "sent" : "received") + (bad ? " bad" : "")}, back, time,
    draw("text", {x: 220, y: y - 6}, text),
    draw("line", {class: "arrow", x1: from, y1: y, x2: to + tip, y2: y}),
    draw("path", {class: "head", d: `M${to} ${y}l${tip} -4v8z`}));
}

function diagram(evidence) {
  const lines = evidence.slice(0, SHOWN_ARROWS);
  const height = 46 + lines.length * 34;
  const label = `${evidence.length} messages between plumbline and the ${subject}`;
  const svg = draw("svg", {viewBox: `0 0 400 ${height}`, role: "img", "aria-label": label},
    draw("text", {class: "end", x: 90, y: 14}, "plumbline"),
    draw("text", {class: "end", x: 350, y: 14}, subject));
  for (const x of [90, 350]) {
    svg.append(draw("line", {class: "life", x1: x, y1: 22, x2: x, y2: height}));
  }
  const arrows = lines.map(arrow);
  svg.append(...arrows);
  const figure = make("figure", {}, svg);
  const hidden = evidence.length - lines.length;
  if (hidden > 0) figure.append(make("p", {class: "more"}, `${hidden} more in the log`));
  return {figure, arrows};
}

// logged shows a message as it went over the wire; a long one on one line, and laid out when opened.
function logged(message) {
  const text = shown(message);
  if (text.length <= LONG_MESSAGE) return make("pre", {}, text);
  return make("details", {}, make("summary", {}, clip(text, LONG_MESSAGE)),
    make("pre", {}, shown(message, 2)));
}

function wire(evidence) {
  const {figure, arrows} = diagram(evidence);
  const log = make("ol", {class: "log", "aria-label": "Wire log"});
  evidence.forEach((line, at) => {
    const item = make("li", {class: line.dir === "->" ? "sent" : "received"},
      make("span", {class: "at"}, `${line.at_ms} ms`),
      make("span", {class: "dir"}, {"->": "→", "<-": "←"}[line.dir] ?? "·"),
      logged(line.message));
    log.append(item);
    for (const one of [item, arrows[at]]) {
      for (const [event, lit] of [["mouseenter", true], ["mouseleave", false]]) {
        one?.addEventListener(event, () => {
          item.classList.toggle("lit", lit);
          arrows[at]?.classList.toggle("lit", lit);
        });
      }
    }
  });
  return make("div", {class: "wire"}, figure, make("div", {}, make("h4", {}, "Wire log"), log));
}

// One result ------------------------------------------------------------------------------------

function say(text) {
  byId("said").textContent = text;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = make("textarea", {class: "unseen"});
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

function command(text) {
  const button = make("button", {type: "button", class: "copy"}, "Copy");
  button.addEventListener("click", async () => {
    const done = await copy(text);
    button.textContent = done ? "Copied" : "Press Ctrl+C";
    say(done ? "Command copied" : "Select the command and press Ctrl+C");
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  return make("div", {class: "command"}, make("code", {}, text), button);
}

// halves splits "what was seen, expected what" where that is certain. It looks at the text once: a
// peer can make a message long.
function halves(message) {
  const words = [...message.matchAll(/\bexpected\b/gi)];
  if (words.length !== 1) return null;
  const before = message.slice(0, words[0].index);
  const seen = before.trimEnd();
  const mark = seen.length > 1 && ",;.:".includes(seen.at(-1));
  if (!mark && !before.slice(seen.length).includes("\n")) return null;
  const rest = message.slice(words[0].index + words[0][0].length);
  const gap = /^:?\s+/.exec(rest);
  if (!seen || !gap || gap[0].length === rest.length) return null;
  return {seen: mark ? seen.slice(0, -1) : seen, expected: rest.slice(gap[0].length)};
}

function counts(byName) {
  return Object.entries(byName).map(([name, count]) => `${name} ${count}`).join(", ") || "none";
}

function panelOf(result) {
  const facts = make("dl");
  const fact = (name, value, tone) =>
    facts.append(make("dt", {}, name), make("dd", tone ? {class: tone} : {}, value));
  const both = halves(result.message);
  if (both) {
    fact("expected", both.expected);
    fact("observed", both.seen, "seen");
  } else if (result.message) {
    fact(result.verdict === "skip" ? "skipped" : "observed", result.message, "seen");
  }
  for (const [label, text] of result.explained) fact(label, text);
  if (result.link) {
    fact(result.level || "clause",
      make("a", {href: result.link, rel: "noreferrer", target: "_blank"}, result.spec));
  } else if (result.level) {
    fact("level", result.level);
  }
  if (result.revision || result.transport) {
    const variant = [result.revision, result.transport].filter(Boolean).join(" over ");
    fact("variant", (result.server ? `${result.server}, ` : "") + variant);
  }
  for (const [name, value] of Object.entries(result.outcome ?? {})) {
    fact(name.replaceAll("_", " "), typeof value === "object" ? counts(value) : String(value));
  }
  const panel = make("div", {class: "panel"}, facts);
  if (result.reproduce) panel.append(command(result.reproduce));
  if (result.evidence.length > 0) panel.append(wire(result.evidence));
  if (!panel.querySelector("dd, .command, .wire")) {
    panel.append(make("p", {class: "more"}, "There is nothing more to tell."));
  }
  return panel;
}

function rowOf(result, index) {
  const revision = result.revision === report.revision ? "" : result.revision;
  const variant = [result.server, revision, result.transport].filter(Boolean).join(" ");
  const button = make("button", {type: "button", "aria-expanded": "false"},
    make("span", {class: "mark"}, result.verdict), make("span", {class: "id"}, result.id),
    make("span", {class: "title"}, result.title), make("span", {class: "variant"}, variant),
    make("span", {class: "time"}, result.time));
  const row = make("article", {class: `row ${toneOf(result.verdict)}`, id: `row-${index}`},
    make("h3", {}, button));
  button.addEventListener("click", () => {
    open(row, result, !("open" in row.dataset));
    note(result);
  });
  const text = [result.id, result.title, result.message, result.spec].join("\n").toLowerCase();
  return {result, row, button, text};
}

// open shows or hides what a result rests on, which is built when it is first wanted.
function open(row, result, wanted) {
  row.toggleAttribute("data-open", wanted);
  row.querySelector("h3 button").setAttribute("aria-expanded", String(wanted));
  let panel = row.querySelector(".panel");
  if (wanted && !panel) row.append(panel = panelOf(result));
  if (panel) panel.hidden = !wanted;
}

// note keeps in the address which result was opened last, so that it can be sent to others.
function note(result) {
  try { history.replaceState(null, "", "#" + encodeURIComponent(result.id)); } catch { /* a copy */ }
}

// openNoted opens the result that the address names, if it names one.
function openNoted() {
  let id = "";
  try { id = decodeURIComponent(location.hash.slice(1)); } catch { /* not one of ours */ }
  const noted = rows.find((one) => one.result.id === id);
  if (!noted) return;
  open(noted.row, noted.result, true);
  noted.button.focus({preventScroll: true});
  noted.row.scrollIntoView({block: "center"});
}

// The page --------------------------------------------------------------------------------------

let rows = [];
const groups = [];

function showHead() {
  byId("command").textContent = report.command + (report.subject ? ` ${report.subject}` : "");
  byId("about").textContent = report.about.join(" · ");
  byId("proportion").setAttribute("aria-label", report.summary);
  for (const verdict of VERDICTS) {
    const share = count(results, verdict);
    if (share === 0) continue;
    const part = make("span", {class: toneOf(verdict), title: `${share} ${verdict}`});
    part.style.flexGrow = String(share);
    byId("proportion").append(part);
    const chip = make("button", {type: "button", class: `chip ${toneOf(verdict)}`,
      "aria-pressed": "false", "data-verdict": verdict}, make("b", {}, String(share)), verdict);
    chip.addEventListener("click", () => {
      chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true"));
      filter();
    });
    byId("verdicts").append(chip);
  }
}

function fillSelect(id, everything, values) {
  const distinct = [...new Set(values.filter(Boolean))];
  byId(id).append(make("option", {value: ""}, everything));
  byId(id).append(...distinct.map((value) => make("option", {value}, value)));
  byId(id).hidden = distinct.length < 2;
  byId(id).addEventListener("change", filter);
}

function showTotals() {
  if (report.tables.length === 0) return;
  byId("totals").hidden = false;
  byId("totals").querySelector("summary").textContent = report.facts.join(" ");
  for (const {heading, rows: lines} of report.tables) {
    byId("totals").append(make("table", {},
      make("thead", {}, make("tr", {}, ...heading.map((cell) => make("th", {}, cell)))),
      make("tbody", {}, ...lines.map((line) =>
        make("tr", {}, ...line.map((cell) => make("td", {}, cell)))))));
  }
}

function showResults() {
  rows = results.map(rowOf);
  for (const name of new Set(results.map(areaOf))) {
    const inside = rows.filter((one) => areaOf(one.result) === name);
    inside.sort((a, b) => VERDICTS.indexOf(a.result.verdict) - VERDICTS.indexOf(b.result.verdict));
    const passed = count(inside.map((one) => one.result), "pass");
    const section = make("section", {class: "area", "aria-label": name},
      make("h2", {}, name, make("small", {}, `${passed} of ${inside.length} pass`)),
      ...inside.map((one) => one.row));
    byId("results").append(section);
    groups.push({section, inside});
  }
  rows = groups.flatMap((group) => group.inside);
  byId("results").append(make("p", {class: "nothing", hidden: ""},
    results.length === 0 ? "Nothing ran." : "No result fits these filters."));
}

function filter() {
  const pressed = [...document.querySelectorAll(".chip[aria-pressed=true]")];
  const verdicts = pressed.map((chip) => chip.dataset.verdict);
  const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = Object.entries(CHOICES).filter(([id]) => byId(id).value);
  let visible = 0;
  for (const {section, inside} of groups) {
    let any = false;
    for (const {result, row, text} of inside) {
      const fits = (verdicts.length === 0 || verdicts.includes(result.verdict)) &&
        chosen.every(([id, of]) => of(result) === byId(id).value) &&
        words.every((word) => text.includes(word));
      row.hidden = !fits;
      any ||= fits;
      visible += fits ? 1 : 0;
    }
    section.hidden = !any;
  }
  document.querySelector(".nothing").hidden = visible > 0;
  byId("shown").textContent =
    visible === results.length ? `${visible} results` : `${visible} of ${results.length}`;
}

// By keyboard -----------------------------------------------------------------------------------

function move(step) {
  const visible = rows.filter((one) => !one.row.hidden);
  if (visible.length === 0) return;
  const here = document.activeElement?.closest?.(".row");
  const at = visible.findIndex((one) => one.row === here);
  const next = at < 0 ? (step > 0 ? 0 : visible.length - 1) : at + step;
  visible[Math.min(Math.max(next, 0), visible.length - 1)].button.focus();
}

function clear() {
  byId("search").value = "";
  for (const id of Object.keys(CHOICES)) byId(id).value = "";
  for (const chip of document.querySelectorAll(".chip")) chip.setAttribute("aria-pressed", "false");
  filter();
}

function toggleTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  say(`${root.dataset.theme} theme`);
  try { localStorage.setItem("plumbline-theme", root.dataset.theme); } catch { /* not kept */ }
}

const KEYS = {
  "/": () => byId("search").focus(),
  j: () => move(1), ArrowDown: () => move(1), k: () => move(-1), ArrowUp: () => move(-1),
  c: () => document.activeElement?.closest?.(".row")?.querySelector(".copy")?.click(),
  t: toggleTheme, Escape: clear,
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.tagName === "SELECT") return;
  if (event.target === byId("search") && !["Escape", "ArrowDown"].includes(event.key)) return;
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

function start() {
  try {
    const theme = localStorage.getItem("plumbline-theme");
    if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  } catch { /* a page from a file may have no storage */ }
  showHead();
  for (const [id, of] of Object.entries(CHOICES)) fillSelect(id, `Every ${id}`, results.map(of));
  showTotals();
  showResults();
  filter();
  openNoted();
  byId("search").addEventListener("input", filter);
  byId("theme").addEventListener("click", toggleTheme);
  document.addEventListener("keydown", onKey);
  // Paper has no buttons: what needs a look is open there.
  addEventListener("beforeprint", () => {
    for (const {row, result} of rows) {
      if (["fail", "inconclusive", "warn"].includes(result.verdict)) open(row, result, true);
    }
  });
}

start();
