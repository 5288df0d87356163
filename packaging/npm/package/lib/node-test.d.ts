import type {TestContext} from "node:test";
import type {JudgeOptions, Judgement, Target, TestOptions} from "./index.js";

/** Rejects with an AssertionError that names each failure of the server. */
export function assertConforms(target: Target, options?: JudgeOptions): Promise<Judgement>;

/** The function of a test: `test("my server conforms", conforms({command: ["node", "server.js"]}))`. */
export function conforms(
  target: Target,
  options?: JudgeOptions,
): (test: TestContext) => Promise<void>;

/** The function of a test with a subtest for each test of a file: `test("my tools", mcptest("tools.mcptest.json"))`. */
export function mcptest(file: string | URL, options?: TestOptions): (test: TestContext) => Promise<void>;
