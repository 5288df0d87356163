// What the mutants of clients have in common.

const setup = (client, transport, revision) => ({client, transport, revision});

export const S1 = setup('1', 'stdio', '2025-11-25');
export const H1 = setup('1', 'http', '2025-11-25');
export const S2 = setup('2', 'stdio', '2025-11-25');
export const H2 = setup('2', 'http', '2025-11-25');
export const SM = setup('2-modern', 'stdio', '2026-07-28');
export const HM = setup('2-modern', 'http', '2026-07-28');
export const RS = revision => setup('reference', 'stdio', revision);
export const RH = revision => setup('reference', 'http', revision);

export const is = (message, method) => message?.method === method;
export const calls = message => is(message, 'tools/call');
export const isRequest = message => message?.method !== undefined && message.id !== undefined;
export const isResponse = message => message?.method === undefined && message?.id !== undefined;
export const notice = (method, params) => ({jsonrpc: '2.0', method, ...(params ? {params} : {})});
export const request = (id, method, params) => ({jsonrpc: '2.0', id, method, ...(params ? {params} : {})});
export const inClass = (name, rows) => rows.map(row => ({class: name, ...row}));
