import type { HeldText } from "../../../core/ports/keeping/forgetting.ts";
import type { By } from "../../documents/write.ts";
import type { Engine } from "../engine/connection.ts";

/** How rows of a kind are found by number, and erased inside the caller's transaction. */
export interface HolderTable {
  readonly table: string;
  readonly number: string;
  /** Numbers looked at in one step. */
  readonly perStep: number;
  /** Reads `number`, `id`, `target` and `text`; ends in a `where` that has the tenant first. */
  readonly select: string;
  /** Columns of the filter; null where rows have none, so that a filter by it matches nothing. */
  readonly fleet: string | null;
  readonly changed: string;
  erase(db: Engine, by: By, tenant_id: string, rows: readonly HeldText[]): void;
}
