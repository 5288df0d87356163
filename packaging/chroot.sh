# chroot.sh, to be sourced: clean systems to try packages in. Only root makes them.

# need_chroot: ends the test (77, skipped) where no clean system can be made.
need_chroot() {
  command -v mmdebstrap >/dev/null || { echo "skipped: no mmdebstrap"; exit 77; }
  [ "$(id -u)" = 0 ] || { echo "skipped: only root makes a chroot"; exit 77; }
}

# make_chroot FOLDER [PACKAGE...]: Debian 12 with apt, these packages and no compiler in
# FOLDER/chroot, until the test ends. What Debian gave is kept in FOLDER for the next time.
make_chroot() {
  local folder=$1
  chroot=$folder/chroot
  shift
  mkdir -p "$folder"
  if [ "$(cat "$folder/holds" 2>/dev/null)" != "$*" ]; then
    mmdebstrap --quiet --variant=apt ${1+"--include=$*"} bookworm "$folder/bookworm.tar"
    echo "$*" >"$folder/holds"
  fi
  rm -rf "$chroot"
  mkdir "$chroot"
  tar -xf "$folder/bookworm.tar" -C "$chroot" --exclude='./dev/*'
  mount --bind /dev "$chroot/dev"
  mount -t proc proc "$chroot/proc"
  trap 'umount "$chroot/dev" "$chroot/proc" && rm -rf "$chroot"' EXIT
  if inside which cc c++ g++ gcc clang; then echo "the chroot has a compiler" >&2; return 1; fi
}

# inside COMMAND...: runs it in the chroot, as a new user of that system would.
inside() {
  chroot "$chroot" env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/srv LC_ALL=C.UTF-8 "$@"
}
