// For Vitest: await expect({command: ["node", "server.js"]}).toConform().

import {expect} from "vitest";
import {describe, judge} from "./index.js";

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
