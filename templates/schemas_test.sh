#!/usr/bin/env bash
# schemas_test.sh ROOT: the templates that have a schema on npm keep it (GitHub, GitLab, CircleCI), our own
# workflows do, and one word put wrong is noticed. Azure, Buildkite and Jenkins have none there. Exit status 77: the
# packages cannot be installed here.
set -euo pipefail

root=$1
folder=$root/build/packages/tests/templates
node=$root/build/npm/node_modules/node/bin/node  # GitLab's wants Node 22.
die() { echo "schemas_test: $*" >&2; exit 1; }

[ -x "$node" ] || node=node
mkdir -p "$folder"
cd "$folder"
[ -f package.json ] || echo '{"private": true, "type": "module"}' >package.json
[ -d node_modules/gitlab-ci-local ] || npm install --no-audit --no-fund --silent --ignore-scripts \
  @action-validator/core@0.6.0 @action-validator/cli@0.6.0 gitlab-ci-local@4.75.1 \
  @circleci/circleci-config-parser@0.10.0-alpha.3 ||
  { echo "skipped: the packages cannot be installed"; exit 77; }

github() { "$node" node_modules/@action-validator/cli/cli.mjs "$1"; }

circleci() {
  "$node" --input-type=module -e '
    import {readFileSync} from "node:fs";
    import parser from "@circleci/circleci-config-parser";
    parser.parseConfig(readFileSync(process.argv[1], "utf8"));' "$1"
}

# gitlab FILE: of a project that includes it and extends what it holds.
gitlab() {
  rm -rf project
  git init -q -b main project
  cp "$1" project/template.yml
  cat >project/.gitlab-ci.yml <<'YAML'
include: [{local: template.yml}]
judge:
  extends: .plumbline
  variables: {PLUMBLINE_TARGET: --stdio -- node server.js}
YAML
  git -C project add .
  git -C project remote add origin git@gitlab.com:group/project.git
  git -C project -c user.name=x -c user.email=x@example.org commit -qm x
  "$node" node_modules/gitlab-ci-local/dist/index.js --cwd project --list
}

# holds KIND FILE WORD WRONG: KIND takes FILE, and not with WORD replaced.
holds() {
  "$1" "$2" >log 2>&1 || die "$2: $(cut -c1-300 log | tail -n 20)"
  mkdir -p wrong
  sed "s/$3/$4/" "$2" >"wrong/$(basename "$2")"
  if cmp -s "$2" "wrong/$(basename "$2")"; then die "there is no $3 in $2"; fi
  if "$1" "wrong/$(basename "$2")" >log 2>&1; then die "$1 takes $4 for $3"; fi
  echo "$(basename "$2") keeps its schema"
}

holds github "$root/action.yml" 'using: composite' 'using: composit'
# The schema does not know yet who may keep an attestation.
sed '/attestations: write/d' "$root/.github/workflows/release.yml" >release.yml
holds github release.yml 'runs-on: ubuntu-latest' 'run-on: ubuntu-latest'
holds github "$root/.github/workflows/module.yml" 'fail-fast: false' 'fail-fast: never'
holds circleci "$root/templates/circleci.yml" 'jobs: \[plumbline\]' 'jobs: 7'
holds gitlab "$root/templates/gitlab-ci.yml" 'when: always' 'when: [sometimes]'
