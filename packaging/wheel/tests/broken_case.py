import sys

SERVER = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    result = "pong"
    if asked["method"] == "initialize":
        result = {"protocolVersion": asked["params"]["protocolVersion"], "capabilities": {},
                  "serverInfo": {"name": "broken", "version": "1"}}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""


def test_this_one_does_not(plumbline_conforms):
    plumbline_conforms([sys.executable, "-c", SERVER])
