#!/usr/bin/env bash
# deb_test.sh ROOT: lintian finds nothing in the package; apt installs it into a clean chroot, where
# demo runs; man pages and completions are read by the programs that they are for. Exit status 77:
# not root, or there is no mmdebstrap or no lintian.
set -euo pipefail

root=$1
out=$root/build/packages
deb=$(ls "$out"/plumbline_*.deb)
folder=$out/tests/deb
die() { echo "deb_test: $*" >&2; exit 1; }

for program in lintian mmdebstrap; do
  command -v $program >/dev/null || { echo "skipped: no $program"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "skipped: only root installs into a chroot"; exit 77; }

found=$(lintian --allow-root --fail-on error,warning,info --display-info "$deb" 2>&1) || die "lintian: $found"
[ -z "$found" ] || die "lintian: $found"
echo "lintian finds nothing"

for page in "$out"/deb/usr/share/man/man1/*.gz; do
  wrong=$(LC_ALL=C.UTF-8 MANROFFSEQ='' man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
  [ -z "$wrong" ] || die "$page: $wrong"
done
completions=$out/deb/usr/share
bash -n "$completions/bash-completion/completions/plumbline"
# shellcheck disable=SC2016
offered=$(bash -c 'source "$1"; COMP_WORDS=(plumbline check s); COMP_CWORD=2; _plumbline
  echo "${COMPREPLY[*]}"; COMP_WORDS=(plumbline check client --transport ""); COMP_CWORD=4; _plumbline
  echo "${COMPREPLY[*]}"' - "$completions/bash-completion/completions/plumbline")
[ "$offered" = $'server\nhttp stdio' ] || die "bash offers $offered"
if command -v zsh >/dev/null; then zsh -n "$completions/zsh/vendor-completions/_plumbline"; fi
if command -v fish >/dev/null; then
  offered=$(fish -c "source $completions/fish/vendor_completions.d/plumbline.fish
    complete -C 'plumbline check s'; complete -C 'plumbline check client --transport h'")
  [[ $offered == $'server\tJudge a server\nhttp\t'* ]] || die "fish offers $offered"
fi

mkdir -p "$folder"
if [ ! -s "$folder/bookworm.tar" ]; then
  mmdebstrap --quiet --variant=apt bookworm "$folder/bookworm.tar" || die "no chroot could be made"
fi
rm -rf "$folder/chroot"
mkdir "$folder/chroot"
tar -xf "$folder/bookworm.tar" -C "$folder/chroot" --exclude='./dev/*'
cp "$deb" "$folder/chroot/srv/"
mount --bind /dev "$folder/chroot/dev"
mount -t proc proc "$folder/chroot/proc"
trap 'umount "$folder/chroot/dev" "$folder/chroot/proc" && rm -rf "$folder/chroot"' EXIT
inside() { chroot "$folder/chroot" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/srv "$@"; }
inside apt-get install -y --no-install-recommends "/srv/$(basename "$deb")" >"$folder/apt.log" 2>&1 ||
  die "apt: $(cat "$folder/apt.log")"
if inside which cc c++ g++ clang; then die "the chroot has a compiler"; fi
inside sh -c 'cd /srv && plumbline demo >demo.log; echo $? >status; tail -n 1 demo.log'
[ "$(cat "$folder/chroot/srv/status")" = 0 ] || die "demo failed in the chroot"
inside plumbline --version --verbose
missing=$(inside plumbline thread list --store postgres://127.0.0.1/none 2>&1) && die "without libpq: $missing"
echo "$missing"
[[ $missing == *"libpq.so.5, which is not installed"* ]] || die "no word of libpq"
