// The picture of a terminal that README shows: an SVG of what its first command prints.

import {readFileSync} from 'node:fs';

const LINE = 18;     // Pixels.
const LETTER = 7.83;  // Of a monospaced font of 13 px.
const MARGIN = 16;

const escaped = text => text.replace(/[&<>]/g, sign => ({'&': '&amp;', '<': '&lt;', '>': '&gt;'})[sign]);

// colours puts the words that the program colours into classes.
function colours(line) {
  const [, verdict, rest] = /^(FAIL|warn|pass)?(.*)$/s.exec(line);
  if (verdict) return `<tspan class="${verdict}">${verdict}</tspan>${escaped(rest)}`;
  const [, gap, label, said] = /^( *)(mend:|rule:)?(.*)$/s.exec(line);
  return label ? `${gap}<tspan class="label">${label}</tspan>${escaped(said)}` : escaped(line);
}

export function picture(lines) {
  const width = Math.ceil(2 * MARGIN + LETTER * Math.max(...lines.map(line => line.length)));
  const height = 2 * MARGIN + LINE * lines.length;
  const rows = lines.map((line, at) => `<text x="${MARGIN}" y="${MARGIN + LINE * (at + 0.75)}">${colours(line)}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escaped(lines[0])}</title>
<style>
  rect { fill: #fbfaf7; stroke: #d8d4cb } text { font: 13px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1a1a1a; white-space: pre }
  .FAIL { fill: #b3261e; font-weight: 700 } .warn { fill: #8a5300 } .pass { fill: #1c7c41; font-weight: 700 } .label { fill: #6b675f }
  @media (prefers-color-scheme: dark) {
    rect { fill: #15171a; stroke: #33373d } text { fill: #e6e4df } .FAIL { fill: #ff8a80 } .warn { fill: #ffb951 } .pass { fill: #6fd695 } .label { fill: #a29d93 }
  }
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${rows.join('\n')}
</svg>
`;
}

// shownBy returns the lines of the first block of a page that is made by the program.
export function shownBy(page) {
  const [, block] = /<!-- made by the program[^]*?```console\n([^]*?)```/.exec(readFileSync(page, 'utf8'));
  return block.trimEnd().split('\n');
}
