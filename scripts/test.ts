// Usage: npm test [-- FILE ...]
//
// Runs the tests in parts, two at a time, as most of them wait more than they compute; with arguments, what they name in one process.
import "../test/support/with-npm.ts";

interface Part {
  readonly name: string;
  /** Files, and folders with all that is in them. */
  readonly files: readonly string[];
  readonly except?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** How often a test that failed is run again before it counts as failed. */
  readonly retries?: number;
}

/** Hold real times, ratios of them, or what a process holds in the quiet, to a bound: nothing may run beside these. */
const TIMES = [
  "test/ai/openai-llm.test.ts",
  "test/attack/keystones.test.ts",
  "test/attack/limits.test.ts",
  "test/attack/slow-readers.test.ts",
  // A hook that has no answer within 250 ms says nothing.
  "test/binary/first-minute.test.ts",
  "test/fault/hook.test.ts",
  "test/fault/models/embedder.test.ts",
  "test/fault/models/memory-released.test.ts",
  "test/fault/models/secondary-embedder.test.ts",
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

/** What takes longest begins first. */
const BESIDE: readonly Part[] = [
  { name: "http over Postgres", ...HTTP, env: { ENGINE: "postgres" } },
  { name: "faults", files: ["test/fault"], except: TIMES },
  { name: "console", files: ["test/console"] },
  { name: "commands", files: COMMANDS, except: TIMES },
  { name: "data", files: DATA, except: TIMES },
  { name: "http", ...HTTP },
  {
    name: "the rest",
    files: ["test"],
    except: ["test/console", "test/fault", "test/http", ...COMMANDS, ...DATA, ...TIMES],
  },
];
/** Runs when all others are done; a machine that stood still for a moment may be measured again. */
const LAST: Part = { name: "times", files: TIMES, retries: 1 };

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
  { env = {}, retries = 0 }: Pick<Part, "env" | "retries"> = {},
) {
  return Bun.spawn([process.execPath, "test", "--timeout", `${TIMEOUT_MS}`, "--retry", `${retries}`, ...args], {
    stdin: "ignore",
    stdout: output,
    stderr: output,
    env: { ...process.env, ...env },
  });
}

/** What a test printed before it failed, at most; the rest is with its part. */
const SHOWN_LINES = 40;

/** Each failure of a part's output with what was printed before it. */
function failuresIn(output: string): string[] {
  const failures: string[] = [];
  let before: string[] = [];
  for (const line of output.split("\n")) {
    before.push(line);
    if (line.startsWith("(fail)")) failures.push(before.slice(-SHOWN_LINES).join("\n"));
    if (/^\((?:pass|fail|skip|todo)\)/.test(line)) before = [];
  }
  // What ended the process, where no test failed.
  return failures.length > 0 ? failures : [before.slice(-SHOWN_LINES).join("\n")];
}

/** Runs a part and prints what it printed, once it has ended; gives its failures. */
async function run(part: Part): Promise<string[]> {
  const files = filesOf(part);
  const startedAt = performance.now();
  const child = begin(files, "pipe", part);
  const outputs = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const isPassed = (await child.exited) === 0;
  const took_s = Math.round((performance.now() - startedAt) / 1_000);
  const head = `== ${part.name}: ${files.length} files ${isPassed ? "passed" : "FAILED"} in ${took_s} s`;
  process.stdout.write(`\n${head}\n${outputs.join("")}${head}\n`);
  return isPassed ? [] : [head, ...failuresIn(outputs.join(""))];
}

/** Runs all parts; gives what failed. */
async function runAll(): Promise<string[]> {
  const failed: string[] = [];
  const take = async (queue: Part[]) => {
    for (let part = queue.shift(); part; part = queue.shift()) failed.push(...(await run(part)));
  };
  const queue = [...BESIDE];
  await Promise.all(Array.from({ length: AT_ONCE }, () => take(queue)));
  await take([LAST]);
  return failed;
}

const named = process.argv.slice(2);
if (named.length > 0) process.exitCode = await begin(named, "inherit").exited;
else {
  const failed = await runAll();
  if (failed.length > 0) {
    console.error(`\nWhat failed, once more:\n${failed.join("\n")}`);
    process.exitCode = 1;
  }
}
