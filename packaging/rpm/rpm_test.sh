#!/usr/bin/env bash
# rpm_test.sh ROOT: what the rpm holds is what the program made, rpmlint finds nothing in it, and what
# it unpacks runs. Exit status 77: there is no rpm or no rpmlint here.
set -euo pipefail

root=$1
out=$root/build/packages
rpm=$(ls "$out"/plumbline-*.x86_64.rpm)
folder=$out/tests/rpm
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
die() { echo "rpm_test: $*" >&2; exit 1; }

for program in rpm rpmlint rpm2cpio cpio; do
  command -v $program >/dev/null || { echo "skipped: no $program"; exit 77; }
done
found=$(rpmlint --config "$here/rpmlint.toml" "$rpm" 2>&1) || die "rpmlint: $found"
grep -q '0 errors, 0 warnings' <<<"$found" || die "rpmlint: $found"
tail -n 1 <<<"$found"
rpm -qp --requires "$rpm"
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
rpm2cpio "$rpm" | cpio --quiet -idm
cmp usr/bin/plumbline "$out/plumbline-linux-x64" || die "another program is in it"
usr/bin/plumbline demo | tail -n 1
