import type { ReadLine } from "../../formats/reader.ts";

/** What a source is known by, and how many entries it has; `pass` is called for each. Reads all of it; throws what reading it throws. */
export async function fingerprinted(
  format: string,
  read: () => AsyncIterable<ReadLine>,
  pass: (line: ReadLine) => void = () => {},
): Promise<{ readonly name: string; readonly total: number }> {
  const hash = new Bun.CryptoHasher("sha256");
  let total = 0;
  for await (const line of read()) {
    total += 1;
    pass(line);
    hash.update(JSON.stringify(line));
  }
  return { name: `${format} ${hash.digest("hex")}`, total };
}
