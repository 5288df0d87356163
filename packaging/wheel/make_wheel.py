"""make_wheel.py NAME VERSION CPU PROGRAM ROOT OUT: writes a wheel that holds the program.

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


def metadata(name: str, version: str) -> str:
    head = f"""Metadata-Version: 2.1
Name: {name}
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
    name, version, cpu, program, root, out = sys.argv[1:]
    module = name.replace("-", "_")
    tag = f"py3-none-manylinux_2_31_{cpu}"
    info = f"{module}-{version}.dist-info"
    files = {
        path.relative_to(HERE).as_posix(): (path.read_bytes(), 0o644)
        for path in sorted((HERE / module).iterdir())
        if path.suffix in (".py", ".typed")
    }
    files[f"{module}/bin/plumbline"] = (Path(program).read_bytes(), 0o755)
    scripts = f"plumbline = {module}:main\n{name} = {module}:main\n"
    entry_points = f"[console_scripts]\n{scripts}\n[pytest11]\n{module} = {module}.pytest_plugin\n"
    wheel = f"Wheel-Version: 1.0\nGenerator: plumbline\nRoot-Is-Purelib: false\nTag: {tag}\n"
    for name, text in {
        "METADATA": metadata(name, version),
        "WHEEL": wheel,
        "entry_points.txt": entry_points,
        "LICENSE": (Path(root) / "LICENSE").read_text(encoding="utf-8"),
        "NOTICE": (Path(root) / "NOTICE").read_text(encoding="utf-8"),
    }.items():
        files[f"{info}/{name}"] = (text.encode(), 0o644)
    record = ""
    for name, (data, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = (f"{record}{info}/RECORD,,\n".encode(), 0o644)
    moment = time.gmtime(max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800))[:6]
    path = Path(out) / f"{module}-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (data, mode) in files.items():
            entry = zipfile.ZipInfo(name, moment)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    print(f"{path.name}: {path.stat().st_size} bytes")


main()
