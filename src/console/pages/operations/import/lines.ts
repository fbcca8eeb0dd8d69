import { CallProblem } from "../../../api/problem.ts";

const MIB = 1_048_576;
/** Of one line; longer ones are no line of an export. */
const LINE_MAX = 64 * MIB;

/** A fault of a file, as the page tells it. */
export const faultOfFile = (message: string): CallProblem => new CallProblem(0, "FILE_REFUSED", message);

/** The lines of a file, without what ends them; a piece of it is held at a time. `told` hears how many bytes were read. Throws CallProblem. */
export async function* linesOf(file: File, told: (bytes: number) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [rest, read, number] = ["", 0, 1];
  const decode = (bytes?: Uint8Array): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      throw faultOfFile(`${file.name} is not in UTF-8 (line ${number} or a little later): save it as UTF-8 first.`);
    }
  };
  const reader = file.stream().getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + decode(part.value)).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > LINE_MAX)
        throw faultOfFile(`Line ${number + lines.length} of ${file.name} is longer than 64 MiB.`);
      read += part.value.length;
      told(read);
      for (const line of lines) {
        number += 1;
        yield line.endsWith("\r") ? line.slice(0, -1) : line;
      }
    }
    rest += decode();
    if (rest !== "") yield rest;
  } finally {
    await reader.cancel();
  }
}
