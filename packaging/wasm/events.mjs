// The kinds of events that the host tells the module of: core/os/node/host.h.
export const kinds = {
  bytes: 1, end: 2, broken: 3, errors: 4, exit: 5, open: 6, failed: 7, accepted: 8, taken: 9, signal: 10,
};

const utf8 = new TextEncoder();

// numbers returns them as the module reads them, four bytes each.
export function numbers(...values) {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, i) => view.setUint32(4 * i, value, true));
  return new Uint8Array(view.buffer);
}

// ownBuffers returns what of `bytes` may go to another thread without a copy: a buffer that is theirs
// alone. Copies of what a peer sends without end would be garbage by tens of megabytes.
export function ownBuffers(bytes) {
  return bytes !== undefined && bytes.byteLength > 0 && bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : [];
}

export const textBytes = (text) => utf8.encode(text);
