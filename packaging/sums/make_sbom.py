"""make_sbom.py VERSION ARCHITECTURE PROGRAM LIBRARIES: prints what the program is made of, as SPDX 2.3.

LIBRARIES has a line for each library that is linked into it: name, Debian package, licence, use.
Dated by SOURCE_DATE_EPOCH, so that the same program gives the same bytes.
"""

import csv
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys

version, architecture, program, libraries = sys.argv[1:]
with open(program, "rb") as file:
    digest = hashlib.sha256(file.read()).hexdigest()
moment = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)


def package_version(package: str) -> str:
    query = ["dpkg-query", "-W", "-f=${Version}\n", package]
    return subprocess.run(query, check=True, capture_output=True, text=True).stdout.split()[0]


packages = [
    {
        "SPDXID": "SPDXRef-plumbline",
        "name": "plumbline",
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "Apache-2.0",
        "licenseDeclared": "Apache-2.0",
        "copyrightText": "2026 the Plumbline authors",
        "checksums": [{"algorithm": "SHA256", "checksumValue": digest}],
    }
]
relationships = [
    {
        "spdxElementId": "SPDXRef-DOCUMENT",
        "relationshipType": "DESCRIBES",
        "relatedSpdxElement": "SPDXRef-plumbline",
    }
]
with open(libraries, encoding="utf-8", newline="") as file:
    for name, package, licence, purpose in csv.reader(file, delimiter="\t"):
        identifier = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", package)
        found = package_version(package)
        packages.append(
            {
                "SPDXID": identifier,
                "name": name,
                "versionInfo": found,
                "summary": purpose,
                "downloadLocation": "NOASSERTION",
                "filesAnalyzed": False,
                "licenseConcluded": licence,
                "licenseDeclared": licence,
                "copyrightText": "NOASSERTION",
                "externalRefs": [
                    {
                        "referenceCategory": "PACKAGE-MANAGER",
                        "referenceType": "purl",
                        "referenceLocator": f"pkg:deb/debian/{package}@{found}?arch={architecture}",
                    }
                ],
            }
        )
        relationships.append(
            {
                "spdxElementId": "SPDXRef-plumbline",
                "relationshipType": "STATIC_LINK",
                "relatedSpdxElement": identifier,
            }
        )
document = {
    "spdxVersion": "SPDX-2.3",
    "dataLicense": "CC0-1.0",
    "SPDXID": "SPDXRef-DOCUMENT",
    "name": f"plumbline-{version}",
    "documentNamespace": f"urn:plumbline:{version}:{digest}",
    "creationInfo": {
        "created": moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "creators": ["Organization: the Plumbline authors"],
    },
    "packages": packages,
    "relationships": relationships,
}
json.dump(document, sys.stdout, indent=1)
print()
