#!/usr/bin/env bash
# program_test.sh ROOT: the portable program needs nothing but glibc, and none that is newer than
# 2.31; holds no path of this machine; and runs demo where there is nothing beside it.
set -euo pipefail

root=$1
out=$root/build/packages
program=$out/plumbline
folder=$out/tests/program
here=$root/packaging
die() { echo "program_test: $*" >&2; exit 1; }

needed=$(readelf -d "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort | tr '\n' ' ')
echo "needs $needed"
for library in $needed; do
  case $library in
    libc.so.6 | libm.so.6 | libdl.so.2 | libpthread.so.0 | ld-linux-x86-64.so.2) ;;
    *) die "it needs $library" ;;
  esac
done
newest=$("$here/newest_glibc.sh" "$program")
[ "$(printf '%s\n' 2.31 "$newest" | sort -V | tail -n 1)" = 2.31 ] ||
  die "it needs glibc $newest: $(objdump -T "$program" | grep "GLIBC_$newest")"
bytes=$(stat -c %s "$program")
echo "$bytes bytes, glibc $newest"
# The files of libraries name the folders of Debian's builders, never ours.
if grep -aqF "$root" "$program"; then die "it holds the path $root"; fi

rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
env -i PATH=/nowhere HOME="$folder" "$program" demo >demo.log || die "demo failed: $(cat demo.log)"
tail -n 1 demo.log
env -i "$program" --version --verbose
[ "$(env -i "$program" --version --verbose | wc -l)" -ge 3 ] || die "no word of the optional parts"
