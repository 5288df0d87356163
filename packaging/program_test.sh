#!/usr/bin/env bash
# program_test.sh [--arm64] ROOT: the portable program is small, needs nothing but glibc, and none that
# is newer than 2.31; holds no path of this machine; and runs demo where there is nothing beside it.
# That of arm64 runs in QEMU, and only where it was made (77: it was not). It cannot start itself there:
# in place of demo a part of the library runs, and it judges itself over HTTP.
set -euo pipefail

machine=x64 emulator=()
if [ "$1" = --arm64 ]; then
  machine=arm64 emulator=(/usr/bin/qemu-aarch64-static)
  shift
fi
root=$1
bytes_max=15000000
out=$root/build/packages
program=$out/plumbline-linux-$machine
folder=$out/tests/program-$machine
here=$root/packaging
die() { echo "program_test: $*" >&2; exit 1; }

if [ $machine = arm64 ] && [ ! -x "$program" ]; then
  echo "skipped: no $program (./plumb package --arm64)"
  exit 77
fi

needed=$(readelf -d "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort | tr '\n' ' ')
echo "needs $needed"
for library in $needed; do
  case $library in
    libc.so.6 | libm.so.6 | libdl.so.2 | libpthread.so.0 | ld-linux-x86-64.so.2 | ld-linux-aarch64.so.1) ;;
    *) die "it needs $library" ;;
  esac
done
newest=$("$here/newest_glibc.sh" "$program")
[ "$(printf '%s\n' 2.31 "$newest" | sort -V | tail -n 1)" = 2.31 ] ||
  die "it needs glibc $newest: $(readelf -W --dyn-syms "$program" | grep "GLIBC_$newest")"
bytes=$(stat -c %s "$program")
echo "$bytes bytes, glibc $newest"
[ "$bytes" -le "$bytes_max" ] || die "it has more than $bytes_max bytes"
# The files of libraries name the folders of Debian's builders, never ours.
if grep -aqF "$root" "$program"; then die "it holds the path $root"; fi

rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
alone=(env -i PATH=/nowhere HOME="$folder" "${emulator[@]}" "$program")
if [ $machine = x64 ]; then
  "${alone[@]}" demo >demo.log || die "demo failed: $(cat demo.log)"
  tail -n 1 demo.log
else
  "${alone[@]}" run "$root/scenarios/library/basics" >run.log || die "run failed: $(cat run.log)"
  tail -n 1 run.log
  "${alone[@]}" serve --reference --http 127.0.0.1:0 >url &
  server=$!
  trap 'kill "$server" 2>/dev/null || true' EXIT
  for _ in $(seq 100); do [ ! -s url ] || break; sleep 0.1; done
  "${alone[@]}" check server --url "$(cat url)" >check.log || die "check failed: $(cat check.log)"
  tail -n 1 check.log
fi
"${alone[@]}" --version --verbose
[ "$("${alone[@]}" --version --verbose | wc -l)" -ge 3 ] || die "no word of the optional parts"
