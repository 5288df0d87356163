#!/usr/bin/env bash
# container_test.sh ROOT: builds the container from the Debian package, on a Debian of our own making in
# the place of debian:12-slim, and runs demo in it as its user. Exit status 77: only root can, and
# with buildah.
set -euo pipefail

root=$1
out=$root/build/packages
folder=$out/tests/container
die() { echo "container_test: $*" >&2; exit 1; }
. "$root/packaging/chroot.sh"

need_chroot
command -v buildah >/dev/null || { echo "skipped: no buildah"; exit 77; }
mkdir -p "$folder"
fetch_debian "$out/tests/deb" || die "no Debian could be had"
# Its own store, and no need of what the kernel may refuse.
buildah() { command buildah --root "$folder/store" --runroot "$folder/run" --storage-driver vfs "$@"; }
trap 'buildah rm --all >/dev/null; buildah rmi --all --force >/dev/null; rm -rf "$folder/store" "$folder/run"' EXIT

base=$(buildah from scratch)
buildah add --quiet "$base" "$out/tests/deb/bookworm.tar" >/dev/null
buildah commit --quiet "$base" docker.io/library/debian:12-slim >/dev/null
buildah build --quiet --isolation chroot --pull-never -f "$root/packaging/Containerfile" -t plumbline \
  "$out" >"$folder/log" 2>&1 || die "$(tail -n 20 "$folder/log")"
container=$(buildah from --pull-never plumbline)
[ "$(buildah inspect --format '{{.OCIv1.Config.Entrypoint}}' "$container")" = '[plumbline]' ] || die "another entry point"
# shellcheck disable=SC2016
buildah run --isolation chroot "$container" -- sh -c 'id -un; plumbline demo | tail -n 1' >"$folder/ran"
cat "$folder/ran"
[ "$(head -n 1 "$folder/ran")" = nobody ] || die "it does not run as nobody"
[[ $(tail -n 1 "$folder/ran") == pass* ]] || die "demo failed"
