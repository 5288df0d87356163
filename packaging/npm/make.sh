#!/usr/bin/env bash
# Makes the npm packages: that of packaging/name, with the WebAssembly module where ./plumb wasm has
# built it, and the one of this platform, which holds the program and ci.sh, so that a pipeline needs no other. No script is run
# when they are installed.
set -euo pipefail

folder=$stage/npm
platform=$name-linux-$machine
rm -rf "$folder" "$out/$name-$version.tgz" "$out/$platform"-*.tgz
mkdir -p "$folder/$platform/bin"
cp -r "$here/npm/package" "$folder/$name"
# A platform is named only where its package is there: one that is not could be made by anybody.
programs=
for each in x64 arm64; do
  if [ $each = "$machine" ] || [ -f "$out/$name-linux-$each-$version.tgz" ]; then
    programs+="${programs:+, }\"$name-linux-$each\": \"$version\""
  fi
done
sed -i "s/{\"PROGRAMS\": \"\"}/{$programs}/; s/\"NAME\"/\"$name\"/g; s/\"0\.0\.0\"/\"$version\"/" "$folder/$name/package.json"
cp "$root/LICENSE" "$root/NOTICE" "$folder/$name/"
if [ -f "$root/build/wasm/plumbline.wasm" ]; then
  mkdir "$folder/$name/wasm"
  cp "$root/build/wasm/plumbline.wasm" "$here"/wasm/*.mjs "$folder/$name/wasm/"
fi
install -m 755 "$root/templates/ci.sh" "$folder/$name/bin/ci.sh"
mkdir "$folder/$name/schemas"  # For editors: templates/vscode.
cp "$root"/docs/{scenario,mcptest,agents}.schema.json "$folder/$name/schemas/"
cp "$here/npm/README.md" "$folder/$name/README.md"
cp "$root/LICENSE" "$root/NOTICE" "$folder/$platform/"
install -m 755 "$root/templates/ci.sh" "$folder/$platform/bin/ci.sh"
install -m 755 "$program" "$folder/$platform/bin/plumbline"
cat >"$folder/$platform/package.json" <<JSON
{
  "name": "$platform",
  "version": "$version",
  "description": "The program of the package $name, for Linux on $machine with glibc.",
  "license": "Apache-2.0",
  "os": ["linux"],
  "cpu": ["$machine"],
  "libc": ["glibc"],
  "files": ["bin", "NOTICE"]
}
JSON
for package in "$name" "$platform"; do
  (cd "$folder/$package" && npm pack --silent --pack-destination "$out" >/dev/null)
  echo "$package-$version.tgz: $(stat -c %s "$out/$package-$version.tgz") bytes"
done
