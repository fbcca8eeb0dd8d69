/** Rows of a table that could not be saved. */
export interface LostRows {
  readonly table: string;
  /** Null where nothing tells how many there were. */
  readonly rows: number | null;
  /** Ids of the first of them, as far as an index still has them. */
  readonly ids: readonly string[];
}

/** What became of a damaged data file. */
export interface Salvaged {
  /** Where the damaged file lies now. */
  readonly kept: string;
  /** What was damaged, by name. */
  readonly damaged: readonly string[];
  readonly lost: readonly LostRows[];
}
