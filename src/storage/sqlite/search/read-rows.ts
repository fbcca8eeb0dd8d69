import type { SQLQueryBindings } from "bun:sqlite";
import { unlessSilent } from "../../../core/kernel/vectors.ts";
import type { HitExtra, HitMemory } from "../../../core/ports/hits.ts";
import { tablesOf } from "../../common/sides.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Connections } from "../engine/connection.ts";
import { vectorOver } from "../vectors/blob.ts";
import type { WhereText } from "./where.ts";

/** A row as SQLite hands it over, with its place in its run and its vectors of the space that is searched. */
export interface HitRow extends Omit<HitMemory, HitExtra> {
  readonly entity_links: string | null;
  readonly system_metadata: string | null;
  readonly expires_at: string | null;
  readonly weight: number;
  readonly seq: number;
  readonly previous_seq: number | null;
  readonly next_seq: number | null;
  /** Null while it has none of the space's embedder, and where that is silent. */
  readonly vector: Float32Array | null;
  readonly context: Float32Array | null;
}

type Vectors = "vector" | "context";
type StoredRow = Omit<HitRow, Vectors> & Readonly<Record<Vectors, Uint8Array | null>>;

const COLUMNS = [
  "id",
  "title",
  "content",
  "memory_type",
  "status",
  "run_id",
  "created_at",
  "ts_valid_start",
  "ts_valid_end",
  "entity_links",
  "system_metadata",
  "expires_at",
  "weight",
  "seq",
  "previous_seq",
] as const satisfies (keyof HitRow)[];

/** Rows by their numbers, those that a predicate lets through. The cross join finds rows first and filters them after. */
export function readRows(
  { readConnection }: Connections,
  space: EmbedderSpace,
  seqs: readonly number[],
  where: WhereText,
): HitRow[] {
  const statement = readConnection.query<StoredRow, SQLQueryBindings[]>(`
    select ${COLUMNS.map((name) => `memories.${name}`).join(", ")}, v.vector, v.context,
      (select n.seq from memories n where n.previous_seq = memories.seq limit 1) as next_seq
    from json_each(?) wanted
    cross join memories on memories.seq = wanted.value
    left join ${tablesOf(space).memory_vectors} v on v.seq = memories.seq and v.embedder_id = ?
    where ${where.sql}`);
  return statement.all(JSON.stringify(seqs), space.id, ...where.params).map((row) => ({
    ...row,
    vector: unlessSilent(row.vector && vectorOver(row.vector)),
    context: row.context && vectorOver(row.context),
  }));
}
