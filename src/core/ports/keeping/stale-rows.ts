/** A row that only another model than the one that answers has read. */
export interface StaleRow {
  readonly seq: number;
  readonly id: string;
}

/** Which of those of a tenant are asked for: the newest ones, below a number. */
export interface StaleRows {
  readonly tenant_id: string;
  readonly embedder_id: string;
  readonly below: number | null;
  readonly limit: number;
}
