#!/bin/sh
# Runs one turn of a chat here and in LangGraph.js, one after the other, and prints the turns a second
# of both and their ratio. Installs the peer as compare_graph.sh does.
#
#   bench/compare_chat.sh <path of chat_bench, a Release build>
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
bench=${1:?usage: bench/compare_chat.sh <path of chat_bench>}
peer=$root/build/npm-langgraph

mkdir -p "$peer"
cp "$root/bench/peers/langgraph/package.json" "$root/bench/peers/langgraph/chat.mjs" "$peer/"
if [ ! -d "$peer/node_modules/@langchain/langgraph" ]; then
  (cd "$peer" && npm install --no-audit --no-fund --no-package-lock >&2)
fi

ours=$("$bench" --benchmark_filter=ChatTurn --benchmark_min_time=2 --benchmark_format=json 2>/dev/null)
theirs=$(cd "$peer" && node chat.mjs 5)

OURS=$ours THEIRS=$theirs node -e '
  const ours = JSON.parse(process.env.OURS).benchmarks[0].items_per_second;
  const theirs = JSON.parse(process.env.THEIRS);
  console.log(`plumbline            ${Math.round(ours)} turns a second`);
  console.log(`LangGraph.js ${theirs.version}   ${theirs.turns_per_second} turns a second`);
  console.log(`ratio                ${Math.round(ours / theirs.turns_per_second)}`);
'
