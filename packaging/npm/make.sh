#!/usr/bin/env bash
# Makes the npm packages: `plumbline`, which is JavaScript alone, and the one of this platform,
# which holds the program. No script is run when they are installed.
set -euo pipefail

stage=$out/npm
rm -rf "$stage" "$out"/plumbline-*.tgz
mkdir -p "$stage/plumbline-linux-x64/bin"
cp -r "$here/npm/plumbline" "$stage/"
sed -i "s/\"0\.0\.0\"/\"$version\"/" "$stage/plumbline/package.json"
cp "$root/LICENSE" "$stage/plumbline/"
install -m 755 "$root/templates/ci.sh" "$stage/plumbline/bin/ci.sh"
cp "$root/LICENSE" "$stage/plumbline-linux-x64/"
cp "$here/npm/README.md" "$stage/plumbline/README.md"
install -m 755 "$out/plumbline" "$stage/plumbline-linux-x64/bin/plumbline"
cat >"$stage/plumbline-linux-x64/package.json" <<JSON
{
  "name": "plumbline-linux-x64",
  "version": "$version",
  "description": "The program of the package plumbline, for Linux on x64 with glibc.",
  "license": "Apache-2.0",
  "os": ["linux"],
  "cpu": ["x64"],
  "libc": ["glibc"],
  "files": ["bin"]
}
JSON
for package in plumbline plumbline-linux-x64; do
  (cd "$stage/$package" && npm pack --silent --pack-destination "$out" >/dev/null)
  echo "$package-$version.tgz: $(stat -c %s "$out/$package-$version.tgz") bytes"
done
