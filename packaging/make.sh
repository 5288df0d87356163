#!/usr/bin/env bash
# make.sh [--arm64] [WHAT...]: makes packages of the program that the preset portable (or portable-arm64)
# has built, into build/packages: program, npm, wheel, deb, rpm, sums; without words all of them.
# `./plumb package` builds the program first. The same program gives the same bytes.
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
out=$root/build/packages
here=$root/packaging
# What the packages are called on npm and PyPI, where the bare name is somebody else's.
name=$(<"$here/name")
version=$(sed -n 's/^project(plumbline VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
# The machine as npm, Debian and everybody else call it.
machine=x64 debian=amd64 cpu=x86_64 built=$root/build/portable
if [ "${1-}" = --arm64 ]; then
  machine=arm64 debian=arm64 cpu=aarch64 built=$root/build/portable-arm64
  shift
fi
program=$out/plumbline-linux-$machine
stage=$out/stage/$machine
# What files in packages are dated by: the sources, and not the day they are packed.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 1764547200)}
export SOURCE_DATE_EPOCH root out here name version machine debian cpu program stage

die() { echo "make.sh: $*" >&2; exit 3; }

# What is installed lies in $stage/tree as it will lie in /; the packages take it from there.
make_program() {
  [ -x "$built/plumbline" ] || die "no $built/plumbline: run ./plumb package"
  rm -rf "$stage/tree"
  DESTDIR=$stage/tree cmake --install "$built" --prefix /usr --component program --strip >/dev/null
  llvm-strip-19 --remove-section=.comment "$stage/tree/usr/bin/plumbline"
  cp "$stage/tree/usr/bin/plumbline" "$program"
  echo "$(basename "$program"): $(stat -c %s "$program") bytes, needs glibc $("$here/newest_glibc.sh" "$program")"
}

what=("$@")
[ ${#what[@]} != 0 ] || what=(program npm wheel deb rpm sums)
umask 022
mkdir -p "$stage"
for each in "${what[@]}"; do
  case $each in
    program) make_program ;;
    npm | wheel | deb | rpm | sums) "$here/$each/make.sh" ;;
    *) die "nobody makes \"$each\"; expected program, npm, wheel, deb, rpm or sums" ;;
  esac
done
