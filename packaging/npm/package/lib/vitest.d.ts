import "vitest";
import type {JudgeOptions, TestOptions} from "./index.js";

interface PlumblineMatchers {
  /** The server that a Target says does what the specification demands. */
  toConform(options?: JudgeOptions): Promise<void>;
}

declare module "vitest" {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  interface Assertion<T = any> extends PlumblineMatchers {}
  interface AsymmetricMatchersContaining extends PlumblineMatchers {}
}

/** Runs an .mcptest.json file while tests are collected, and defines a test for each test in it. */
export function mcptest(file: string | URL, options?: TestOptions): Promise<void>;
