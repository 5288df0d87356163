// A server that answers pings with text, where the specification wants an empty object, and knows
// no error.
import {createInterface} from "node:readline";

const say = (message) => process.stdout.write(JSON.stringify({jsonrpc: "2.0", ...message}) + "\n");

createInterface({input: process.stdin}).on("line", (line) => {
  const {id, method, params} = JSON.parse(line);
  if (id === undefined) return;
  if (method !== "initialize") return say({id, result: "pong"});
  say({
    id,
    result: {
      protocolVersion: params.protocolVersion,
      capabilities: {},
      serverInfo: {name: "broken", version: "1"},
    },
  });
});
