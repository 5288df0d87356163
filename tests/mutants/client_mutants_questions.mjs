// Clients that answer what a server asks wrongly, or fetch what they are shown, and keys of _meta.

import http from 'node:http';
import {S1, H1, S2, H2, SM, HM, RS, RH, calls, inClass, is, isResponse} from './client_mutant_kit.mjs';

// asks remembers what the server asked, so that its answer can be changed: by method, whether in a
// request of its own or in the inputRequests of a result.
const remember = (m, talk) => {
  talk.state.of ??= new Map();
  if (m.method !== undefined && m.id !== undefined) talk.state.of.set(JSON.stringify(m.id), m);
  for (const [name, one] of Object.entries(m.result?.inputRequests ?? {})) talk.state.of.set(`input ${name}`, one);
  return m;
};
// answering changes the result, or the whole response, that answers `method`.
const answering = (method, change, {undeclared, params = () => true, error} = {}) => ({
  hear: remember,
  say: (m, talk) => {
    const declared = is(m, 'initialize') ? m.params?.capabilities : m.params?._meta?.['io.modelcontextprotocol/clientCapabilities'];
    if (undeclared && declared) delete declared[undeclared];
    const fits = asked => asked?.method === method && params(asked.params);
    if (isResponse(m) && fits(talk.state.of?.get(JSON.stringify(m.id)))) {
      if (error) return {jsonrpc: '2.0', id: m.id, ...error};
      return {jsonrpc: '2.0', id: m.id, result: change(m.result ?? {})};
    }
    for (const name of Object.keys(m.params?.inputResponses ?? {})) {
      if (!error && fits(talk.state.of?.get(`input ${name}`))) m.params.inputResponses[name] = change(m.params.inputResponses[name]);
    }
    return m;
  },
});
const keep = value => value;

const sampling = inClass('sampling', [
  {name: 'sampling-undeclared', id: 'sampling.capability-declared', on: [S1, H2], what: 'samples, and did not declare it', ...answering('sampling/createMessage', keep, {undeclared: 'sampling'})},
  ...['role', 'model', 'content'].map((member, place) => (
    {name: `sample-without-${member}`, id: 'sampling.result-required-fields', on: [[S1, H1, S2][place]], what: `samples without ${member}`,
     ...answering('sampling/createMessage', ({[member]: gone, ...rest}) => rest)})),
  {name: 'sample-of-system', id: 'sampling.result-required-fields', on: [H2], what: 'samples in the role system', ...answering('sampling/createMessage', one => ({...one, role: 'system'}))},
  {name: 'sample-content-text', id: 'sampling.result-required-fields', on: [S2], what: 'has a bare text for the content', ...answering('sampling/createMessage', one => ({...one, content: 'sampled'}))},
  {name: 'sample-video', id: 'schema.content-types-by-revision', on: [S1, H1], what: 'samples a video', ...answering('sampling/createMessage', one => ({...one, content: {type: 'video', data: '', mimeType: 'video/mp4'}}))},
  {name: 'sample-audio-too-early', id: 'schema.content-types-by-revision', on: [RS('2024-11-05')], what: 'samples audio in 2024-11-05', ...answering('sampling/createMessage', one => ({...one, content: {type: 'audio', data: 'AAAA', mimeType: 'audio/wav'}}))},
  {name: 'sample-model-number', id: 'schema.messages-validate', on: [S2], what: 'has a number for the model', ...answering('sampling/createMessage', one => ({...one, model: 4}))},
  {name: 'sample-tools-undeclared', id: 'sampling.tools-undeclared-error', on: [RS('2025-11-25'), RH('2025-11-25')], what: 'samples with tools that it did not declare',
   ...answering('sampling/createMessage', () => ({role: 'assistant', model: 'm', content: {type: 'text', text: 'a'}}), {params: params => params?.tools !== undefined})},
  {name: 'sample-modern-undeclared', id: 'sampling.capability-declared', on: [SM, HM], what: 'samples, and does not declare it', ...answering('sampling/createMessage', keep, {undeclared: 'sampling'})},
]);

