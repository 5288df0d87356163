#!/usr/bin/env bash
# make.sh [WHAT...]: makes packages of the program that the preset portable has built, into
# build/packages: program, npm, wheel, deb, rpm, sums; without words all of them. `./plumb package`
# builds the program first. The same sources give the same bytes, wherever they lie.
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
built=$root/build/portable
out=$root/build/packages
here=$root/packaging
version=$(sed -n 's/^project(plumbline VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
# What files in packages are dated by: the sources, and not the day they are packed.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 1764547200)}
export SOURCE_DATE_EPOCH root out here version

die() { echo "make.sh: $*" >&2; exit 3; }

# What is installed lies in build/packages/tree as it will lie in /; the packages take it from there.
make_program() {
  [ -x "$built/plumbline" ] || die "no $built/plumbline: run ./plumb package"
  rm -rf "$out/tree"
  DESTDIR=$out/tree cmake --install "$built" --prefix /usr --component program --strip >/dev/null
  strip --remove-section=.comment "$out/tree/usr/bin/plumbline"
  cp "$out/tree/usr/bin/plumbline" "$out/plumbline"
  echo "plumbline: $(stat -c %s "$out/plumbline") bytes, needs glibc $("$here/newest_glibc.sh" "$out/plumbline")"
}

what=("$@")
[ ${#what[@]} != 0 ] || what=(program npm wheel deb rpm sums)
umask 022
mkdir -p "$out"
for each in "${what[@]}"; do
  case $each in
    program) make_program ;;
    npm | wheel | deb | rpm | sums) "$here/$each/make.sh" ;;
    *) die "nobody makes \"$each\"; expected program, npm, wheel, deb, rpm or sums" ;;
  esac
done
