#!/usr/bin/env bash
# embed_test.sh PLUMBLINE BUILD FOLDER [CMAKE ARGS...]: installs the libraries and headers of the
# build in BUILD into FOLDER, builds this project against them alone, and uses what it makes: its
# server is judged, its worlds pass.
set -euo pipefail

plumbline=$1 build=$2 folder=$3
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
die() { echo "embed_test: $*" >&2; exit 1; }

rm -rf "$folder"
mkdir -p "$folder"
cmake --install "$build" --component development --prefix "$folder/installed" >"$folder/log"
# A copy of the project: what it includes can then only be what was installed.
cp -r "$here" "$folder/project"
cmake -G Ninja -S "$folder/project" -B "$folder/build" -DCMAKE_PREFIX_PATH="$folder/installed" \
  -DCMAKE_BUILD_TYPE=Debug "${@:4}" >>"$folder/log" 2>&1 || die "$(cat "$folder/log")"
cmake --build "$folder/build" >>"$folder/log" 2>&1 || die "$(cat "$folder/log")"
"$folder/build/world" || die "its worlds fail"
"$plumbline" check server --stdio --quiet -- "$folder/build/engine" || die "its server does not conform"
