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

__all__ = ["Judgement", "NoVerdict", "TestRun", "judge", "program_path", "run_tests"]


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


@dataclasses.dataclass(frozen=True)
class TestRun:
    """What the tests of a file came to. `tests` are the results, `text` what was printed."""

    __test__ = False  # For pytest: this is none.

    passed: bool
    tests: list[dict[str, Any]]
    report: dict[str, Any]
    text: str


def run_tests(
    file: str | os.PathLike[str],
    *,
    command: Sequence[str] | None = None,
    url: str | None = None,
    only: Sequence[str] = (),
    revision: str | None = None,
    allow_writes: bool = False,
    cwd: str | os.PathLike[str] | None = None,
    args: Sequence[str] = (),
    timeout_s: float = 300,
) -> TestRun:
    """Run the tests of an .mcptest.json file.

    `command` or `url` is the server in place of those that the file names. `args` are further words
    for `plumbline test`. Raises NoVerdict when no test ran: the file or an option is wrong.
    """
    with tempfile.TemporaryDirectory(prefix="plumbline-") as folder:
        path = Path(folder) / "report.json"
        words = [program_path(), "test", str(file), "--report", f"json={path}", "--progress", "never"]
        for text in only:
            words += ["--only", text]
        words += ["--revision", revision] if revision else []
        words += ["--allow-writes"] if allow_writes else []
        words += args
        words += ["--url", url] if url is not None else []
        words += ["--", *command] if command is not None else []
        try:
            done = subprocess.run(
                words, cwd=cwd, timeout=timeout_s, capture_output=True, text=True, check=False
            )
        except subprocess.TimeoutExpired:
            raise NoVerdict(f"no verdict within {timeout_s} s") from None
        told = done.stderr.strip() or done.stdout.strip()
        if done.returncode == 2 or not path.exists():
            raise NoVerdict(told)
        report = json.loads(path.read_text(encoding="utf-8"))
    if not report["results"]:
        raise NoVerdict(f"no test of {file} ran: {told}")
    return TestRun(done.returncode == 0, report["results"], report, done.stdout.strip())
