#!/usr/bin/env bash
# Makes the Debian package of the portable program, for every Debian and Ubuntu since glibc 2.31.
set -euo pipefail

stage=$out/deb
data=$stage/usr/share
doc=$data/doc/plumbline
day=$(date -u -R -d "@$SOURCE_DATE_EPOCH")
rm -rf "$stage" "$out"/plumbline_*.deb
cp -a "$out/tree" "$stage"
mkdir -p "$stage/DEBIAN" "$doc" "$data/lintian/overrides"
gzip -9n "$data"/man/man1/*.1
cp "$here/deb/overrides" "$data/lintian/overrides/plumbline"
"$here/deb/copyright.sh" >"$doc/copyright"
printf 'plumbline (%s) unstable; urgency=medium\n\n  * What has changed stands in CHANGELOG.md of the sources.\n\n -- Plumbline maintainers <plumbline@example.org>  %s\n' \
  "$version" "$day" | gzip -9n >"$doc/changelog.gz"
cat >"$stage/DEBIAN/control" <<CONTROL
Package: plumbline
Version: $version
Architecture: amd64
Section: devel
Priority: optional
Maintainer: Plumbline maintainers <plumbline@example.org>
Installed-Size: $(du -sk --apparent-size "$stage/usr" | cut -f1)
Depends: libc6 (>= $("$here/newest_glibc.sh" "$out/plumbline"))
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
(cd "$stage" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
find "$stage" -print0 | xargs -0 touch --no-dereference --date="@$SOURCE_DATE_EPOCH"
dpkg-deb --root-owner-group -Zxz --build "$stage" "$out/plumbline_${version}_amd64.deb" >/dev/null
echo "plumbline_${version}_amd64.deb: $(stat -c %s "$out/plumbline_${version}_amd64.deb") bytes"
