/** Writes a text to standard output, with one line break at its end. */
export const print = (text: string): void => void process.stdout.write(`${text.trimEnd()}\n`);
