// One result.

const TOLD = ["fail", "inconclusive", "warn", "xfail"];  // Of these a row tells what was seen.

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

// copier returns a button that copies `text`, which is `what`.
function copier(label, what, text) {
  const button = make("button", {type: "button", class: "copy"}, label);
  button.addEventListener("click", async () => {
    const done = await copy(text);
    button.textContent = done ? "Copied" : "Not copied";
    say(done ? `${what} copied` : `The browser refused to copy the ${what.toLowerCase()}`);
    setTimeout(() => { button.textContent = label; }, 1500);
  });
  return button;
}

const command = (text) =>
  make("div", {class: "command"}, make("code", {}, text), copier("Copy", "Command", text));

// promptOf offers what a coding agent is told to mend a result.
const promptOf = (text) => make("div", {class: "prompt"},
  make("span", {}, "To have a coding agent mend this:"), copier("Copy as prompt", "Prompt", text));

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
  if (result.title && TOLD.includes(result.verdict)) fact("rule", result.title);
  for (const [label, text] of result.explained) fact(label, text);
  if (result.because) fact("because of", result.because);
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
  if (result.prompt) panel.append(promptOf(result.prompt));
  if (result.evidence.length > 0) panel.append(...wire(result.evidence));
  if (!panel.querySelector("dd, .command, .wire")) {
    panel.append(make("p", {class: "more"}, "There is nothing more to tell."));
  }
  return panel;
}

// happened says in a row what was seen; of what passed or was skipped, the rule.
const happened = (result) => (result.message && TOLD.includes(result.verdict)
  ? clip(result.message.replaceAll("\n", " "), LONG_MESSAGE) : result.title);

function buttonOf(result) {
  const revision = result.revision === report.revision ? "" : result.revision;
  const variant = [result.server, revision, result.transport].filter(Boolean).join(" ");
  const was = result.was ? [make("small", {class: "was"}, `was ${result.was}`)] : [];
  return make("button", {type: "button", "aria-expanded": "false"},
    make("span", {class: "mark"}, result.verdict, ...was),
    make("span", {class: "id"}, result.id), make("span", {class: "title"}, happened(result)),
    make("span", {class: "variant"}, variant), make("span", {class: "time"}, result.time));
}

// entryOf makes the row of a result, with the text that is searched.
function entryOf(result) {
  const button = buttonOf(result);
  const row = make("article", {class: `row ${toneOf(result.verdict)}`}, make("h3", {}, button));
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
