#!/usr/bin/env bash
# embed_test.sh PLUMBLINE BUILD FOLDER [CMAKE ARGS...]: installs the libraries and headers of the
# build in BUILD into FOLDER, builds this project against them alone, and uses what it makes: its
# server is judged, its worlds pass. Where BUILD is the source tree, the project takes that as a part
# of itself (FetchContent), and compiles the libraries once more.
set -euo pipefail

plumbline=$1 build=$2 folder=$3
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
die() { echo "embed_test: $*" >&2; exit 1; }

rm -rf "$folder"
mkdir -p "$folder"
if [ -f "$build/build.ninja" ]; then
  cmake --install "$build" --component development --prefix "$folder/installed" >"$folder/log"
  from=-DCMAKE_PREFIX_PATH=$folder/installed
else
  from=-DPLUMBLINE_SOURCE=$build
fi
# A copy of the project: what it includes can then only be what was installed or fetched.
cp -r "$here" "$folder/project"
cmake -G Ninja -S "$folder/project" -B "$folder/build" "$from" \
  -DCMAKE_BUILD_TYPE=Debug "${@:4}" >>"$folder/log" 2>&1 || die "$(cat "$folder/log")"
cmake --build "$folder/build" --target engine world >>"$folder/log" 2>&1 || die "$(tail -n 40 "$folder/log")"
"$folder/build/world" || die "its worlds fail"
"$plumbline" check server --stdio --quiet -- "$folder/build/engine" || die "its server does not conform"
