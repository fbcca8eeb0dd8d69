import type { Actor } from "../../../core/ports/memory-store.ts";
import type { TextOf } from "../../../core/ports/storage.ts";

/** Who mends what a rebuild finds. */
export const REBUILD: Actor = { agent_id: null, auth_source: "rebuild" };

/** What a rebuild needs beside the rows. */
export interface RebuildBy {
  readonly nowMs: number;
  readonly textOf: TextOf;
}

/** What was rebuilt of a slice. */
export interface Rebuilt {
  readonly rows: number;
  readonly embeddings_queued: number;
}
