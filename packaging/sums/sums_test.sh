#!/usr/bin/env bash
# sums_test.sh ROOT: the checksums are those of the files, and the bill of materials is of the program.
set -euo pipefail

cd "$1/build/packages"
sha256sum --quiet -c SHA256SUMS
python3 - plumbline-*-linux-x64.spdx.json "$(sha256sum <plumbline-linux-x64 | cut -d' ' -f1)" <<'PYTHON'
import json
import sys

document = json.load(open(sys.argv[1], encoding="utf-8"))
assert document["spdxVersion"] == "SPDX-2.3"
packages = {package["SPDXID"]: package for package in document["packages"]}
assert packages["SPDXRef-plumbline"]["checksums"][0]["checksumValue"] == sys.argv[2]
for relation in document["relationships"]:
    assert relation["relatedSpdxElement"] in packages, relation
for package in packages.values():
    for member in ("name", "versionInfo", "downloadLocation", "licenseConcluded", "copyrightText"):
        assert package[member], (package["name"], member)
linked = [package["name"] for package in packages.values() if package["name"] != "plumbline"]
assert "OpenSSL" in linked
print(len(linked), "libraries:", ", ".join(linked))
PYTHON
