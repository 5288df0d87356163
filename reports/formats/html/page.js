// The page: its head, its filters, its keys.

let rows = [];  // Every entry, from top to bottom.

// What can be chosen from the lists, by the id of the list.
const CHOICES = {change: (result) => result.change, area: areaOf, level: (result) => result.level,
  server: (result) => result.server, revision: (result) => result.revision};

function chipOf(verdict, share) {
  const chip = make("button", {type: "button", class: `chip ${toneOf(verdict)}`,
    "aria-pressed": "false", "data-verdict": verdict}, make("b", {}, String(share)), verdict);
  chip.addEventListener("click", () => {
    chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true"));
    filter();
  });
  return chip;
}

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
    byId("verdicts").append(chipOf(verdict, share));
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

// filter shows what fits all of the filters, also where it is folded away without any.
function filter() {
  const pressed = [...document.querySelectorAll(".chip[aria-pressed=true]")];
  const verdicts = pressed.map((chip) => chip.dataset.verdict);
  const words = wordsOf(byId("search").value);
  const chosen = Object.entries(CHOICES).filter(([id]) => byId(id).value)
    .map(([id, of]) => [of, byId(id).value]);
  const filtering = verdicts.length + words.length + chosen.length > 0;
  const fits = ({result, text}) => (verdicts.length === 0 || verdicts.includes(result.verdict)) &&
    chosen.every(([of, value]) => of(result) === value) && words.every((word) => text.includes(word));
  for (const entry of rows) entry.row.hidden = filtering && !fits(entry);
  const left = (entries) => entries.filter((entry) => !entry.row.hidden).length;
  for (const {section, entries} of sections) section.hidden = left(entries) === 0;
  for (const fold of folds) {
    const number = left(fold.entries);
    fold.element.hidden = number === 0;
    fold.element.open = filtering || fold.wanted;
    fold.label.textContent = fold.told(number);
  }
  const visible = left(rows);
  document.querySelector(".nothing").hidden = visible > 0;
  byId("shown").textContent =
    visible === rows.length ? counted(visible, "result") : `${visible} of ${rows.length} results`;
}

// openNoted opens the result that the address names, if it names one.
function openNoted() {
  let id = "";
  try { id = decodeURIComponent(location.hash.slice(1)); } catch { /* not one of ours */ }
  const noted = rows.find((one) => one.result.id === id);
  if (!noted) return;
  for (const fold of folds) {
    if (fold.entries.includes(noted)) fold.element.open = fold.wanted = true;
  }
  open(noted.row, noted.result, true);
  noted.button.focus({preventScroll: true});
  noted.row.scrollIntoView({block: "center"});
}

// By keyboard -----------------------------------------------------------------------------------

const here = () => document.activeElement?.closest?.(".row");

function move(step) {
  const visible = rows.filter(({row}) => !row.hidden && !row.closest("details:not([open])"));
  if (visible.length === 0) return;
  const at = visible.findIndex((one) => one.row === here());
  const next = at < 0 ? (step > 0 ? 0 : visible.length - 1) : at + step;
  visible[Math.min(Math.max(next, 0), visible.length - 1)].button.focus();
}

function toggleSkips() {
  const skips = folds.filter((fold) => fold.kind === "skips");
  const wanted = !skips.some((fold) => fold.wanted);
  for (const fold of skips) fold.wanted = wanted;
  say(wanted ? "skipped results shown" : "skipped results folded");
  filter();
}

function clear() {
  byId("search").value = "";
  for (const id of Object.keys(CHOICES)) byId(id).value = "";
  for (const chip of document.querySelectorAll(".chip")) chip.setAttribute("aria-pressed", "false");
  filter();
}

// Enter is the browser's own.
const KEYS = [
  [["/"], "/", "search in the results", () => byId("search").focus()],
  [["j", "ArrowDown"], "j ↓", "to the next result", () => move(1)],
  [["k", "ArrowUp"], "k ↑", "to the one before", () => move(-1)],
  [[], "Enter", "open or close it"],
  [["m"], "m", "search in its messages", () => here()?.querySelector(".within")?.focus()],
  [["c"], "c", "copy the command that reproduces it", () => here()?.querySelector(".copy")?.click()],
  [["s"], "s", "show or fold what was skipped", toggleSkips],
  [["t"], "t", "light or dark", toggleTheme],
  [["?"], "?", "these keys", () => byId("keys").showModal()],
  [["Escape"], "Esc", "clear every filter", clear],
];

// On paper there are no buttons: what needs a look is open there, and closed again afterwards.
function preparePaper() {
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = rows.filter((one) => needsLook(one) && !("open" in one.row.dataset));
    for (const {row, result} of opened) open(row, result, true);
    for (const fold of folds) if (fold.kind === "others") fold.element.open = true;
  });
  addEventListener("afterprint", () => {
    for (const {row, result} of opened) open(row, result, false);
    filter();
  });
}

function start() {
  showHead();
  rows = showResults();
  for (const [id, of] of Object.entries(CHOICES)) {
    fillSelect(id, `Every ${id}`, rows.map(({result}) => of(result)));
  }
  showTotals();
  useKeys(KEYS, byId("search"));
  filter();
  openNoted();
  byId("search").addEventListener("input", filter);
  preparePaper();
}

start();