const elicitation = inClass('elicitation', [
  {name: 'elicitation-undeclared', id: 'elicitation.capability-declared', on: [S1, H2, SM], what: 'answers a form, and did not declare it', ...answering('elicitation/create', keep, {undeclared: 'elicitation'})},
  {name: 'action-ok', id: 'elicitation.result-action', on: [S1, H2], what: 'answers a form with the action "ok"', ...answering('elicitation/create', one => ({...one, action: 'ok'}))},
  {name: 'action-capital', id: 'elicitation.result-action', on: [H1], what: 'answers a form with "Accept"', ...answering('elicitation/create', one => ({...one, action: 'Accept'}))},
  {name: 'action-missing', id: 'elicitation.result-action', on: [S2], what: 'answers a form without an action', ...answering('elicitation/create', ({action, ...rest}) => rest)},
  {name: 'form-refused', id: 'elicitation.mode-omitted-is-form', on: [S1, H1], what: 'refuses a form without a mode',
   ...answering('elicitation/create', keep, {params: params => params?.mode === undefined, error: {error: {code: -32602, message: 'mode missing'}}})},
  {name: 'url-accepted', id: 'elicitation.undeclared-mode-32602', on: [S1, H1], what: 'accepts a URL, a mode that it did not declare',
   ...answering('elicitation/create', () => ({action: 'accept'}), {params: params => params?.mode === 'url'})},
  {name: 'url-declined', id: 'elicitation.undeclared-mode-32602', on: [S2], what: 'declines a URL, a mode that it did not declare',
   ...answering('elicitation/create', () => ({action: 'decline'}), {params: params => params?.mode === 'url'})},
  {name: 'url-32601', id: 'elicitation.undeclared-mode-32602', on: [H2], what: 'answers a mode that it did not declare with -32601',
   ...answering('elicitation/create', keep, {params: params => params?.mode === 'url', error: {error: {code: -32601, message: 'no'}}})},
  {name: 'content-text-for-number', id: 'elicitation.accept-content-matches-schema', on: [SM, HM], what: 'fills texts in for numbers', ...answering('elicitation/create', one => ({...one, content: {age: '30', score: '95.5'}}))},
  {name: 'content-off-enum', id: 'elicitation.accept-content-matches-schema', on: [SM], what: 'fills in what the enum does not have', ...answering('elicitation/create', one => ({...one, content: {status: 'asleep'}}))},
  {name: 'content-missing', id: 'elicitation.accept-content-matches-schema', on: [HM], what: 'accepts a form without content', ...answering('elicitation/create', () => ({action: 'accept'}))},
  {name: 'content-without-required', id: 'elicitation.accept-content-matches-schema', on: [SM], what: 'leaves out what a form requires', ...answering('elicitation/create', one => ({...one, content: {}}))},
  {name: 'content-fraction', id: 'elicitation.accept-content-matches-schema', on: [HM], what: 'fills 30.5 in for an integer', ...answering('elicitation/create', one => ({...one, content: {age: 30.5}}))},
  {name: 'content-nested', id: 'schema.messages-validate', on: [S1, HM], what: 'fills in an object', ...answering('elicitation/create', one => ({...one, content: {name: {first: 'Ada'}}}))},
  {name: 'content-array', id: 'schema.messages-validate', on: [H2], what: 'has an array for the content', ...answering('elicitation/create', one => ({...one, content: ['Ada']}))},
  {name: 'url-with-content', id: 'elicitation.url-response-without-content', on: [SM], what: 'takes a URL for a form, and answers with content',
   hear: m => {
     for (const one of Object.values(m.result?.inputRequests ?? {})) {
       if (one.params?.mode !== 'url') continue;
       one.params = {mode: 'form', message: one.params.message, requestedSchema: {type: 'object', properties: {a: {type: 'string', default: 'b'}}}};
     }
     return m;
   }},
  {name: 'dies-of-unknown-elicitation', id: 'elicitation.complete-unknown-ignored', on: [S2, H1], what: 'dies of a completion that it does not know',
   hear: (m, talk) => { if (is(m, 'notifications/elicitation/complete')) talk.leave(); return m; }},
  {name: 'fetches-elicited-url', id: 'elicitation.url-no-prefetch', on: [S1, H2, SM], what: 'looks at the URL of an elicitation', ...fetching('/elicited')},
  {name: 'opens-elicited-url', id: 'elicitation.url-consent-before-open', on: [H1, HM], what: 'opens the URL of an elicitation', ...fetching('/elicited')},
]);

