import { nameId } from "../core/kernel/ids.ts";
import { normalized } from "../core/kernel/text.ts";

/**
 * Ids for what a source gives none: the same each time it is read, and whatever stands before it. They change with the text,
 * as a memory's id means its text; the same text once more in a file is told by its number.
 */
export function noteIds(format: string): (file: string, content: string) => string {
  const met = new Map<string, number>();
  return (file, content) => {
    const text = normalized(content, "NFC").replace(/\s+/g, " ");
    const first = nameId([format, file, text, "1"]);
    const count = (met.get(first) ?? 0) + 1;
    met.set(first, count);
    return count === 1 ? first : nameId([format, file, text, String(count)]);
  };
}
