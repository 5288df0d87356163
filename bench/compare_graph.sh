#!/bin/sh
# Runs the eleven-node graph here and in LangGraph.js, one after the other, and prints the node steps
# a second of both and their ratio. Installs the peer into build/npm-langgraph when it is absent.
# On a busy machine the peer slows down more than we do: only quiet runs are worth quoting.
#
#   bench/compare_graph.sh <path of graph_bench, a Release build> [rounds: 1, 164 or 900]
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
bench=${1:?usage: bench/compare_graph.sh <path of graph_bench> [rounds]}
rounds=${2:-164}
peer=$root/build/npm-langgraph

mkdir -p "$peer"
cp "$root/bench/peers/langgraph/package.json" "$root/bench/peers/langgraph/bench.mjs" "$peer/"
if [ ! -d "$peer/node_modules/@langchain/langgraph" ]; then
  (cd "$peer" && npm install --no-audit --no-fund --no-package-lock >&2)
fi

ours=$("$bench" --benchmark_filter="^BM_ElevenNodes/$rounds\$" --benchmark_min_time=2 \
         --benchmark_format=json 2>/dev/null)
theirs=$(cd "$peer" && node bench.mjs "$rounds" 5)

OURS=$ours THEIRS=$theirs node -e '
  const ours = JSON.parse(process.env.OURS).benchmarks[0].items_per_second;
  const theirs = JSON.parse(process.env.THEIRS);
  console.log(`plumbline            ${Math.round(ours)} node steps a second`);
  console.log(`LangGraph.js ${theirs.version}   ${theirs.steps_per_second} node steps a second`);
  console.log(`ratio                ${Math.round(ours / theirs.steps_per_second)}`);
'
