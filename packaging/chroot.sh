# chroot.sh, to be sourced: clean systems to try packages in. Only root makes them.

# need_chroot: ends the test (77, skipped) where no clean system can be made.
need_chroot() {
  command -v mmdebstrap >/dev/null || { echo "skipped: no mmdebstrap"; exit 77; }
  [ "$(id -u)" = 0 ] || { echo "skipped: only root makes a chroot"; exit 77; }
}

# fetch_debian FOLDER [PACKAGE...]: Debian 12 with apt and these packages as FOLDER/bookworm.tar, which is
# kept for the next time.
fetch_debian() {
  local folder=$1
  shift
  mkdir -p "$folder"
  if [ -s "$folder/bookworm.tar" ] && [ "$(cat "$folder/holds" 2>/dev/null)" = "$*" ]; then return 0; fi
  rm -f "$folder/holds"
  mmdebstrap --quiet --variant=apt ${1+"--include=$*"} bookworm "$folder/bookworm.tar"
  echo "$*" >"$folder/holds"
}

# make_chroot FOLDER [PACKAGE...]: the same unpacked in FOLDER/chroot until the test ends, without a
# compiler.
make_chroot() {
  chroot=$1/chroot
  fetch_debian "$@"
  rm -rf "$chroot"
  mkdir "$chroot"
  tar -xf "$1/bookworm.tar" -C "$chroot" --exclude='./dev/*'
  mount --bind /dev "$chroot/dev"
  mount -t proc proc "$chroot/proc"
  trap 'umount "$chroot/dev" "$chroot/proc" && rm -rf "$chroot"' EXIT
  in_chroot=(chroot "$chroot" env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/srv LC_ALL=C.UTF-8)
  if inside which cc c++ g++ gcc clang; then echo "the chroot has a compiler" >&2; return 1; fi
}

# inside COMMAND...: runs it in the chroot, as a new user of that system would.
inside() { "${in_chroot[@]}" "$@"; }
