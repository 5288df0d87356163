#!/usr/bin/env bash
# Makes the npm packages: `plumbline`, which is JavaScript alone, and the one of this platform,
# which holds the program. No script is run when they are installed.
set -euo pipefail

folder=$stage/npm
platform=plumbline-linux-$machine
rm -rf "$folder" "$out/plumbline-$version.tgz" "$out"/"$platform"-*.tgz
mkdir -p "$folder/$platform/bin"
cp -r "$here/npm/plumbline" "$folder/"
sed -i "s/\"0\.0\.0\"/\"$version\"/g" "$folder/plumbline/package.json"
cp "$root/LICENSE" "$folder/plumbline/"
install -m 755 "$root/templates/ci.sh" "$folder/plumbline/bin/ci.sh"
cp "$root/LICENSE" "$folder/$platform/"
cp "$here/npm/README.md" "$folder/plumbline/README.md"
install -m 755 "$program" "$folder/$platform/bin/plumbline"
cat >"$folder/$platform/package.json" <<JSON
{
  "name": "$platform",
  "version": "$version",
  "description": "The program of the package plumbline, for Linux on $machine with glibc.",
  "license": "Apache-2.0",
  "os": ["linux"],
  "cpu": ["$machine"],
  "libc": ["glibc"],
  "files": ["bin"]
}
JSON
for package in plumbline "$platform"; do
  (cd "$folder/$package" && npm pack --silent --pack-destination "$out" >/dev/null)
  echo "$package-$version.tgz: $(stat -c %s "$out/$package-$version.tgz") bytes"
done
