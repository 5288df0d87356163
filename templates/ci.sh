#!/usr/bin/env bash
# ci.sh: one judging command of plumbline in a pipeline. action.yml and the templates beside it run
# it; any other CI can. It lies beside the program in mcp-plumbline-linux-x64-VERSION.tgz, and is
# plumbline-ci in the npm package. It is told what to do by its environment:
#
#   PLUMBLINE_COMMAND   check server (the default), check client, run, sweep ...
#   PLUMBLINE_OPTIONS   options of the command: --revision all --level must
#   PLUMBLINE_TARGET    what is judged, last on the line: --stdio -- node server.js
#   PLUMBLINE_BASELINE  a file of known failures; empty: none
#   PLUMBLINE_FORMATS   the reports to write, such as "json junit html"
#   PLUMBLINE_REPORTS   the folder to write them into (plumbline-reports)
#   PLUMBLINE           the program (the one beside it; in the sources plumb, which builds it)
#
# Words are split at blanks, quotes and backslashes hold them together; nothing else is expanded.
# On GitHub it annotates, writes the summary of the step, and sets its outputs. Exit status:
# plumbline's.
set -euo pipefail

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
program=$here/../plumb
[ ! -f "$here/plumbline.js" ] || program=$here/plumbline.js
[ ! -f "$here/plumbline" ] || program=$here/plumbline
program=${PLUMBLINE:-$program}
folder=${PLUMBLINE_REPORTS:-plumbline-reports}

# words TEXT: prints its words, a line each.
words() { xargs -r -n1 printf '%s\n' <<<"$1"; }

# file_of FORMAT: where its report goes.
file_of() {
  case $1 in
    json) echo "$folder/plumbline.json" ;;
    junit) echo "$folder/junit.xml" ;;
    sarif) echo "$folder/plumbline.sarif" ;;
    tap) echo "$folder/plumbline.tap" ;;
    markdown) echo "$folder/plumbline.md" ;;
    html) echo "$folder/plumbline.html" ;;
    badge) echo "$folder/badge.json" ;;
    *) echo "$folder/$1.txt" ;;
  esac
}

mapfile -t command < <(words "${PLUMBLINE_COMMAND:-check server}")
mapfile -t options < <(words "${PLUMBLINE_OPTIONS:-}")
mapfile -t target < <(words "${PLUMBLINE_TARGET:-}")
mapfile -t formats < <(words "${PLUMBLINE_FORMATS:-json junit sarif markdown html badge}")
[ -z "${PLUMBLINE_BASELINE:-}" ] || options+=(--baseline "$PLUMBLINE_BASELINE")
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || formats+=(markdown)
mkdir -p "$folder"
for format in "${formats[@]}"; do options+=(--report "$format=$(file_of "$format")"); done
[ -z "${GITHUB_ACTIONS:-}" ] || options+=(--report github=-)

status=0
"$program" "${command[@]}" "${options[@]}" "${target[@]}" || status=$?

if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -f "$(file_of markdown)" ]; then
  cat "$(file_of markdown)" >>"$GITHUB_STEP_SUMMARY"
fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  {
    echo "exit-status=$status"
    echo "reports=$folder"
    for format in json junit sarif html badge; do
      [ ! -f "$(file_of "$format")" ] || echo "$format=$(file_of "$format")"
    done
  } >>"$GITHUB_OUTPUT"
fi
exit "$status"
