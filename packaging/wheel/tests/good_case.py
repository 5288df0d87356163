import os

import mcp_plumbline
import pytest

REFERENCE = [os.environ["PLUMBLINE"], "serve", "--reference", "--stdio"]


def test_the_reference_server_conforms(plumbline_conforms):
    judgement = plumbline_conforms(REFERENCE, revision="2025-11-25")
    assert judgement.report["summary"]["pass"] > 50


def test_a_server_that_is_not_there_is_no_verdict():
    with pytest.raises(mcp_plumbline.NoVerdict, match="/no/such/server"):
        mcp_plumbline.judge(["/no/such/server"])
    with pytest.raises(TypeError):
        mcp_plumbline.judge()
