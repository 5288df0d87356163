#!/usr/bin/env bash
# view_test.sh PLUMBLINE FOLDER: looks at a recording of 100 MB, and at a report, in headless Chromium
# by `plumbline report view` (view_test.mjs). Exit status 77: there is no Chromium or no Node here.
set -euo pipefail

plumbline=$1
folder=$2/view
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$chromium" ] || ! command -v node >/dev/null; then
  echo "skipped: the page is tested with chromium and node; ./plumb test installs both"
  exit 77
fi
mkdir -p "$folder"
exec timeout --kill-after=5 100 node "$here/view_test.mjs" "$plumbline" "$chromium" "$folder"
