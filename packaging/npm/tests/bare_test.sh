#!/usr/bin/env bash
# bare_test.sh ROOT [NODE]: uses the npm package by npx where there is nothing but Node, a shell and
# what the two are linked with: the module needs no library of ours. Exit status 77: the package was
# made without the module, or this is not root.
set -euo pipefail

root=$1
node=$(readlink -f "${2-$(command -v node)}")
out=$root/build/packages
name=$(<"$root/packaging/name")
version=$(sed -n 's/^project(plumbline VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
folder=$out/tests/bare
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
die() { echo "bare_test: $*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || { echo "skipped: only root changes the root"; exit 77; }
tar -tzf "$out/$name-$version.tgz" | grep -q '/wasm/plumbline.wasm$' || { echo "skipped: a package without the module"; exit 77; }

rm -rf "$folder"
mkdir -p "$folder"/{bin,usr/bin,usr/lib/node_modules,proc,dev,tmp,etc,home/vendor}
cp -L /bin/sh "$folder/bin/sh"
cp -L /usr/bin/env "$folder/usr/bin/env"
cp "$node" "$folder/usr/bin/node"
cp -r "$npm" "$folder/usr/lib/node_modules/npm"
for each in npm npx; do ln -s "../lib/node_modules/npm/bin/$each-cli.js" "$folder/usr/bin/$each"; done
# What these are linked with, and nothing else.
for program in "$folder/bin/sh" "$folder/usr/bin/env" "$folder/usr/bin/node"; do
  ldd "$program" | grep -oE '/[^ ]+' | while read -r library; do
    mkdir -p "$folder$(dirname "$library")"
    cp -Lu "$library" "$folder$library"
  done
done
cp "$out/$name-$version.tgz" "$folder/home/vendor/package.tgz"
servers=$root/build/npm/node_modules
[ -d "$servers/@modelcontextprotocol/server-everything" ] || die "no server-everything: run ./plumb test once"
mkdir -p "$folder/home/vendor/servers/node_modules"
mount -t proc proc "$folder/proc"
mount --bind /dev "$folder/dev"
mount --bind -o ro "$servers" "$folder/home/vendor/servers/node_modules"
trap 'umount "$folder/proc" "$folder/dev" "$folder/home/vendor/servers/node_modules" && rm -rf "$folder"' EXIT
inside() { chroot "$folder" env -i PATH=/usr/bin:/bin HOME=/home/vendor sh -c "cd /home/vendor && $1"; }

inside "echo '{\"private\": true}' >package.json && npm install --offline --no-audit --no-fund --silent ./package.tgz"
inside "npx --no-install $name --version --verbose" >"$out/tests/bare.log"
grep '^runs: the WebAssembly module' "$out/tests/bare.log" || die "$(cat "$out/tests/bare.log")"
everything=servers/node_modules/@modelcontextprotocol/server-everything/dist/index.js
begun=$(date +%s%N)
status=0
inside "npx --no-install $name check server --progress never --baseline sdk -- node $everything" \
  >"$out/tests/bare.log" 2>&1 || status=$?
cat "$out/tests/bare.log"
[ "$status" = 0 ] || die "status $status"
echo "$(($(date +%s%N) / 1000000 - begun / 1000000)) ms"
