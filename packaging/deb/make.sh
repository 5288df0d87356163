#!/usr/bin/env bash
# Makes the Debian package of the portable program, for every Debian and Ubuntu since glibc 2.31.
set -euo pipefail

tree=$stage/deb
data=$tree/usr/share
doc=$data/doc/plumbline
day=$(date -u -R -d "@$SOURCE_DATE_EPOCH")
file=plumbline_${version}_$debian.deb
rm -rf "$tree" "$out"/plumbline_*_"$debian.deb"
cp -a "$stage/tree" "$tree"
mkdir -p "$tree/DEBIAN" "$doc" "$data/lintian/overrides"
gzip -9n "$data"/man/man1/*.1
cp "$here/deb/overrides" "$data/lintian/overrides/plumbline"
"$here/deb/copyright.sh" >"$doc/copyright"
install -m 644 "$root/NOTICE" "$doc/NOTICE"
printf 'plumbline (%s) unstable; urgency=medium\n\n  * What has changed stands in CHANGELOG.md of the sources.\n\n -- Plumbline maintainers <plumbline@example.org>  %s\n' \
  "$version" "$day" | gzip -9n >"$doc/changelog.gz"
cat >"$tree/DEBIAN/control" <<CONTROL
Package: plumbline
Version: $version
Architecture: $debian
Section: devel
Priority: optional
Maintainer: Plumbline maintainers <plumbline@example.org>
Installed-Size: $(du -sk --apparent-size "$tree/usr" | cut -f1)
Depends: libc6 (>= $("$here/newest_glibc.sh" "$program"))
Recommends: ca-certificates
Suggests: libpq5, libsecret-1-0, libssh-4
Description: judge of MCP servers, clients and gateways
 Plumbline judges implementations of the Model Context Protocol against its
 specification, in every revision and over every transport, and says by which
 clause each failure is one, with the messages that show it.
 .
 It also runs an orchestrator with its clients and servers in a deterministic
 simulation: virtual time, one seed, every fault on purpose. What went wrong
 once can be run again, byte for byte.
CONTROL
(cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
find "$tree" -print0 | xargs -0 touch --no-dereference --date="@$SOURCE_DATE_EPOCH"
# With more threads xz cuts what it packs into other blocks.
dpkg-deb --root-owner-group -Zxz --threads-max=1 --build "$tree" "$out/$file" >/dev/null
echo "$file: $(stat -c %s "$out/$file") bytes"
