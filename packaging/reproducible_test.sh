#!/usr/bin/env bash
# reproducible_test.sh FOLDER: builds the portable program twice, from copies of the sources in two
# folders below FOLDER, without ccache, makes all packages of each, and compares the bytes of all.
# Takes as long as two builds.
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
mkdir -p "$1"
folder=$(readlink -f "$1")
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
export CCACHE_DISABLE=1 SOURCE_DATE_EPOCH
for copy in first "second folder"; do
  rm -rf "${folder:?}/$copy"
  mkdir -p "$folder/$copy"
  git -C "$root" archive HEAD | tar -x -C "$folder/$copy"
  (cd "$folder/$copy" && cmake --preset portable >/dev/null && ninja -C build/portable --quiet plumbline &&
    packaging/make.sh)
done
cd "$folder/second folder/build/packages"
sha256sum --quiet -c "$folder/first/build/packages/SHA256SUMS"
echo "the same bytes, twice:"
cat SHA256SUMS
