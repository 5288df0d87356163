#!/usr/bin/env bash
# ci_test.sh PLUMBLINE FOLDER: runs ci.sh as a workflow does, on a scenario that expects the wrong
# end, and looks at what it leaves: reports, summary, outputs, exit status. Then compares the
# templates with it: each variable that it reads must be set by both. Last, runs the lines by which
# all of them fetch the program: another file than the one that was meant is not unpacked.
set -euo pipefail

plumbline=$1
folder="$2/ci test"  # A blank: paths have them.
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
die() { echo "ci_test: $*" >&2; exit 1; }

rm -rf "$folder"
mkdir -p "$folder/a b"
cd "$folder"
cat >"a b/greeting.json" <<'JSON'
{"plumbline": 1, "id": "greeting", "title": "A greeting.", "request": {"input": "hello"},
 "servers": {}, "expect": {"status": "ok"}}
JSON
touch summary outputs

# judge [NAME=VALUE]...: runs ci.sh with these, prints its exit status.
judge() {
  local status=0
  env PLUMBLINE="$plumbline" PLUMBLINE_COMMAND=run PLUMBLINE_OPTIONS='--seed 3' \
    PLUMBLINE_TARGET='"a b/greeting.json"' PLUMBLINE_REPORTS='out put' GITHUB_ACTIONS=true \
    GITHUB_STEP_SUMMARY=summary GITHUB_OUTPUT=outputs "$@" "$here/ci.sh" >log 2>errors || status=$?
  echo "$status"
}

[ "$(judge)" = 1 ] || die "a failure must exit 1: $(cat log errors)"
grep -q '^::error title=greeting' log || die "no annotation in $(cat log)"
grep -q '^## .* plumbline run: 0 pass, 1 fail' summary || die "no summary in $(cat summary)"
for line in exit-status=1 'reports=out put' 'sarif=out put/plumbline.sarif' 'html=out put/plumbline.html'; do
  grep -qxF "$line" outputs || die "no $line in $(cat outputs)"
done
for file in plumbline.json junit.xml plumbline.sarif plumbline.md plumbline.html badge.json; do
  [ -s "out put/$file" ] || die "no $file"
done
grep -q -- '--seed 3' 'out put/plumbline.json' || die "the options were not handed on"

echo '{"entries": [{"id": "greeting", "reason": "too shy"}]}' >'known failures.json'
[ "$(judge PLUMBLINE_BASELINE='known failures.json')" = 0 ] || die "the baseline was not applied"
# shellcheck disable=SC2016
[ "$(judge PLUMBLINE_TARGET='$(touch ran) "a b/greeting.json"')" = 2 ] || die "a word was expanded"
[ ! -e ran ] || die "a word of the target was run"

templates=("$here/../action.yml" "$here"/gitlab-ci.yml "$here"/Jenkinsfile "$here"/buildkite.yml
           "$here"/circleci.yml "$here"/azure-pipelines.yml)
for variable in $(grep -oE 'PLUMBLINE_[A-Z]+' "$here/ci.sh" | sort -u) PLUMBLINE_PACKAGE PLUMBLINE_SHA256; do
  for template in "${templates[@]}"; do
    grep -qE "^ *$variable( =|:)" "$template" || die "$template does not set $variable"
  done
done
if python3 -c 'import yaml' 2>/dev/null; then
  for template in "$here/../action.yml" "$here/../.pre-commit-hooks.yaml" "$here"/*.yml; do
    python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1], encoding="utf-8"))' "$template" ||
      die "$template is no YAML"
  done
fi
for input in $(grep -oE 'inputs\.[a-z0-9-]+' "$here/../action.yml" | sort -u); do
  grep -q "^  ${input#inputs.}:" "$here/../action.yml" || die "action.yml has no $input"
done

# What is fetched is of this version, and of our name: the bare one is another project's.
name=$(<"$here/../packaging/name")
version=$(sed -n 's/^project(plumbline VERSION \([0-9.]*\).*/\1/p' "$here/../CMakeLists.txt")
for template in "${templates[@]:1}"; do
  grep -qE "^ *PLUMBLINE_PACKAGE( =|:) '?https://.*/v$version/$name-linux-x64-$version\.tgz'?$" "$template" ||
    die "$template fetches no $name-linux-x64-$version.tgz"
done
for file in $(grep -rhoE "[a-z_-]+plumbline[a-z0-9-]*-[0-9]+\.[0-9]+\.[0-9]+(\.tgz|-py3)" "$here/../docs" | sort -u); do
  case $file in
    "$name-$version.tgz" | "$name-linux-x64-$version.tgz" | "${name//-/_}-$version-py3") ;;
    *) die "a page names $file" ;;
  esac
done

mapfile -t fetching < <(grep -oE '(mkdir -p .plumbline|echo "\$PLUMBLINE_SHA256|tar -xzf .plumbline).*' "$here/../action.yml")
[ ${#fetching[@]} = 3 ] || die "action.yml fetches otherwise: ${fetching[*]}"
for template in "${templates[@]}"; do
  for line in "${fetching[@]}"; do
    sed 's/\$\$/$/g' "$template" | grep -qF -- "$line" || die "$template has no: $line"
  done
done
command -v curl >/dev/null || { echo "not tried, without curl: ${fetching[0]}"; exit 0; }
mkdir -p package/bin
printf '#!/bin/sh\necho it ran\n' >package/bin/ci.sh
chmod +x package/bin/ci.sh
tar -czf release.tgz package
# fetch SUM: runs the lines in an empty folder, then what they unpack.
fetch() {
  rm -rf job
  mkdir job
  (cd job && printf '%s\n' "${fetching[@]}" .plumbline/package/bin/ci.sh |
    PLUMBLINE_PACKAGE="file://${PWD// /%20}/../release.tgz" PLUMBLINE_SHA256=$1 sh -e) 2>&1
}
sum=$(sha256sum <release.tgz | cut -d' ' -f1)
fetch "$sum" | grep -qx 'it ran' || die "the file that was meant did not run: $(fetch "$sum")"
for wrong in "${sum//[0-7]/8}" "" "$sum  /dev/null"; do
  if fetch "$wrong" >log; then die "\"$wrong\" is taken for the checksum: $(cat log)"; fi
  [ ! -e job/.plumbline/package ] || die "unpacked in spite of \"$wrong\""
done
