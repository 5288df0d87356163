// pour writes pieces as fast as they are taken. Each is made when its turn comes.
export async function pour(stream, pieces, wrap = piece => piece) {
  for (const piece of pieces) {
    if (stream.destroyed) return;
    if (stream.write(wrap(piece))) continue;
    await new Promise(resolve => {
      const go = () => {
        stream.off('drain', go).off('close', go).off('error', go);
        resolve();
      };
      stream.on('drain', go).on('close', go).on('error', go);
    });
  }
}

// frame returns a WebSocket frame that begins with `first`; a client masks it, with zeros. `length`
// is what it says of itself.
export function frame(first, payload, {masked = false, length = payload.length} = {}) {
  const size = length < 126 ? Buffer.alloc(2, length) : length < 65536 ? Buffer.alloc(4, 126) : Buffer.alloc(10, 127);
  if (size.length === 4) size.writeUInt16BE(length, 2);
  if (size.length === 10) size.writeBigUInt64BE(BigInt(length), 2);
  size[0] = first;
  if (masked) size[1] |= 0x80;
  return Buffer.concat([size, Buffer.alloc(masked ? 4 : 0), Buffer.from(payload)]);
}
