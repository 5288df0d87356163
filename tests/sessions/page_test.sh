#!/usr/bin/env bash
# page_test.sh PLUMBLINE FOLDER: the worker page in headless Chromium (page_test.mjs), with clients of
# the official SDK where they are installed (clients_test.mjs). Writes pictures into FOLDER/sessions.
# Exit status 77: there is no Chromium or no Node here.
set -euo pipefail

plumbline=$1
folder=$2/sessions
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
modules=$here/../../build/npm
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$chromium" ] || ! command -v node >/dev/null; then
  echo "skipped: the page is tested with chromium and node; ./plumb test installs both"
  exit 77
fi
timeout --kill-after=5 100 node "$here/page_test.mjs" "$plumbline" "$chromium" "$folder"
node22=$modules/node_modules/node/bin/node
[ -x "$node22" ] || exit 0
timeout --kill-after=5 150 "$node22" "$here/clients_test.mjs" "$plumbline" "$modules" "$chromium" "$folder"
