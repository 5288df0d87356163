#!/bin/sh
# Echo round trips with our client and server and with the official TypeScript SDK at both ends, one
# after the other, on each transport, with 1 and 64 calls in flight: calls a second, p99, ratio.
# Installs the SDK, and Node 24 to run it, into build/npm-mcp-sdk when absent. Say with figures
# whether the machine was idle: waking a process that sleeps is most of what stdio costs then.
#
#   bench/compare_echo.sh <path of echo_pair, a Release build> [seconds a run]
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
bench=$(realpath "${1:?usage: bench/compare_echo.sh <path of echo_pair> [seconds]}")
seconds=${2:-3}
peer=$root/build/npm-mcp-sdk

mkdir -p "$peer"
cp "$root"/bench/peers/mcp-sdk/package.json "$root"/bench/peers/mcp-sdk/*.mjs "$peer/"
if [ ! -d "$peer/node_modules/@modelcontextprotocol/sdk" ] || [ ! -x "$peer/node_modules/.bin/node" ]; then
  (cd "$peer" && npm install --no-audit --no-fund --no-package-lock >&2)
fi
PATH=$peer/node_modules/.bin:$PATH

printf '%-10s %-10s %12s %12s %8s %12s %12s\n' transport in_flight ours/s SDK/s ratio ours_p99_us SDK_p99_us
for transport in memory stdio http; do
  for in_flight in 1 64; do
    ours=$("$bench" "$transport" "$in_flight" "$seconds")
    theirs=$(cd "$peer" && node --no-warnings bench.mjs "$transport" "$in_flight" "$seconds" | tail -n 1)
    OURS=$ours THEIRS=$theirs node -e '
      const [ours, theirs] = [JSON.parse(process.env.OURS), JSON.parse(process.env.THEIRS)];
      const cells = [ours.calls_per_second, theirs.calls_per_second,
                     (ours.calls_per_second / theirs.calls_per_second).toFixed(1), ours.p99_us, theirs.p99_us];
      const widths = [12, 12, 8, 12, 12];
      console.log(ours.transport.padEnd(10), String(ours.in_flight).padEnd(10),
                  ...cells.map((cell, i) => String(cell).padStart(widths[i])));'
  done
done
