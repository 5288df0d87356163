import assert from "node:assert/strict";
import test from "node:test";
import {judge} from "mcp-plumbline";
import {conforms} from "mcp-plumbline/node-test";

const server = {command: ["node", process.env.EVERYTHING]};

test("server-everything conforms", conforms(server, {revision: "2025-11-25"}));

test("a judgement has all that was found", async () => {
  const judgement = await judge(server, {only: ["ping.empty-result"]});
  assert.equal(judgement.conforms, true);
  assert.equal(judgement.report.results[0].id, "ping.empty-result");
});

test("a server that is not there is no verdict", async () => {
  await assert.rejects(judge({command: ["/no/such/server"]}), /no\/such\/server/);
  await assert.rejects(judge({}), /expected \{command/);
});
