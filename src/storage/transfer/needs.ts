import type { NewMemory } from "../../core/ports/memory-store.ts";
import type { Unit } from "../units/unit.ts";

/** What an import asks of others in the way of its engine. */
export interface TransferNeeds {
  /** Stores rows with their words and links; their numbers, by their ids. */
  insertMemories(entries: readonly NewMemory[], gives_homes: boolean): Unit<ReadonlyMap<string, number>>;
}
