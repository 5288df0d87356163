import "mcp-plumbline/vitest";
import {judge, type Judgement} from "mcp-plumbline";
import {expect, test} from "vitest";

const server = {command: [process.env.REFERENCE!, "serve", "--reference", "--stdio"]};

test("the reference server conforms", async () => {
  await expect(server).toConform({revision: "2025-11-25"});
  const judgement: Judgement = await judge(server, {only: ["ping.empty-result"]});
  expect(judgement.summary.pass).toBe(1);
}, 120_000);

test("this one does not", async () => {
  await expect({command: ["node", "broken_server.mjs"]}).toConform();
}, 120_000);
