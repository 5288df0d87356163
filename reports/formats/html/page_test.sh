#!/usr/bin/env bash
# page_test.sh SAMPLE_PAGE FOLDER: opens the HTML report in headless Chromium and uses it as a person
# would (page_test.mjs). Writes the pages and pictures of them into FOLDER/page. Exit status 77: there
# is no Chromium or no Node here.
set -euo pipefail

sample_page=$1
folder=$2/page
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$chromium" ] || ! command -v node >/dev/null; then
  echo "skipped: the page is tested with chromium and node; ./plumb test installs both"
  exit 77
fi
mkdir -p "$folder"
"$sample_page" >"$folder/every-verdict.html"
"$sample_page" findings >"$folder/findings.html"
"$sample_page" sdk >"$folder/sdk.html"
"$sample_page" compared >"$folder/compared.html"
"$sample_page" 10000 >"$folder/ten-thousand.html"
exec timeout --kill-after=5 100 node "$here/page_test.mjs" "$chromium" "$folder"
