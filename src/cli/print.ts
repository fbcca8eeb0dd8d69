import { writeSync } from "node:fs";

/** Writes a text to standard output, with one line break at its end. */
export const print = (text: string): void => write(1, `${text.trimEnd()}\n`);

/** Writes a text to standard error as it is. */
export const printError = (text: string): void => write(2, text);

/**
 * Past the streams of the process, the first use of which costs a tenth of the start. What a full pipe does not take goes
 * through them.
 */
function write(descriptor: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
  } catch (error) {
    // Whoever read this has seen enough, as `head` has.
    if (error instanceof Error && "code" in error && error.code === "EPIPE") return;
    const stream = descriptor === 1 ? process.stdout : process.stderr;
    stream.write(bytes.subarray(written));
  }
}
