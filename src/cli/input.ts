import { UsageError } from "./usage.ts";

/** The whole of standard input as text. Throws UsageError for what is no UTF-8. */
export const readStandardInput = async (): Promise<string> =>
  decoded(await Bun.stdin.arrayBuffer(), "Standard input holds");

/** The text of a file that the caller named. Throws UsageError for one that cannot be read, and for what is no UTF-8. */
export async function readNamedFile(path: string): Promise<string> {
  const bytes = await Bun.file(path)
    .arrayBuffer()
    .catch((cause: Error) => {
      throw new UsageError(`The file ${path} cannot be read: ${cause.message}`);
    });
  return decoded(bytes, `The file ${path} holds`);
}

function decoded(bytes: ArrayBuffer, begin: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${begin} bytes that are no text in UTF-8. Convert it first, as with iconv.`);
  }
}
