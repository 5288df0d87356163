// Versions that are not supported, or that there are not, and what is said of them.

import {H03, H06, H11, H26, S03, S06, S11, S26, code, errors, heals, isNote, meta, metaOf, parsed, reply, result, status} from './hooks.mjs';

const known = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const counter = 'versioning.server-counter-offers';
const answers = 'lifecycle.server-answers-initialize';
const named = 'lifecycle.implementation-name-and-version';
const invalid400 = 'http.protocol-version-invalid-400';
const unsupported = 'versioning.unsupported-version-error';
const truthful = 'discover.supported-versions-truthful';
const opening = change => result('initialize', (message, c) => change(message.result, c.asked(message).params.protocolVersion, message));
const offers = (which, offered) => opening((made, asked) => { if (which(asked)) made.protocolVersion = offered(asked); });
const unknown = asked => !known.includes(asked);

// trusts replaces version headers that `which` picks by a good one.
const trusts = (which, better = '2025-06-18') => ({
  request: request => {
    const version = request.headers['mcp-protocol-version'];
    if (version !== undefined && unknown(version) && which(version)) request.headers['mcp-protocol-version'] = better;
  }});
const dated = version => /^\d{4}-\d\d-\d\d$/.test(version);
const refuses = made => ({
  request: request => {
    const version = request.headers['mcp-protocol-version'];
    return version !== undefined && unknown(version) ? made : undefined;
  }});
const bad = {jsonrpc: '2.0', id: null, error: {code: -32000, message: 'Bad Request: Unsupported protocol version'}};

const legacy = [
  {name: 'offers-none', id: counter, in: [S03, S11, H11], what: 'offers a revision that there is not', ...offers(unknown, () => '2025-09-01')},
  {name: 'offers-word', id: counter, in: [S06, H03], what: 'offers the revision "latest"', ...offers(unknown, () => 'latest')},
  {name: 'echoes-unknown', id: counter, in: [S11, H06], what: 'agrees to any revision', ...offers(unknown, asked => asked)},
  {name: 'echoes-future', id: counter, in: [S11, H11], what: 'agrees to any revision of the future', ...offers(asked => unknown(asked) && asked > '2026', asked => asked)},
  {name: 'echoes-past', id: counter, in: [S11], what: 'agrees to any revision of the past', ...offers(asked => unknown(asked) && asked < '2024', asked => asked)},
  {name: 'echoes-words', id: counter, in: [S11, H11], what: 'agrees to revisions that are no dates', ...offers(asked => unknown(asked) && !dated(asked), asked => asked)},
  {name: 'refuses-unknown', id: counter, in: [S11, H11], what: 'refuses revisions that it does not know',
   ...opening((made, asked, message) => unknown(asked) ? {jsonrpc: '2.0', id: message.id, error: {code: -32602, message: 'Unsupported protocol version'}} : message)},
  {name: 'offers-unspoken', id: counter, in: [S11, H11], what: 'offers a revision that it does not agree to when asked',
   ...opening((made, asked) => { made.protocolVersion = unknown(asked) ? '2024-11-05' : asked === '2024-11-05' ? '2025-11-25' : asked; })},
  {name: 'evades', id: 'versioning.server-echoes-supported', in: [S06, H06], what: 'answers 2025-06-18 with 2025-03-26, though it offers it to others',
   ...opening((made, asked) => { made.protocolVersion = asked === '2025-06-18' ? '2025-03-26' : unknown(asked) ? '2025-06-18' : asked; })},
  {name: 'no-version', id: answers, in: [S11, H06], what: 'agrees to no revision', ...opening(made => { delete made.protocolVersion; })},
  {name: 'no-capabilities', id: answers, in: [S06, H11], what: 'has no capabilities at initialize', ...opening(made => { delete made.capabilities; })},
  {name: 'no-info', id: [answers, named], in: [S11, H03], what: 'does not say who it is', ...opening(made => { delete made.serverInfo; })},
  {name: 'info-no-version', id: named, in: [S11, H11], what: 'does not say its version', ...opening(made => { delete made.serverInfo.version; })},
  {name: 'info-number', id: named, in: [S06], what: 'has a number as its version', ...opening(made => { made.serverInfo.version = 1; })},
  {name: 'header-any', id: invalid400, in: [H06, H11], what: 'takes any version header', ...trusts(() => true)},
  {name: 'header-dated', id: invalid400, in: [H11], what: 'takes any date as a version header', ...trusts(dated)},
  {name: 'header-words', id: invalid400, in: [H06, H11], what: 'takes as a version header what is no date', ...trusts(version => !dated(version))},
  {name: 'header-404', id: invalid400, in: [H11], what: 'answers wrong version headers with 404', ...refuses(reply(404, bad))},
  {name: 'header-200', id: invalid400, in: [H06, H11], what: 'answers wrong version headers with 200', ...refuses(reply(200, bad))},
  {name: 'header-500', id: invalid400, in: [H11], what: 'answers wrong version headers with 500', ...refuses(reply(500, bad))},
];

