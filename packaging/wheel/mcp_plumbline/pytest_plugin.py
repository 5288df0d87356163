"""The fixture plumbline_conforms, which pytest finds by the entry point of the package."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mcp_plumbline import Judgement, judge


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
