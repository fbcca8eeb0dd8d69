import type { StoredLink } from "../../../core/ports/stored-memory.ts";
import type { TenantWork } from "../engine/work.ts";

/** A stored row, as far as links go. */
export interface LinkedRow {
  readonly seq: number;
  readonly audience: number;
  readonly created_at: string;
}

export async function fileCallerLinks(
  _work: TenantWork,
  _row: LinkedRow,
  _links: readonly StoredLink[],
): Promise<void> {
  throw new Error("Not built.");
}
