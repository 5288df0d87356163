"""make_wheel.py VERSION CPU PROGRAM LICENSE OUT: writes a wheel that holds the program.

Files in it are dated by SOURCE_DATE_EPOCH, so that the same sources give the same bytes.
"""

import base64
import hashlib
import os
import sys
import time
import zipfile
from pathlib import Path

HERE = Path(__file__).parent


def metadata(version: str) -> str:
    head = f"""Metadata-Version: 2.1
Name: plumbline
Version: {version}
Summary: Judges MCP servers, clients and gateways against the specification.
License: Apache-2.0
Requires-Python: >=3.9
Provides-Extra: pytest
Requires-Dist: pytest; extra == "pytest"
Classifier: Framework :: Pytest
Description-Content-Type: text/markdown

"""
    return head + (HERE / "README.md").read_text(encoding="utf-8")


def main() -> None:
    version, cpu, program, licence, out = sys.argv[1:]
    tag = f"py3-none-manylinux_2_31_{cpu}"
    info = f"plumbline-{version}.dist-info"
    files = {
        path.relative_to(HERE).as_posix(): (path.read_bytes(), 0o644)
        for path in sorted((HERE / "plumbline").iterdir())
        if path.suffix in (".py", ".typed")
    }
    files["plumbline/bin/plumbline"] = (Path(program).read_bytes(), 0o755)
    entry_points = "[console_scripts]\nplumbline = plumbline:main\n\n[pytest11]\nplumbline = plumbline.pytest_plugin\n"
    wheel = f"Wheel-Version: 1.0\nGenerator: plumbline\nRoot-Is-Purelib: false\nTag: {tag}\n"
    for name, text in {
        "METADATA": metadata(version),
        "WHEEL": wheel,
        "entry_points.txt": entry_points,
        "LICENSE": Path(licence).read_text(encoding="utf-8"),
    }.items():
        files[f"{info}/{name}"] = (text.encode(), 0o644)
    record = ""
    for name, (data, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = (f"{record}{info}/RECORD,,\n".encode(), 0o644)
    moment = time.gmtime(max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800))[:6]
    path = Path(out) / f"plumbline-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (data, mode) in files.items():
            entry = zipfile.ZipInfo(name, moment)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    print(f"{path.name}: {path.stat().st_size} bytes")


main()
