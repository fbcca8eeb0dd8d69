import { yieldToEventLoop } from "../../core/kernel/event-loop.ts";
import type { Services } from "../../core/ports/context.ts";

/**
 * Job: erases the names that only erased rows held, overwrites what erased rows left in the keyword indexes, gives back the
 * room that they took, and empties the log of the data file.
 */
export async function eraseResidue(services: Services, signal: AbortSignal): Promise<void> {
  const { entities, indexes } = services.storage;
  for (let after: number | null = 0; after !== null; ) {
    after = await entities.deleteOrphanedNames(after);
    await turn(signal);
  }
  for (let begin = true; await indexes.mergeWords(begin); begin = false) await turn(signal);
  await giveRoomBack(services, signal);
}

/** Gives free pages of the data file back, a few at a time, and empties its log. */
export async function giveRoomBack({ storage }: Services, signal: AbortSignal): Promise<void> {
  while (await storage.retention.giveBackPages()) await turn(signal);
  await storage.emptyLog();
}

/** Lets whoever waits go first. */
export async function turn(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await yieldToEventLoop();
}
