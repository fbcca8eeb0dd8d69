import { once } from "node:events";
import { writeSync } from "node:fs";

/** Writes a text to standard output, with one line break at its end. */
export const print = (text: string): void => write(1, `${text.trimEnd()}\n`);

/** Writes a text to standard error as it is. */
export const printError = (text: string): void => write(2, text);

/** Characters that are written at once. */
const CHUNK_LENGTH = 64 * 1024;

/** Writes lines to standard output as fast as they are taken. Ends early where whoever reads has seen enough. */
export async function printLines(lines: AsyncIterable<string>): Promise<void> {
  const { stdout } = process;
  let isTaken = true;
  const failed = new Promise<void>((resolve) =>
    stdout.on("error", (error) => {
      isTaken = false;
      notTaken(1, error);
      resolve();
    }),
  );
  const put = async (text: string) => {
    if (!stdout.write(text)) await Promise.race([once(stdout, "drain"), failed]);
  };
  let waiting = "";
  for await (const line of lines) {
    waiting += `${line}\n`;
    if (waiting.length < CHUNK_LENGTH) continue;
    await put(waiting);
    if (!isTaken) return;
    waiting = "";
  }
  await put(waiting);
}

/**
 * Past the streams of the process, the first use of which costs a tenth of the start. What a full pipe does not take
 * at once goes through them.
 */
function write(descriptor: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
  } catch (error) {
    if (codeOf(error) !== "EAGAIN") {
      notTaken(descriptor, error);
      return;
    }
    // The streams report a failed write as an event, which ends the process unless somebody listens.
    const stream = descriptor === 1 ? process.stdout : process.stderr;
    if (stream.listenerCount("error") === 0) stream.on("error", (fault) => notTaken(descriptor, fault));
    stream.write(bytes.subarray(written));
  }
}

/**
 * Whoever closed a pipe has seen enough, as `head` has. Any other failure to write the output is said once and makes the
 * exit code 1; a failure to write that has nowhere to be said.
 */
function notTaken(descriptor: 1 | 2, error: unknown): void {
  if (descriptor === 2 || codeOf(error) === "EPIPE" || process.exitCode === EXIT_FAILED) return;
  process.exitCode = EXIT_FAILED;
  const why = codeOf(error) === "ENOSPC" ? "no space is left where it goes" : String(error);
  printError(`cairn: The output could not be written: ${why}.\n`);
}

const EXIT_FAILED = 1;

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);
