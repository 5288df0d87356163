#!/usr/bin/env bash
# npm_test.sh ROOT: installs the tarballs into an empty folder, with no network, and uses them as a
# vendor does.
set -euo pipefail

root=$1
out=$root/build/packages
name=$(<"$root/packaging/name")
folder=$out/tests/npm
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
everything=$root/build/npm/node_modules/@modelcontextprotocol/server-everything/dist/index.js
die() { echo "npm_test: $*" >&2; exit 1; }

[ -f "$everything" ] || die "no $everything: run ./plumb test once"
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
echo '{"private": true, "type": "module"}' >package.json
npm install --offline --no-audit --no-fund --silent "$out/$name"-[0-9]*.tgz "$out/$name"-linux-x64-*.tgz
[ -x "node_modules/$name-linux-x64/bin/plumbline" ] || die "the program was not installed"
# What is kept of it is whole: a platform that is named and not there would be fetched, or end this.
npm ci --offline --no-audit --no-fund --silent || die "the lock file is not whole"

# The launcher: output, exit status, one line for a mistake, and signals both ways.
npx --no-install "$name" --version | grep -q '^plumbline [0-9]' || die "no version"
status=0
npx --offline "$name" check server --baseline sdk --stdio -- node "$everything" >log 2>&1 || status=$?
tail -n 2 log
[ "$status" = 0 ] || die "server-everything was not judged: $(cat log)"
status=0
npx --offline "$name" fly 2>errors || status=$?
[ "$status" = 2 ] || die "a mistake must exit 2, and not $status: $(cat errors)"
node_modules/.bin/plumbline serve --reference --http 127.0.0.1:0 >url &
launcher=$!
for _ in $(seq 100); do [ ! -s url ] || break; sleep 0.1; done
kill -TERM "$launcher"
status=0
wait "$launcher" || status=$?
[ "$status" = 0 ] || [ "$status" = 143 ] || die "SIGTERM came to nothing: $status"
if curl -s -o /dev/null --max-time 2 "$(cat url)"; then die "the program outlived its launcher"; fi

PLUMBLINE_TARGET="--stdio -- node $everything" PLUMBLINE_OPTIONS='--baseline sdk' PLUMBLINE_FORMATS=junit \
  node_modules/.bin/plumbline-ci >log || die "plumbline-ci: $(cat log)"
[ -s plumbline-reports/junit.xml ] || die "plumbline-ci wrote no report"

# node:test: a good server passes, a wrong one fails and is told why.
cp "$here"/*.test.js "$here"/broken_server.mjs .
EVERYTHING=$everything node --test good.test.js >good.log || die "a good server failed: $(cat good.log)"
if node --test broken.test.js >broken.log; then die "a wrong server passed: $(cat broken.log)"; fi
grep -q 'the server does not conform' broken.log || die "no reason in $(cat broken.log)"
grep -q 'reproduce: plumbline check server' broken.log || die "no reproduction in $(cat broken.log)"
grep -m 3 -A 2 'does not conform' broken.log

# The tests of a file: a subtest each.
cp "$here"/tools.mcptest.json .
if REFERENCE=$PWD/node_modules/.bin/plumbline node --test --test-reporter tap mcptest.test.js >tools.log; then
  die "a wrong answer passed: $(cat tools.log)"
fi
grep -q '^    ok 1 - adds$' tools.log || die "no subtest that passes in $(cat tools.log)"
grep -q '^    not ok 2 - greets // "Bob"$' tools.log || die "no subtest that fails in $(cat tools.log)"
grep -q '^    ok 3 - of an older revision # SKIP' tools.log || die "no subtest that is skipped in $(cat tools.log)"
grep -q 'expected "Hello, Bob!", got "Hello, Ada!"' tools.log || die "no reason in $(cat tools.log)"
grep -q '^ok 3 - another server' tools.log || die "$(cat tools.log)"
grep -E '^ *(not )?ok' tools.log

# Which of the two runs is said. Without the package of the platform it is the
# module, where the package has it.
npx --offline "$name" --version --verbose | grep -qx 'runs: the native program' || die "not the native program"
rm -rf "node_modules/$name-linux-x64"
if [ ! -f "node_modules/$name/wasm/plumbline.wasm" ]; then  # Made before ./plumb wasm.
  status=0
  npx --offline "$name" --version 2>errors || status=$?
  [ "$status" = 3 ] && grep -q "$name-linux-x64 is not installed" errors || die "$status: $(cat errors)"
  exit 0
fi
npx --offline "$name" --version --verbose >version
grep -q "^runs: the WebAssembly module, by Node .*: the package $name-linux-x64 is not installed" version || die "$(cat version)"
npx --offline "$name" check server --baseline sdk --stdio -- node "$everything" >log 2>&1 ||
  die "server-everything was not judged by the module: $(cat log)"
tail -n 2 log
