"""What pytest finds by the entry point of the package: the fixture plumbline_conforms, and tests in
.mcptest.json files.

A file is collected when it is named on the command line (pytest tools.mcptest.json), and every file
where the configuration says `mcptest_files = true`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mcp_plumbline import Judgement, NoVerdict, TestRun, judge, run_tests


@pytest.fixture
def plumbline_conforms() -> Callable[..., Judgement]:
    """Return a function that fails the test unless a server conforms.

    It takes what mcp_plumbline.judge takes: plumbline_conforms(["python3", "server.py"]).
    """

    def conforms(*args, **options) -> Judgement:
        judgement = judge(*args, **options)
        if not judgement.conforms:
            pytest.fail(judgement.describe(), pytrace=False)
        return judgement

    return conforms


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("mcptest_files", "collect the tests of *.mcptest.json files", "bool", False)
    parser.addini("mcptest_args", "further words for `plumbline test`", "args", [])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if not file_path.name.endswith(".mcptest.json"):
        return None
    named = parent.session.isinitpath(file_path)
    if not named and not parent.config.getini("mcptest_files"):
        return None
    return McpTestFile.from_parent(parent, path=file_path)


def _names(text: str) -> list[str]:
    """Return the names of the tests of a file: JSON with comments."""
    parts = re.finditer(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|[^"/]+|/', text, re.DOTALL)
    plain = "".join(" " if part[0].startswith(("//", "/*")) else part[0] for part in parts)
    return [test["name"] for test in json.loads(plain)["tests"]]


class McpTestFile(pytest.File):
    """The tests of one file. They run together, once, when the first of them is wanted."""

    _run: TestRun | NoVerdict | None = None

    def collect(self) -> Iterator[pytest.Item]:
        try:
            names = _names(self.path.read_text(encoding="utf-8"))
        except (ValueError, KeyError, TypeError):
            names = ["the file"]  # What is wrong with it is told when it runs.
        for name in names:
            yield McpTestItem.from_parent(self, name=name)

    def results(self, name: str) -> list[dict]:
        """Return what came of a test: a result a server and revision."""
        if self._run is None:
            args = self.config.getini("mcptest_args")
            try:
                self._run = run_tests(self.path.name, cwd=self.path.parent, args=args)
            except NoVerdict as wrong:
                self._run = wrong
        if isinstance(self._run, NoVerdict):
            pytest.fail(str(self._run), pytrace=False)
        return [test for test in self._run.tests if test["title"] == name]


class McpTestItem(pytest.Item):
    """One test of a file."""

    def runtest(self) -> None:
        results = self.parent.results(self.name)
        wrong = [test for test in results if test["verdict"] in ("fail", "inconclusive")]
        if wrong:
            told = [f"{test['message']}\nagain: {test.get('reproduce')}" for test in wrong]
            pytest.fail("\n".join(told), pytrace=False)
        if not results:
            pytest.fail("it did not run", pytrace=False)
        if all(test["verdict"] == "skip" for test in results):
            pytest.skip(results[0]["message"])

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, self.name
