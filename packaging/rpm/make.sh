#!/usr/bin/env bash
# Makes the rpm of the portable program, for Fedora, RHEL and SUSE since glibc 2.31.
set -euo pipefail

stage=$out/rpm
rm -rf "$stage" "$out"/plumbline-*.rpm
mkdir -p "$stage"
"$here/rpm/spec.sh" >"$stage/plumbline.spec"
rpmbuild -bb --quiet --target x86_64 --buildroot "$stage/root" \
  --define "_topdir $stage" --define "_rpmdir $out" --define '_build_name_fmt %%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm' \
  --define '_buildhost localhost' --define 'use_source_date_epoch_as_buildtime 1' --define 'clamp_mtime_to_source_date_epoch 1' \
  --define 'build_mtime_policy clamp_to_source_date_epoch' --define '_binary_payload w19.zstdio' \
  "$stage/plumbline.spec" >"$stage/log" 2>&1 || { cat "$stage/log" >&2; exit 3; }
echo "plumbline-$version-1.x86_64.rpm: $(stat -c %s "$out/plumbline-$version-1.x86_64.rpm") bytes"
