#!/usr/bin/env bash
# Prints the spec of the rpm. What it packs was built before: $stage/tree.
set -euo pipefail

cat <<SPEC
Name: plumbline
Version: $version
Release: 1
Summary: Judge of MCP servers, clients and gateways
License: Apache-2.0
Group: Development/Tools
Packager: Plumbline maintainers <plumbline@example.org>
# Debian's rpm would name what the linker asks for in other words than Fedora's.
AutoReqProv: no
Requires: libc.so.6(GLIBC_$("$here/newest_glibc.sh" "$program"))(64bit)
Recommends: ca-certificates
%global debug_package %{nil}
%global __os_install_post %{nil}

%description
Plumbline judges implementations of the Model Context Protocol against its
specification, in every revision and over every transport, and says by which
clause each failure is one, with the messages that show it.

It also runs an orchestrator with its clients and servers in a deterministic
simulation: virtual time, one seed, every fault on purpose. What went wrong
once can be run again, byte for byte.

%install
mkdir -p %{buildroot}
cp -a "$stage/tree/usr" %{buildroot}/
gzip -9n %{buildroot}/usr/share/man/man1/*.1
mkdir -p %{buildroot}/usr/share/zsh/site-functions %{buildroot}/usr/share/doc/plumbline %{buildroot}/usr/share/licenses/plumbline
mv %{buildroot}/usr/share/zsh/vendor-completions/_plumbline %{buildroot}/usr/share/zsh/site-functions/
rmdir %{buildroot}/usr/share/zsh/vendor-completions
cp "$root/README.md" %{buildroot}/usr/share/doc/plumbline/
cp "$root/LICENSE" "$root/NOTICE" %{buildroot}/usr/share/licenses/plumbline/

%files
/usr/bin/plumbline
%doc /usr/share/doc/plumbline
%license /usr/share/licenses/plumbline
%doc /usr/share/man/man1/plumbline*.1.gz
/usr/share/bash-completion/completions/plumbline
/usr/share/fish/vendor_completions.d/plumbline.fish
/usr/share/zsh/site-functions/_plumbline

%changelog
* $(LC_ALL=C date -u -d "@$SOURCE_DATE_EPOCH" '+%a %b %d %Y') Plumbline maintainers <plumbline@example.org> - $version-1
- What has changed stands in CHANGELOG.md of the sources.
SPEC
