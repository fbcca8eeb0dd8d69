import type { Services } from "../../core/ports/context.ts";
import { searchableText } from "../../documents/searchable.ts";
import { turn } from "./residue.ts";

/** Job: gives rows that an older Cairn stored the words under which this one looks them up. */
export async function rewordRows({ storage: { indexes } }: Services, signal: AbortSignal): Promise<void> {
  let place = await indexes.reword(null, searchableText);
  while (place !== null) {
    await turn(signal);
    place = await indexes.reword(place, searchableText);
  }
}
