import type { ReadScope } from "../memory-filter.ts";

/** How often hooks told a memory, as it is written now, and what came of it. */
export interface Telling {
  readonly told: number;
  /** Tellings after which it could be seen whether they were taken up; never more than `told`. */
  readonly watched: number;
  /** Those that were; never more than `told`. */
  readonly used: number;
  readonly last_told_at: string;
}

/** What hooks told, and what of it was taken up since. */
export interface NewTellings {
  readonly tenant_id: string;
  /** Rows that it does not see are passed over. */
  readonly read_scope: ReadScope;
  readonly told: readonly string[];
  readonly watched: readonly string[];
  readonly used: readonly string[];
  readonly at: string;
}

/** Counts of rows. */
export type Counted = Readonly<Record<"told" | "watched" | "used", number>>;

/** Counts of tellings: no word of what was told. They go with their memory, and begin again when it says something else. */
export interface TellingStore {
  /** Adds one telling to each of the told rows, then to each watched and each used one that it is, up to the number of its tellings. */
  record(tellings: NewTellings): Promise<Counted>;
  /** Those of these rows that were told, deleted ones too, whoever may see them. */
  of(tenant_id: string, ids: readonly string[]): Promise<ReadonlyMap<string, Telling>>;
}
