#!/usr/bin/env bash
# Prints debian/copyright: ours, and that of each library which is linked into the program, as the
# package says that it came from.
set -euo pipefail

cat <<'TEXT'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: plumbline

Files: *
Copyright: 2026 the Plumbline authors
License: Apache-2.0
 On Debian systems, the text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
Comment:
 These libraries are linked into the program; the text of the licence of each
 is in the file NOTICE beside this one, and in the file copyright of the Debian
 package that it was taken from.
TEXT
while IFS=$'\t' read -r name package licence purpose; do
  printf ' .\n %s (%s):\n %s\n package %s %s\n' "$name" "$purpose" "$licence" "$package" \
    "$(dpkg-query -W -f='${Version}\n' "$package" | head -n 1)"
done <"$here/libraries.tsv"
