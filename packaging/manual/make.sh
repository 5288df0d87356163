#!/usr/bin/env bash
# make.sh PLUMBLINE FOLDER: builds the manual as a site into FOLDER/site, from docs/ and from what the
# program tells of its commands. Strict: a page that nothing leads to, a link or an anchor that is
# dead, and anything that a browser would fetch from elsewhere end it. ./plumb manual runs it. Exit
# status 77: there is no MkDocs here.
set -euo pipefail

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
plumbline=$(readlink -f "$1") folder=$2
/usr/bin/python3 -c 'import mkdocs, pymdownx' 2>/dev/null ||
  { echo "make.sh: no mkdocs, no python3-pymdownx" >&2; exit 77; }
rm -rf "$folder"
mkdir -p "$folder"
node "$here/pages.mjs" "$plumbline" "$folder"
# Debian's own: another Python before it on the PATH has no MkDocs.
PATH=/usr/bin:$PATH mkdocs build --strict --quiet --config-file "$folder/mkdocs.yml"
rm "$folder/site/404.html"  # Its links are those of the root of a server.
node "$here/links.mjs" "$folder/site"
