#!/usr/bin/env bash
# page_test.sh PLUMBLINE FOLDER: the chat's page in headless Chromium (page_test.mjs). Writes pictures
# into FOLDER/chat. Exit status 77: there is no Chromium or no Node here.
set -euo pipefail

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$chromium" ] || ! command -v node >/dev/null; then
  echo "skipped: the page is tested with chromium and node; ./plumb test installs both"
  exit 77
fi
timeout --kill-after=5 100 node "$here/page_test.mjs" "$1" "$chromium" "$2/chat"
