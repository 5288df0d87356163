"""Plumbline judges MCP servers, clients and gateways. `judge` does so from Python."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["Judgement", "NoVerdict", "judge", "program_path"]


class NoVerdict(Exception):
    """The server cannot be reached, an option is wrong, or the time is over."""


def program_path() -> str:
    """Return the path of the program."""
    return str(Path(__file__).with_name("bin") / "plumbline")


def main() -> None:
    """Become the program."""
    os.execv(program_path(), ["plumbline", *sys.argv[1:]])


@dataclasses.dataclass(frozen=True)
class Judgement:
    """What was found. `report` is the JSON report as a whole, `text` what was printed."""

    conforms: bool
    failures: list[dict[str, Any]]
    report: dict[str, Any]
    text: str

    def describe(self) -> str:
        """Return the failures, a few lines each."""
        if self.conforms:
            return "the server conforms"
        told = [
            f"  {failure['id']} ({failure.get('spec', failure['level'])}): {failure['title']}\n"
            f"    {failure['message']}\n    reproduce: {failure.get('reproduce')}"
            for failure in self.failures
        ]
        return "the server does not conform:\n" + ("\n".join(told) or self.text)


def judge(
    command: Sequence[str] | None = None,
    *,
    url: str | None = None,
    headers: Mapping[str, str] | None = None,
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
    revision: str | None = None,
    level: str | None = None,
    only: Sequence[str] = (),
    skip: Sequence[str] = (),
    baseline: str | None = "sdk",
    args: Sequence[str] = (),
    timeout_s: float = 300,
) -> Judgement:
    """Judge the server that `command` starts (over stdio), or the one at `url`.

    `baseline` is a file of known failures to excuse, beside those of every server on the same SDK,
    which "sdk" excuses alone; None excuses nothing. `args` are further words for `plumbline check server`.
    Raises NoVerdict when there is none.
    """
    if (command is None) == (url is None):
        raise TypeError("expected either a command or url=")
    with tempfile.TemporaryDirectory(prefix="plumbline-") as folder:
        file = Path(folder) / "report.json"
        words = [program_path(), "check", "server", "--report", f"json={file}"]
        words += ["--progress", "never"]
        for option, value in (("baseline", baseline or "none"), ("revision", revision), ("level", level)):
            words += [f"--{option}", value] if value else []
        words += ["--only", ",".join(only)] if only else []
        words += ["--skip", ",".join(skip)] if skip else []
        words += args
        if url is not None:
            words += ["--url", url]
            for name, value in (headers or {}).items():
                words += ["--header", f"{name}: {value}"]
        else:
            for name, value in (env or {}).items():
                words += ["--env", f"{name}={value}"]
            words += ["--stdio", "--", *command]
        try:
            done = subprocess.run(
                words, cwd=cwd, timeout=timeout_s, capture_output=True, text=True, check=False
            )
        except subprocess.TimeoutExpired:
            raise NoVerdict(f"no verdict within {timeout_s} s") from None
        if done.returncode not in (0, 1):
            raise NoVerdict(done.stderr.strip() or done.stdout.strip())
        report = json.loads(file.read_text(encoding="utf-8"))
    failures = [result for result in report["results"] if result["verdict"] == "fail"]
    return Judgement(done.returncode == 0, failures, report, done.stdout.strip())
