#!/bin/sh
# sdk.sh SCRIPT PROGRAM ARGS...: runs a script of this folder with the packages below build/npm.
root=$(cd "$(dirname "$0")/../.." && pwd)
modules=$root/build/npm
node=$modules/node_modules/node/bin/node
for needed in "$node" "$modules/node_modules/@modelcontextprotocol/client/package.json"; do
  [ -f "$needed" ] && continue
  echo "interop: $needed is missing; ./plumb test installs it from npm" >&2
  exit 1
done
script=$1 program=$2
shift 2
exec "$node" "$root/tests/interop/$script" "$program" "$modules" "$@"
