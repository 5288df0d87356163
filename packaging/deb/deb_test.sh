#!/usr/bin/env bash
# deb_test.sh ROOT: lintian finds nothing in the package; apt installs it into a clean chroot, where
# demo runs; man pages and completions are read by the programs that they are for. Exit status 77:
# not root, or there is no mmdebstrap or no lintian.
set -euo pipefail

root=$1
out=$root/build/packages
deb=$(ls "$out"/plumbline_*_amd64.deb)
folder=$out/tests/deb
. "$root/packaging/chroot.sh"
die() { echo "deb_test: $*" >&2; exit 1; }

command -v lintian >/dev/null || { echo "skipped: no lintian"; exit 77; }
need_chroot

found=$(lintian --allow-root --fail-on error,warning,info --display-info "$deb" 2>&1) || die "lintian: $found"
[ -z "$found" ] || die "lintian: $found"
echo "lintian finds nothing"

for page in "$out"/stage/x64/deb/usr/share/man/man1/*.gz; do
  wrong=$(LC_ALL=C.UTF-8 MANROFFSEQ='' man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
  [ -z "$wrong" ] || die "$page: $wrong"
done
completions=$out/stage/x64/deb/usr/share
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
  [[ $offered == $'server\tCheck a server against the specification\nhttp\t'* ]] || die "fish offers $offered"
fi

make_chroot "$folder" || die "no chroot could be made"
cp "$deb" "$chroot/srv/"
inside apt-get install -y --no-install-recommends "/srv/$(basename "$deb")" >"$folder/apt.log" 2>&1 ||
  die "apt: $(cat "$folder/apt.log")"
inside sh -c 'cd /srv && plumbline demo >demo.log; echo $? >status; tail -n 1 demo.log'
[ "$(cat "$chroot/srv/status")" = 0 ] || die "demo failed in the chroot"
inside plumbline --version --verbose
missing=$(inside plumbline thread list --store postgres://127.0.0.1/none 2>&1) && die "without libpq: $missing"
echo "$missing"
[[ $missing == *"libpq.so.5, which is not installed"* ]] || die "no word of libpq"
