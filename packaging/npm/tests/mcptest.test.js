import assert from "node:assert/strict";
import test from "node:test";
import {runTests} from "mcp-plumbline";
import {mcptest} from "mcp-plumbline/node-test";

test("my tools", mcptest("tools.mcptest.json"));

test("a file that is not there is no run", async () => {
  await assert.rejects(runTests("missing.mcptest.json"), /missing\.mcptest\.json/);
});

test("another server in place of the file's", async () => {
  const target = {command: [process.env.REFERENCE, "serve", "--reference", "--stdio"]};
  const {passed, tests} = await runTests("tools.mcptest.json", {target, only: ["adds"]});
  assert.deepEqual([passed, tests.map(({name}) => name)], [true, ["adds"]]);
});
