#!/usr/bin/env bash
# sums.sh PLUMBLINE: prints what module_test.mjs compares: of the first scenario of each folder of the
# library at two seeds the SHA-256 of its trace, its name and the seed.
set -euo pipefail

plumbline=$(readlink -f "$1")
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../.."
trace=$(mktemp)
trap 'rm -f "$trace"' EXIT
for folder in scenarios/library/*/; do
  file=$(find "$folder" -name '*.json' | LC_ALL=C sort | head -n 1)
  for seed in 7 2026; do
    "$plumbline" run "$file" --seed "$seed" --trace "$trace" >/dev/null
    printf '%s\t%s\t%s\n' "$(sha256sum <"$trace" | cut -d ' ' -f 1)" "$file" "$seed"
  done
done
