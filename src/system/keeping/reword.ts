import { describeCause } from "../../core/kernel/log.ts";
import type { Services } from "../../core/ports/context.ts";
import type { RewordPlace } from "../../core/schema/job.ts";
import { searchableText } from "../../documents/searchable.ts";
import { turn } from "./residue.ts";

/** One job works so long; another goes on behind the jobs that wait by then. */
const WORK_MS = 5_000;

/**
 * Job: gives rows that an older Cairn stored the words under which this one looks them up, for a few seconds from a place on,
 * and leaves the rest to a job of its own. A row that cannot be worded keeps the words that it has.
 */
export async function rewordRows(
  { storage, clock, log }: Services,
  { payload, signal }: { readonly payload: { readonly from?: RewordPlace | undefined }; readonly signal: AbortSignal },
): Promise<void> {
  const until = clock.now() + WORK_MS;
  let place: RewordPlace | null = payload.from ?? null;
  do {
    await turn(signal);
    const { next, failed } = await storage.indexes.reword(place, searchableText);
    for (const { table, seq, error } of failed)
      log.warn("row not worded anew", { table, seq, cause: describeCause(error) });
    if (next === null) return;
    place = next;
  } while (clock.now() < until);
  await storage.jobs.add([{ kind: "reword_rows", payload: { from: place } }], clock.now());
}
