#!/usr/bin/env bash
# clean_test.sh ROOT: on a clean Debian without compilers and without network, a vendor who has the
# npm tarballs judges server-everything with npx, a job of CI does it in less than 20 seconds from
# its first line to its reports, and one who has the wheel does it in pytest. Exit status 77: only
# root makes such a system.
set -euo pipefail

root=$1
out=$root/build/packages
name=$(<"$root/packaging/name")
folder=$out/tests/clean
die() { echo "clean_test: $*" >&2; exit 1; }
. "$root/packaging/chroot.sh"

need_chroot
[ -d "$root/build/npm/node_modules/@modelcontextprotocol/server-everything" ] ||
  die "no server-everything in build/npm: run ./plumb test once"
make_chroot "$folder" nodejs npm python3-pip python3-pytest || die "no chroot could be made"
mkdir "$chroot/srv/software" "$chroot/srv/job" "$chroot/srv/vendor"
cp "$out/$name"-[0-9]*.tgz "$out/$name"-linux-x64-*.tgz "$out/${name//-/_}"-*_x86_64.whl "$chroot/srv/"
cp -r "$root/build/npm/node_modules" "$chroot/srv/software/"
server=/srv/software/node_modules/@modelcontextprotocol/server-everything/dist/index.js

# alone COMMAND: runs it in the chroot, without network but loopback.
alone() {
  unshare --net sh -c 'ip link set lo up 2>/dev/null; exec "$@"' - \
    "${in_chroot[@]}" bash -euc "$1"
}

alone "cd /srv/vendor
  echo '{\"private\": true}' >package.json
  npm install --offline --no-audit --no-fund --silent ../$name*.tgz
  status=0
  npx --offline $name check server --stdio -- node $server >log || status=\$?
  tail -n 3 log
  [ \$status = 1 ]" || die "npx did not judge server-everything"

begin=$(date +%s%N)
alone "cd /srv/job
  mkdir .plumbline
  tar -xzf /srv/$name-linux-x64-*.tgz -C .plumbline
  PLUMBLINE_TARGET='--stdio -- node $server' PLUMBLINE_OPTIONS='--baseline sdk' PLUMBLINE_FORMATS='json junit sarif html' \
    .plumbline/package/bin/ci.sh >log
  ls plumbline-reports" || die "the job failed: $(cat "$chroot/srv/job/log")"
seconds=$((($(date +%s%N) - begin) / 1000000000))
echo "the job took $seconds s"

cp "$root"/packaging/wheel/tests/good_case.py "$chroot/srv/vendor/"
alone "cd /srv/vendor
  python3 -m pip install --quiet --break-system-packages --no-index --no-deps /srv/${name//-/_}-*.whl 2>&1
  PLUMBLINE=plumbline python3 -m pytest -q good_case.py" ||
  die "pytest did not judge a good server"
