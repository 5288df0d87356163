// For Vitest: await expect({command: ["node", "server.js"]}).toConform().

import {describe as group, expect, test} from "vitest";
import {describe, judge, runTests, whyNot} from "./index.js";

expect.extend({
  async toConform(target, options = {}) {
    const judgement = await judge(target, options);
    return {
      pass: judgement.conforms,
      message: () => describe(judgement),
      actual: judgement.failures.map((failure) => failure.id),
      expected: [],
    };
  },
});

// mcptest runs an .mcptest.json file and defines a test for each test in it. Await it at the top of
// a test file: await mcptest("tools.mcptest.json").
export async function mcptest(file, options = {}) {
  const {tests} = await runTests(file, options);
  group(String(file), () => {
    for (const one of tests) {
      test.skipIf(one.verdict === "skip")(one.name, () => {
        const wrong = whyNot(one);
        if (wrong) throw new Error(wrong);
      });
    }
  });
}
