#!/usr/bin/env bash
# vitest_test.sh ROOT: the matcher for Vitest, and its types as TypeScript reads them. Exit status 77:
# Vitest cannot be installed here.
set -euo pipefail

root=$1
out=$root/build/packages
name=$(<"$root/packaging/name")
folder=$out/tests/vitest
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
die() { echo "vitest_test: $*" >&2; exit 1; }

mkdir -p "$folder"
cd "$folder"
[ -f package.json ] || echo '{"private": true, "type": "module"}' >package.json
[ -d node_modules/vitest ] || npm install --no-audit --no-fund --silent vitest@3 typescript@5 @types/node@20 ||
  { echo "skipped: Vitest cannot be installed"; exit 77; }
npm install --no-audit --no-fund --silent --prefer-offline --no-save "$out/$name"-[0-9]*.tgz "$out/$name"-linux-x64-*.tgz
cp "$here"/*.test.ts "$here"/broken_server.mjs "$here"/tools.mcptest.json .
npx --offline tsc --noEmit --strict --skipLibCheck --module nodenext --moduleResolution nodenext --target es2022 \
  *.test.ts || die "the types are wrong"
status=0
REFERENCE=$out/plumbline-linux-x64 npx --offline vitest run --no-color >log 2>&1 || status=$?
[ "$status" = 1 ] || die "exit status $status: $(cat log)"
# Of the judge one passes and one fails; of the file's tests one passes, one fails, one is skipped.
grep -q 'Tests  2 failed | 2 passed | 1 skipped' log || die "$(cat log)"
grep -q 'expected "Hello, Bob!", got "Hello, Ada!"' log || die "no reason in $(cat log)"
grep -q 'the server does not conform' log || die "no reason in $(cat log)"
grep 'Tests ' log
