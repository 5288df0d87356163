#!/usr/bin/env bash
# Makes the rpm of the portable program, for Fedora, RHEL and SUSE since glibc 2.31.
set -euo pipefail

top=$stage/rpm
file=plumbline-$version-1.$cpu.rpm
rm -rf "$top" "$out"/plumbline-*."$cpu.rpm"
mkdir -p "$top"
"$here/rpm/spec.sh" >"$top/plumbline.spec"
rpmbuild -bb --quiet --target "$cpu" --buildroot "$top/root" \
  --define "_topdir $top" --define "_rpmdir $out" --define '_build_name_fmt %%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm' \
  --define '_buildhost localhost' --define 'use_source_date_epoch_as_buildtime 1' --define 'clamp_mtime_to_source_date_epoch 1' \
  --define 'build_mtime_policy clamp_to_source_date_epoch' --define '_binary_payload w19.zstdio' \
  "$top/plumbline.spec" >"$top/log" 2>&1 || { cat "$top/log" >&2; exit 3; }
echo "$file: $(stat -c %s "$out/$file") bytes"
