// What needs a look comes first, grouped by what brings it about; then, area by area, the rest.

const LOOK = ["fail", "inconclusive", "warn"];
const needsLook = ({result}) => LOOK.includes(result.verdict);
const rankOf = ({result}) => VERDICTS.indexOf(result.verdict);
const worstFirst = (a, b) => rankOf(a) - rankOf(b);
const counted = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;

const folds = [];     // What is shown when it is asked for, or looked for.
const sections = [];

// A check that fails in several revisions, and whatever fails because of it, is one finding.
const causeOf = ({result}) => JSON.stringify([result.server, result.because || result.id]);
const ownFirst = (a, b) => Boolean(a.result.because) - Boolean(b.result.because) || worstFirst(a, b);

// foldOf hides entries behind a line; `told` says it for so many of them as fit the filters.
function foldOf(kind, told, entries) {
  const label = make("summary");
  const element = make("details", {class: `fold ${kind}`}, label, ...entries.map((one) => one.row));
  const fold = {element, label, kind, told, entries, wanted: false};
  label.addEventListener("click", () => { fold.wanted = !element.open; });
  folds.push(fold);
  return element;
}

function othersText(others) {
  const brought = others.filter(({result}) => result.because);
  const ids = [...new Set(brought.map(({result}) => result.id))];
  const same = others.length - brought.length;
  return [same > 0 ? `${same} more of the same check` : "",
    brought.length > 0 ? `${brought.length} because of it: ${ids.join(", ")}` : ""]
    .filter(Boolean).join(", ");
}

function findingOf(entries) {
  const [first, ...others] = entries.sort(ownFirst);
  if (others.length === 0) return first.row;
  const text = clip(`and ${othersText(others)}`, LONG_MESSAGE);
  return make("div", {class: "finding"}, first.row, foldOf("others", () => text, others));
}

function addSection(name, note, entries, elements) {
  if (entries.length === 0) return;
  const section = make("section", {class: "area", "aria-label": name},
    make("h2", {}, name, make("small", {}, note)), ...elements);
  byId("results").append(section);
  sections.push({section, entries});
}

function addFindings(entries) {
  const findings = [...Map.groupBy(entries, causeOf).values()];
  const rank = (finding) => Math.min(...finding.map(rankOf));
  findings.sort((a, b) => rank(a) - rank(b));
  addSection("To look at", `${counted(findings.length, "finding")} in ${counted(entries.length, "result")}`,
    entries, findings.map(findingOf));
}

// addHabits shows what is not counted, for every server on an SDK does it.
function addHabits(entries) {
  for (const [name, those] of Map.groupBy(entries, ({result}) => result.sdk)) {
    addSection(`From ${name}`, "every server on it does this: it is not counted", those,
      [foldOf("sdk", (number) => `${counted(number, "result")}`, those.sort(worstFirst))]);
  }
}

function addArea(name, entries) {
  const all = results.filter((result) => areaOf(result) === name);
  const [skipped, shown] = [true, false].map((skips) =>
    entries.filter(({result}) => (result.verdict === "skip") === skips));
  const elements = shown.sort(worstFirst).map((one) => one.row);
  if (skipped.length > 0) elements.push(foldOf("skips", (number) => `${number} skipped`, skipped));
  const applied = all.length - count(all, "skip");
  const note = applied === 0 ? "does not apply" : `${count(all, "pass")} of ${applied} pass`;
  addSection(name, note, entries, elements);
}

// Of two reports, what differs stands before what does not.
const CHANGES = {worse: "Worse than before", better: "Better than before", other: "Otherwise different",
  new: "New", gone: "Not there any more"};

// showResults puts every result into its section, and returns their entries as a reader meets them.
function showResults() {
  const entries = [...results, ...(report.gone ?? [])].map(entryOf);
  const changed = (kind) => entries.filter(({result}) => result.change === kind).sort(worstFirst);
  for (const [kind, heading] of Object.entries(CHANGES)) {
    const those = changed(kind);
    addSection(heading, counted(those.length, "result"), those, those.map((one) => one.row));
  }
  const others = entries.filter(({result}) => !(result.change in CHANGES));
  const looks = Map.groupBy(others, (one) => one.result.sdk ? "sdk" : needsLook(one) ? "look" : "rest");
  addFindings(looks.get("look") ?? []);
  addHabits(looks.get("sdk") ?? []);
  const rest = Map.groupBy(looks.get("rest") ?? [], ({result}) => areaOf(result));
  for (const name of new Set(results.map(areaOf))) addArea(name, rest.get(name) ?? []);
  byId("results").append(make("p", {class: "nothing", hidden: ""},
    results.length === 0 ? "Nothing ran." : "No result fits these filters."));
  const places = new Map([...document.querySelectorAll(".row")].map((row, at) => [row, at]));
  return entries.sort((a, b) => places.get(a.row) - places.get(b.row));
}
