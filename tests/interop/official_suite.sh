#!/bin/sh
# official_suite.sh SUITE REVISION server|client PROGRAM: one ctest entry of the official suite.
# SUITE is the name that the package has below build/npm.
root=$(cd "$(dirname "$0")/../.." && pwd)
modules=$root/build/npm/node_modules
node=$modules/node/bin/node
suite=$modules/$1
for needed in "$node" "$suite/dist/index.js"; do
  [ -f "$needed" ] && continue
  echo "interop: $needed is missing; ./plumb test installs it from npm" >&2
  exit 1
done
shift
exec "$node" "$root/tests/interop/official_suite.mjs" "$suite" "$@"
