/** A server to judge: a program that speaks over stdio, or one that listens at a URL. */
export type Target =
  | {command: string[]; cwd?: string; env?: Record<string, string>}
  | {url: string | URL; cwd?: string; headers?: Record<string, string>};

export interface JudgeOptions {
  /** "auto" (the default), "all", or revisions such as "2025-11-25". */
  revision?: string;
  /** How strong a rule has to be: "must", "should" or "all". */
  level?: "must" | "should" | "all";
  /** Only these checks. */
  only?: string[];
  /** All but these checks. */
  skip?: string[];
  /**
   * A file of known failures to excuse, beside those of every server on the same SDK, which are
   * excused by default. null: excuse nothing.
   */
  baseline?: string | null;
  /** Call tools, too, that do not say they are read-only. */
  allowWrites?: boolean;
  /** Of one request to the server. */
  requestTimeoutMs?: number;
  /** Of the whole judgement: 300,000 unless said. */
  timeoutMs?: number;
  /** Further words for `plumbline check server`. */
  args?: string[];
}

export type Verdict = "pass" | "fail" | "warn" | "skip" | "inconclusive" | "xfail";

/** What one check came to. */
export interface CheckResult {
  id: string;
  verdict: Verdict;
  level: string;
  area: string;
  revision: string;
  transport: string;
  title: string;
  message: string;
  /** The clause of the specification, where there is one. */
  spec?: string;
  /** The command line that runs this check alone. */
  reproduce?: string;
  evidence?: unknown[];
}

export interface Judgement {
  /** Whether nothing failed but what the baseline excuses. */
  conforms: boolean;
  failures: CheckResult[];
  summary: Record<Verdict, number>;
  /** The JSON report as a whole. */
  report: {results: CheckResult[]; [name: string]: unknown};
  /** What the command has printed. */
  text: string;
}

/**
 * Judges a server. Rejects when there is no verdict: the server cannot be reached, an option is
 * wrong, or the time is over.
 */
export function judge(target: Target, options?: JudgeOptions): Promise<Judgement>;

export interface TestOptions {
  /** The server, in place of those that the file names. */
  target?: {command: string[]} | {url: string | URL};
  /** Only tests with one of these in their name. */
  only?: string[];
  /** Only these servers of the file. */
  servers?: string[];
  /** "all", or a revision such as "2025-11-25". */
  revision?: string;
  /** Write the snapshots that differ. */
  update?: boolean;
  /** Call tools, too, that do not say they are read-only. */
  allowWrites?: boolean;
  /** Of one request to a server. */
  requestTimeoutMs?: number;
  /** Of the whole file: 300,000 unless said. */
  timeoutMs?: number;
  cwd?: string;
  /** Further words for `plumbline test`. */
  args?: string[];
}

/** What one test of a file came to. `name` tells it from those of other servers and revisions. */
export type TestResult = CheckResult & {name: string};

export interface TestRun {
  passed: boolean;
  tests: TestResult[];
  summary: Record<Verdict, number>;
  /** The JSON report as a whole. */
  report: {results: CheckResult[]; [name: string]: unknown};
  /** What the command has printed. */
  text: string;
}

/** Runs the tests of an .mcptest.json file. Rejects when none ran: the file or an option is wrong. */
export function runTests(file: string | URL, options?: TestOptions): Promise<TestRun>;

/** Why a test did not pass; undefined where it did, or was skipped. */
export function whyNot(result: CheckResult): string | undefined;

/** The failures of a judgement as text, a few lines each. */
export function describe(judgement: Judgement): string;

/** The path of what runs: the native program, or the script that runs the WebAssembly module. Throws where neither is there. */
export function programPath(): string;