const batch = request => { const message = parsed(request); return Array.isArray(message) ? message : undefined; };
const batches = [
  {name: 'batch-refused', id: 'jsonrpc.batch-receive', in: [H03], what: 'refuses batches', request: request => batch(request) && reply(400, bad)},
  {name: 'batch-first', id: 'jsonrpc.batch-receive', in: [H03], what: 'sees the first of a batch alone',
   request: request => { const all = batch(request); if (all?.length > 1) request.body = JSON.stringify(all.slice(0, 1)); }},
  {name: 'batch-notes-answered', id: ['jsonrpc.batch-no-response-for-notifications', 'http.notification-202'], in: [H03], what: 'answers batches of notifications',
   request: request => batch(request)?.length && batch(request).every(isNote) ? reply(200, [{jsonrpc: '2.0', id: null, result: {}}]) : undefined},
  {name: 'link-too-early', id: 'schema.content-types-by-revision', in: [S03, H03], what: 'has links to resources before there were any',
   ...result('tools/call', message => { message.result.content = [{type: 'resource_link', uri: 'notes://shopping', name: 'shopping'}]; })},
];

const wantsVersion = message => metaOf(message)[`${meta}protocolVersion`] !== undefined;
const toKnown = message => { metaOf(message)[`${meta}protocolVersion`] = '2026-07-28'; };
const data = change => errors(which => which === -32022, message => { change(message.error); return message; });
const discovers = change => result('server/discover', message => change(message.result));

const modern = [
  {name: 'any-version', id: unsupported, in: [H26], what: 'serves any revision', ...heals(message => { if (wantsVersion(message)) toKnown(message); })},
  {name: 'any-version-lists', id: unsupported, in: [H26], what: 'looks at the revision in server/discover alone',
   ...heals(message => { if (wantsVersion(message) && message.method !== 'server/discover') toKnown(message); })},
  {name: 'any-version-discover', id: unsupported, in: [H26], what: 'looks at the revision everywhere but in server/discover',
   ...heals(message => { if (wantsVersion(message) && message.method === 'server/discover') toKnown(message); })},
  {name: 'any-word', id: unsupported, in: [H26], what: 'serves revisions that are no dates',
   ...heals(message => { if (wantsVersion(message) && !dated(metaOf(message)[`${meta}protocolVersion`])) toKnown(message); })},
  {name: 'any-future', id: unsupported, in: [H26], what: 'serves revisions of the future',
   ...heals(message => { if (wantsVersion(message) && metaOf(message)[`${meta}protocolVersion`] > '2026-07-28') toKnown(message); })},
  {name: 'any-past', id: unsupported, in: [H26], what: 'serves revisions of long ago',
   ...heals(message => { if (wantsVersion(message) && metaOf(message)[`${meta}protocolVersion`] < '2024') toKnown(message); })},
  {name: 'unsupported-32602', id: unsupported, in: [H26], what: 'calls other revisions invalid params', ...code(which => which === -32022, -32602)},
  {name: 'unsupported-32600', id: unsupported, in: [H26], what: 'calls other revisions invalid requests', ...code(which => which === -32022, -32600)},
  {name: 'unsupported-32004', id: unsupported, in: [H26], what: 'has an older code for other revisions', ...code(which => which === -32022, -32004)},
  {name: 'unsupported-no-data', id: unsupported, in: [H26], what: 'does not say what it supports', ...data(error => { delete error.data; })},
  {name: 'unsupported-empty', id: [unsupported, truthful], in: [H26], what: 'says that it supports nothing', ...data(error => { error.data.supported = []; })},
  {name: 'unsupported-text', id: unsupported, in: [H26], what: 'says in a text what it supports', ...data(error => { error.data.supported = '2026-07-28'; })},
  {name: 'unsupported-other', id: truthful, in: [H26], what: 'lists other revisions in its error', ...data(error => { error.data.supported = ['2027-01-01']; })},
  {name: 'unsupported-more', id: truthful, in: [H26], what: 'lists one revision more in its error', ...data(error => { error.data.supported.push('2027-01-01'); })},
  {name: 'unsupported-200', id: 'http.unsupported-version-400', in: [H26], what: 'answers other revisions with 200', ...status(-32022, 200)},
  {name: 'unsupported-422', id: 'http.unsupported-version-400', in: [H26], what: 'answers other revisions with 422', ...status(-32022, 422)},
  {name: 'unsupported-500', id: 'http.unsupported-version-400', in: [H26], what: 'answers other revisions with 500', ...status(-32022, 500)},
  {name: 'discovers-unspoken', id: truthful, in: [H26], what: 'lists a revision that there is not', ...discovers(made => { made.supportedVersions.push('2027-01-01'); })},
  {name: 'discovers-legacy', id: truthful, in: [H26], what: 'lists a revision with a handshake, which it refuses', ...discovers(made => { made.supportedVersions.push('2025-11-25'); })},
  {name: 'discovers-other', id: truthful, in: [S26, H26], what: 'does not list the revision that it speaks', ...discovers(made => { made.supportedVersions = ['2025-11-25']; })},
  {name: 'discovers-text', id: 'discover.result-shape', in: [S26, H26], what: 'has its versions as a text', ...discovers(made => { made.supportedVersions = '2026-07-28'; })},
  {name: 'discovers-no-capabilities', id: 'discover.result-shape', in: [S26, H26], what: 'discovers no capabilities', ...discovers(made => { delete made.capabilities; })},
  {name: 'discovers-not', id: 'lifecycle.discover-mandatory', in: [S26, H26], what: 'does not know server/discover',
   answer: (message, c) => c.method(message) === 'server/discover' && message.result ? {jsonrpc: '2.0', id: message.id, error: {code: -32601, message: 'Method not found'}} : message},
];

export const versionMutants = [...legacy, ...modern];
export const batchMutants = batches;
