// What the pages of mutants have in common: where they run, and hooks made of small parts.

// A place is a revision and a transport: S is stdio, H Streamable HTTP.
export const [S03, S06, S11, S26] = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'].map(revision => `${revision} stdio`);
export const [H03, H06, H11, H26] = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'].map(revision => `${revision} http`);

export const isAnswer = message => message.method === undefined;
export const isError = message => message.error !== undefined;
export const isNote = message => message.method !== undefined && message.id === undefined;
export const isAsk = message => message.method !== undefined && message.id !== undefined;
export const hasParams = message => message.params !== null && typeof message.params === 'object';
export const meta = 'io.modelcontextprotocol/';

// ids changes the ids of answers that `which` picks.
export const ids = (which, change) => ({answer: message => isAnswer(message) && which(message.id) ? {...message, id: change(message.id)} : message});

// errors changes errors: `change` gets the error and the message. result changes the results of a method.
export const errors = (which, change) => ({
  answer: (message, c) => isError(message) && which(message.error.code, c.asked(message), message.error) ? change(message, c) : message});
export const result = (method, change) => ({
  answer: (message, c) => message.result && c.method(message) === method ? change(message, c) ?? message : message});
export const notes = (method, change) => ({
  answer: (message, c) => isNote(message) && (!method || message.method === method) ? change(message, c) : message});
export const code = (which, to) => errors(which, message => ({...message, error: {...message.error, code: to}}));

// status changes the status of an answer with an error that has `which` as its code.
export const status = (which, to) => ({
  answer: (message, c) => {
    if (isError(message) && (which === message.error.code || which === undefined)) c.late.status = to;
    return message;
  },
  last: (head, c) => { if (c.late.status) head.status = c.late.status; }});

// reply answers an HTTP request itself.
export const reply = (to, message, type = 'application/json') => ({
  status: to, headers: type ? {'content-type': type} : {}, body: message === undefined ? '' : typeof message === 'string' ? message : JSON.stringify(message)});
export const parsed = request => { try { return JSON.parse(request.body); } catch { return undefined; } };

// serves answers methods that the server lacks, by way of one that it has.
export const serves = (methods, made) => ({
  request: (request, c) => {
    const message = parsed(request);
    if (methods.includes(message?.method) && request.headers['mcp-method'] === message.method) request.headers['mcp-method'] = 'server/discover';
  },
  said: (message, c) => {
    if (!methods.includes(message.method)) return message;
    return {...message, method: 'server/discover', params: {_meta: message.params?._meta}};
  },
  answer: (message, c) => methods.includes(c.method(message)) && message.result ? {...message, result: {resultType: 'complete', ...made}} : message});

// heals makes a request right before the server sees it, over both transports.
export const heals = change => ({
  request: (request, c) => {
    const message = parsed(request);
    if (!message?.method || message.id === undefined) return;
    change(message, c);
    const asked = message.params?._meta ?? {};
    const version = asked[`${meta}protocolVersion`];
    if (typeof version === 'string' && /^[ -~]*$/.test(version)) request.headers['mcp-protocol-version'] = version;
    request.body = JSON.stringify(message);
  },
  said: (message, c) => { if (isAsk(message)) change(message, c); return message; }});
export const metaOf = message => ((message.params ??= {})._meta ??= {});
