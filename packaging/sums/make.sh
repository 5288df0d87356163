#!/usr/bin/env bash
# Makes the bill of materials (SPDX 2.3, JSON) and the checksums of all that lies in build/packages.
set -euo pipefail

cd "$out"
python3 "$here/sums/make_sbom.py" "$version" "$debian" "$program" "$here/libraries.tsv" \
  >"plumbline-$version-linux-$machine.spdx.json"
find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%f\n' | sort | xargs sha256sum >SHA256SUMS
echo "SHA256SUMS: $(wc -l <SHA256SUMS) files"
