#!/bin/sh
# Runs one request to the supervisor here and in LangGraph.js, one after the other, and prints the
# requests a second of both and their ratio. Installs the peer as compare_graph.sh does.
#
#   bench/compare_supervisor.sh <path of supervisor_bench, a Release build>
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
bench=${1:?usage: bench/compare_supervisor.sh <path of supervisor_bench>}
peer=$root/build/npm-langgraph

mkdir -p "$peer"
cp "$root/bench/peers/langgraph/package.json" "$root/bench/peers/langgraph/supervisor.mjs" "$peer/"
if [ ! -d "$peer/node_modules/@langchain/langgraph" ]; then
  (cd "$peer" && npm install --no-audit --no-fund --no-package-lock >&2)
fi

ours=$("$bench" --benchmark_min_time=2 --benchmark_format=json 2>/dev/null)
theirs=$(cd "$peer" && node supervisor.mjs 5)

OURS=$ours THEIRS=$theirs node -e '
  const [ours, worlds] = JSON.parse(process.env.OURS).benchmarks.map((each) => each.items_per_second);
  const theirs = JSON.parse(process.env.THEIRS);
  console.log(`plumbline            ${Math.round(ours)} requests a second, ${Math.round(worlds)} worlds`);
  console.log(`LangGraph.js ${theirs.version}   ${theirs.requests_per_second} requests a second`);
  console.log(`ratio                ${Math.round(ours / theirs.requests_per_second)}`);
'
