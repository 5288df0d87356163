// For node:test and node:assert.

import {AssertionError} from "node:assert";
import {describe, judge, runTests, whyNot} from "./index.js";

// assertConforms rejects with an AssertionError that names each failure of the server.
export async function assertConforms(target, options = {}) {
  const judgement = await judge(target, options);
  if (!judgement.conforms) {
    throw new AssertionError({
      message: describe(judgement),
      actual: judgement.failures.map((failure) => failure.id),
      expected: [],
      operator: "conforms",
    });
  }
  return judgement;
}

// conforms returns the function of a test: test("my server conforms", conforms({command})).
export function conforms(target, options = {}) {
  return async (test) => {
    const judgement = await assertConforms(target, options);
    for (const {id, verdict, message} of judgement.report.results) {
      if (verdict === "warn") test.diagnostic(`${id}: ${message}`);
    }
  };
}

// mcptest returns the function of a test that runs an .mcptest.json file, with a subtest for each
// test in it: test("my tools", mcptest("tools.mcptest.json")).
export function mcptest(file, options = {}) {
  return async (test) => {
    for (const one of (await runTests(file, options)).tests) {
      await test.test(one.name, (it) => {
        if (one.verdict === "skip") return it.skip(one.message);
        const wrong = whyNot(one);
        if (wrong) throw new AssertionError({message: wrong, operator: "mcptest"});
      });
    }
  };
}
