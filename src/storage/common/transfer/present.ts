import type { ImportOutcome, IncomingMemory } from "../../../core/ports/keeping/transfer.ts";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";

/** What is there under an id. */
export type Present = Pick<StoredMemory, "content_hash" | "deleted_at" | "fleet_id">;

/** The id that a memory is looked for and stored under: its own, unless that names a memory of another project. */
export function idBeside(
  { memory, beside_id }: Pick<IncomingMemory, "memory" | "beside_id">,
  find: (id: string) => Present | null | undefined,
): string {
  if (beside_id === null) return memory.id;
  if (find(beside_id)) return beside_id;
  const itself = find(memory.id);
  return itself && itself.fleet_id !== memory.fleet_id ? beside_id : memory.id;
}

/** What becomes of a memory whose id is there already. */
export function outcomeBeside(itself: Present, { id, content_hash, fleet_id }: StoredMemory): ImportOutcome {
  if (itself.deleted_at !== null) return { outcome: "deleted", id, error: null };
  if (itself.content_hash === content_hash) return { outcome: "exists", id, error: null };
  const home = itself.fleet_id === null ? "no project" : `project ${itself.fleet_id}`;
  return { outcome: "different", id, error: itself.fleet_id === fleet_id ? null : `it is in ${home} here` };
}
