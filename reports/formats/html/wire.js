// The sequence diagram and the wire log.

const subject = report.other;

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

// diagram draws the first of these messages as arrows between the two sides.
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

function logLine(line) {
  return make("li", {class: line.dir === "->" ? "sent" : "received"},
    make("span", {class: "at"}, `${line.at_ms} ms`),
    make("span", {class: "dir"}, {"->": "→", "<-": "←"}[line.dir] ?? "·"),
    logged(line.message));
}

// exchanged shows messages twice: as arrows, and as they were said. Each lights up its other half.
function exchanged(evidence) {
  const {figure, arrows} = diagram(evidence);
  const items = evidence.map(logLine);
  items.forEach((item, at) => {
    const both = [item, arrows[at]].filter(Boolean);
    for (const one of both) {
      for (const [event, lit] of [["mouseenter", true], ["mouseleave", false]]) {
        one.addEventListener(event, () => both.forEach((half) => half.classList.toggle("lit", lit)));
      }
    }
  });
  return [figure, make("div", {}, make("h4", {}, "Wire log"),
    make("ol", {class: "log", "aria-label": "Wire log"}, ...items))];
}

// wire shows a conversation; where it is long, with a search that keeps the messages with every word.
function wire(evidence) {
  const box = make("div", {class: "wire"}, ...exchanged(evidence));
  if (evidence.length < SEARCHED_MESSAGES) return [box];
  const texts = evidence.map((line) => `${labelOf(line.message)} ${shown(line.message)}`.toLowerCase());
  const input = make("input", {type: "search", class: "within", placeholder: "Search in the messages",
    "aria-label": "Search in the messages", autocomplete: "off", spellcheck: "false"});
  const told = make("output", {"aria-live": "polite"}, `${evidence.length} messages`);
  input.addEventListener("input", () => {
    const words = wordsOf(input.value);
    const found = evidence.filter((line, at) => words.every((word) => texts[at].includes(word)));
    box.replaceChildren(...exchanged(found));
    told.textContent = found.length === evidence.length ? `${found.length} messages`
      : `${found.length} of ${evidence.length} messages`;
  });
  return [make("div", {class: "search"}, input, told), box];
}