// fetching gets every URL of the server's messages that holds `path`.
function fetching(path) {
  return {hear: m => {
    for (const [url] of JSON.stringify(m).matchAll(/http:\/\/127[^"\\]*/g)) {
      if (url.includes(path)) http.get(url, answer => answer.resume()).on('error', () => {});
    }
    return m;
  }};
}

const uris = list => answering('roots/list', () => ({roots: list.map(uri => ({uri, name: 'a'}))}));
const roots = inClass('roots', [
  {name: 'roots-undeclared', id: 'roots.capability-declared', on: [S1, H2, SM], what: 'has roots, and did not declare them', ...answering('roots/list', keep, {undeclared: 'roots'})},
  {name: 'root-http', id: 'roots.uri-file-scheme', on: [S1, HM], what: 'has a root at http://', ...uris(['http://example.com/a'])},
  {name: 'root-path', id: 'roots.uri-file-scheme', on: [H1, SM], what: 'has a bare path for a root', ...uris(['file:///ok', '/workspace'])},
  {name: 'root-windows', id: 'roots.uri-file-scheme', on: [S2], what: 'has C:\\work for a root', ...uris(['C:\\work'])},
  {name: 'root-climbs', id: 'roots.uris-validated', on: [S1, HM], what: 'has a root that climbs', ...uris(['file:///workspace/../etc'])},
  {name: 'root-climbs-encoded', id: 'roots.uris-validated', on: [H2, SM], what: 'has a root that climbs, percent-encoded', ...uris(['file:///workspace/%2e%2e/etc'])},
  {name: 'root-without-uri', id: 'schema.messages-validate', on: [S2, H1], what: 'has a root without a URI', ...answering('roots/list', () => ({roots: [{name: 'a'}]}))},
  {name: 'roots-object', id: 'schema.messages-validate', on: [S1], what: 'has an object for its roots', ...answering('roots/list', () => ({roots: {a: 1}}))},
]);

const metaKey = (name, value = 'x') => ({say: m => calls(m) ? {...m, params: {...m.params, _meta: {...m.params._meta, [name]: value}}} : m});
const meta = inClass('keys of _meta', [
  {name: 'meta-empty-label', id: 'base.meta-prefix-syntax', on: [S1, HM], what: 'has the key "com..x/a"', ...metaKey('com..x/a')},
  {name: 'meta-leading-dot', id: 'base.meta-prefix-syntax', on: [H2], what: 'has the key ".com/a"', ...metaKey('.com/a')},
  {name: 'meta-bare-slash', id: 'base.meta-prefix-syntax', on: [S2], what: 'has the key "/a"', ...metaKey('/a')},
  {name: 'meta-label-digit', id: 'base.meta-label-charset', on: [S2, H1], what: 'has the key "7com/a"', ...metaKey('7com/a')},
  {name: 'meta-label-hyphen', id: 'base.meta-label-charset', on: [S1], what: 'has the key "com.a-/a"', ...metaKey('com.a-/a')},
  {name: 'meta-label-underscore', id: 'base.meta-label-charset', on: [H2], what: 'has the key "com.a_b/a"', ...metaKey('com.a_b/a')},
  {name: 'meta-name-blank', id: 'base.meta-name-syntax', on: [S1, SM], what: 'has the key "a b"', ...metaKey('a b')},
  {name: 'meta-name-hyphen', id: 'base.meta-name-syntax', on: [H1, HM], what: 'has the key "com.example/-a"', ...metaKey('com.example/-a')},
  {name: 'meta-reserved', id: 'base.meta-reserved-prefix-not-used', on: [S1, H2], what: 'uses com.modelcontextprotocol/', ...metaKey('com.modelcontextprotocol/a')},
  {name: 'meta-reserved-mcp', id: 'base.meta-reserved-prefix-not-used', on: [S2], what: 'uses dev.mcp.tools/', ...metaKey('dev.mcp.tools/a')},
  {name: 'meta-odd-kills', id: 'base.meta-reserved-no-assumptions', on: [S1, HM], what: 'dies of a reserved key with an odd value',
   hear: (m, talk) => { if (m.result?._meta?.['io.modelcontextprotocol/plumbline']) talk.leave(); return m; }},
]);

const shown = inClass('what is only shown', [
  {name: 'fetches-schemas', id: 'schema.no-network-ref', on: [SM, HM], what: 'fetches schemas', ...fetching('/schema/')},
  {name: 'fetches-schemas-by-default', id: 'schema.ref-fetch-off-by-default', on: [HM], what: 'fetches schemas', ...fetching('/schema/out')},
  {name: 'fetches-icons', id: 'base.icons-reject-unsafe-schemes', on: [S1, H2, HM], what: 'fetches icons over http', ...fetching('/icon')},
]);

const shape = (change) => ({say: m => { change(m); return m; }});
const shapes = inClass('shapes', [
  {name: 'capabilities-array', id: 'schema.messages-validate', on: [S1, H2], what: 'has an array for its roots capability', ...shape(m => { if (is(m, 'initialize')) m.params.capabilities.roots = []; })},
  {name: 'call-without-name', id: 'schema.messages-validate', on: [S2, HM], what: 'calls without a name', ...shape(m => { if (calls(m)) delete m.params.name; })},
  {name: 'call-arguments-array', id: 'schema.messages-validate', on: [H1, SM], what: 'has an array for arguments', ...shape(m => { if (calls(m)) m.params.arguments = [1]; })},
  {name: 'call-arguments-text', id: 'schema.messages-validate', on: [S1], what: 'has JSON in a text for arguments', ...shape(m => { if (calls(m)) m.params.arguments = '{}'; })},
  {name: 'read-without-uri', id: 'schema.messages-validate', on: [SM], what: 'reads without a URI', ...shape(m => { if (is(m, 'resources/read')) delete m.params.uri; })},
  {name: 'prompt-without-name', id: 'schema.messages-validate', on: [S2], what: 'gets a prompt without a name', ...shape(m => { if (is(m, 'prompts/get')) delete m.params.name; })},
  {name: 'cursor-null', id: 'schema.messages-validate', on: [S1, H1], what: 'asks for the first page with the cursor null', ...shape(m => { if (is(m, 'tools/list')) m.params = {...m.params, cursor: null}; })},
  {name: 'meta-text', id: 'schema.messages-validate', on: [H2], what: 'has a text for _meta', ...shape(m => { if (calls(m)) m.params._meta = 'x'; })},
  {name: 'cancel-reason-object', id: 'schema.messages-validate', on: [S1], what: 'has an object for a reason', ...shape(m => { if (is(m, 'notifications/cancelled')) m.params.reason = {why: 'late'}; })},
]);

export const questionMutants = [...sampling, ...elicitation, ...roots, ...meta, ...shown, ...shapes];
