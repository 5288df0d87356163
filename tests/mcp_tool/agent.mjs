// An agent without a model: it mends the server of a folder by what the tools of `plumbline mcp`
// say, and by nothing else. It knows JavaScript and JSON, no rule of MCP and no fault.
//
// A finding has an example of a wrong message, and the change that sets it right (a patch of JSON),
// or its words say what was got and what was expected. The agent looks for the same member or value
// in the source, changes it in the same way, and asks the judge whether that was it; what does not
// help is taken back.

const literal = value => typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
const spellings = value => typeof value === 'string' ? [`'${value}'`, `"${value}"`, `\`${value}\``] : [JSON.stringify(value)];
const quoted = text => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const nameOf = path => path.split('/').at(-1).replaceAll('~1', '/').replaceAll('~0', '~');
const parentOf = path => path.split('/').slice(0, -1).join('/');
const parsed = text => { try { return JSON.parse(text); } catch { return undefined; } };

// at returns what stands at a pointer; undefined: nothing.
function at(value, path) {
  return path.split('/').slice(1).reduce((now, part) => now?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], value);
}

// key returns a pattern of a member's name, as sources write it before its value.
const key = name => `(['"\`]?)${quoted(name)}\\1\\s*:\\s*`;

// replacedValues yields `source` with one value of the member `name` replaced each time.
function* replacedValues(source, name, right, wrong) {
  const values = wrong === undefined ? ['[^,\\n}\\]]+'] : spellings(wrong).map(quoted);
  for (const value of values) {
    for (const found of source.matchAll(new RegExp(`${key(name)}(${value})`, 'g'))) {
      const start = found.index + found[0].length - found[2].length;
      yield source.slice(0, start) + literal(right) + source.slice(start + found[2].length);
    }
  }
}

// addedMembers yields `source` with the member put into one object each time: those of the parent's
// name, and, where the parent is an item of a list or the whole, those with a member that the
// example has beside it.
function* addedMembers(source, path, right, beside) {
  const member = `${/^\w+$/.test(nameOf(path)) ? nameOf(path) : `'${nameOf(path)}'`}: ${literal(right)}`;
  for (const found of source.matchAll(new RegExp(`${key(nameOf(parentOf(path)))}\\{(\\s*\\})?`, 'g'))) {
    const end = found.index + found[0].length;
    yield found[2] === undefined ? `${source.slice(0, end)}${member}, ${source.slice(end)}`
      : `${source.slice(0, end - found[2].length)}${member}}${source.slice(end)}`;
  }
  for (const name of beside) {
    for (const found of source.matchAll(new RegExp(key(name), 'g'))) {
      yield `${source.slice(0, found.index)}${member}, ${source.slice(found.index)}`;
    }
  }
}

// removedMembers yields `source` without one member of the name each time.
function* removedMembers(source, name) {
  for (const found of source.matchAll(new RegExp(`${key(name)}('[^']*'|"[^"]*"|[^,\\n{}\\[\\]]+|\\{[^{}]*\\}|\\[[^\\[\\]]*\\])(,\\s*)?`, 'g'))) {
    yield source.slice(0, found.index) + source.slice(found.index + found[0].length);
  }
}

// unwrapped yields `source` with one value of the member without what converts it each time.
function* unwrapped(source, name) {
  for (const found of source.matchAll(new RegExp(`${key(name)}(?:String|Number|JSON\\.stringify)\\(([^()]*)\\)`, 'g'))) {
    yield source.slice(0, found.index) + found[0].replace(/(?:String|Number|JSON\.stringify)\(([^()]*)\)$/, '$1') + source.slice(found.index + found[0].length);
  }
}

// byChange yields edits as the change of the example says. A replaced member that is not there is
// added.
function* byChange(source, {example, said}) {
  const wrong = parsed(example.wrong), got = example.change_of && !example.wrong ? undefined : parsed(said.got ?? '');
  for (const {op, path, value} of example.change) {
    const here = at(got, path);
    const beside = Object.keys(at(got, parentOf(path)) ?? at(wrong, parentOf(path)) ?? {});
    if (op === 'remove') yield* removedMembers(source, nameOf(path));
    if (op === 'replace') {
      if (here !== undefined && typeof here !== 'object') yield* replacedValues(source, nameOf(path), value, here);
      if (here !== undefined && typeof here !== typeof value) yield* unwrapped(source, nameOf(path));
      yield* replacedValues(source, nameOf(path), value);
    }
    if (op !== 'remove') yield* addedMembers(source, path, value, beside);
  }
}

const empties = {object: {}, array: [], string: '', integer: 0, number: 0, boolean: true};

// byWords yields edits as the words say: got X, expected Y; "name" is X, expected a kind of value;
// "name" is missing in "parent".
function* byWords(source, {example, said}) {
  const words = said.message ?? '';
  const both = /(-?\d+|"[^"]*")[^,]*, expected (?:\w+ )*?(-?\d+|"[^"]*"|true|false)/.exec(words);
  if (both) {
    const [wrong, right] = both.slice(1).map(text => JSON.parse(text));
    for (const spelling of spellings(wrong)) {
      for (let from = source.indexOf(spelling); from >= 0; from = source.indexOf(spelling, from + 1)) {
        yield source.slice(0, from) + literal(right) + source.slice(from + spelling.length);
      }
    }
  }
  const kind = /"?(\w+)"? is (?:"([^"]*)"|a \w+|an \w+|-?[\d.]+), expected an? (object|array|string|integer|number|boolean)/.exec(words);
  if (kind) {
    const [, name, wrong, expected] = kind;
    const meant = parsed(wrong ?? '');
    if (meant !== undefined) yield* replacedValues(source, name, meant, wrong);
    yield* unwrapped(source, name);
    yield* replacedValues(source, name, empties[expected]);
  }
  const missing = /\/(?:[^\s:]*): "(\w+)" is missing in "(\w+)"/.exec(words);
  if (missing) {
    const known = example?.change?.find(({path}) => nameOf(path) === missing[1]);
    yield* addedMembers(source, `/${missing[2]}/${missing[1]}`, known?.value ?? '', []);
  }
}

function* edits(source, finding) {
  if (finding.example?.change) yield* byChange(source, finding);
  yield* byWords(source, finding);
}

// mend works on the source until the judge has nothing that is the server's own. `tries_max` edits
// are tried in all. Returns {mended, left, tries, steps}: `left` are the ids that remain.
export async function mend(client, source, tries_max) {
  const steps = [];
  let tries = 0, text = source.read();
  let judged = await client.call('check');
  const given_up = new Set();
  const own = result => result.isError ? ['the server cannot be judged'] : result.findings.filter(one => one.verdict === 'fail').map(one => one.id);
  for (;;) {
    const finding = judged.isError ? undefined : judged.findings.find(one => one.verdict === 'fail' && !given_up.has(one.id));
    if (!finding) break;
    let better = null;
    for (const edited of new Set(edits(text, finding))) {
      if (tries === tries_max) break;
      if (edited === text) continue;
      ++tries;
      source.write(edited);
      const again = await client.call('check', {only: [finding.id]});
      if (again.isError || again.findings.length > 0 || again.verdict !== 'pass') continue;
      const whole = await client.call('check');
      if (own(whole).length >= own(judged).length) continue;
      better = {edited, whole};
      break;
    }
    if (better) {
      steps.push(finding.id);
      ({edited: text, whole: judged} = better);
    } else {
      given_up.add(finding.id);
    }
    source.write(text);
  }
  const left = own(judged);
  return {mended: left.length === 0, left, tries, steps};
}
