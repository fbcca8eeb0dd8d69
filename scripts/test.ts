// Usage: npm test [-- FILE ...]
//
// Runs the tests in parts, two at a time, as most of them wait more than they compute; with arguments, what they name in one process.
import "../test/support/preloaded/with-npm.ts";

interface Part {
  readonly name: string;
  /** Files, and folders with all that is in them. */
  readonly files: readonly string[];
  readonly except?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** It looks at processes or clocks of a machine that others use, too: a test that failed is run once more, and told of. */
  readonly isRetried?: boolean;
}

/** Hold real times, ratios of them, or what a process holds in the quiet, to a bound: nothing may run beside these. */
const TIMES = [
  "test/ai/openai-llm.test.ts",
  "test/attack/keystones.test.ts",
  "test/attack/limits.test.ts",
  "test/attack/quoting/time.test.ts",
  "test/attack/slow-readers.test.ts",
  "test/attack/time",
  // A hook that has no answer within 250 ms says nothing.
  "test/binary/first-minute.test.ts",
  "test/fault/hook.test.ts",
  "test/fault/models/embedder.test.ts",
  "test/fault/models/memory-released.test.ts",
  // Redis has 250 ms to answer.
  "test/http/edge/shared-limits.test.ts",
  "test/storage/redis/token-buckets.test.ts",
  "test/http/observing/events.test.ts",
  "test/http/observing/streams.test.ts",
  "test/unit/search/row-traits.test.ts",
  "test/unit/search/stage-times.test.ts",
];
const COMMANDS = ["test/binary", "test/cli", "test/mcp", "test/setup"];
const DATA = ["test/property", "test/storage"];
const HTTP = { files: ["test/http"], except: TIMES };
/** What runs over Postgres beside HTTP, as it goes all the way down. */
const PROJECTS = "test/property/projects.test.ts";

/** What takes longest begins first. */
const BESIDE: readonly Part[] = [
  { name: "http over Postgres", ...HTTP, files: [...HTTP.files, PROJECTS], env: { ENGINE: "postgres" } },
  { name: "faults", files: ["test/fault"], except: TIMES, isRetried: true },
  { name: "console", files: ["test/console"], isRetried: true },
  { name: "commands", files: COMMANDS, except: TIMES, isRetried: true },
  { name: "data", files: DATA, except: TIMES },
  { name: "http", ...HTTP },
  {
    name: "the rest",
    files: ["test"],
    except: ["test/console", "test/fault", "test/http", ...COMMANDS, ...DATA, ...TIMES],
  },
];
/** Runs when all others are done. */
const LAST: Part = { name: "times", files: TIMES, isRetried: true };

const AT_ONCE = 2;
/** For one test: against a hang, on a machine that is busy with others. */
const TIMEOUT_MS = 180_000;

const testFiles = [...new Bun.Glob("test/**/*.test.ts").scanSync(".")].sort();
const isIn = (file: string, names: readonly string[]): boolean =>
  names.some((name) => file === name || file.startsWith(`${name}/`));

/** Paths of a part's files, as `bun test` takes them. Throws where a name stands for none. */
function filesOf({ files, except = [] }: Part): string[] {
  const unknown = [...files, ...except].find((name) => !testFiles.some((file) => isIn(file, [name])));
  if (unknown !== undefined) throw new Error(`No test file is, or is in, ${unknown}.`);
  return testFiles.filter((file) => isIn(file, files) && !isIn(file, except)).map((file) => `./${file}`);
}

/** Begins to test, with both outputs inherited or kept. */
function begin<Output extends "inherit" | "pipe">(
  args: readonly string[],
  output: Output,
  { env = {}, isRetried = false }: Pick<Part, "env" | "isRetried"> = {},
) {
  const retries = isRetried ? "1" : "0";
  return Bun.spawn([process.execPath, "test", "--timeout", `${TIMEOUT_MS}`, "--retry", retries, ...args], {
    stdin: "ignore",
    stdout: output,
    stderr: output,
    env: { ...process.env, ...env },
  });
}

/** What a test printed before it failed, at most; the rest is with its part. */
const SHOWN_LINES = 40;

/** Each test whose result begins so, with what was printed before it. */
function testsIn(output: string, result: RegExp): string[] {
  const found: string[] = [];
  let before: string[] = [];
  for (const line of output.split("\n")) {
    before.push(line);
    if (result.test(line)) found.push(before.slice(-SHOWN_LINES).join("\n"));
    if (/^\((?:pass|fail|skip|todo)\)/.test(line)) before = [];
  }
  return found;
}

/** What ended the process, where no test failed. */
const endOf = (output: string): string => output.split("\n").slice(-SHOWN_LINES).join("\n");

interface Outcome {
  /** Failures, with what was printed before them. */
  readonly failed: readonly string[];
  /** Tests that failed at first and passed then, with the same. */
  readonly passedLater: readonly string[];
}

/** Runs a part and prints what it printed, once it has ended. */
async function run(part: Part): Promise<Outcome> {
  const files = filesOf(part);
  const startedAt = performance.now();
  const child = begin(files, "pipe", part);
  const outputs = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const output = outputs.join("");
  const isPassed = (await child.exited) === 0;
  const took_s = Math.round((performance.now() - startedAt) / 1_000);
  const head = `== ${part.name}: ${files.length} files ${isPassed ? "passed" : "FAILED"} in ${took_s} s`;
  process.stdout.write(`\n${head}\n${output}${head}\n`);
  const failures = isPassed ? [] : testsIn(output, /^\(fail\)/);
  return {
    failed: isPassed ? [] : [head, ...(failures.length > 0 ? failures : [endOf(output)])],
    passedLater: testsIn(output, /^\(pass\).* \(attempt \d+\)/),
  };
}

/** Runs all parts: those that bear others beside them, then the last. */
async function runAll(): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const take = async (queue: Part[]) => {
    for (let part = queue.shift(); part; part = queue.shift()) outcomes.push(await run(part));
  };
  const queue = [...BESIDE];
  await Promise.all(Array.from({ length: AT_ONCE }, () => take(queue)));
  await take([LAST]);
  return outcomes;
}

const named = process.argv.slice(2);
if (named.length > 0) process.exitCode = await begin(named, "inherit").exited;
else {
  const outcomes = await runAll();
  const passedLater = outcomes.flatMap((outcome) => outcome.passedLater);
  if (passedLater.length > 0) console.error(`\nWhat passed at the second try alone:\n${passedLater.join("\n")}`);
  const failed = outcomes.flatMap((outcome) => outcome.failed);
  if (failed.length > 0) {
    console.error(`\nWhat failed, once more:\n${failed.join("\n")}`);
    process.exitCode = 1;
  }
}
