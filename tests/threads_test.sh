#!/usr/bin/env bash
# Runs what has threads: worlds in parallel, checks of many processes and connections at a time, a
# server under load. ThreadSanitizer ends a process that races with status 66.
set -euo pipefail

plumbline=$1
library=$2
worlds=$3
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT

# ends COMMAND...: fails when it ends by a signal or by ThreadSanitizer; verdicts are not looked at.
ends() {
  local status=0
  "$@" >"$folder/out" 2>&1 || status=$?
  if [ "$status" -gt 4 ]; then
    tail -n 60 "$folder/out"
    echo "exit status $status: $*"
    exit 1
  fi
  echo "ok  $*"
}

ends "$plumbline" sweep "$library" --seeds "1..$worlds" --jobs 4 --progress never
ends "$plumbline" sweep "$library" --seeds "1..$((worlds / 4))" --jobs 4 --check-determinism --progress never
ends "$plumbline" run "$library/basics" --seeds 1..10 --jobs 4
ends "$plumbline" run "$library/basics/list-files-happy-path.json" --real
ends "$plumbline" check server --revision 2025-11-25 --concurrency 16 --progress never \
  --stdio -- "$plumbline" serve --reference --stdio

"$plumbline" serve --reference --http 127.0.0.1:0 >"$folder/url" 2>"$folder/served" &
server=$!
for _ in $(seq 100); do [ ! -s "$folder/url" ] || break; sleep 0.1; done
url=$(head -n 1 "$folder/url")
ends "$plumbline" check server --url "${url/127.0.0.1/localhost}" --concurrency 64 --progress never
ends "$plumbline" check server --url "$url" --revision all --concurrency 64 --progress never
kill -INT "$server"
status=0
wait "$server" || status=$?
server=
[ "$status" = 0 ] || [ "$status" = 130 ] || { cat "$folder/served"; echo "the server ended with $status"; exit 1; }
echo "ok  serve under load"
