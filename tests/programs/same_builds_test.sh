#!/usr/bin/env bash
# same_builds_test.sh PLUMBLINE SOURCE BUILD: every build of the same sources sweeps to the same traces.
#
# Leaves the fingerprints of a sweep in BUILD/sweep-fingerprint and compares them with those that the
# other folders beside BUILD have left: other compilers, other build types. What was made from other
# sources is passed over. Exit status: 0 alike, 1 not.
set -euo pipefail

plumbline=$1 source=$2 build=$3
readonly seeds=1..400

sources=$(cd "$source" && find core fakes scenarios cli reports -type f \( -name '*.cc' -o -name '*.h' -o -name '*.json' \) \
  -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-16)
report=$(cd "$source" && "$plumbline" sweep scenarios/library --seeds $seeds --jobs 2 --check-determinism \
  --quiet --failures "$build/failures" --report json=- || true)
# The last two lines with 16 digits are the sweep's: of the ways, and of the traces.
digits=$(grep -oE '"(fingerprint|traces)": ?"[0-9a-f]{16}"' <<<"$report" | grep -oE '[0-9a-f]{16}' | tr '\n' ' ')
[ "$(wc -w <<<"$digits")" = 2 ] || { echo "no fingerprints in the report:"; head -c 2000 <<<"$report"; exit 1; }
echo "$sources $digits" >"$build/sweep-fingerprint"

status=0
for other in "$(dirname "$build")"/*/sweep-fingerprint; do
  [ "$other" != "$build/sweep-fingerprint" ] || continue
  read -r their_sources theirs <"$other"
  if [ "$their_sources" != "$sources" ]; then echo "$other: of other sources"
  elif [ "${theirs% }" = "${digits% }" ]; then echo "$other: the same"
  else echo "$other: $theirs, expected $digits"; status=1; fi
done
exit "$status"
