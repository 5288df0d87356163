#!/usr/bin/env bash
# reproducible_test.sh FOLDER: builds the portable program twice, from copies of the sources in two
# folders below FOLDER, without ccache, and compares the bytes. Takes as long as two builds.
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
folder=$(readlink -f "$1")
export CCACHE_DISABLE=1
for copy in first "second folder"; do
  rm -rf "${folder:?}/$copy"
  mkdir -p "$folder/$copy"
  git -C "$root" archive HEAD | tar -x -C "$folder/$copy"
  (cd "$folder/$copy" && cmake --preset portable >/dev/null && ninja -C build/portable --quiet plumbline &&
    packaging/make.sh program)
done
cmp "$folder/first/build/packages/plumbline" "$folder/second folder/build/packages/plumbline"
echo "the same bytes: $(sha256sum <"$folder/first/build/packages/plumbline")"
